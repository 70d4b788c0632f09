//! From the entries of a listing to tools: what is skipped, collapsed, repaired.

use std::borrow::Cow;
use std::collections::HashMap;

use serde_json::Value;
use serde_json::value::RawValue;
use wire::{Era, Hint, ToolView};

use super::CatalogNotes;
use super::document::ToolTexts;
use super::hidden::visible;
use crate::access::{ToolAccess, WriteTools};
use crate::tool::{Compiled, InvalidParamHeader, ParamHeader, Spans, Tool, ToolFacts};

/// The tools among `entries` in their order, the texts to search of each, and what was noted; read
/// by the rules of `era`. What their schemas come to counts in `compiled`.
pub(super) fn read(
    entries: Vec<Box<RawValue>>,
    era: Era,
    write_tools: &WriteTools,
    compiled: &Compiled,
) -> (Vec<Tool>, Vec<ToolTexts>, CatalogNotes) {
    let mut notes = CatalogNotes::default();
    let unique = unique_entries(entries, &mut notes);
    let mut tools = Vec::with_capacity(unique.len());
    let mut texts = Vec::with_capacity(unique.len());
    for entry in unique {
        if let Some((tool, tool_texts)) = read_one(entry, era, compiled, &mut notes) {
            tools.push(tool.under(write_tools));
            texts.push(tool_texts);
        }
    }
    (tools, texts, notes)
}

/// The first entry of a name, and how others of that name differ from it.
struct Entry {
    raw: Box<RawValue>,
    conflicts: bool,
    schemas_differ: bool,
}

/// One entry for each name, in the order listed (field case 34).
fn unique_entries(entries: Vec<Box<RawValue>>, notes: &mut CatalogNotes) -> Vec<Entry> {
    let mut unique: Vec<Entry> = Vec::with_capacity(entries.len());
    let mut positions: HashMap<String, usize> = HashMap::with_capacity(entries.len());
    for raw in entries {
        let (view, repairs) = match ToolView::read(&raw) {
            Ok(read) => read,
            Err(skip) => {
                *notes.skipped.entry(skip).or_default() += 1;
                continue;
            }
        };
        if view.app_only {
            notes.app_only += 1;
            continue;
        }
        let first = positions.get(view.name.as_ref());
        if let Some(first) = first.and_then(|&position| unique.get_mut(position)) {
            first.compare(&raw, &view);
            continue;
        }
        for repair in repairs {
            *notes.repaired.entry(repair).or_default() += 1;
        }
        positions.insert(view.name.into_owned(), unique.len());
        unique.push(Entry {
            raw,
            conflicts: false,
            schemas_differ: false,
        });
    }
    notes.conflicting_names = unique.iter().filter(|entry| entry.conflicts).count();
    unique
}

impl Entry {
    fn compare(&mut self, raw: &RawValue, view: &ToolView<'_>) {
        if raw.get() == self.raw.get() {
            return;
        }
        self.conflicts = true;
        let schema = ToolView::read(&self.raw)
            .ok()
            .and_then(|(first, _)| first.input_schema.map(RawValue::get));
        self.schemas_differ |= schema != view.input_schema.map(RawValue::get);
    }
}

fn read_one(
    entry: Entry,
    era: Era,
    compiled: &Compiled,
    notes: &mut CatalogNotes,
) -> Option<(Tool, ToolTexts)> {
    let (view, _) = ToolView::read(&entry.raw).ok()?;
    // A schema nested beyond what the parser takes is searched without its parameters.
    let schema: Value = view
        .input_schema
        .and_then(|schema| serde_json::from_str(schema.get()).ok())
        .unwrap_or_default();
    let param_headers = match (ParamHeader::read(&schema), era) {
        (Ok(headers), _) => headers,
        // The annotation means nothing there.
        (Err(InvalidParamHeader), Era::Legacy) => Vec::new(),
        (Err(InvalidParamHeader), Era::Modern) => {
            notes.invalid_param_headers += 1;
            return None;
        }
    };
    if view.read_only == Hint::True && view.destructive == Hint::True {
        notes.contradictory_hints += 1;
    }
    let title = view.title.as_deref().map(visible);
    let description = visible(view.description.as_deref().unwrap_or_default());
    let hidden = title.as_deref() != view.title.as_deref()
        || description != view.description.as_deref().unwrap_or_default();
    notes.hidden_characters += usize::from(hidden);
    let facts = ToolFacts {
        spans: Spans::of(&view, &entry.raw),
        title: title.map(Cow::into_owned),
        description: description.into_owned(),
        hinted: if entry.conflicts {
            ToolAccess::Write
        } else {
            ToolAccess::hinted(&view)
        },
        param_headers,
        schemas_differ: entry.schemas_differ,
        name: view.name.into_owned(),
    };
    let tool = Tool::new(entry.raw, facts, compiled);
    Some((tool, ToolTexts::read(&schema)))
}
