//! The dialects of JSON Schema, where the validator reads them differently.

use jsonschema::Draft;
use serde_json::{Map, Value};

use super::UncheckedReason;

/// The dialect that `$schema` names, which is taken out; 2020-12 if it names none.
pub(super) fn take_draft(schema: &mut Value) -> Result<Draft, UncheckedReason> {
    let named = schema
        .as_object_mut()
        .and_then(|root| root.remove("$schema"));
    match named {
        None | Some(Value::Null) => Ok(Draft::Draft202012),
        Some(Value::String(uri)) => match Draft::from_schema_uri(uri.trim()) {
            Draft::Unknown => Err(UncheckedReason::SchemaInvalid),
            draft => Ok(draft),
        },
        Some(_) => Err(UncheckedReason::SchemaInvalid),
    }
}

/// What the validator is told that a schema of `draft` is, once [`translate`] went over its parts.
///
/// Draft-04 becomes the next one: there `5.0` is an integer, as it is to everybody (field case 16).
pub(super) fn target(draft: Draft) -> Draft {
    match draft {
        Draft::Draft4 => Draft::Draft6,
        other => other,
    }
}

/// Makes one part of a schema of `draft` mean the same to the validator in [`target`].
pub(super) fn translate(members: &mut Map<String, Value>, draft: Draft) {
    match draft {
        Draft::Draft4 => {
            for unknown in ["const", "contains", "propertyNames"] {
                members.remove(unknown);
            }
            exclude_limit(members, "minimum", "exclusiveMinimum");
            exclude_limit(members, "maximum", "exclusiveMaximum");
        }
        // Known to the validator still, but not to the dialect (field case 25).
        Draft::Draft201909 => {
            members.remove("dependencies");
        }
        Draft::Draft202012 => {
            members.remove("dependencies");
            members.remove("additionalItems");
        }
        _ => {}
    }
}

/// Draft-04 says whether a limit is excluded, later ones say which one.
fn exclude_limit(members: &mut Map<String, Value>, limit: &str, exclusive: &str) {
    if members.remove(exclusive) == Some(Value::Bool(true))
        && let Some(value) = members.remove(limit)
    {
        members.insert(exclusive.to_owned(), value);
    }
}
