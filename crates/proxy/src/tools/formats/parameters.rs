//! Parameters whose names an API doesn't take.

use std::collections::{BTreeMap, HashMap};

use serde_json::{Map, Value};

use super::changes::Changes;
use super::names::NameRule;
use crate::tools::text::shorten;

/// Renames the parameters of the object schema `root` that `rule` doesn't take: what each is called
/// now, and what it is called upstream.
pub(super) fn rename(
    root: &mut Map<String, Value>,
    rule: &NameRule,
    changes: &mut Changes,
) -> BTreeMap<String, String> {
    let mut renamed = BTreeMap::new();
    let Some(Value::Object(properties)) = root.get("properties") else {
        return renamed;
    };
    let mut now: HashMap<String, String> = HashMap::new();
    // Where the search for a free number goes on: thousands may be spelt alike, in full or in what
    // a number leaves of them.
    let mut next: HashMap<String, usize> = HashMap::new();
    for key in properties.keys().filter(|key| !rule.takes(key)) {
        let spelt = rule.spelt(key);
        let alike = spelt.chars().take(rule.max_chars - TAIL).collect();
        let number = next.entry(alike).or_insert(1);
        let name = loop {
            let name = numbered(&spelt, *number, rule.max_chars);
            *number += 1;
            if !properties.contains_key(&name) && !renamed.contains_key(&name) {
                break name;
            }
        };
        let told = shorten(key, TOLD_CHARS);
        changes.note(&format!("parameter `{told}` is called `{name}`"));
        renamed.insert(name.clone(), key.clone());
        now.insert(key.clone(), name);
    }
    if !now.is_empty() {
        Renaming { now }.schema(root);
    }
    renamed
}

/// New names of parameters, by the old ones.
struct Renaming {
    now: HashMap<String, String>,
}

impl Renaming {
    /// Renames in a schema of the arguments whatever names parameters.
    fn schema(&self, schema: &mut Map<String, Value>) {
        for (key, value) in schema.iter_mut() {
            match (key.as_str(), value) {
                ("properties", Value::Object(schemas)) => self.keys(schemas),
                ("required", names) => self.names(names),
                ("dependentRequired" | "dependentSchemas" | "dependencies", Value::Object(map)) => {
                    self.keys(map);
                    for dependent in map.values_mut() {
                        self.names(dependent);
                        self.schemas(dependent);
                    }
                }
                ("if" | "then" | "else" | "not" | "allOf" | "anyOf" | "oneOf", inside) => {
                    self.schemas(inside);
                }
                _ => {}
            }
        }
    }

    fn schemas(&self, value: &mut Value) {
        match value {
            Value::Object(schema) => self.schema(schema),
            Value::Array(schemas) => {
                let schemas = schemas.iter_mut().filter_map(Value::as_object_mut);
                schemas.for_each(|schema| self.schema(schema));
            }
            _ => {}
        }
    }

    fn keys(&self, map: &mut Map<String, Value>) {
        let entries = std::mem::take(map).into_iter();
        *map = entries
            .map(|(key, value)| (self.now.get(&key).cloned().unwrap_or(key), value))
            .collect();
    }

    fn names(&self, names: &mut Value) {
        for name in names.as_array_mut().into_iter().flatten() {
            if let Some(now) = name.as_str().and_then(|name| self.now.get(name)) {
                *name = Value::from(now.as_str());
            }
        }
    }
}

/// `spelt` within `max_chars`, with `number` after it unless it is the first.
fn numbered(spelt: &str, number: usize, max_chars: usize) -> String {
    let tail = if number == 1 {
        String::new()
    } else {
        format!("_{number}")
    };
    let kept = spelt.chars().take(max_chars - tail.len());
    kept.chain(tail.chars()).collect()
}

const TOLD_CHARS: usize = 160;
/// Room for a number with its sign.
const TAIL: usize = 6;

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use serde_json::{Value, json};

    use super::*;
    use crate::tools::formats::names::Start;

    #[track_caller]
    fn check(keys: impl Iterator<Item = String>) {
        let properties: Map<String, Value> = keys.map(|key| (key, json!({}))).collect();
        let before: HashSet<String> = properties.keys().cloned().collect();
        let required: Vec<&String> = properties.keys().collect();
        let mut root = Map::new();
        root.insert("required".to_owned(), json!(required));
        root.insert("properties".to_owned(), Value::Object(properties));
        let rule = &NameRule {
            max_chars: 64,
            signs: "_.-",
            starts: Start::Anyhow,
        };
        let renamed = rename(&mut root, rule, &mut Changes::default());
        let now: HashSet<&String> = root["properties"].as_object().unwrap().keys().collect();
        let back = |name: &&String| renamed.get(*name).unwrap_or(*name).clone();
        assert_eq!(now.iter().map(back).collect::<HashSet<_>>(), before);
        assert!(now.iter().all(|name| rule.takes(name)));
        let required = root["required"].as_array().unwrap();
        assert!(
            required
                .iter()
                .all(|name| now.contains(&name.as_str().unwrap().to_owned()))
        );
    }

    /// Trying each name against all others took minutes.
    #[test]
    fn thousands_that_are_spelt_alike_lead_back() {
        let wide = |number: u32| char::from_u32(0x4E00 + number).unwrap();
        check((0..20_000).map(|number| format!("č{}", wide(number))));
        let long = "a".repeat(200);
        check((0..20_000).map(|number| format!("{long}{}", wide(number))));
        check((0..20_000).map(|number| format!("{long}{number}")));
    }
}
