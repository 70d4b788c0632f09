//! Schemas of one type.

use serde_json::{Map, Value, json};

use super::Subset;
use super::writing::{any_of, describe};
use crate::tools::formats::keywords::escaped;

impl Subset<'_> {
    /// Values of one type, with what the API knows of that type's keywords.
    pub(super) fn of_kind(&mut self, map: &Map<String, Value>, kind: &str, at: &str) -> Value {
        let (mut schema, kept) = match kind {
            "object" => return self.object(map, at),
            "array" => (json!({"type": "ARRAY"}), &["minItems", "maxItems"][..]),
            "string" => (
                json!({"type": "STRING"}),
                &["minLength", "maxLength", "pattern"][..],
            ),
            "integer" => (json!({"type": "INTEGER"}), &["minimum", "maximum"][..]),
            "number" => (json!({"type": "NUMBER"}), &["minimum", "maximum"][..]),
            _ => (json!({"type": "BOOLEAN"}), &[][..]),
        };
        describe(&mut schema, map, "");
        for key in kept {
            if let Some(value) = map.get(*key) {
                schema[*key] = value.clone();
            }
        }
        let formats = FORMATS
            .iter()
            .find(|(of, _)| *of == kind)
            .map(|(_, formats)| *formats);
        let format = map.get("format").and_then(Value::as_str);
        let format = format.filter(|format| formats.is_some_and(|known| known.contains(format)));
        if let Some(format) = format {
            schema["format"] = Value::from(format);
        }
        if kind == "array" {
            schema["items"] = self.items(map, at);
        }
        let lost = LOST
            .iter()
            .filter(|(of, key)| *of == kind && map.contains_key(*key));
        let mut lost: Vec<&str> = lost.map(|(_, key)| *key).collect();
        if format.is_none() && map.contains_key("format") {
            lost.push("format");
        }
        self.lost(&lost, at);
        schema
    }

    fn items(&mut self, map: &Map<String, Value>, at: &str) -> Value {
        let at = format!("{at}/items");
        match map.get("prefixItems").and_then(Value::as_array) {
            Some(places) => {
                self.changes
                    .at(&at, "any place of the list takes what one of them takes");
                let others = map
                    .get("items")
                    .filter(|items| items.as_object().is_some_and(|map| !map.is_empty()));
                let each = places.iter().chain(others);
                any_of(each.map(|place| self.schema(place, &at)).collect())
            }
            None => self.schema(map.get("items").unwrap_or(&Value::Null), &at),
        }
    }

    pub(super) fn object(&mut self, map: &Map<String, Value>, at: &str) -> Value {
        let properties = map.get("properties").and_then(Value::as_object);
        let Some(properties) = properties.filter(|properties| !properties.is_empty()) else {
            return self.text(map, at, "names no members");
        };
        let mut schema = json!({"type": "OBJECT"});
        describe(&mut schema, map, "");
        let converted: Map<String, Value> = properties
            .iter()
            .map(|(key, value)| {
                let at = format!("{at}/properties/{}", escaped(key));
                (key.clone(), self.schema(value, &at))
            })
            .collect();
        let required = map.get("required").and_then(Value::as_array);
        let required: Vec<&Value> = required
            .into_iter()
            .flatten()
            .filter(|name| {
                name.as_str()
                    .is_some_and(|name| converted.contains_key(name))
            })
            .collect();
        if !required.is_empty() {
            schema["required"] = json!(required);
        }
        schema["properties"] = Value::Object(converted);
        for key in ["minProperties", "maxProperties"] {
            if let Some(value) = map.get(key) {
                schema[key] = value.clone();
            }
        }
        let open = map
            .get("additionalProperties")
            .is_some_and(|more| *more != Value::Bool(false));
        let others = [
            "patternProperties",
            "propertyNames",
            "dependentRequired",
            "dependentSchemas",
            "if",
            "then",
            "else",
            "not",
        ];
        let mut lost: Vec<&str> = others
            .into_iter()
            .filter(|key| map.contains_key(*key))
            .collect();
        if open {
            lost.push("additionalProperties");
        }
        self.lost(&lost, at);
        schema
    }
}

/// Formats that the API knows; others were refused for long, and mean nothing to it.
const FORMATS: [(&str, &[&str]); 3] = [
    ("integer", &["int32", "int64"]),
    ("number", &["double", "float"]),
    ("string", &["date-time"]),
];
/// Keywords of a type that the subset lacks.
const LOST: [(&str, &str); 8] = [
    ("array", "contains"),
    ("array", "uniqueItems"),
    ("integer", "exclusiveMaximum"),
    ("integer", "exclusiveMinimum"),
    ("integer", "multipleOf"),
    ("number", "exclusiveMaximum"),
    ("number", "exclusiveMinimum"),
    ("number", "multipleOf"),
];
