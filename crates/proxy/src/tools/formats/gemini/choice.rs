//! Schemas that count their values.

use serde_json::{Map, Value, json};

use super::Subset;
use super::reading::kind_of;
use super::writing::{allow_null, describe};

impl Subset<'_> {
    /// One of these values: an `enum` where all are text, else words.
    pub(super) fn choice(
        &mut self,
        map: &Map<String, Value>,
        values: &[Value],
        kinds: &[&str],
        at: &str,
    ) -> Value {
        let (null, others): (Vec<&Value>, Vec<&Value>) =
            values.iter().partition(|value| value.is_null());
        let texts: Vec<&str> = others
            .iter()
            .filter_map(|value| value.as_str())
            .filter(|text| !text.is_empty())
            .collect();
        let mut schema = if texts.len() == others.len() && !texts.is_empty() {
            let mut schema = json!({"type": "STRING", "enum": texts});
            describe(&mut schema, map, "");
            schema
        } else {
            self.changes.at(at, "its values stand in its description");
            let kind = kinds
                .iter()
                .copied()
                .find(|kind| SCALARS.iter().any(|(known, _)| known == kind));
            let kind =
                kind.unwrap_or_else(|| others.first().map_or("string", |value| kind_of(value)));
            let name = SCALARS
                .iter()
                .find(|(known, _)| *known == kind)
                .map_or("STRING", |(_, name)| *name);
            let told: Vec<String> = others
                .iter()
                .take(VALUES)
                .map(ToString::to_string)
                .collect();
            let mut schema = json!({"type": name});
            describe(&mut schema, map, &format!("One of {}.", told.join(", ")));
            schema
        };
        if !null.is_empty() || kinds.contains(&"null") {
            allow_null(&mut schema);
        }
        schema
    }
}

const SCALARS: [(&str, &str); 4] = [
    ("boolean", "BOOLEAN"),
    ("integer", "INTEGER"),
    ("number", "NUMBER"),
    ("string", "STRING"),
];
/// How many values a description counts.
const VALUES: usize = 50;
