//! A tool's parameters on one line.

use serde_json::value::RawValue;
use serde_json::{Map, Value};

/// `name(required: type, optional?: type)` for a tool of `name` with `schema`.
pub(super) fn signature(name: &str, schema: &RawValue) -> String {
    let schema: Value = serde_json::from_str(schema.get()).unwrap_or_default();
    let mut line = Line::new(name);
    for (property, part, optional) in parameters(&schema) {
        let mark = if optional { "?" } else { "" };
        if !line.push(&format!(
            "{property}{mark}: {}",
            type_name(part, &schema, Branches::Named)
        )) {
            break;
        }
    }
    line.finish()
}

/// The properties of `schema`, required ones first, each with whether it is optional.
fn parameters(schema: &Value) -> Vec<(&str, &Value, bool)> {
    let schema = resolved(schema, schema);
    let Some(properties) = schema.get("properties").and_then(Value::as_object) else {
        return Vec::new();
    };
    let required: Vec<&str> = schema
        .get("required")
        .and_then(Value::as_array)
        .map(|names| names.iter().filter_map(Value::as_str).collect())
        .unwrap_or_default();
    let mut parameters: Vec<_> = properties
        .iter()
        .map(|(name, part)| (name.as_str(), part, !required.contains(&name.as_str())))
        .collect();
    parameters.sort_by_key(|&(_, _, optional)| optional);
    parameters
}

/// Whether the types of `anyOf` and `oneOf` are told: not within one another, so that nesting can't
/// run away.
#[derive(Clone, Copy)]
enum Branches {
    Named,
    Unnamed,
}

fn type_name(schema: &Value, root: &Value, branches: Branches) -> String {
    let Some(schema) = resolved(schema, root).as_object() else {
        return "any".to_owned();
    };
    if let Some(values) = schema.get("enum").and_then(Value::as_array) {
        return enum_name(values);
    }
    if let Some(value) = schema.get("const") {
        return value.to_string();
    }
    match schema.get("type") {
        Some(Value::String(kind)) => kind_name(kind, schema, root),
        Some(Value::Array(kinds)) => union(
            kinds
                .iter()
                .filter_map(Value::as_str)
                .map(|kind| kind_name(kind, schema, root)),
        ),
        _ => untyped_name(schema, root, branches),
    }
}

fn kind_name(kind: &str, schema: &Map<String, Value>, root: &Value) -> String {
    if kind != "array" {
        return kind.to_owned();
    }
    let items = schema.get("items").map(|items| resolved(items, root));
    let item = match items.and_then(|items| items.get("type")) {
        Some(Value::String(item)) => item.as_str(),
        _ => "any",
    };
    let values = items
        .and_then(|items| items.get("enum"))
        .and_then(Value::as_array);
    match values {
        Some(values) => format!("({})[]", enum_name(values)),
        None => format!("{item}[]"),
    }
}

fn untyped_name(schema: &Map<String, Value>, root: &Value, branches: Branches) -> String {
    let alternatives = ["anyOf", "oneOf"]
        .iter()
        .find_map(|key| schema.get(*key).and_then(Value::as_array));
    if let (Some(alternatives), Branches::Named) = (alternatives, branches) {
        return union(
            alternatives
                .iter()
                .map(|alternative| type_name(alternative, root, Branches::Unnamed)),
        );
    }
    if schema.contains_key("properties") {
        return "object".to_owned();
    }
    if schema.contains_key("items") {
        return kind_name("array", schema, root);
    }
    "any".to_owned()
}

/// The types joined with `|`, each once.
fn union(names: impl Iterator<Item = String>) -> String {
    let mut unique: Vec<String> = Vec::new();
    for name in names {
        if !unique.contains(&name) {
            unique.push(name);
        }
    }
    if unique.is_empty() || unique.iter().any(|name| name == "any") {
        return "any".to_owned();
    }
    unique.join("|")
}

fn enum_name(values: &[Value]) -> String {
    let text = values
        .iter()
        .take(ENUM_VALUES)
        .map(|value| clipped(&value.to_string(), ENUM_VALUE_CHARS))
        .collect::<Vec<_>>()
        .join("|");
    match values.len().saturating_sub(ENUM_VALUES) {
        0 => text,
        more => format!("{text}|…+{more}"),
    }
}

/// `schema`, or what it refers to within `root`; one step, so that cycles don't matter.
fn resolved<'a>(schema: &'a Value, root: &'a Value) -> &'a Value {
    schema
        .get("$ref")
        .and_then(Value::as_str)
        .and_then(|reference| reference.strip_prefix('#'))
        .and_then(|pointer| root.pointer(pointer))
        .unwrap_or(schema)
}

fn clipped(text: &str, max_chars: usize) -> String {
    if text.chars().count() <= max_chars {
        return text.to_owned();
    }
    text.chars().take(max_chars - 1).chain(['…']).collect()
}

/// The line so far, which stops taking parameters at its limit.
struct Line {
    text: String,
    chars: usize,
    empty: bool,
}

impl Line {
    fn new(name: &str) -> Self {
        let text = format!("{}(", clipped(name, LINE_CHARS));
        Self {
            chars: text.chars().count(),
            text,
            empty: true,
        }
    }

    /// Adds a parameter, or `…` and nothing more once it no longer fits.
    fn push(&mut self, parameter: &str) -> bool {
        let separator = if self.empty { "" } else { ", " };
        let chars = parameter.chars().count() + separator.len();
        let fits = self.chars + chars <= LINE_CHARS;
        self.text.push_str(separator);
        self.text.push_str(if fits { parameter } else { "…" });
        self.chars += chars;
        self.empty = false;
        fits
    }

    fn finish(mut self) -> String {
        self.text.push(')');
        self.text
    }
}

const LINE_CHARS: usize = 300;
const ENUM_VALUES: usize = 5;
const ENUM_VALUE_CHARS: usize = 40;

#[cfg(test)]
mod tests;
