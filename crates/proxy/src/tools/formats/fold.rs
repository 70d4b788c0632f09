//! References and combinators of an object schema, folded into its properties.

use std::collections::{HashMap, HashSet};

use serde_json::{Map, Value};

use super::changes::Changes;
use super::document::{Document, Target};
use super::work::Work;

/// What holds of the branches of a combinator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Of {
    /// All of them.
    All,
    /// At least one, or just one.
    Any,
}

/// One folding.
pub(super) struct Fold<'a, 'c> {
    document: &'a Document<'a>,
    work: &'c mut Work,
    changes: &'c mut Changes,
    /// What is being folded: what refers to itself says nothing new.
    open: Vec<*const Value>,
    depth: usize,
}

impl<'a, 'c> Fold<'a, 'c> {
    pub(super) const fn new(
        document: &'a Document<'a>,
        work: &'c mut Work,
        changes: &'c mut Changes,
    ) -> Self {
        Self {
            document,
            work,
            changes,
            open: Vec::new(),
            depth: 0,
        }
    }

    /// Folds what `map`, which stands at `at`, refers to and combines into `map`, to whatever depth. A
    /// parameter that any branch knows may be given; what all branches require is required.
    pub(super) fn fold(&mut self, map: &mut Map<String, Value>, at: &str) {
        self.follow(map, at);
        for (key, of) in [("allOf", Of::All), ("anyOf", Of::Any), ("oneOf", Of::Any)] {
            let Some(branches) = map.shift_remove(key) else {
                continue;
            };
            let loss = match of {
                Of::All => "",
                Of::Any => ", which doesn't say what goes together",
            };
            self.changes
                .at(at, format_args!("`{key}` is folded into one object{loss}"));
            let branches = branches.as_array().map_or(&[][..], Vec::as_slice);
            self.merge(map, branches, of, at);
        }
    }

    /// Adds what `branches` say to `map`.
    pub(super) fn merge(
        &mut self,
        map: &mut Map<String, Value>,
        branches: &[Value],
        of: Of,
        at: &str,
    ) {
        let mut properties = Properties::of(map, of);
        let mut common: Option<Vec<Value>> = None;
        for (position, branch) in branches.iter().enumerate() {
            let branch = match branch {
                Value::Bool(false) => continue,
                Value::Object(branch) => branch,
                _ => &Map::new(),
            };
            let Some(mut branch) = self.resolved(branch, at) else {
                let count = branches.len() - position;
                self.changes.at(
                    at,
                    format_args!("{count} of its branches are left out: it is too large"),
                );
                break;
            };
            let required = list(&branch, "required");
            common = Some(match (common, of) {
                (None, _) => required,
                (Some(before), Of::All) => [before, required].concat(),
                (Some(before), Of::Any) => common_to(before, &required),
            });
            match branch.shift_remove("properties") {
                None => {}
                Some(Value::Object(more)) => properties.add(more),
                Some(_) => self.lost("properties", at),
            }
            self.keep(map, branch, of, at);
        }
        properties.into_map(map);
        let required = [list(map, "required"), common.unwrap_or_default()].concat();
        if !required.is_empty() {
            let mut seen = HashSet::new();
            let each_once = required
                .into_iter()
                .filter(|name| seen.insert(name.clone()));
            map.insert("required".to_owned(), each_once.collect());
        }
    }

    /// A branch without references and combinators; `None` where that is too much.
    fn resolved(&mut self, branch: &Map<String, Value>, at: &str) -> Option<Map<String, Value>> {
        if self.depth >= DEPTH || !branch.values().all(|value| self.work.takes(value)) {
            return None;
        }
        let mut branch = branch.clone();
        self.depth += 1;
        self.fold(&mut branch, at);
        self.depth -= 1;
        Some(branch)
    }

    /// Adds what `map` refers to, as if it were one more branch.
    fn follow(&mut self, map: &mut Map<String, Value>, at: &str) {
        let reference = map.get("$ref").and_then(Value::as_str);
        let Some(Target::Found(target)) = reference.map(|text| self.document.target(text)) else {
            return;
        };
        map.shift_remove("$ref");
        let is_root = std::ptr::eq(target, self.document.root()) && at.is_empty();
        if is_root || self.open.iter().any(|open| std::ptr::eq(*open, target)) {
            return;
        }
        self.open.push(target);
        self.merge(map, std::slice::from_ref(target), Of::All, at);
        self.open.pop();
    }

    /// Keeps of a branch what holds of the whole.
    fn keep(&mut self, map: &mut Map<String, Value>, branch: Map<String, Value>, of: Of, at: &str) {
        for (key, value) in branch {
            if OWN.contains(&key.as_str()) || map.get(&key) == Some(&value) {
                continue;
            }
            let is_limit = !TITLES.contains(&key.as_str()) && !key.starts_with("x-");
            if of == Of::All && !map.contains_key(&key) {
                map.insert(key, value);
            } else if is_limit && !(key == "type" && value == "object") {
                self.lost(&key, at);
            }
        }
    }

    fn lost(&mut self, key: &str, at: &str) {
        self.changes
            .at(at, format_args!("`{key}` of a branch is left out"));
    }
}

/// The properties of several branches, each schema of one once.
struct Properties {
    of: Of,
    names: Vec<String>,
    said: HashMap<String, Said>,
}

#[derive(Default)]
struct Said {
    each: Vec<Value>,
    seen: HashSet<Value>,
}

impl Properties {
    /// Takes those of `map`.
    fn of(map: &mut Map<String, Value>, of: Of) -> Self {
        let mut properties = Self {
            of,
            names: Vec::new(),
            said: HashMap::new(),
        };
        if let Some(Value::Object(own)) = map.get_mut("properties") {
            properties.add(std::mem::take(own));
        }
        properties
    }

    fn add(&mut self, more: Map<String, Value>) {
        let key = self.key();
        for (name, mut schema) in more {
            let is_alone = schema.as_object().is_some_and(|map| map.len() == 1);
            let said = self.said.entry(name.clone()).or_insert_with(|| {
                self.names.push(name);
                Said::default()
            });
            match schema.get_mut(key) {
                // One list rather than a nest of pairs.
                Some(Value::Array(inner)) if is_alone => {
                    for each in std::mem::take(inner) {
                        said.add(each);
                    }
                }
                _ => said.add(schema),
            }
        }
    }

    fn into_map(mut self, map: &mut Map<String, Value>) {
        if self.names.is_empty() {
            return;
        }
        let key = self.key();
        let names = std::mem::take(&mut self.names).into_iter();
        let schemas = names.filter_map(|name| {
            let mut each = self.said.remove(&name)?.each;
            let schema = if each.len() == 1 {
                each.pop()?
            } else {
                serde_json::json!({ key: each })
            };
            Some((name, schema))
        });
        let properties = Value::Object(schemas.collect());
        map.insert("properties".to_owned(), properties);
    }

    const fn key(&self) -> &'static str {
        match self.of {
            Of::All => "allOf",
            Of::Any => "anyOf",
        }
    }
}

impl Said {
    fn add(&mut self, schema: Value) {
        if self.seen.insert(schema.clone()) {
            self.each.push(schema);
        }
    }
}

fn common_to(before: Vec<Value>, required: &[Value]) -> Vec<Value> {
    let required: HashSet<&Value> = required.iter().collect();
    before
        .into_iter()
        .filter(|name| required.contains(name))
        .collect()
}

fn list(map: &Map<String, Value>, key: &str) -> Vec<Value> {
    map.get(key)
        .and_then(Value::as_array)
        .cloned()
        .unwrap_or_default()
}

/// Far deeper than real schemas, and no danger to the stack.
const DEPTH: usize = 64;
/// What a branch says of itself alone, or what is added another way.
const OWN: [&str; 11] = [
    "$anchor",
    "$comment",
    "$defs",
    "$dynamicAnchor",
    "$id",
    "$schema",
    "additionalProperties",
    "definitions",
    "id",
    "required",
    "unevaluatedProperties",
];
/// What doesn't say which values are taken.
const TITLES: [&str; 9] = [
    "default",
    "deprecated",
    "description",
    "example",
    "examples",
    "nullable",
    "readOnly",
    "title",
    "writeOnly",
];
