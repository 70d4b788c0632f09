//! One correct call of a tool, for a model that got it wrong.

use catalog::Tool;
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value};
use wire::{RawObject, to_raw};

/// `{"name":…,"arguments":…}` with the arguments given.
pub(super) fn call_with(tool: &Tool, arguments: &RawValue) -> String {
    let name = to_raw(tool.name());
    format!(
        r#"{{"name":{},"arguments":{}}}"#,
        name.get(),
        arguments.get()
    )
}

/// `{"name":…,"arguments":{…}}`: where a call goes, and not what.
pub(super) fn form_of(tool: &Tool) -> String {
    format!(r#"{{"name":{},"arguments":{{…}}}}"#, to_raw(tool.name()))
}

/// `{"name":…,"arguments":…}` with a value of the right kind for each required argument.
pub(super) fn call_of(tool: &Tool) -> String {
    call_with(tool, &to_raw(&example_arguments(tool.input_schema())))
}

/// A value of the right kind for each argument that `schema` requires.
pub(crate) fn example_arguments(schema: &RawValue) -> Map<String, Value> {
    let schema = RawObject::read(schema);
    let member = |key: &str| schema.as_ref().and_then(|schema| schema.get(key));
    let required: Vec<String> = member("required")
        .and_then(|required| serde_json::from_str(required.get()).ok())
        .unwrap_or_default();
    let properties = member("properties").and_then(RawObject::read);
    required
        .into_iter()
        .take(MAX_ARGUMENTS)
        .map(|name| {
            let property = properties
                .as_ref()
                .and_then(|properties| properties.get(&name));
            let value = placeholder(&name, property);
            (name, value)
        })
        .collect()
}

/// What is read of a property; odd members make it a text.
#[derive(Deserialize, Default)]
struct Property {
    #[serde(default)]
    r#type: Value,
    r#enum: Option<Vec<Value>>,
    r#const: Option<Value>,
    default: Option<Value>,
    examples: Option<Vec<Value>>,
}

fn placeholder(name: &str, property: Option<&RawValue>) -> Value {
    let property: Property = property
        .and_then(|property| serde_json::from_str(property.get()).ok())
        .unwrap_or_default();
    let first = |values: Option<Vec<Value>>| values.and_then(|values| values.into_iter().next());
    let said = property
        .r#const
        .or(property.default)
        .or_else(|| first(property.r#enum))
        .or_else(|| first(property.examples));
    let kind = match &property.r#type {
        Value::Array(kinds) => kinds.first().and_then(Value::as_str),
        kind => kind.as_str(),
    };
    said.unwrap_or_else(|| match kind {
        Some("integer" | "number") => Value::from(1),
        Some("boolean") => Value::from(true),
        Some("array") => Value::Array(Vec::new()),
        Some("object") => Value::Object(Map::new()),
        _ => Value::from(format!("<{name}>")),
    })
}

/// An example longer than this teaches nothing.
const MAX_ARGUMENTS: usize = 12;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn required_arguments_get_values_of_their_kind() {
        let schema = r#"{"type":"object","required":["id","state","count","tags","when"],
            "properties":{"id":{"type":"string"},"state":{"enum":["open","closed"]},
            "count":{"type":["integer","null"]},"tags":{"type":"array"},"extra":{},
            "when":{"type":"string","examples":["2026-01-31"]}}}"#;
        let schema = RawValue::from_string(schema.to_owned()).unwrap();
        assert_eq!(
            to_raw(&example_arguments(&schema)).get(),
            r#"{"id":"<id>","state":"open","count":1,"tags":[],"when":"2026-01-31"}"#
        );
    }

    #[test]
    fn odd_schemas_make_an_empty_or_plain_example() {
        let check = |schema: &str, expected: &str| {
            let raw = RawValue::from_string(schema.to_owned()).unwrap();
            assert_eq!(to_raw(&example_arguments(&raw)).get(), expected, "{schema}");
        };
        check("{}", "{}");
        check(r#"{"required":true,"properties":[]}"#, "{}");
        check(
            r#"{"required":["a"],"properties":{"a":true}}"#,
            r#"{"a":"<a>"}"#,
        );
        check(
            r#"{"required":["a"],"properties":{"a":{"enum":3}}}"#,
            r#"{"a":"<a>"}"#,
        );
    }
}
