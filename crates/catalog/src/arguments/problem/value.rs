//! A value that isn't what was wanted.

use jsonschema::{JsonType, JsonTypeSet};
use serde_json::Value;

use crate::names::near;

/// `instance` is of none of `kinds`.
pub(super) fn wrong_kind(kinds: JsonTypeSet, instance: &Value) -> String {
    let wanted: Vec<&str> = KINDS
        .iter()
        .filter(|(kind, _)| kinds.contains(*kind))
        .filter(|(kind, _)| *kind != JsonType::Integer || !kinds.contains(JsonType::Number))
        .map(|(_, name)| *name)
        .collect();
    let got = shown(instance);
    let fix = fix(kinds, instance).map_or_else(String::new, |fix| format!(": {fix}"));
    format!("must be {}, got {got}{fix}", wanted.join(" or "))
}

/// What to send instead, where the value itself tells (field cases 19 and 21).
fn fix(kinds: JsonTypeSet, instance: &Value) -> Option<String> {
    match instance {
        Value::String(text) => {
            let meant: Option<Value> = serde_json::from_str(text).ok();
            let meant = meant.filter(|value| is_one_of(value, kinds));
            // Only what is spelt as JSON would spell it: not `1e3`, not ` 1`.
            if let Some(spelt) = meant.map(|value| value.to_string())
                && spelt == *text
            {
                return Some(format!("send {spelt}, not \"{spelt}\""));
            }
            [(JsonType::Array, "array"), (JsonType::Object, "object")]
                .into_iter()
                .find(|(kind, _)| kinds.contains(*kind))
                .map(|(_, name)| format!("send a JSON {name}, not a string"))
        }
        Value::Number(number) if kinds.contains(JsonType::String) => {
            Some(format!("send \"{number}\""))
        }
        _ => None,
    }
}

fn is_one_of(value: &Value, kinds: JsonTypeSet) -> bool {
    match value {
        Value::Bool(_) => kinds.contains(JsonType::Boolean),
        Value::Number(number) => {
            kinds.contains(JsonType::Number)
                || (kinds.contains(JsonType::Integer) && (number.is_i64() || number.is_u64()))
        }
        _ => false,
    }
}

/// `instance` is none of `options` (field case 27: of many, the closest few).
pub(super) fn not_among(options: &[&Value], instance: &Value) -> String {
    let got = shown(instance);
    if let [only] = options {
        return format!("must be {}, got {got}", shown(only));
    }
    if options.len() <= ALL_OPTIONS {
        let all: Vec<String> = options.iter().map(|option| shown(option)).collect();
        return format!("must be one of {}; got {got}", all.join(", "));
    }
    let texts: Vec<String> = options.iter().map(|option| plain(option)).collect();
    let close = near(&plain(instance), texts.iter().map(String::as_str), CLOSEST);
    let (label, positions) = if close.is_empty() {
        ("such as", (0..CLOSEST).collect())
    } else {
        ("closest are", close)
    };
    let some: Vec<String> = positions
        .into_iter()
        .filter_map(|position| options.get(position))
        .map(|option| shown(option))
        .collect();
    format!(
        "must be one of the schema's {} values, {label} {}; got {got}",
        options.len(),
        some.join(", ")
    )
}

/// A value as JSON, short: containers by their kind.
pub(super) fn shown(value: &Value) -> String {
    match value {
        Value::Array(_) => "an array".to_owned(),
        Value::Object(_) => "an object".to_owned(),
        Value::String(text) => Value::String(clipped(text)).to_string(),
        Value::Null | Value::Bool(_) | Value::Number(_) => value.to_string(),
    }
}

fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// At most a few words of `text`.
pub(super) fn clipped(text: &str) -> String {
    if text.chars().count() <= SHOWN_CHARS {
        return text.to_owned();
    }
    text.chars().take(SHOWN_CHARS - 1).chain(['…']).collect()
}

const KINDS: [(JsonType, &str); 7] = [
    (JsonType::String, "a string"),
    (JsonType::Integer, "an integer"),
    (JsonType::Number, "a number"),
    (JsonType::Boolean, "true or false"),
    (JsonType::Array, "an array"),
    (JsonType::Object, "an object"),
    (JsonType::Null, "null"),
];

const ALL_OPTIONS: usize = 10;
const CLOSEST: usize = 5;
const SHOWN_CHARS: usize = 60;
