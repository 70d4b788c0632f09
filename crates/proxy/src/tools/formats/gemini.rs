//! Gemini's function declarations: names, and the part of OpenAPI 3.0's schema that `parameters`
//! takes (ai.google.dev/api/caching, `FunctionDeclaration` and `Schema`). `parametersJsonSchema`
//! would take more, but not every model, SDK and endpoint has it.
//!
//! Beyond the page, the API refuses a request with any of these, as people found (issues of
//! browser-use/browser-use #7, anomalyco/opencode #11889, microsoft/azure-devops-mcp #145,
//! decolua/9router #380): an object without properties, `properties` or `required` outside an
//! object, an array without `items`, an `enum` of anything but text, an unknown keyword.

mod reading;
mod writing;

use serde_json::{Map, Value, json};

use self::reading::{kind_of, kinds, texts, values};
use self::writing::{allow_null, any_of, describe};
use super::changes::Changes;
use super::keywords::escaped;
use super::root::{Of, fold, merge, target};

/// The properties of the object schema `root` as a `Schema`; `None` where there are none, which
/// the API wants left out.
pub(super) fn parameters(root: &Map<String, Value>, changes: &mut Changes) -> Option<Value> {
    if root.get("properties")?.as_object()?.is_empty() {
        return None;
    }
    let whole = Value::Object(root.clone());
    let mut subset = Subset {
        root: &whole,
        left: SCHEMAS,
        open: Vec::new(),
        changes,
    };
    Some(subset.schema(&whole, ""))
}

/// One conversion.
struct Subset<'a> {
    root: &'a Value,
    /// How many more schemas it may come to: references are replaced by what they refer to.
    left: usize,
    /// References being replaced.
    open: Vec<String>,
    changes: &'a mut Changes,
}

impl Subset<'_> {
    fn schema(&mut self, schema: &Value, at: &str) -> Value {
        let mut map = schema.as_object().cloned().unwrap_or_default();
        let Some(left) = self.left.checked_sub(1) else {
            return self.text(&map, at, "is too large");
        };
        self.left = left;
        let open = self.open.len();
        let converted = if self.follow(&mut map) {
            self.resolved(map, at)
        } else {
            self.text(&map, at, "refers to itself or to nothing")
        };
        self.open.truncate(open);
        converted
    }

    /// Replaces references; false where one is being replaced already, or leads nowhere.
    fn follow(&mut self, map: &mut Map<String, Value>) -> bool {
        while let Some(reference) = map.shift_remove("$ref") {
            let Some(reference) = reference.as_str() else {
                return false;
            };
            let Some(Value::Object(found)) = target(self.root, reference) else {
                return false;
            };
            if self.open.iter().any(|open| open == reference) {
                return false;
            }
            self.open.push(reference.to_owned());
            for (key, value) in found {
                map.entry(key).or_insert_with(|| value.clone());
            }
        }
        true
    }

    /// What `map`, which refers to nothing else, is in the subset.
    fn resolved(&mut self, mut map: Map<String, Value>, at: &str) -> Value {
        if let Some(Value::Array(branches)) = map.shift_remove("allOf") {
            merge(&mut map, branches.iter(), (Of::All, self.root));
        }
        if map.contains_key("properties") {
            fold(&mut map, self.root, at, self.changes);
        }
        let kinds = kinds(&map);
        let alternatives = ["anyOf", "oneOf"].map(|key| map.shift_remove(key));
        let alternatives = alternatives.into_iter().flatten().next();
        match (alternatives, &kinds[..]) {
            (Some(Value::Array(branches)), []) => self.alternatives(&map, &branches, at),
            (alternatives, kinds) => {
                if alternatives.is_some() {
                    self.changes
                        .at(at, "alternatives beside a type are left out");
                }
                self.of_kinds(&map, kinds, at)
            }
        }
    }

    fn of_kinds(&mut self, map: &Map<String, Value>, kinds: &[&str], at: &str) -> Value {
        if let Some(values) = values(map) {
            return self.choice(map, &values, kinds, at);
        }
        let (null, others): (Vec<&str>, Vec<&str>) =
            kinds.iter().partition(|kind| **kind == "null");
        let mut schema = match &others[..] {
            [] => self.anything(map, at),
            [kind] => self.of_kind(map, kind, at),
            several => {
                let each = several
                    .iter()
                    .map(|kind| self.of_kind(map, kind, at))
                    .collect();
                any_of(each)
            }
        };
        if !null.is_empty() || map.get("nullable") == Some(&Value::Bool(true)) {
            allow_null(&mut schema);
        }
        schema
    }

    /// Values of one type, with what the API knows of that type's keywords.
    fn of_kind(&mut self, map: &Map<String, Value>, kind: &str, at: &str) -> Value {
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
        let places = map
            .get("prefixItems")
            .or_else(|| map.get("items").filter(|items| items.is_array()));
        match places.and_then(Value::as_array) {
            Some(places) => {
                self.changes
                    .at(&at, "any place of the list takes what one of them takes");
                let each = places.iter().map(|place| self.schema(place, &at)).collect();
                any_of(each)
            }
            None => self.schema(map.get("items").unwrap_or(&Value::Null), &at),
        }
    }

    fn object(&mut self, map: &Map<String, Value>, at: &str) -> Value {
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
            "if",
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

    /// One of several schemas. Beside `anyOf` the API takes nothing else.
    fn alternatives(&mut self, map: &Map<String, Value>, branches: &[Value], at: &str) -> Value {
        let is_null = |branch: &&Value| {
            branch.get("type") == Some(&Value::from("null"))
                || branch.get("const") == Some(&Value::Null)
        };
        let (null, others): (Vec<&Value>, Vec<&Value>) = branches.iter().partition(is_null);
        let texts: Option<Vec<Value>> = others
            .iter()
            .map(|branch| texts(branch))
            .collect::<Option<Vec<_>>>()
            .map(|lists| lists.concat());
        let mut schema = match (texts, &others[..]) {
            (Some(texts), [_, ..]) => self.choice(map, &texts, &["string"], at),
            (_, [branch]) => self.schema(branch, at),
            (_, []) => self.anything(map, at),
            (_, several) => {
                let each = several
                    .iter()
                    .map(|branch| self.schema(branch, at))
                    .collect();
                any_of(each)
            }
        };
        describe(&mut schema, map, "");
        if !null.is_empty() || map.get("nullable") == Some(&Value::Bool(true)) {
            allow_null(&mut schema);
        }
        schema
    }

    /// One of these values: an `enum` where all are text, else words.
    fn choice(
        &mut self,
        map: &Map<String, Value>,
        values: &[Value],
        kinds: &[&str],
        at: &str,
    ) -> Value {
        let (null, others): (Vec<&Value>, Vec<&Value>) =
            values.iter().partition(|value| value.is_null());
        let texts: Vec<&str> = others
            .iter()
            .filter_map(|value| value.as_str())
            .filter(|text| !text.is_empty())
            .collect();
        let mut schema = if texts.len() == others.len() && !texts.is_empty() {
            let mut schema = json!({"type": "STRING", "enum": texts});
            describe(&mut schema, map, "");
            schema
        } else {
            self.changes.at(at, "its values stand in its description");
            let kind = kinds
                .iter()
                .copied()
                .find(|kind| SCALARS.iter().any(|(known, _)| known == kind));
            let kind =
                kind.unwrap_or_else(|| others.first().map_or("string", |value| kind_of(value)));
            let name = SCALARS
                .iter()
                .find(|(known, _)| *known == kind)
                .map_or("STRING", |(_, name)| *name);
            let told: Vec<String> = others
                .iter()
                .take(VALUES)
                .map(ToString::to_string)
                .collect();
            let mut schema = json!({"type": name});
            describe(&mut schema, map, &format!("One of {}.", told.join(", ")));
            schema
        };
        if !null.is_empty() || kinds.contains(&"null") {
            allow_null(&mut schema);
        }
        schema
    }

    /// A schema without a type takes anything; the API wants one.
    fn anything(&mut self, map: &Map<String, Value>, at: &str) -> Value {
        self.changes.at(
            at,
            "it takes any value, and asks for text, a number or a truth value",
        );
        let each = ["STRING", "NUMBER", "BOOLEAN"].map(|kind| json!({"type": kind}));
        let mut schema = any_of(each.to_vec());
        describe(&mut schema, map, "");
        schema
    }

    /// What can't be said is asked for as JSON text, which `call_read_tool` and `call_write_tool` read
    /// where a tool takes no text (field case 19).
    fn text(&mut self, map: &Map<String, Value>, at: &str, why: &str) -> Value {
        self.changes
            .at(at, format_args!("it {why}, and is asked for as JSON text"));
        let mut schema = json!({"type": "STRING"});
        describe(&mut schema, map, "Write JSON as text.");
        schema
    }

    fn lost(&mut self, keys: &[&str], at: &str) {
        for key in keys {
            self.changes.at(at, format_args!("`{key}` is left out"));
        }
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
const SCALARS: [(&str, &str); 4] = [
    ("boolean", "BOOLEAN"),
    ("integer", "INTEGER"),
    ("number", "NUMBER"),
    ("string", "STRING"),
];
/// How many values a description counts.
const VALUES: usize = 50;
/// Far above real schemas: of 3,800 the largest has some hundred.
const SCHEMAS: usize = 2_000;
