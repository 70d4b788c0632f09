//! Schemas that are no schemas: an API that checks one against JSON Schema 2020-12 refuses the whole
//! request for a keyword that upstreams have long sent in another form.

use serde_json::{Map, Value};

use super::changes::Changes;
use super::root::target;

/// Mends `root` and everything in it.
pub(super) fn mend(root: &mut Map<String, Value>, items: Items, changes: &mut Changes) {
    let whole = Value::Object(root.clone());
    let mut mend = Mend {
        root: &whole,
        items,
        changes,
    };
    mend.object(root, "");
}

/// Whether an array must say what its items are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Items {
    /// OpenAI refuses an array without.
    Needed,
    /// JSON Schema doesn't ask for it.
    Free,
}

/// The name that JSON Schema has for a type, if `name` can only mean that one.
pub(super) fn type_name(name: &str) -> Option<&'static str> {
    TYPES
        .iter()
        .find(|(_, names)| names.iter().any(|known| known.eq_ignore_ascii_case(name)))
        .map(|(kind, _)| *kind)
}

struct Mend<'a> {
    root: &'a Value,
    items: Items,
    changes: &'a mut Changes,
}

impl Mend<'_> {
    fn schema(&mut self, value: &mut Value, at: &str) {
        match value {
            Value::Bool(_) => {}
            Value::Object(map) => self.object(map, at),
            other => {
                *other = Value::Object(Map::new());
                self.changes.at(at, "it is no schema and takes anything");
            }
        }
    }

    fn object(&mut self, map: &mut Map<String, Value>, at: &str) {
        self.types(map, at);
        self.tuple(map, at);
        self.exclusive(map, at);
        let wrong: Vec<String> = map
            .iter()
            .filter(|(key, value)| !form(key).is_of(value) || self.is_dangling(key, value))
            .map(|(key, _)| key.clone())
            .collect();
        for key in wrong {
            map.shift_remove(&key);
            self.changes
                .at(at, format_args!("`{key}` can't be read and is left out"));
        }
        if self.items == Items::Needed && has_type(map, "array") && !map.contains_key("items") {
            map.insert("items".to_owned(), Value::Object(Map::new()));
            self.changes.at(at, "`items` is added and takes anything");
        }
        for (key, value) in map.iter_mut() {
            let at = format!("{at}/{}", escaped(key));
            match (form(key), value) {
                (Form::Schema, value) => self.schema(value, &at),
                (Form::Schemas, Value::Array(schemas)) => {
                    for (position, schema) in schemas.iter_mut().enumerate() {
                        self.schema(schema, &format!("{at}/{position}"));
                    }
                }
                (Form::NamedSchemas, Value::Object(schemas)) => {
                    for (name, schema) in schemas {
                        self.schema(schema, &format!("{at}/{}", escaped(name)));
                    }
                }
                _ => {}
            }
        }
    }

    /// `String` and `float` are meant well, and refused.
    fn types(&mut self, map: &mut Map<String, Value>, at: &str) {
        let Some(found) = map.get_mut("type") else {
            return;
        };
        let meant = match &*found {
            Value::String(name) => type_name(name).map(Value::from),
            Value::Array(names) => {
                let names = names.iter().filter_map(Value::as_str).filter_map(type_name);
                let mut known: Vec<&str> = Vec::new();
                for name in names {
                    if !known.contains(&name) {
                        known.push(name);
                    }
                }
                (!known.is_empty()).then(|| Value::from(known))
            }
            _ => None,
        };
        match meant {
            Some(meant) if meant == *found => {}
            Some(meant) => {
                self.changes
                    .at(at, format_args!("`type` {found} is {meant}"));
                *found = meant;
            }
            None => {
                self.changes
                    .at(at, format_args!("`type` {found} is none and is left out"));
                map.shift_remove("type");
            }
        }
    }

    /// Before 2020-12, `items` could be a list with a schema for each place.
    fn tuple(&mut self, map: &mut Map<String, Value>, at: &str) {
        if !map.get("items").is_some_and(Value::is_array) {
            return;
        }
        let rest = map.shift_remove("additionalItems");
        let rest = rest.unwrap_or_else(|| Value::Object(Map::new()));
        if let Some(places) = map.insert("items".to_owned(), rest)
            && places.as_array().is_some_and(|places| !places.is_empty())
        {
            map.insert("prefixItems".to_owned(), places);
        }
        self.changes
            .at(at, "the list in `items` is called `prefixItems`");
    }

    /// Draft 4 had a flag beside the bound.
    fn exclusive(&mut self, map: &mut Map<String, Value>, at: &str) {
        for (flag, bound) in [
            ("exclusiveMinimum", "minimum"),
            ("exclusiveMaximum", "maximum"),
        ] {
            let Some(Value::Bool(excludes)) = map.get(flag) else {
                continue;
            };
            let excludes = *excludes;
            map.shift_remove(flag);
            if excludes && let Some(value) = map.shift_remove(bound) {
                map.insert(flag.to_owned(), value);
            }
            self.changes.at(at, format_args!("`{flag}` is a number"));
        }
    }

    fn is_dangling(&self, key: &str, value: &Value) -> bool {
        let reference = (key == "$ref").then(|| value.as_str()).flatten();
        reference.is_some_and(|reference| target(self.root, reference).is_none())
    }
}

/// Whether `map` says that it takes values of the type `kind`.
fn has_type(map: &Map<String, Value>, kind: &str) -> bool {
    match map.get("type") {
        Some(Value::String(name)) => name == kind,
        Some(Value::Array(names)) => names.iter().any(|name| name == kind),
        _ => false,
    }
}

/// What the value of a keyword must be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    /// A keyword that JSON Schema doesn't know.
    Anything,
    Schema,
    /// At least one.
    Schemas,
    NamedSchemas,
    Text,
    Count,
    Number,
    PositiveNumber,
    Flag,
    /// Texts, each once.
    Names,
    List,
}

fn form(key: &str) -> Form {
    let known = FORMS.iter().find(|(_, keys)| keys.contains(&key));
    known.map_or(Form::Anything, |(form, _)| *form)
}

impl Form {
    fn is_of(self, value: &Value) -> bool {
        match self {
            // One that is no schema is mended where it stands.
            Self::Anything | Self::Schema => true,
            Self::Schemas => value.as_array().is_some_and(|list| !list.is_empty()),
            Self::NamedSchemas => value.is_object(),
            Self::Text => value.is_string(),
            Self::Count => value
                .as_f64()
                .is_some_and(|count| count >= 0.0 && count.fract() == 0.0),
            Self::Number => value.is_number(),
            Self::PositiveNumber => value.as_f64().is_some_and(|number| number > 0.0),
            Self::Flag => value.is_boolean(),
            Self::Names => value
                .as_array()
                .is_some_and(|names| are_different_texts(names)),
            Self::List => value.is_array(),
        }
    }
}

fn are_different_texts(names: &[Value]) -> bool {
    let mut texts: Vec<&str> = names.iter().filter_map(Value::as_str).collect();
    let count = texts.len();
    texts.sort_unstable();
    texts.dedup();
    count == names.len() && texts.len() == count
}

/// A key in a JSON pointer (RFC 6901 §3).
pub(super) fn escaped(key: &str) -> String {
    key.replace('~', "~0").replace('/', "~1")
}

/// Keywords of the 2020-12 vocabularies, and `definitions`, by the form of their values.
const FORMS: [(Form, &[&str]); 10] = [
    (
        Form::Schema,
        &[
            "additionalProperties",
            "contains",
            "else",
            "if",
            "items",
            "not",
            "propertyNames",
            "then",
            "unevaluatedItems",
            "unevaluatedProperties",
        ],
    ),
    (Form::Schemas, &["allOf", "anyOf", "oneOf", "prefixItems"]),
    (
        Form::NamedSchemas,
        &[
            "$defs",
            "definitions",
            "dependentSchemas",
            "patternProperties",
            "properties",
        ],
    ),
    (
        Form::Text,
        &[
            "$anchor",
            "$comment",
            "$id",
            "$ref",
            "$schema",
            "description",
            "format",
            "pattern",
            "title",
        ],
    ),
    (
        Form::Count,
        &[
            "maxContains",
            "maxItems",
            "maxLength",
            "maxProperties",
            "minContains",
            "minItems",
            "minLength",
            "minProperties",
        ],
    ),
    (
        Form::Number,
        &["exclusiveMaximum", "exclusiveMinimum", "maximum", "minimum"],
    ),
    (Form::PositiveNumber, &["multipleOf"]),
    (
        Form::Flag,
        &["deprecated", "readOnly", "uniqueItems", "writeOnly"],
    ),
    (Form::Names, &["required"]),
    (Form::List, &["enum", "examples"]),
];

/// Names of JSON Schema's types, each with what people write for it.
const TYPES: [(&str, &[&str]); 7] = [
    ("array", &["array", "list"]),
    ("boolean", &["boolean", "bool"]),
    ("integer", &["integer", "int", "int32", "int64", "long"]),
    ("null", &["null", "none"]),
    ("number", &["number", "float", "double", "decimal"]),
    ("object", &["object", "dict", "map"]),
    ("string", &["string", "str", "text"]),
];
