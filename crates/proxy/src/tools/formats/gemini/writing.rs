//! Schemas of the subset, put together.

use std::collections::HashSet;

use serde_json::{Map, Value, json};

/// Schemas of which one must fit: each once, and a single one alone.
pub(super) fn any_of(schemas: Vec<Value>) -> Value {
    let mut seen: HashSet<Value> = HashSet::with_capacity(schemas.len());
    let mut each: Vec<Value> = Vec::with_capacity(schemas.len());
    let mut add = |schema: Value| {
        if seen.insert(schema.clone()) {
            each.push(schema);
        }
    };
    for mut schema in schemas {
        match schema.get_mut("anyOf").map(Value::take) {
            Some(Value::Array(inner)) => inner.into_iter().for_each(&mut add),
            _ => add(schema),
        }
    }
    if each.len() == 1 {
        each.pop().unwrap_or_default()
    } else {
        json!({"anyOf": each})
    }
}

/// Says what `map` says of itself, and `more`. In `anyOf` it is said of each.
pub(super) fn describe(schema: &mut Value, map: &Map<String, Value>, more: &str) {
    if let Some(Value::Array(each)) = schema.get_mut("anyOf") {
        for schema in each {
            describe(schema, map, more);
        }
        return;
    }
    let own = |key: &str| {
        map.get(key)
            .and_then(Value::as_str)
            .filter(|text| !text.is_empty())
    };
    let default = map
        .get("default")
        .filter(|value| !value.is_null())
        .map(ToString::to_string);
    let default = default.filter(|text| text.len() <= DEFAULT_BYTES);
    let parts = [
        own("description")
            .or_else(|| own("title"))
            .map(str::to_owned),
        default.map(|text| format!("Default: {text}.")),
        (!more.is_empty()).then(|| more.to_owned()),
    ];
    let text: Vec<String> = parts.into_iter().flatten().collect();
    if !text.is_empty() && schema.get("description").is_none() {
        schema["description"] = Value::from(text.join(" "));
    }
}

pub(super) fn allow_null(schema: &mut Value) {
    if let Some(Value::Array(each)) = schema.get_mut("anyOf") {
        each.iter_mut().for_each(allow_null);
    } else {
        schema["nullable"] = Value::Bool(true);
    }
}

/// The longest default that a description tells.
const DEFAULT_BYTES: usize = 100;
