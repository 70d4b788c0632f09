//! One object at the root of a schema, as every API wants it.

use serde_json::{Map, Value};

use super::changes::Changes;
use super::document::Document;
use super::fold::Fold;
use super::work::Work;

/// The schema of `document` as an object with `properties` and neither a reference nor a combinator at
/// its root.
pub(super) fn object(
    document: &Document<'_>,
    work: &mut Work,
    changes: &mut Changes,
) -> Map<String, Value> {
    let mut root = match document.root() {
        Value::Object(root) => root.clone(),
        _ => Map::new(),
    };
    if root.get("properties").is_some_and(|own| !own.is_object()) {
        root.shift_remove("properties");
        changes.at("", "`properties` can't be read and is left out");
    }
    Fold::new(document, work, changes).fold(&mut root, "");
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
    root.entry("properties")
        .or_insert_with(|| Value::Object(Map::new()));
    root
}
