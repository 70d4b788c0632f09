//! References that go on leading where they led, although what they lead to has moved.

use std::collections::{HashMap, HashSet};

use serde_json::{Map, Value};

use super::document::{Document, Target};
use super::keywords::each_schema;
use super::work::Work;

/// Whether the parameters of a schema are still called as they were.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Parameters {
    Same,
    Renamed,
}

/// Puts what the references in `root`, which was made from `document`, don't find any more among its
/// definitions.
pub(super) fn relink(
    root: &mut Map<String, Value>,
    document: &Document<'_>,
    parameters: Parameters,
    work: &mut Work,
) {
    let mut open = references(root);
    if open.is_empty() {
        return;
    }
    let whole = Value::Object(root.clone());
    let now = Document::of(&whole);
    let mut moved: HashMap<String, String> = HashMap::new();
    let mut parts = Map::new();
    let mut seen = HashSet::new();
    while let Some(reference) = open.pop() {
        if !seen.insert(reference.clone()) {
            continue;
        }
        let Target::Found(target) = document.target(&reference) else {
            continue;
        };
        // What is compared counts as much as what is copied.
        if !work.takes(target) {
            continue;
        }
        let stays = match now.target(&reference) {
            Target::Found(_) if std::ptr::eq(target, document.root()) => {
                parameters == Parameters::Same
            }
            Target::Found(found) => found == target,
            Target::Nowhere | Target::Unclear => false,
        };
        if stays {
            continue;
        }
        let mut part = target.clone();
        if let Some(part) = part.as_object_mut() {
            // They stay where they are.
            for key in ["$defs", "definitions", "$id", "$schema"] {
                part.shift_remove(key);
            }
            open.extend(references(part));
        }
        let name = free(&parts, root);
        moved.insert(reference, format!("#/$defs/{name}"));
        parts.insert(name, part);
    }
    if parts.is_empty() {
        return;
    }
    let definitions = root
        .entry("$defs")
        .or_insert_with(|| Value::Object(Map::new()));
    if let Some(definitions) = definitions.as_object_mut() {
        definitions.extend(parts);
    }
    each_schema(root, &mut |schema| {
        if let Some(Value::String(reference)) = schema.get_mut("$ref")
            && let Some(now) = moved.get(reference)
        {
            reference.clone_from(now);
        }
    });
}

fn references(root: &mut Map<String, Value>) -> Vec<String> {
    let mut found = Vec::new();
    each_schema(root, &mut |schema| {
        if let Some(Value::String(reference)) = schema.get("$ref") {
            found.push(reference.clone());
        }
    });
    found
}

/// A name that no definition has.
fn free(parts: &Map<String, Value>, root: &Map<String, Value>) -> String {
    let taken = root.get("$defs").and_then(Value::as_object);
    let is_free = |name: &String| {
        !parts.contains_key(name) && taken.is_none_or(|taken| !taken.contains_key(name))
    };
    let first = parts.len() + 1;
    let names = (first..).map(|number| format!("part{number}"));
    names.into_iter().find(is_free).unwrap_or_default()
}
