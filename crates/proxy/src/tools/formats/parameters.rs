//! Parameters whose names an API doesn't take.

use std::collections::BTreeMap;

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
    let Some(Value::Object(properties)) = root.get_mut("properties") else {
        return renamed;
    };
    if properties.keys().all(|key| rule.takes(key)) {
        return renamed;
    }
    for key in properties.keys().filter(|key| !rule.takes(key)) {
        let is_free = |name: &String| !properties.contains_key(name) && !renamed.contains_key(name);
        if let Some(name) = candidates(rule, key).find(is_free) {
            let told = shorten(key, 160);
            changes.note(&format!("parameter `{told}` is called `{name}`"));
            renamed.insert(name, key.clone());
        }
    }
    let now = |key: &str| {
        let name = renamed.iter().find(|(_, original)| *original == key);
        name.map_or_else(|| key.to_owned(), |(name, _)| name.clone())
    };
    *properties = std::mem::take(properties)
        .into_iter()
        .map(|(key, schema)| (now(&key), schema))
        .collect();
    for name in root
        .get_mut("required")
        .and_then(Value::as_array_mut)
        .into_iter()
        .flatten()
    {
        if let Some(key) = name.as_str() {
            *name = Value::String(now(key));
        }
    }
    renamed
}

/// `key` as `rule` spells it, then with numbers after it.
fn candidates(rule: &NameRule, key: &str) -> impl Iterator<Item = String> {
    let (spelt, max_chars) = (rule.spelt(key), rule.max_chars);
    (1_usize..).map(move |number| {
        let tail = if number == 1 {
            String::new()
        } else {
            format!("_{number}")
        };
        let kept = spelt.chars().take(max_chars - tail.len());
        kept.chain(tail.chars()).collect()
    })
}
