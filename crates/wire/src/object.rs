//! A JSON object read without being rebuilt: its members in order, each with its bytes.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

use serde::Serialize;
use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

/// The members of a JSON object, in the order and spelling of its text.
///
/// Where a key stands twice, [`RawObject::get`] answers the last one, as JSON parsers do.
#[derive(Debug, Clone)]
pub struct RawObject<'a> {
    text: &'a str,
    members: Vec<Member<'a>>,
}

#[derive(Debug, Clone)]
struct Member<'a> {
    key: Cow<'a, str>,
    value: &'a RawValue,
    /// Where the key's opening quote stands in the object's text.
    start: usize,
    /// Where the value ends.
    end: usize,
}

impl<'a> RawObject<'a> {
    /// The members of `raw`, or `None` if it isn't an object.
    pub fn read(raw: &'a RawValue) -> Option<Self> {
        let text = raw.get();
        if !text.starts_with('{') {
            return None;
        }
        let pairs = serde_json::Deserializer::from_str(text)
            .deserialize_map(Pairs)
            .ok()?;
        let mut members = Vec::with_capacity(pairs.len());
        let mut after_previous = 1;
        for (key, value) in pairs {
            let start = after_previous + text.get(after_previous..)?.find('"')?;
            let end = span_in(text, value.get())?.end;
            members.push(Member {
                key,
                value,
                start,
                end,
            });
            after_previous = end;
        }
        Some(Self { text, members })
    }

    /// The value of `key`.
    pub fn get(&self, key: &str) -> Option<&'a RawValue> {
        self.members
            .iter()
            .rev()
            .find(|member| member.key == key)
            .map(|member| member.value)
    }

    /// The value of `key` if it is a string.
    pub fn get_str(&self, key: &str) -> Option<Cow<'a, str>> {
        as_str(self.get(key)?)
    }

    /// Whether `key` stands more than once, with values whose texts differ.
    pub fn contradicts(&self, key: &str) -> bool {
        let mut values = self.iter().filter(|(other, _)| *other == key);
        let first = values.next().map(|(_, value)| value.get());
        values.any(|(_, value)| Some(value.get()) != first)
    }

    /// Keys and values in order, doubles included.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &'a RawValue)> {
        self.members
            .iter()
            .map(|member| (member.key.as_ref(), member.value))
    }

    /// How many members there are, doubles included.
    pub fn len(&self) -> usize {
        self.members.len()
    }

    /// Whether the object is `{}`.
    pub fn is_empty(&self) -> bool {
        self.members.is_empty()
    }

    /// The object's text without the members in `remove`, and with `add` before the first member.
    ///
    /// What stays keeps its bytes. With nothing to remove or add, the text is the object's own.
    pub fn rewrite(&self, remove: &[&str], add: &[(&str, &RawValue)]) -> Box<RawValue> {
        let kept = self
            .members
            .iter()
            .filter(|member| !remove.contains(&member.key.as_ref()));
        let unchanged = add.is_empty()
            && !self
                .members
                .iter()
                .any(|member| remove.contains(&member.key.as_ref()));
        if unchanged {
            return trusted(self.text.to_owned());
        }
        let mut text = String::with_capacity(self.text.len() + 64);
        text.push('{');
        for (key, value) in add {
            push_separator(&mut text);
            text.push_str(&quoted(key));
            text.push(':');
            text.push_str(value.get());
        }
        for member in kept {
            push_separator(&mut text);
            text.push_str(self.text.get(member.start..member.end).unwrap_or_default());
        }
        text.push('}');
        trusted(text)
    }
}

/// `value` as raw JSON. Only for values of our own, whose serialisation can't fail.
#[expect(
    clippy::expect_used,
    reason = "own types have string keys and no failing serialiser"
)]
pub fn to_raw(value: &(impl Serialize + ?Sized)) -> Box<RawValue> {
    serde_json::value::to_raw_value(value).expect("own values serialise")
}

/// Where `part`, a slice of `whole` such as a member's text within its object's, stands in it;
/// `None` if it is no slice of it.
pub fn span_in(whole: &str, part: &str) -> Option<Range<usize>> {
    let start = (part.as_ptr() as usize).checked_sub(whole.as_ptr() as usize)?;
    let end = start.checked_add(part.len())?;
    (end <= whole.len()).then_some(start..end)
}

/// The text of a JSON string, or `None` if `raw` is of another kind.
pub(crate) fn as_str(raw: &RawValue) -> Option<Cow<'_, str>> {
    if !raw.get().starts_with('"') {
        return None;
    }
    serde_json::from_str::<BorrowedStr<'_>>(raw.get())
        .ok()
        .map(|text| text.0)
}

#[derive(serde::Deserialize)]
struct BorrowedStr<'a>(#[serde(borrow)] Cow<'a, str>);

fn push_separator(text: &mut String) {
    if text.len() > 1 {
        text.push(',');
    }
}

fn quoted(key: &str) -> String {
    to_raw(key).get().to_owned()
}

/// Text assembled from spans of valid JSON.
#[expect(
    clippy::expect_used,
    reason = "spans and separators above always form an object"
)]
fn trusted(text: String) -> Box<RawValue> {
    RawValue::from_string(text).expect("spans of valid JSON")
}

struct Pairs;

impl<'de> Visitor<'de> for Pairs {
    type Value = Vec<(Cow<'de, str>, &'de RawValue)>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut pairs = Vec::new();
        while let Some(BorrowedStr(key)) = map.next_key()? {
            pairs.push((key, map.next_value()?));
        }
        Ok(pairs)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn raw(text: &str) -> Box<RawValue> {
        RawValue::from_string(text.to_owned()).unwrap()
    }

    #[test]
    fn a_slice_is_found_where_it_stands() {
        let text = r#"{"a":{"b":1}}"#.to_owned();
        let inner = text.get(5..12).unwrap();
        assert_eq!(span_in(&text, inner), Some(5..12));
        assert_eq!(span_in(&text, &text), Some(0..13));
        assert_eq!(span_in(inner, &text), None);
        let (before, after) = text.split_at(6);
        assert_eq!(span_in(before, after), None);
        assert_eq!(span_in(after, before), None);
    }

    #[test]
    fn a_key_contradicts_itself_if_its_values_differ() {
        for (text, expected) in [
            (r#"{"b":true}"#, false),
            (r#"{"a":true,"b":false}"#, false),
            (r#"{"a":true,"a":true}"#, false),
            (r#"{"a":true,"a":true,"\u0061":false}"#, true),
        ] {
            let value = raw(text);
            let object = RawObject::read(&value).unwrap();
            assert_eq!(object.contradicts("a"), expected, "{text}");
        }
    }

    #[test]
    fn members_keep_order_spelling_and_doubles() {
        let value = raw(r#"{ "b" : 1.0e+2 , "\u0061":[1, 2],"b":null }"#);
        let object = RawObject::read(&value).unwrap();
        let members: Vec<_> = object
            .iter()
            .map(|(key, value)| (key, value.get()))
            .collect();
        assert_eq!(members, [("b", "1.0e+2"), ("a", "[1, 2]"), ("b", "null")]);
        assert_eq!(object.get("b").unwrap().get(), "null");
    }

    #[test]
    fn rewriting_touches_only_what_is_named() {
        let value = raw(r#"{"x":{"y":1.50},"\u0061": [ ], "z":"}"}"#);
        let object = RawObject::read(&value).unwrap();
        assert_eq!(
            object.rewrite(&["x"], &[("k", &raw("true"))]).get(),
            r#"{"k":true,"\u0061": [ ],"z":"}"}"#
        );
        assert_eq!(object.rewrite(&["none"], &[]).get(), value.get());
        assert_eq!(object.rewrite(&["x", "a", "z"], &[]).get(), "{}");
    }

    #[test]
    fn only_objects_are_read() {
        for text in ["[]", "null", "\"{}\"", "3"] {
            assert!(RawObject::read(&raw(text)).is_none(), "{text}");
        }
        assert!(RawObject::read(&raw("{}")).unwrap().is_empty());
    }

    proptest! {
        #[test]
        fn any_object_survives_adding_and_removing(keys in proptest::collection::vec(".{0,6}", 0..8)) {
            let map: serde_json::Map<_, _> =
                keys.into_iter().map(|key| (key, serde_json::Value::from(1))).collect();
            let text = serde_json::to_string(&map).unwrap();
            let value = raw(&text);
            let object = RawObject::read(&value).unwrap();
            let marked = object.rewrite(&[], &[("\u{1}mark", &raw("0"))]);
            let back = RawObject::read(&marked).unwrap().rewrite(&["\u{1}mark"], &[]);
            prop_assert_eq!(back.get(), value.get());
        }
    }
}
