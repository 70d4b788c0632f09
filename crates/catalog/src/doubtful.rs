//! Which tools something is wrong with: names, so for the operator alone.

use std::collections::{BTreeMap, BTreeSet};

use wire::{ToolRepair, ToolView};

use crate::arguments::UncheckedReason;
use crate::snapshot::Catalog;
use crate::tool::Tool;

/// Tools that something is wrong with, by what. At most 50 names of each kind, of each no more than
/// 160 characters.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DoubtfulTools {
    /// With members that were read as if absent.
    pub repaired: BTreeMap<ToolRepair, BTreeSet<String>>,
    /// Whose arguments can't be checked; of those that were called.
    pub unchecked: BTreeMap<UncheckedReason, BTreeSet<String>>,
    /// Shown without invisible characters of their title or description.
    pub hidden_characters: BTreeSet<String>,
}

impl DoubtfulTools {
    /// Adds those of `catalog`. Reads every tool once more: they are asked for by hand, and what was
    /// counted of each isn't worth its memory.
    pub(crate) fn add(&mut self, catalog: &Catalog) {
        for tool in catalog.tools() {
            let Ok((view, repairs)) = ToolView::read(tool.raw()) else {
                continue;
            };
            for repair in repairs {
                put(self.repaired.entry(repair).or_default(), tool);
            }
            if let Some(reason) = tool.unchecked() {
                put(self.unchecked.entry(reason).or_default(), tool);
            }
            let description = view.description.as_deref().unwrap_or_default();
            if description != tool.description() || view.title.as_deref() != tool.title() {
                put(&mut self.hidden_characters, tool);
            }
        }
    }
}

fn put(names: &mut BTreeSet<String>, tool: &Tool) {
    if names.len() < NAMES {
        names.insert(tool.name().chars().take(NAME_CHARS).collect());
    }
}

const NAMES: usize = 50;
const NAME_CHARS: usize = 160;
