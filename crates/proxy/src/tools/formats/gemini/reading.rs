//! What a JSON Schema says, where the subset has one word for several.

use serde_json::{Map, Value};

use crate::tools::formats::keywords::type_name;

/// The types that `map` names, or that its keywords are about.
pub(super) fn kinds(map: &Map<String, Value>) -> Vec<&'static str> {
    let mut kinds: Vec<&'static str> = match map.get("type") {
        Some(Value::String(name)) => type_name(name).into_iter().collect(),
        Some(Value::Array(names)) => names
            .iter()
            .filter_map(Value::as_str)
            .filter_map(type_name)
            .collect(),
        _ => Vec::new(),
    };
    if kinds.is_empty() {
        kinds.extend(map.contains_key("properties").then_some("object"));
        kinds.extend(map.contains_key("items").then_some("array"));
    }
    kinds
}

/// The values that `map` takes, if it counts them.
pub(super) fn values(map: &Map<String, Value>) -> Option<Vec<Value>> {
    match map.get("const") {
        Some(value) => Some(vec![value.clone()]),
        None => map.get("enum")?.as_array().cloned(),
    }
}

/// The texts that `branch` takes, if it takes nothing else.
pub(super) fn texts(branch: &Value) -> Option<Vec<Value>> {
    let values = values(branch.as_object()?)?;
    values.iter().all(Value::is_string).then_some(values)
}

/// Whether `value` is of the type `kind`.
pub(super) fn is_of(value: &Value, kind: &str) -> bool {
    match value {
        Value::Null => kind == "null",
        Value::Bool(_) => kind == "boolean",
        Value::Number(number) => match kind {
            "number" => true,
            "integer" => number.as_f64().is_some_and(|number| number.fract() == 0.0),
            _ => false,
        },
        Value::String(_) => kind == "string",
        Value::Array(_) => kind == "array",
        Value::Object(_) => kind == "object",
    }
}
