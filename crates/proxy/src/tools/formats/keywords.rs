//! Schemas that are no schemas: an API that checks one against JSON Schema 2020-12 refuses the whole
//! request for a keyword that upstreams have long sent in another form.

mod forms;

use serde_json::{Map, Value};

use self::forms::{Form, form};
use super::changes::Changes;
use super::document::{Document, Target};
use super::{Format, patterns};
use crate::tools::text::quoted;

/// Mends `root` and everything in it for `format`.
pub(super) fn mend(root: &mut Map<String, Value>, format: Format, changes: &mut Changes) {
    let whole = Value::Object(root.clone());
    let mut mend = Mend {
        document: &Document::of(&whole),
        format,
        changes,
    };
    mend.object(root, "");
}

/// The name that JSON Schema has for a type, if `name` can only mean that one.
pub(super) fn type_name(name: &str) -> Option<&'static str> {
    TYPES
        .iter()
        .find(|(_, names)| names.iter().any(|known| known.eq_ignore_ascii_case(name)))
        .map(|(kind, _)| *kind)
}

struct Mend<'a> {
    document: &'a Document<'a>,
    format: Format,
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
        anchor(map);
        self.tuple(map, at);
        self.exclusive(map, at);
        let is_wrong = |key: &str, value: &Value| {
            !form(key).is_of(value) || self.is_dangling(key, value) || self.is_unread(key, value)
        };
        let wrong: Vec<String> = map
            .iter()
            .filter(|(key, value)| is_wrong(key, value))
            .map(|(key, _)| key.clone())
            .collect();
        for key in wrong {
            map.shift_remove(&key);
            self.changes
                .at(at, format_args!("`{key}` can't be read and is left out"));
        }
        if self.format == Format::OpenAi {
            self.openai(map, at);
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

    /// What else OpenAI refuses.
    fn openai(&mut self, map: &mut Map<String, Value>, at: &str) {
        if has_type(map, "array") && !map.contains_key("items") {
            map.insert("items".to_owned(), Value::Object(Map::new()));
            self.changes.at(at, "`items` is added and takes anything");
        }
        if let Some(Value::Object(schemas)) = map.get_mut("patternProperties") {
            schemas.retain(|pattern, _| {
                let is_read = patterns::is_read(pattern);
                if !is_read {
                    let what = format!("members by the pattern {} are left out", quoted(pattern));
                    self.changes.at(at, what);
                }
                is_read
            });
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

    fn is_unread(&self, key: &str, value: &Value) -> bool {
        let pattern = (key == "pattern" && self.format == Format::OpenAi).then(|| value.as_str());
        pattern
            .flatten()
            .is_some_and(|pattern| !patterns::is_read(pattern))
    }

    fn is_dangling(&self, key: &str, value: &Value) -> bool {
        let reference = (key == "$ref").then(|| value.as_str()).flatten();
        let target = reference.map(|reference| self.document.target(reference));
        matches!(target, Some(Target::Nowhere))
    }
}

/// Before 2019-09, an anchor was an `$id`.
fn anchor(map: &mut Map<String, Value>) {
    let id = map.get("$id").and_then(Value::as_str);
    if let Some(name) = id.and_then(|id| id.strip_prefix('#')) {
        let name = Value::from(name);
        map.shift_remove("$id");
        map.entry("$anchor").or_insert(name);
    }
}

/// Shows `visit` the object schema `map` and every one inside it.
pub(super) fn each_schema(
    map: &mut Map<String, Value>,
    visit: &mut impl FnMut(&mut Map<String, Value>),
) {
    visit(map);
    for (key, value) in map.iter_mut() {
        let inside: Vec<&mut Value> = match (form(key), value) {
            (Form::Schema | Form::Schemas, Value::Array(schemas)) => schemas.iter_mut().collect(),
            (Form::Schema, schema) => vec![schema],
            (Form::NamedSchemas, Value::Object(schemas)) => schemas.values_mut().collect(),
            _ => Vec::new(),
        };
        for schema in inside.into_iter().filter_map(Value::as_object_mut) {
            each_schema(schema, visit);
        }
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

/// A key in a JSON pointer (RFC 6901 §3).
pub(super) fn escaped(key: &str) -> String {
    key.replace('~', "~0").replace('/', "~1")
}

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
