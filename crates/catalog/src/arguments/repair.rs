//! Which repairs a failed check suggests: only lossless and unambiguous ones.

use jsonschema::error::{TypeKind, ValidationErrorKind};
use jsonschema::{JsonType, JsonTypeSet, ValidationError};
use serde_json::Value;
use serde_json::value::RawValue;

use super::edit::unescaped;

/// One change to the arguments.
#[derive(Debug)]
pub(super) enum Edit {
    /// A top-level member goes (field case 17).
    Remove {
        /// Its key.
        key: String,
    },
    /// A value gives way to what its text says (field case 19).
    Replace {
        /// Where it is.
        pointer: String,
        /// What stands there afterwards.
        value: Box<RawValue>,
    },
}

/// The edits that `errors` suggest. Whether they help is for another check to say: a `null` that is
/// required, for one, is missed once it is gone.
pub(super) fn edits(errors: &[ValidationError<'_>]) -> Vec<Edit> {
    let mut edits = Vec::new();
    for error in errors {
        collect(error, &mut edits);
    }
    edits
}

fn collect(error: &ValidationError<'_>, edits: &mut Vec<Edit>) {
    let pointer = error.instance_path().as_str();
    let edit = match &**error.instance() {
        Value::Null => dropped(pointer),
        Value::String(text) => kinds(error)
            .or_else(|| kinds_of_values(error))
            .and_then(|kinds| parsed(pointer, text, kinds)),
        _ => None,
    };
    match edit {
        Some(edit) if !edits.iter().any(|other| same_place(other, &edit)) => edits.push(edit),
        Some(_) => {}
        None => branches(error)
            .into_iter()
            .flatten()
            .flatten()
            .filter(|inner| inner.instance_path().as_str() != pointer)
            .for_each(|inner| collect(inner, edits)),
    }
}

fn same_place(one: &Edit, other: &Edit) -> bool {
    match (one, other) {
        (Edit::Remove { key: one }, Edit::Remove { key: other })
        | (Edit::Replace { pointer: one, .. }, Edit::Replace { pointer: other, .. }) => {
            one == other
        }
        _ => false,
    }
}

/// A `null` at the top level goes; further down it may mean more than nothing.
fn dropped(pointer: &str) -> Option<Edit> {
    let token = pointer.strip_prefix('/')?;
    if token.contains('/') {
        return None;
    }
    Some(Edit::Remove {
        key: unescaped(token),
    })
}

/// The array or object that `text` spells, if one of that kind is wanted.
fn parsed(pointer: &str, text: &str, kinds: JsonTypeSet) -> Option<Edit> {
    if kinds.contains(JsonType::String) {
        return None;
    }
    let value = RawValue::from_string(text.to_owned()).ok()?;
    let fits = match value.get().as_bytes().first() {
        Some(b'[') => kinds.contains(JsonType::Array),
        Some(b'{') => kinds.contains(JsonType::Object),
        _ => false,
    };
    fits.then(|| Edit::Replace {
        pointer: pointer.to_owned(),
        value,
    })
}

/// All kinds that would be taken instead, where the kind is all that is wrong; `None` where some
/// alternative takes the kind and minds something else (field case 20).
pub(super) fn kinds(error: &ValidationError<'_>) -> Option<JsonTypeSet> {
    if let ValidationErrorKind::Type { kind } = error.kind() {
        return Some(match kind {
            TypeKind::Single(kind) => JsonTypeSet::from(*kind),
            TypeKind::Multiple(kinds) => *kinds,
        });
    }
    let pointer = error.instance_path().as_str();
    let mut union = JsonTypeSet::empty();
    for branch in branches(error)? {
        let wrong_kind = branch
            .iter()
            .filter(|inner| inner.instance_path().as_str() == pointer)
            .find_map(kinds)?;
        union = union.union(wrong_kind);
    }
    Some(union)
}

/// The kinds of the values that would be taken instead, where those are counted.
fn kinds_of_values(error: &ValidationError<'_>) -> Option<JsonTypeSet> {
    let values = match error.kind() {
        ValidationErrorKind::Enum { options } => options.as_array()?.as_slice(),
        ValidationErrorKind::Constant { expected_value } => std::slice::from_ref(&**expected_value),
        _ => return None,
    };
    let kinds = values.iter().map(JsonType::from).map(JsonTypeSet::from);
    Some(kinds.fold(JsonTypeSet::empty(), JsonTypeSet::union))
}

/// The errors of each alternative of `anyOf` or `oneOf`.
pub(super) fn branches<'a>(
    error: &'a ValidationError<'_>,
) -> Option<&'a [Vec<ValidationError<'static>>]> {
    match error.kind() {
        ValidationErrorKind::AnyOf { context } | ValidationErrorKind::OneOfNotValid { context } => {
            Some(context)
        }
        _ => None,
    }
}
