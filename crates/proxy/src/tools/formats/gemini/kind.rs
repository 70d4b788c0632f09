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
            self.bound(&mut schema, map, key, at);
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
        if format.is_none() && map.contains_key("format") {
            self.lost(&["format"], at);
        }
        self.unsaid(map, kind, at);
        schema
    }

    /// Says in `schema` what the bound `key` of `map` is. The API reads counts as 64 bits.
    fn bound(&mut self, schema: &mut Value, map: &Map<String, Value>, key: &str, at: &str) {
        let Some(value) = map.get(key) else { return };
        let is_any = ["maximum", "minimum", "pattern"].contains(&key);
        if is_any || value.as_i64().is_some() {
            schema[key] = value.clone();
        } else if let Some(count) = value.as_f64().and_then(count) {
            schema[key] = Value::from(count);
        } else {
            self.lost(&[key], at);
        }
    }

    /// Tells what `map` says of values of the type `kind`, or of any, and the subset can't.
    pub(super) fn unsaid(&mut self, map: &Map<String, Value>, kind: &str, at: &str) {
        let lost: Vec<&str> = LOST
            .iter()
            .filter(|(of, _)| of.is_empty() || *of == kind)
            .flat_map(|(_, keys)| *keys)
            .copied()
            .filter(|key| {
                map.get(*key)
                    .is_some_and(|said| *said != Value::Bool(false))
            })
            .collect();
        self.lost(&lost, at);
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
            return self.text(map, at, "", "names no members");
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
        let is_known = |name: &&Value| {
            name.as_str()
                .is_some_and(|name| converted.contains_key(name))
        };
        let (required, unknown): (Vec<&Value>, Vec<&Value>) =
            required.into_iter().flatten().partition(is_known);
        if !unknown.is_empty() {
            self.changes
                .at(at, "`required` names members that it doesn't take");
        }
        if !required.is_empty() {
            schema["required"] = json!(required);
        }
        schema["properties"] = Value::Object(converted);
        for key in ["minProperties", "maxProperties"] {
            self.bound(&mut schema, map, key, at);
        }
        self.unsaid(map, "object", at);
        schema
    }
}

/// `number` as a count, if it is one.
fn count(number: f64) -> Option<i64> {
    format!("{number}").parse().ok()
}

/// Formats that the API knows; others were refused for long, and mean nothing to it.
const FORMATS: [(&str, &[&str]); 3] = [
    ("integer", &["int32", "int64"]),
    ("number", &["double", "float"]),
    ("string", &["date-time"]),
];
/// Keywords that the subset lacks, of one type or of any.
const LOST: [(&str, &[&str]); 5] = [
    ("", &["$dynamicRef", "else", "if", "not", "then"]),
    (
        "array",
        &[
            "contains",
            "maxContains",
            "minContains",
            "unevaluatedItems",
            "uniqueItems",
        ],
    ),
    (
        "integer",
        &["exclusiveMaximum", "exclusiveMinimum", "multipleOf"],
    ),
    (
        "number",
        &["exclusiveMaximum", "exclusiveMinimum", "multipleOf"],
    ),
    (
        "object",
        &[
            "additionalProperties",
            "dependencies",
            "dependentRequired",
            "dependentSchemas",
            "patternProperties",
            "propertyNames",
            "unevaluatedProperties",
        ],
    ),
];
