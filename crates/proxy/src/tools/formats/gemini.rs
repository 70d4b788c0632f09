//! Gemini's function declarations: names, and the part of OpenAPI 3.0's schema that `parameters`
//! takes (ai.google.dev/api/caching, `FunctionDeclaration` and `Schema`). `parametersJsonSchema`
//! would take more, but not every model, SDK and endpoint has it.
//!
//! Beyond the page, the API refuses a request with any of these, as people found (issues of
//! browser-use/browser-use #7, anomalyco/opencode #11889, microsoft/azure-devops-mcp #145,
//! decolua/9router #380): an object without properties, `properties` or `required` outside an
//! object, an array without `items`, an `enum` of anything but text, an unknown keyword.

mod choice;
mod kind;
mod reading;
mod writing;

use serde_json::{Map, Value, json};

use self::reading::{kinds, texts, values};
use self::writing::{allow_null, any_of, describe};
use super::changes::Changes;
use super::document::{Document, Target};
use super::fold::{Fold, Of};
use super::work::Work;

/// The properties of the object schema `root` as a `Schema`; `None` where there are none, which
/// the API wants left out.
pub(super) fn parameters(
    root: &Map<String, Value>,
    work: &mut Work,
    changes: &mut Changes,
) -> Option<Value> {
    let whole = Value::Object(root.clone());
    let mut subset = Subset {
        document: &Document::of(&whole),
        left: SCHEMAS,
        depth: 0,
        open: Vec::new(),
        work,
        changes,
    };
    if root.get("properties")?.as_object()?.is_empty() {
        if root.contains_key("minProperties") {
            subset.lost(&["minProperties"], "");
        }
        subset.unsaid(root, "object", "");
        return None;
    }
    Some(subset.object(root, ""))
}

/// Adds the members that `map` requires without saying more of them, which the subset doesn't know.
pub(super) fn name_required(map: &mut Map<String, Value>, work: &mut Work) {
    let others = map
        .get("additionalProperties")
        .filter(|others| work.takes(others));
    let others = others.cloned().unwrap_or_else(|| json!({}));
    let required = map.get("required").and_then(Value::as_array);
    let names: Vec<String> = required
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .map(str::to_owned)
        .collect();
    if names.is_empty() || others == Value::Bool(false) {
        return;
    }
    let properties = map.entry("properties").or_insert_with(|| json!({}));
    if let Value::Object(properties) = properties {
        for name in names.into_iter().filter(|_| work.takes(&others)) {
            properties.entry(name).or_insert_with(|| others.clone());
        }
    }
}

/// One conversion.
struct Subset<'a> {
    document: &'a Document<'a>,
    /// How many more schemas it may come to: references are replaced by what they refer to.
    left: usize,
    /// How many schemas enclose this one.
    depth: usize,
    /// What is being put in the place of references.
    open: Vec<*const Value>,
    work: &'a mut Work,
    changes: &'a mut Changes,
}

impl Subset<'_> {
    fn schema(&mut self, schema: &Value, at: &str) -> Value {
        let empty = Map::new();
        let map = schema.as_object().unwrap_or(&empty);
        if *schema == Value::Bool(false) {
            return self.nothing(map, at);
        }
        if self.left == 0 || self.depth == DEPTH || !self.work.takes(schema) {
            return self.text(map, at, "", "is too large");
        }
        self.left -= 1;
        self.depth += 1;
        let mut map = map.clone();
        let open = self.open.len();
        let converted = if self.follow(&mut map) {
            self.resolved(map, at)
        } else {
            self.text(&map, at, "", "refers to itself or to nothing")
        };
        self.open.truncate(open);
        self.depth -= 1;
        converted
    }

    /// Replaces references; false where one is being replaced already, or leads nowhere.
    fn follow(&mut self, map: &mut Map<String, Value>) -> bool {
        while let Some(reference) = map.shift_remove("$ref") {
            let target = reference.as_str().map(|text| self.document.target(text));
            let Some(Target::Found(found)) = target else {
                return false;
            };
            if self.open.iter().any(|open| std::ptr::eq(*open, found)) || !self.work.takes(found) {
                return false;
            }
            self.open.push(found);
            let Value::Object(members) = found else {
                continue;
            };
            if MERGED
                .iter()
                .any(|key| map.contains_key(*key) && members.contains_key(*key))
            {
                let branches = map.entry("allOf").or_insert_with(|| json!([]));
                if let Value::Array(branches) = branches {
                    branches.push(found.clone());
                }
            } else {
                for (key, value) in members {
                    map.entry(key).or_insert_with(|| value.clone());
                }
            }
        }
        true
    }

    /// What `map`, which refers to nothing else, is in the subset.
    fn resolved(&mut self, mut map: Map<String, Value>, at: &str) -> Value {
        let mut fold = Fold::new(self.document, self.work, self.changes);
        if let Some(Value::Array(branches)) = map.shift_remove("allOf") {
            fold.merge(&mut map, &branches, Of::All, at);
        }
        if map.contains_key("properties") || kinds(&map).contains(&"object") {
            fold.fold(&mut map, at);
            name_required(&mut map, self.work);
        }
        let kinds = kinds(&map);
        if !kinds.contains(&"object") && map.contains_key("properties") {
            self.lost(&["properties"], at);
        }
        let alternatives = ["anyOf", "oneOf"].map(|key| map.shift_remove(key));
        match (alternatives, &kinds[..]) {
            ([Some(Value::Array(branches)), None] | [None, Some(Value::Array(branches))], [])
                if values(&map).is_none() =>
            {
                self.alternatives(&map, &branches, at)
            }
            (alternatives, kinds) => {
                if alternatives.iter().any(Option::is_some) {
                    self.changes
                        .at(at, "alternatives beside other things are left out");
                }
                self.of_kinds(&map, kinds, at)
            }
        }
    }

    fn of_kinds(&mut self, map: &Map<String, Value>, kinds: &[&str], at: &str) -> Value {
        if let Some(values) = values(map) {
            let types = if map.contains_key("type") { kinds } else { &[] };
            return self.choice(map, &values, types, at);
        }
        let (null, others): (Vec<&str>, Vec<&str>) =
            kinds.iter().partition(|kind| **kind == "null");
        let mut schema = match &others[..] {
            [] if null.is_empty() => self.anything(map, at),
            [] => return self.null(map, at),
            [kind] => self.of_kind(map, kind, at),
            several => {
                let each = several
                    .iter()
                    .map(|kind| self.of_kind(map, kind, at))
                    .collect();
                any_of(each)
            }
        };
        if !null.is_empty() || map.get("nullable") == Some(&Value::Bool(true)) {
            allow_null(&mut schema);
        }
        schema
    }

    /// One of several schemas. Beside `anyOf` the API takes nothing else.
    fn alternatives(&mut self, map: &Map<String, Value>, branches: &[Value], at: &str) -> Value {
        let is_null = |branch: &&Value| {
            branch.get("type") == Some(&Value::from("null"))
                || branch.get("const") == Some(&Value::Null)
        };
        let branches = branches.iter().filter(|branch| **branch != false);
        let (null, others): (Vec<&Value>, Vec<&Value>) = branches.partition(is_null);
        let texts: Option<Vec<Value>> = others
            .iter()
            .map(|branch| texts(branch))
            .collect::<Option<Vec<_>>>()
            .map(|lists| lists.concat());
        let mut schema = match (texts, &others[..]) {
            (Some(texts), [_, ..]) => self.choice(map, &texts, &[], at),
            (_, [branch]) => self.schema(branch, at),
            (_, []) if null.is_empty() => return self.nothing(map, at),
            (_, []) => return self.null(map, at),
            (_, several) => {
                let each = several
                    .iter()
                    .map(|branch| self.schema(branch, at))
                    .collect();
                any_of(each)
            }
        };
        self.unsaid(map, "", at);
        describe(&mut schema, map, "");
        if !null.is_empty() || map.get("nullable") == Some(&Value::Bool(true)) {
            allow_null(&mut schema);
        }
        schema
    }

    /// The subset has no type for null alone.
    fn null(&mut self, map: &Map<String, Value>, at: &str) -> Value {
        self.changes
            .at(at, "it takes null alone, and asks for it in words");
        let mut schema = json!({"type": "STRING", "nullable": true});
        describe(&mut schema, map, "Only null.");
        schema
    }

    /// The subset has no schema that takes nothing.
    fn nothing(&mut self, map: &Map<String, Value>, at: &str) -> Value {
        self.changes
            .at(at, "it takes no value, and asks for none in words");
        let mut schema = json!({"type": "STRING"});
        describe(&mut schema, map, "Leave out: no value fits.");
        schema
    }

    /// A schema without a type takes anything; the API wants one.
    fn anything(&mut self, map: &Map<String, Value>, at: &str) -> Value {
        self.changes.at(
            at,
            "it takes any value, and asks for text, a number or a truth value",
        );
        let each = ["STRING", "NUMBER", "BOOLEAN"].map(|kind| json!({"type": kind}));
        let mut schema = any_of(each.to_vec());
        describe(&mut schema, map, "");
        schema
    }

    /// What can't be said is asked for as JSON text, which `call_read_tool` and `call_write_tool` read
    /// where a tool takes no text (field case 19).
    fn text(&mut self, map: &Map<String, Value>, at: &str, what: &str, why: &str) -> Value {
        self.changes
            .at(at, format_args!("it {why}, and is asked for as JSON text"));
        let mut schema = json!({"type": "STRING"});
        describe(
            &mut schema,
            map,
            format!("Write JSON as text. {what}").trim_end(),
        );
        schema
    }

    fn lost(&mut self, keys: &[&str], at: &str) {
        for key in keys {
            self.changes.at(at, format_args!("`{key}` is left out"));
        }
    }
}

/// Far above real schemas: of 3,800 the largest has some hundred.
const SCHEMAS: usize = 2_000;
/// No danger to the stack.
const DEPTH: usize = 64;
/// What is said by a reference and beside it, and holds together.
const MERGED: [&str; 6] = [
    "allOf",
    "anyOf",
    "oneOf",
    "patternProperties",
    "properties",
    "required",
];
