//! What a listing had that isn't as it should be.

use std::collections::BTreeMap;

use wire::{ToolRepair, ToolSkip};

/// What was skipped, repaired or doubtful in a listing, by reason. Counts only, no names.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CatalogNotes {
    /// Entries that are no tools.
    pub skipped: BTreeMap<ToolSkip, usize>,
    /// Members read as if absent.
    pub repaired: BTreeMap<ToolRepair, usize>,
    /// Tools for a host's user interface alone, left out.
    pub app_only: usize,
    /// Names listed more than once with differences; each kept once, as a write.
    pub conflicting_names: usize,
    /// Tools marked both read-only and destructive; taken as writes.
    pub contradictory_hints: usize,
    /// Tools of a modern upstream whose `x-mcp-header` annotations are invalid, left out as the
    /// protocol demands.
    pub invalid_param_headers: usize,
    /// Tools with invisible or direction-changing characters in their title or description, shown
    /// without them.
    pub hidden_characters: usize,
    /// Patterns of the operator's write list that match nothing.
    pub unmatched_write_patterns: usize,
    /// Why the listing stopped before its end, if it did.
    pub cut_short: Option<&'static str>,
}

impl CatalogNotes {
    /// How many entries can't be used.
    pub(crate) fn left_out(&self) -> usize {
        self.skipped.values().sum::<usize>() + self.invalid_param_headers
    }

    /// Adds another catalog's counts; the first reason for stopping early stays.
    pub(crate) fn add(&mut self, other: &Self) {
        for (skip, count) in &other.skipped {
            *self.skipped.entry(*skip).or_default() += count;
        }
        for (repair, count) in &other.repaired {
            *self.repaired.entry(*repair).or_default() += count;
        }
        self.app_only += other.app_only;
        self.conflicting_names += other.conflicting_names;
        self.contradictory_hints += other.contradictory_hints;
        self.invalid_param_headers += other.invalid_param_headers;
        self.hidden_characters += other.hidden_characters;
        self.unmatched_write_patterns += other.unmatched_write_patterns;
        self.cut_short = self.cut_short.or(other.cut_short);
    }
}
