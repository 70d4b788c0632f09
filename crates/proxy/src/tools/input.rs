//! Reading the meta-tools' own arguments: lenient where nothing is lost, and a refusal that shows
//! the fix where something would be.

use std::borrow::Cow;
use std::collections::HashSet;

use serde_json::value::RawValue;
use wire::RawObject;

use super::text::{quoted, shorten};

/// Why the arguments of a meta-tool were refused, as the model reads it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Refusal(pub(super) String);

/// The arguments of a meta-tool. Members that it doesn't know are ignored, `null` counts as absent,
/// and none stands twice.
#[derive(Debug)]
pub(super) struct Input<'a>(Option<RawObject<'a>>);

impl<'a> Input<'a> {
    /// Reads `arguments`; absent and `null` count as `{}`.
    pub(super) fn read(arguments: Option<&'a RawValue>) -> Result<Self, Refusal> {
        let Some(arguments) = arguments.filter(|arguments| !is_null(arguments)) else {
            return Ok(Self(None));
        };
        match RawObject::read(arguments) {
            Some(object) => match doubled(&object, |_| true) {
                Some(key) => Err(Refusal(format!(
                    "{} stands twice: send it once",
                    quoted(key)
                ))),
                None => Ok(Self(Some(object))),
            },
            None => Err(Refusal(format!(
                "the arguments must be an object, not {}",
                kind(arguments)
            ))),
        }
    }

    /// The member `key` unless it is absent or `null`.
    pub(super) fn get(&self, key: &str) -> Option<&'a RawValue> {
        self.0.as_ref()?.get(key).filter(|value| !is_null(value))
    }

    /// A string.
    pub(super) fn string(&self, key: &str) -> Result<Option<String>, Refusal> {
        let Some(value) = self.get(key) else {
            return Ok(None);
        };
        string(value)
            .map(Some)
            .ok_or_else(|| wrong_kind(key, "a string", value, None))
    }

    /// An array of strings. One string stands for an array of one, and an array written as JSON
    /// text for itself: nothing else can be meant (field case 19).
    pub(super) fn strings(&self, key: &str) -> Result<Option<Vec<String>>, Refusal> {
        let Some(value) = self.get(key) else {
            return Ok(None);
        };
        if let Some(text) = string(value) {
            return Ok(Some(strings(&text).unwrap_or_else(|| vec![text])));
        }
        strings(value.get())
            .map(Some)
            .ok_or_else(|| not_strings(key, value))
    }

    /// A whole number in either spelling, `8` or `8.0` (field case 16).
    pub(super) fn integer(&self, key: &str) -> Result<Option<i64>, Refusal> {
        let Some(value) = self.get(key) else {
            return Ok(None);
        };
        whole_number(value.get()).map(Some).ok_or_else(|| {
            let meant = string(value).and_then(|text| text.trim().parse::<i64>().ok());
            wrong_kind(
                key,
                "an integer",
                value,
                meant.map(|number| number.to_string()),
            )
        })
    }

    /// A flag.
    pub(super) fn flag(&self, key: &str) -> Result<Option<bool>, Refusal> {
        let Some(value) = self.get(key) else {
            return Ok(None);
        };
        serde_json::from_str(value.get())
            .ok()
            .map(Some)
            .ok_or_else(|| {
                let meant = string(value).and_then(|text| text.trim().parse::<bool>().ok());
                wrong_kind(
                    key,
                    "true or false",
                    value,
                    meant.map(|flag| flag.to_string()),
                )
            })
    }
}

/// A key that `counts` and stands more than once in `object`.
pub(super) fn doubled<'o>(
    object: &'o RawObject<'_>,
    counts: impl Fn(&str) -> bool,
) -> Option<&'o str> {
    let mut seen = HashSet::new();
    let mut keys = object.iter().map(|(key, _)| key);
    keys.find(|key| counts(key) && !seen.insert(*key))
}

/// What kind of JSON `value` is, with its article; of text that can't be read, what is wrong with it.
pub(crate) fn kind(value: &RawValue) -> &'static str {
    match value.get().as_bytes().first() {
        Some(b'{') if RawObject::read(value).is_none() => {
            "an object with half a character in a name (a lone \\ud800 to \\udfff)"
        }
        Some(b'"') if string(value).is_none() => {
            "a string with half a character in it (a lone \\ud800 to \\udfff)"
        }
        Some(b'{') => "an object",
        Some(b'[') => "an array",
        Some(b'"') => "a string",
        Some(b't' | b'f') => "a boolean",
        Some(b'n') => "null",
        _ => "a number",
    }
}

/// What a JSON string says.
pub(super) fn string(value: &RawValue) -> Option<String> {
    serde_json::from_str(value.get()).ok()
}

pub(super) fn is_null(value: &RawValue) -> bool {
    value.get() == "null"
}

fn strings(json: &str) -> Option<Vec<String>> {
    serde_json::from_str(json).ok()
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "`as` saturates, and any limit is clamped"
)]
fn whole_number(json: &str) -> Option<i64> {
    let number: f64 = serde_json::from_str(json).ok()?;
    (number.fract() == 0.0).then_some(number as i64)
}

/// Names the first element that is no string, or the whole where it is no array.
fn not_strings(key: &str, value: &RawValue) -> Refusal {
    let elements: Vec<&RawValue> = serde_json::from_str(value.get()).unwrap_or_default();
    let wrong = elements
        .into_iter()
        .enumerate()
        .find(|(_, element)| string(element).is_none());
    if let Some((position, element)) = wrong {
        return wrong_kind(&format!("{key}[{position}]"), "a string", element, None);
    }
    let wanted = r#"an array of strings, such as ["a", "b"]"#;
    wrong_kind(key, wanted, value, None)
}

fn wrong_kind(key: &str, wanted: &str, found: &RawValue, meant: Option<String>) -> Refusal {
    let fix = meant
        .map(|meant| format!(": send `\"{key}\": {meant}`"))
        .unwrap_or_default();
    let found = match kind(found) {
        "a number" => shorten(found.get(), NUMBER_CHARS),
        kind => Cow::Borrowed(kind),
    };
    Refusal(format!("`{key}` must be {wanted}, not {found}{fix}"))
}

/// How much of a number is repeated.
const NUMBER_CHARS: usize = 20;

#[cfg(test)]
mod tests;
