//! One caller's tools, listed once: immutable, searched and looked up.

use std::collections::BTreeMap;
use std::sync::Arc;

use ranking::{Confidence, Score};
use serde_json::value::RawValue;
use upstream::Handshake;
use wire::{ToolRepair, ToolSkip};

use crate::access::WriteTools;
use crate::tool::Tool;

/// A snapshot of the tools one caller may see.
#[derive(Debug)]
pub struct Catalog {
    tools: Vec<Arc<Tool>>,
    handshake: Handshake,
    notes: CatalogNotes,
}

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
    /// Descriptions with invisible or direction-changing characters, which are left out.
    pub hidden_characters: usize,
    /// Patterns of the operator's write list that match nothing.
    pub unmatched_write_patterns: usize,
    /// Why the listing stopped before its end, if it did.
    pub cut_short: Option<&'static str>,
}

/// A server or topic that several tools belong to, as their names tell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Area {
    /// The common prefix without its separator.
    pub name: String,
    /// How many tools carry it.
    pub tools: usize,
}

/// One search hit.
#[derive(Debug, Clone)]
pub struct Found {
    /// The tool.
    pub tool: Arc<Tool>,
    /// How well it fits.
    pub score: Score,
    /// How far to trust it.
    pub confidence: Confidence,
}

impl Catalog {
    /// Reads and indexes `entries`. CPU-bound: run it off the async threads.
    pub fn build(
        _entries: Vec<Box<RawValue>>,
        _handshake: Handshake,
        _write_tools: &WriteTools,
    ) -> Self {
        todo!()
    }

    /// How many tools, unique by name.
    pub fn len(&self) -> usize {
        self.tools.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.tools.is_empty()
    }

    /// The tools, in the order listed.
    pub fn tools(&self) -> &[Arc<Tool>] {
        &self.tools
    }

    /// The tool of exactly this name.
    pub fn get(&self, _name: &str) -> Option<&Arc<Tool>> {
        todo!()
    }

    /// The best `limit` tools for `query`, best first.
    pub fn search(&self, _query: &str, _limit: usize) -> Vec<Found> {
        todo!()
    }

    /// Up to `limit` tools whose names are close to `name`, closest first; without a client's
    /// `mcp__server__` prefix, and whatever the case, `-` or `_`. Empty where none is close.
    pub fn near(&self, _name: &str, _limit: usize) -> Vec<Arc<Tool>> {
        todo!()
    }

    /// The areas the tools cover, largest first.
    pub fn areas(&self) -> Vec<Area> {
        todo!()
    }

    /// What the upstream said of itself when it was listed.
    pub fn handshake(&self) -> &Handshake {
        &self.handshake
    }

    /// What was skipped or repaired.
    pub fn notes(&self) -> &CatalogNotes {
        &self.notes
    }

    /// An estimate of the memory it holds, in bytes.
    pub fn heap_bytes(&self) -> usize {
        todo!()
    }
}
