//! What the APIs refuse, and what a schema says, read apart from the code under test.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;
use wire::to_raw;

use crate::tools::formats::changes::Changes;
use crate::tools::formats::schema::Schema;
use crate::tools::formats::work::Work;
use crate::tools::formats::{Format, gemini};

pub(super) const APIS: [Format; 3] = [Format::OpenAi, Format::Anthropic, Format::Gemini];

/// What a schema becomes, and how much was copied for it.
pub(super) struct Made {
    pub(super) schema: Value,
    pub(super) changes: Vec<String>,
    pub(super) upstream: BTreeMap<String, String>,
    pub(super) work: usize,
}

pub(super) fn make(format: Format, schema: &Value) -> Made {
    let (mut work, mut changes) = (Work::new(), Changes::default());
    let listed = to_raw(schema);
    let read = Schema::read(format, &listed, &mut work, &mut changes);
    let schema = match format {
        Format::Gemini => {
            gemini::parameters(&read.root, &mut work, &mut changes).unwrap_or_default()
        }
        _ => serde_json::from_str(read.json.get()).unwrap(),
    };
    Made {
        schema,
        upstream: read.renamed,
        changes: changes.into_texts(),
        work: work.done(),
    }
}

/// The names of the parameters that `schema` knows.
pub(super) fn names(schema: &Value, root: &Value, left: &mut usize, found: &mut BTreeSet<String>) {
    let Some(map) = schema.as_object().filter(|_| *left > 0) else {
        return;
    };
    *left -= 1;
    if let Some(own) = map.get("properties").and_then(Value::as_object) {
        found.extend(own.keys().cloned());
    }
    for key in ["allOf", "anyOf", "oneOf"] {
        for branch in map.get(key).and_then(Value::as_array).into_iter().flatten() {
            names(branch, root, left, found);
        }
    }
    let to = map.get("$ref").and_then(Value::as_str).unwrap_or_default();
    let pointer = to.replace("%3C", "<").replace("%3E", ">");
    if let Some(target) = pointer.strip_prefix('#').and_then(|at| root.pointer(at)) {
        names(target, root, left, found);
    }
}

/// What Gemini refuses.
pub(super) fn check_subset(schema: &Value, at: &str) {
    let map = schema.as_object().unwrap();
    if let Some(branches) = map.get("anyOf") {
        assert_eq!(map.len(), 1, "{at}: {schema}");
        for branch in branches.as_array().unwrap() {
            check_subset(branch, at);
        }
        return;
    }
    let unknown = map.keys().find(|key| !KNOWN.contains(&key.as_str()));
    assert_eq!(unknown, None, "{at}");
    let kind = map["type"].as_str().unwrap();
    let properties = map.get("properties").and_then(Value::as_object);
    assert_eq!(
        properties.is_some_and(|own| !own.is_empty()),
        kind == "OBJECT",
        "{at}"
    );
    for (name, schema) in properties.into_iter().flatten() {
        check_subset(schema, &format!("{at}/{name}"));
    }
    for name in map
        .get("required")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
    {
        assert!(
            properties.unwrap().contains_key(name.as_str().unwrap()),
            "{at}"
        );
    }
    assert_eq!(map.contains_key("items"), kind == "ARRAY", "{at}");
    if let Some(items) = map.get("items") {
        check_subset(items, &format!("{at}/items"));
    }
    for value in map
        .get("enum")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
    {
        assert!(
            kind == "STRING" && value.as_str().is_some_and(|text| !text.is_empty()),
            "{at}"
        );
    }
}

pub(super) fn check_json_schema(format: Format, schema: &Value) {
    if let Err(error) = jsonschema::draft202012::meta::validate(schema) {
        panic!("{format:?}: {error}: {schema}");
    }
    let root = schema.as_object().unwrap();
    assert_eq!(root["type"], "object");
    for key in ["$ref", "allOf", "anyOf", "const", "enum", "not", "oneOf"] {
        assert!(!root.contains_key(key), "{format:?}: {key} in {schema}");
    }
}

/// Keywords of Gemini's `Schema`.
const KNOWN: [&str; 17] = [
    "type",
    "format",
    "description",
    "nullable",
    "enum",
    "items",
    "properties",
    "required",
    "minItems",
    "maxItems",
    "minProperties",
    "maxProperties",
    "minimum",
    "maximum",
    "minLength",
    "maxLength",
    "pattern",
];
