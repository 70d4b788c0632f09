//! A tool's input schema as APIs that take JSON Schema take it.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde_json::value::RawValue;
use serde_json::{Map, Value};
use wire::to_raw;

use super::Format;
use super::changes::Changes;
use super::document::Document;
use super::keywords::mend;
use super::links::{Parameters, relink};
use super::work::Work;
use super::{gemini, parameters, root, size};

/// An input schema with an object at its root, mended.
pub(super) struct Schema<'t> {
    pub(super) root: Map<String, Value>,
    /// The tool's own bytes where nothing had to change.
    pub(super) json: Cow<'t, RawValue>,
    /// Parameters that are called otherwise, and their names upstream.
    pub(super) renamed: BTreeMap<String, String>,
}

impl<'t> Schema<'t> {
    /// What `listed` is for `format`.
    pub(super) fn read(
        format: Format,
        listed: &'t RawValue,
        work: &mut Work,
        changes: &mut Changes,
    ) -> Self {
        // A number out of range, or nested too deep.
        let mut schema: Value = serde_json::from_str(listed.get()).unwrap_or_else(|_unreadable| {
            changes.at("", "it can't be read, and takes any arguments");
            Value::Null
        });
        let is_whole = size::keep_within(&mut schema, changes);
        let document = Document::of(&schema);
        let mut root = root::object(&document, work, changes);
        if format == Format::Gemini {
            gemini::name_required(&mut root, work);
        }
        let renamed = match format.parameters() {
            Some(rule) => parameters::rename(&mut root, &rule, changes),
            None => BTreeMap::new(),
        };
        let parameters = if renamed.is_empty() {
            Parameters::Same
        } else {
            Parameters::Renamed
        };
        relink(&mut root, &document, parameters, work);
        mend(&mut root, format, changes);
        let json = if is_whole && schema.as_object() == Some(&root) {
            Cow::Borrowed(listed)
        } else {
            // What is mended follows the current draft.
            root.shift_remove("$schema");
            Cow::Owned(to_raw(&root))
        };
        Self {
            root,
            json,
            renamed,
        }
    }
}
