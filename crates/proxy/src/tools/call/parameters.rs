//! What a tool's input schema calls its arguments.

use std::collections::HashSet;

use catalog::Tool;
use serde_json::Value;

/// The names of a tool's parameters, wherever its schema declares them for the arguments' object;
/// `None` where it doesn't say what the tool takes.
#[derive(Debug, Default)]
pub(super) struct Parameters(Option<HashSet<String>>);

impl Parameters {
    pub(super) fn of(tool: &Tool) -> Self {
        serde_json::from_str(tool.input_schema().get())
            .map(|schema| Self::of_schema(&schema))
            .unwrap_or_default()
    }

    fn of_schema(root: &Value) -> Self {
        let mut names: Option<HashSet<String>> = None;
        let mut followed = HashSet::new();
        let mut open = vec![root];
        while let Some(schema) = open.pop() {
            if let Some(properties) = schema.get("properties").and_then(Value::as_object) {
                names
                    .get_or_insert_default()
                    .extend(properties.keys().cloned());
            }
            for key in LISTS {
                open.extend(
                    schema
                        .get(key)
                        .and_then(Value::as_array)
                        .into_iter()
                        .flatten(),
                );
            }
            open.extend(SINGLE.iter().filter_map(|key| schema.get(key)));
            let dependent = schema.get("dependentSchemas").and_then(Value::as_object);
            open.extend(dependent.into_iter().flat_map(|schemas| schemas.values()));
            let reference = schema.get("$ref").and_then(Value::as_str);
            let local = reference.and_then(|reference| reference.strip_prefix('#'));
            if let Some(pointer) = local.filter(|pointer| followed.insert(*pointer)) {
                open.extend(root.pointer(pointer));
            }
        }
        Self(names)
    }

    /// Whether one of them is called `name`.
    pub(super) fn knows(&self, name: &str) -> bool {
        self.0.as_ref().is_some_and(|names| names.contains(name))
    }

    /// The one that `name` is but for capitals, `-` and `_`. Names are never repaired, only asked
    /// back with their right spelling.
    pub(super) fn spelt_like(&self, name: &str) -> Option<&str> {
        let plain = letters(name);
        let mut alike = self
            .0
            .iter()
            .flatten()
            .filter(|known| letters(known) == plain);
        match (alike.next(), alike.next()) {
            (Some(parameter), None) => Some(parameter),
            _ => None,
        }
    }

    /// Whether the schema says at all what the tool takes. Where it doesn't, anything may be an
    /// argument.
    pub(super) fn are_declared(&self) -> bool {
        self.0.is_some()
    }
}

fn letters(name: &str) -> String {
    let kept = name.chars().filter(|letter| !matches!(letter, '-' | '_'));
    kept.flat_map(char::to_lowercase).collect()
}

/// Keywords whose schemas all speak of the same object.
const LISTS: [&str; 3] = ["allOf", "anyOf", "oneOf"];
const SINGLE: [&str; 3] = ["if", "then", "else"];

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn names_are_found_wherever_the_schema_declares_them() {
        let schema = json!({
            "properties": {"a": {"properties": {"inner": {}}}},
            "allOf": [{"properties": {"b": {}}}, {"$ref": "#/$defs/More"}],
            "if": {"properties": {"c": {}}},
            "dependentSchemas": {"a": {"properties": {"d": {}}}},
            "$defs": {
                "More": {"properties": {"e": {}}, "anyOf": [{"$ref": "#"}, {"$ref": "#/$defs/More"}]},
                "Unused": {"properties": {"unused": {}}},
            },
        });
        let mut names: Vec<_> = Parameters::of_schema(&schema)
            .0
            .unwrap()
            .into_iter()
            .collect();
        names.sort_unstable();
        assert_eq!(names, ["a", "b", "c", "d", "e"]);
    }

    #[test]
    fn a_schema_may_declare_none_or_nothing() {
        assert!(Parameters::of_schema(&json!({"properties": {}})).are_declared());
        for schema in [
            json!({"type": "object"}),
            json!(true),
            json!({"$ref": "https://e.example/x"}),
        ] {
            assert!(!Parameters::of_schema(&schema).are_declared(), "{schema}");
        }
    }
}
