//! Schemas that are too large to be worked on whole.

use serde_json::{Map, Value, json};

use super::changes::Changes;
use super::keywords::escaped;
use super::work::size_within;

/// What of `schema` is worked on: all of it, if it isn't too large. Else parameters come first, then what
/// they may refer to, then the rest, as far as there is room, and each parameter at least by its name.
/// Whether nothing went.
pub(super) fn keep_within(schema: &mut Value, changes: &mut Changes) -> bool {
    if size_within(schema, VALUES).is_some() {
        return true;
    }
    let Value::Object(root) = std::mem::take(schema) else {
        return false;
    };
    let (named, rest): (Vec<_>, Vec<_>) = root
        .into_iter()
        .partition(|(key, schemas)| NAMED.contains(&key.as_str()) && schemas.is_object());
    let mut space = Room {
        left: VALUES,
        changes,
    };
    let mut kept = Map::new();
    for key in NAMED {
        for (found, schemas) in &named {
            if let Some(schemas) = schemas.as_object().filter(|_| found == key) {
                kept.insert(found.clone(), space.named(key, schemas));
            }
        }
    }
    for (key, value) in rest {
        if space.takes(&value, 0) {
            kept.insert(key, value);
        } else {
            let text = format!("`{key}` is too large and is left out");
            space.changes.at("", text);
        }
    }
    *schema = Value::Object(kept);
    false
}

struct Room<'c> {
    left: usize,
    changes: &'c mut Changes,
}

impl Room<'_> {
    fn named(&mut self, key: &str, schemas: &Map<String, Value>) -> Value {
        let count = schemas.len().min(self.left / TEXT_VALUES);
        if count < schemas.len() {
            let lost = schemas.len() - count;
            let text = format!("it is too large, and {lost} of its `{key}` are left out");
            self.changes.at("", text);
        }
        self.left -= count * TEXT_VALUES;
        let kept = schemas.iter().take(count).map(|(name, schema)| {
            let kept = if self.takes(schema, TEXT_VALUES) {
                schema.clone()
            } else {
                let at = format!("/{key}/{}", escaped(name));
                self.changes
                    .at(&at, "it is too large, and is asked for as JSON text");
                json!({"type": "string", "description": "Write JSON as text."})
            };
            (name.clone(), kept)
        });
        Value::Object(kept.collect())
    }

    /// Whether there is room for `value`, for some of which there was already.
    fn takes(&mut self, value: &Value, already: usize) -> bool {
        let size = size_within(value, self.left + already);
        if let Some(size) = size {
            self.left = self.left + already - size.max(already);
        }
        size.is_some()
    }
}

/// Far above real schemas: the largest of some thousand has a tenth.
const VALUES: usize = 20_000;
/// Of a schema that asks for text.
const TEXT_VALUES: usize = 3;
/// Keywords whose members are worth keeping one by one, the first first.
const NAMED: [&str; 3] = ["properties", "$defs", "definitions"];
