//! One object at the root of a schema, as every API wants it.

use serde_json::{Map, Value};

use super::changes::Changes;

/// What holds of the branches of a combinator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Of {
    /// All of them.
    All,
    /// At least one, or just one.
    Any,
}

/// `schema` as an object with `properties` and neither a reference nor a combinator at its root.
pub(super) fn object(schema: &Value, changes: &mut Changes) -> Map<String, Value> {
    let mut root = match schema {
        Value::Object(root) => root.clone(),
        _ => Map::new(),
    };
    follow(&mut root, schema);
    fold(&mut root, schema, "", changes);
    for key in ["$ref", "not", "enum", "const"] {
        if root.shift_remove(key).is_some() {
            changes.at("", format_args!("`{key}` is left out"));
        }
    }
    match root.get("type") {
        Some(Value::String(kind)) if kind == "object" => {}
        found => {
            if found.is_some() {
                changes.at("", "its type is `object`");
            }
            root.insert("type".to_owned(), Value::from("object"));
        }
    }
    if !root.get("properties").is_some_and(Value::is_object) {
        root.insert("properties".to_owned(), Value::Object(Map::new()));
    }
    root
}

/// Puts what `map` refers to in the place of its `$ref`; members beside it stay.
pub(super) fn follow(map: &mut Map<String, Value>, root: &Value) {
    for _ in 0..REFERENCES {
        let reference = map.get("$ref").and_then(Value::as_str);
        let Some(Value::Object(target)) = reference.and_then(|text| target(root, text)) else {
            return;
        };
        map.shift_remove("$ref");
        for (key, value) in target {
            map.entry(key).or_insert_with(|| value.clone());
        }
    }
}

/// What a reference within `root` points to.
pub(super) fn target<'a>(root: &'a Value, reference: &str) -> Option<&'a Value> {
    root.pointer(reference.strip_prefix('#')?)
}

/// Folds the combinators of the object schema `map` into its properties. A parameter that any branch
/// knows may be given; what all branches require is required.
pub(super) fn fold(map: &mut Map<String, Value>, root: &Value, at: &str, changes: &mut Changes) {
    for (key, of) in [("allOf", Of::All), ("anyOf", Of::Any), ("oneOf", Of::Any)] {
        let Some(branches) = map.shift_remove(key) else {
            continue;
        };
        changes.at(
            at,
            match of {
                Of::All => format!("`{key}` is folded into one object"),
                Of::Any => format!(
                    "`{key}` is folded into one object, which doesn't say what goes together"
                ),
            },
        );
        let branches = branches.as_array().into_iter().flatten();
        merge(map, branches, (of, root));
    }
}

/// Adds what `branches` say of properties to `map`, without looking into their own combinators.
pub(super) fn merge<'a>(
    map: &mut Map<String, Value>,
    branches: impl Iterator<Item = &'a Value>,
    (of, root): (Of, &Value),
) {
    let mut common: Option<Vec<Value>> = None;
    for branch in branches {
        let Value::Object(branch) = branch else {
            continue;
        };
        let mut branch = branch.clone();
        follow(&mut branch, root);
        let required = list(&branch, "required");
        common = Some(match (common, of) {
            (None, _) => required,
            (Some(before), Of::All) => [before, required].concat(),
            (Some(before), Of::Any) => before
                .into_iter()
                .filter(|name| required.contains(name))
                .collect(),
        });
        for (key, value) in branch {
            match key.as_str() {
                "properties" => add_properties(map, value, of),
                "required" | "additionalProperties" | "unevaluatedProperties" => {}
                _ if of == Of::All => {
                    map.entry(key).or_insert(value);
                }
                _ => {}
            }
        }
    }
    let mut required = list(map, "required");
    for name in common.unwrap_or_default() {
        if !required.contains(&name) {
            required.push(name);
        }
    }
    if !required.is_empty() {
        map.insert("required".to_owned(), Value::Array(required));
    }
}

fn add_properties(map: &mut Map<String, Value>, more: Value, of: Of) {
    let Value::Object(more) = more else { return };
    let known = map
        .entry("properties")
        .or_insert_with(|| Value::Object(Map::new()));
    let Value::Object(known) = known else { return };
    for (key, value) in more {
        match known.get_mut(&key) {
            Some(before) if *before == value => {}
            Some(before) => combine(before, value, of),
            None => {
                known.insert(key, value);
            }
        }
    }
}

/// Makes `before` a schema that says both.
fn combine(before: &mut Value, other: Value, of: Of) {
    let key = match of {
        Of::All => "allOf",
        Of::Any => "anyOf",
    };
    let is_alone = before.as_object().is_some_and(|map| map.len() == 1);
    match before.get_mut(key) {
        // One list rather than a nest of pairs: there may be thousands.
        Some(Value::Array(branches)) if is_alone => {
            if branches.len() >= COMPARED || !branches.contains(&other) {
                branches.push(other);
            }
        }
        _ => *before = serde_json::json!({ key: [before.take(), other] }),
    }
}

fn list(map: &Map<String, Value>, key: &str) -> Vec<Value> {
    map.get(key)
        .and_then(Value::as_array)
        .cloned()
        .unwrap_or_default()
}

/// Saying one thing twice does no harm, comparing thousands with each other does.
const COMPARED: usize = 64;

/// A reference may lead to another, but not for ever.
const REFERENCES: usize = 8;
