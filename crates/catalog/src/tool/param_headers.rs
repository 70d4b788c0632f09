//! Arguments that a modern upstream wants mirrored as headers (`x-mcp-header`, SEP-2243).

use serde_json::Value;
use serde_json::value::RawValue;
use wire::RawObject;

/// One property whose argument is sent as `Mcp-Param-{suffix}` too.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ParamHeader {
    suffix: String,
    /// The property's keys from the root.
    path: Vec<String>,
}

/// An annotation that a client must not follow, for which it must leave out the whole tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct InvalidParamHeader;

impl ParamHeader {
    /// The annotated properties of an input schema.
    ///
    /// Valid is an annotation that is a header token, stands once whatever its case, on a property
    /// of a primitive type that is reached through `properties` alone.
    pub(crate) fn read(schema: &Value) -> Result<Vec<Self>, InvalidParamHeader> {
        let mut headers = Vec::new();
        collect(schema, &mut Vec::new(), &mut headers)?;
        if headers.len() != count_annotations(schema) {
            return Err(InvalidParamHeader);
        }
        let mut suffixes: Vec<_> = headers
            .iter()
            .map(|header| header.suffix.to_ascii_lowercase())
            .collect();
        suffixes.sort_unstable();
        suffixes.dedup();
        if suffixes.len() == headers.len() {
            Ok(headers)
        } else {
            Err(InvalidParamHeader)
        }
    }

    /// Suffix and text for `arguments`; `None` where the argument is absent or `null`.
    pub(super) fn mirrored(&self, arguments: &RawValue) -> Option<(String, String)> {
        let mut value = arguments;
        for key in &self.path {
            value = RawObject::read(value)?.get(key)?;
        }
        let text = match serde_json::from_str::<Value>(value.get()).ok()? {
            Value::String(text) => text,
            Value::Bool(_) | Value::Number(_) => value.get().to_owned(),
            Value::Null | Value::Array(_) | Value::Object(_) => return None,
        };
        Some((self.suffix.clone(), text))
    }
}

fn collect(
    schema: &Value,
    path: &mut Vec<String>,
    headers: &mut Vec<ParamHeader>,
) -> Result<(), InvalidParamHeader> {
    let Some(properties) = schema.get("properties").and_then(Value::as_object) else {
        return Ok(());
    };
    for (name, property) in properties {
        path.push(name.clone());
        if let Some(annotation) = property.get(ANNOTATION) {
            let suffix = annotation
                .as_str()
                .filter(|suffix| is_token(suffix) && is_primitive(property))
                .ok_or(InvalidParamHeader)?;
            headers.push(ParamHeader {
                suffix: suffix.to_owned(),
                path: path.clone(),
            });
        }
        collect(property, path, headers)?;
        path.pop();
    }
    Ok(())
}

/// How many annotations there are anywhere, those that can't be reached included. Properties that
/// merely have the annotation's name, and data such as defaults, don't count.
fn count_annotations(schema: &Value) -> usize {
    match schema {
        Value::Object(members) => {
            let nested: usize = members
                .iter()
                .filter(|(key, _)| {
                    !matches!(
                        key.as_str(),
                        ANNOTATION | "default" | "const" | "enum" | "examples" | "example"
                    )
                })
                .map(|(key, value)| match (key.as_str(), value) {
                    (
                        "properties" | "$defs" | "definitions" | "patternProperties",
                        Value::Object(named),
                    ) => named.values().map(count_annotations).sum(),
                    _ => count_annotations(value),
                })
                .sum();
            nested + usize::from(members.contains_key(ANNOTATION))
        }
        Value::Array(items) => items.iter().map(count_annotations).sum(),
        _ => 0,
    }
}

/// The specification names string, integer and boolean; `number` and `null` beside them are met in
/// the field and mirror as well.
fn is_primitive(property: &Value) -> bool {
    let primitive = |kind: &Value| {
        matches!(
            kind.as_str(),
            Some("string" | "integer" | "number" | "boolean" | "null")
        )
    };
    match property.get("type") {
        Some(Value::Array(kinds)) => kinds.iter().all(primitive),
        Some(kind) => primitive(kind),
        None => false,
    }
}

/// RFC 9110 §5.6.2.
fn is_token(text: &str) -> bool {
    !text.is_empty()
        && text
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte))
}

const ANNOTATION: &str = "x-mcp-header";

#[cfg(test)]
mod tests;
