//! Changes to arguments that leave every other byte as it was.

use std::ops::Range;

use serde_json::value::RawValue;
use wire::{RawObject, span_in};

use super::repair::Edit;

/// `object` with all of `edits`; `None` if one of them doesn't apply.
pub(super) fn apply(object: &RawValue, edits: &[Edit]) -> Option<Box<RawValue>> {
    let mut replacements: Vec<(Range<usize>, &str)> = Vec::new();
    let mut removed: Vec<&str> = Vec::new();
    for edit in edits {
        match edit {
            Edit::Remove { key } => removed.push(key),
            Edit::Replace { pointer, value } => {
                replacements.push((span(object, pointer)?, value.get()));
            }
        }
    }
    replacements.sort_by_key(|(range, _)| range.start);
    let mut text = String::with_capacity(object.get().len());
    let mut copied = 0;
    for (range, value) in replacements {
        // Also refuses one replacement within another.
        text.push_str(object.get().get(copied..range.start)?);
        text.push_str(value);
        copied = range.end;
    }
    text.push_str(object.get().get(copied..)?);
    let replaced = RawValue::from_string(text).ok()?;
    if removed.is_empty() {
        return Some(replaced);
    }
    Some(RawObject::read(&replaced)?.rewrite(&removed, &[]))
}

/// Where the value at `pointer` stands in the text of `root`.
fn span(root: &RawValue, pointer: &str) -> Option<Range<usize>> {
    let mut value = root;
    for token in pointer.split('/').skip(1) {
        let token = unescaped(token);
        value = if let Some(object) = RawObject::read(value) {
            object.get(&token)?
        } else {
            let items: Vec<&RawValue> = serde_json::from_str(value.get()).ok()?;
            items.get(token.parse::<usize>().ok()?).copied()?
        };
    }
    span_in(root.get(), value.get())
}

/// The key that a token of a JSON pointer stands for (RFC 6901 §4).
pub(super) fn unescaped(token: &str) -> String {
    token.replace("~1", "/").replace("~0", "~")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn raw(text: &str) -> Box<RawValue> {
        RawValue::from_string(text.to_owned()).unwrap()
    }

    fn replace(pointer: &str, value: &str) -> Edit {
        Edit::Replace {
            pointer: pointer.to_owned(),
            value: raw(value),
        }
    }

    #[test]
    fn every_other_byte_stays() {
        let object = raw(r#"{ "b" : 1.0e+2 , "a/~": [ 30.0, "[1 ,2]" ] ,"\u0063":null,"d" :0}"#);
        let edits = [
            replace("/a~1~0/1", "[1 ,2]"),
            replace("/b", "{}"),
            Edit::Remove {
                key: "c".to_owned(),
            },
        ];
        assert_eq!(
            apply(&object, &edits[..2]).unwrap().get(),
            r#"{ "b" : {} , "a/~": [ 30.0, [1 ,2] ] ,"\u0063":null,"d" :0}"#
        );
        assert_eq!(
            apply(&object, &edits).unwrap().get(),
            r#"{"b" : {},"a/~": [ 30.0, [1 ,2] ],"d" :0}"#
        );
    }

    #[test]
    fn edits_that_do_not_apply_are_refused() {
        let object = raw(r#"{"a":[["x"]]}"#);
        for edits in [
            vec![replace("/b", "1")],
            vec![replace("/a/1", "1")],
            vec![replace("/a/0/x", "1")],
            vec![replace("/a", "1"), replace("/a/0", "2")],
        ] {
            assert!(apply(&object, &edits).is_none(), "{edits:?}");
        }
    }

    proptest! {
        #[test]
        fn a_value_put_where_it_was_changes_nothing(keys in proptest::collection::vec("[a-c/~é\"]{1,3}", 1..5)) {
            let value: serde_json::Map<_, _> = keys
                .iter()
                .map(|key| (key.clone(), serde_json::json!({ key: [1, key] })))
                .collect();
            let object = wire::to_raw(&value);
            for key in &keys {
                let escaped = key.replace('~', "~0").replace('/', "~1");
                let same = serde_json::to_string(key).unwrap();
                let edits = [replace(&format!("/{escaped}/{escaped}/1"), &same)];
                let edited = apply(&object, &edits).unwrap();
                prop_assert_eq!(edited.get(), object.get());
            }
        }
    }
}
