//! A tool's schema as it is compiled: a dialect, nothing from outside, bounded when expanded.

use std::collections::{HashMap, HashSet};

use jsonschema::Draft;
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use super::budget::WATCHED;
use super::{UncheckedReason, dialect, pattern};

/// A schema that is safe to compile.
pub(super) struct BoundedSchema {
    pub(super) draft: Draft,
    pub(super) schema: Value,
}

impl BoundedSchema {
    /// Reads `schema`, or says why it had better not be compiled.
    ///
    /// References to anything but a part of the same schema are refused here, before the validator
    /// sees them, so that nothing can be fetched (field case 12). What references expand to is
    /// counted, so that nothing explodes (field case 13).
    pub(super) fn read(schema: &RawValue) -> Result<Self, UncheckedReason> {
        if schema.get().len() > MAX_SCHEMA_BYTES {
            return Err(UncheckedReason::TooLarge);
        }
        // The parser's own depth limit is the only way for a raw value not to parse.
        let mut schema: Value =
            serde_json::from_str(schema.get()).or(Err(UncheckedReason::TooLarge))?;
        let draft = dialect::take_draft(&mut schema)?;
        if let Some(root) = schema.as_object_mut() {
            // The base of relative references, of which none is followed.
            root.remove("$id");
            root.remove(draft.id_keyword());
        }
        rewrite(&mut schema, draft)?;
        let mut parts = Parts::default();
        parts.collect(&schema)?;
        Expansion {
            root: &schema,
            parts: &parts,
            counted: HashMap::new(),
        }
        .count(&schema, 0)?;
        Ok(Self {
            draft: dialect::target(draft),
            schema,
        })
    }
}

/// Puts the watch into every part, and makes it mean to the validator what it means to its author:
/// the dialect, the patterns, and the `nullable` of other formats (field case 18).
///
/// Errs for a list of no values, which nobody could choose from.
fn rewrite(schema: &mut Value, draft: Draft) -> Result<(), UncheckedReason> {
    let Some(members) = schema.as_object_mut() else {
        return Ok(());
    };
    dialect::translate(members, draft);
    for (key, value) in members.iter_mut() {
        match Position::of(key, value) {
            Position::One => rewrite(value, draft)?,
            Position::List => {
                let mut list = value.as_array_mut().into_iter().flatten();
                list.try_for_each(|schema| rewrite(schema, draft))?;
            }
            Position::Named => {
                let mut named = value.as_object_mut().into_iter().flatten();
                named.try_for_each(|(_, schema)| rewrite(schema, draft))?;
            }
            Position::Data => {}
        }
    }
    if members
        .get("enum")
        .and_then(Value::as_array)
        .is_some_and(Vec::is_empty)
    {
        return Err(UncheckedReason::SchemaInvalid);
    }
    rewrite_patterns(members)?;
    if members.get("nullable") == Some(&Value::Bool(true)) {
        allow_null(members);
    }
    if members.contains_key("additionalProperties") && !members.contains_key("properties") {
        // The same to the validator, but then its error names the property.
        members.insert("properties".to_owned(), Value::Object(Map::new()));
    }
    members.insert(WATCHED.to_owned(), Value::Bool(true));
    Ok(())
}

/// Errs where a pattern may be read differently from how it was written (field case 15).
fn rewrite_patterns(members: &mut Map<String, Value>) -> Result<(), UncheckedReason> {
    let doubtful = UncheckedReason::SchemaInvalid;
    if let Some(Value::String(text)) = members.get_mut("pattern") {
        *text = pattern::translated(text).ok_or(doubtful)?.into_owned();
    }
    if let Some(Value::Object(named)) = members.get_mut("patternProperties") {
        *named = std::mem::take(named)
            .into_iter()
            .map(|(text, schema)| Some((pattern::translated(&text)?.into_owned(), schema)))
            .collect::<Option<_>>()
            .ok_or(doubtful)?;
    }
    Ok(())
}

fn allow_null(members: &mut Map<String, Value>) {
    if let Some(Value::Array(values)) = members.get_mut("enum") {
        values.push(Value::Null);
    }
    match members.get_mut("type") {
        Some(Value::Array(kinds)) => kinds.push("null".into()),
        Some(kind @ Value::String(_)) => *kind = Value::Array(vec![kind.take(), "null".into()]),
        _ => {
            // Branches or a reference decide: null is one more branch.
            let branch = Value::Object(std::mem::take(members));
            let null = serde_json::json!({"type": "null"});
            members.insert("anyOf".to_owned(), Value::Array(vec![null, branch]));
        }
    }
    if let Some(Value::Array(kinds)) = members.get_mut("type") {
        let mut seen = HashSet::new();
        kinds.retain(|kind| {
            kind.as_str()
                .is_none_or(|kind| seen.insert(kind.to_owned()))
        });
    }
}

/// What a keyword's value holds.
enum Position {
    One,
    List,
    Named,
    Data,
}

impl Position {
    fn of(keyword: &str, value: &Value) -> Self {
        match keyword {
            "properties" | "patternProperties" | "$defs" | "definitions" | "dependentSchemas"
            | "dependencies" => Self::Named,
            "allOf" | "anyOf" | "oneOf" | "prefixItems" => Self::List,
            "items" if value.is_array() => Self::List,
            "items"
            | "additionalItems"
            | "unevaluatedItems"
            | "contains"
            | "additionalProperties"
            | "unevaluatedProperties"
            | "propertyNames"
            | "not"
            | "if"
            | "then"
            | "else"
            | "contentSchema" => Self::One,
            _ => Self::Data,
        }
    }
}

/// The schemas directly within a schema.
fn children(schema: &Value) -> impl Iterator<Item = &Value> {
    let members = schema.as_object().into_iter().flatten();
    members.flat_map(|(keyword, value)| within(keyword, value))
}

/// The same without definitions, which count where they are referred to.
fn applied(schema: &Value) -> impl Iterator<Item = &Value> {
    let members = schema.as_object().into_iter().flatten();
    members
        .filter(|(keyword, _)| !matches!(keyword.as_str(), "$defs" | "definitions"))
        .flat_map(|(keyword, value)| within(keyword, value))
}

fn within<'a>(keyword: &str, value: &'a Value) -> Box<dyn Iterator<Item = &'a Value> + 'a> {
    match Position::of(keyword, value) {
        Position::One => Box::new(std::iter::once(value)),
        Position::List => Box::new(value.as_array().into_iter().flatten()),
        Position::Named => Box::new(value.as_object().into_iter().flat_map(Map::values)),
        Position::Data => Box::new(std::iter::empty()),
    }
}

/// Where the schemas within a schema are: by address, and by anchor.
#[derive(Default)]
struct Parts<'a> {
    addresses: HashSet<*const Value>,
    anchors: HashMap<&'a str, &'a Value>,
}

impl<'a> Parts<'a> {
    fn collect(&mut self, schema: &'a Value) -> Result<(), UncheckedReason> {
        self.addresses.insert(schema);
        for keyword in ["$anchor", "$dynamicAnchor"] {
            if let Some(name) = schema.get(keyword).and_then(Value::as_str) {
                self.anchors.insert(name, schema);
            }
        }
        // A part with an identity of its own changes what references within it mean.
        if ["$id", "id"]
            .iter()
            .any(|keyword| schema.get(keyword).is_some_and(Value::is_string))
        {
            return Err(UncheckedReason::Reference);
        }
        children(schema).try_for_each(|child| self.collect(child))
    }
}

/// Counts what a schema's references expand to, each part once.
struct Expansion<'a> {
    root: &'a Value,
    parts: &'a Parts<'a>,
    /// `None` while a part is being counted: a reference back to it expands lazily.
    counted: HashMap<*const Value, Option<usize>>,
}

impl<'a> Expansion<'a> {
    fn count(&mut self, schema: &'a Value, depth: usize) -> Result<usize, UncheckedReason> {
        if let Some(known) = self.counted.get(&std::ptr::from_ref(schema)) {
            return Ok(known.unwrap_or(0));
        }
        if depth > MAX_DEPTH {
            return Err(UncheckedReason::TooLarge);
        }
        self.counted.insert(schema, None);
        let mut total = 1_usize;
        for child in applied(schema) {
            total = total.saturating_add(self.count(child, depth + 1)?);
        }
        for keyword in ["$ref", "$dynamicRef", "$recursiveRef"] {
            if let Some(reference) = schema.get(keyword) {
                let target = self.target(reference)?;
                total = total.saturating_add(self.count(target, depth + 1)?);
            }
        }
        if total > MAX_EXPANDED {
            return Err(UncheckedReason::TooLarge);
        }
        self.counted.insert(schema, Some(total));
        Ok(total)
    }

    /// The part that `reference` means; only a part, so that all that is reached is watched.
    fn target(&self, reference: &Value) -> Result<&'a Value, UncheckedReason> {
        let fragment = reference
            .as_str()
            .and_then(|reference| reference.strip_prefix('#'))
            .ok_or(UncheckedReason::Reference)?;
        let target = if fragment.is_empty() || fragment.starts_with('/') {
            self.root.pointer(&percent_decoded(fragment))
        } else {
            self.parts.anchors.get(fragment).copied()
        };
        target
            .filter(|target| self.parts.addresses.contains(&std::ptr::from_ref(*target)))
            .ok_or(UncheckedReason::Reference)
    }
}

/// A URI fragment's text. What isn't UTF-8 afterwards leads nowhere.
fn percent_decoded(fragment: &str) -> String {
    let mut bytes = Vec::with_capacity(fragment.len());
    let mut rest = fragment.as_bytes();
    while let Some((&byte, after)) = rest.split_first() {
        rest = after;
        let escaped = match (byte, after) {
            (b'%', [high, low, ..]) => hex(*high).zip(hex(*low)),
            _ => None,
        };
        if let Some((high, low)) = escaped {
            bytes.push(high * 16 + low);
            rest = after.get(2..).unwrap_or_default();
        } else {
            bytes.push(byte);
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn hex(digit: u8) -> Option<u8> {
    char::from(digit)
        .to_digit(16)
        .and_then(|value| u8::try_from(value).ok())
}

/// The largest real schema has 89 KB.
const MAX_SCHEMA_BYTES: usize = 1024 * 1024;

/// How deep parts and references may nest.
const MAX_DEPTH: usize = 100;

/// How many parts the references may expand to.
const MAX_EXPANDED: usize = 10_000;
