//! One caller's tools, listed once: immutable, searched and looked up.

mod area;
mod document;
mod entries;
mod hidden;
mod notes;
mod selection;

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use ranking::{Confidence, Index, Mode, Score, Vector, VectorCache};
use serde_json::value::RawValue;
use upstream::Handshake;

use crate::access::WriteTools;
use crate::arguments::UncheckedReason;
use crate::named::NamedTools;
use crate::names;
use crate::tool::{Compiled, Tool};

pub use notes::CatalogNotes;
pub use selection::Selection;

/// A snapshot of the tools one caller may see.
#[derive(Debug)]
pub struct Catalog {
    tools: Vec<Arc<Tool>>,
    positions: Arc<HashMap<String, usize>>,
    index: Arc<Index>,
    pinned: Vec<Arc<Tool>>,
    /// Which of the operator's names a tool has, in the order of [`NamedTools::names`].
    named_here: Vec<bool>,
    missing_from_templates: usize,
    areas: Vec<Area>,
    handshake: Handshake,
    notes: CatalogNotes,
    /// Without what is compiled.
    heap_bytes: usize,
    compiled: Compiled,
}

/// A server or topic that several tools belong to, as their names tell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Area {
    /// The common prefix without its separator.
    pub name: String,
    /// How many tools carry it.
    pub tools: usize,
}

/// What a query found.
#[derive(Debug, Clone)]
pub struct Ranked {
    /// Best first.
    pub found: Vec<Found>,
    /// How this query was searched; see [`ranking::Ranking`].
    pub mode: Mode,
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
    /// How close its meaning is to the query's; see [`ranking::Hit`].
    pub similarity: Option<f32>,
}

impl Catalog {
    /// Reads and indexes `entries`; vectors that other catalogs hold are taken from `vectors`.
    /// CPU-bound: run it off the async threads.
    pub fn build(
        entries: Vec<Box<RawValue>>,
        handshake: Handshake,
        write_tools: &WriteTools,
        vectors: &VectorCache,
    ) -> Self {
        let compiled = Compiled::default();
        let (tools, texts, notes) = entries::read(entries, handshake.era, write_tools, &compiled);
        let tools: Vec<Arc<Tool>> = tools.into_iter().map(Arc::new).collect();
        let prefixes = area::prefixes(tools.iter().map(|tool| tool.name()));
        let documents: Vec<_> = tools
            .iter()
            .zip(&texts)
            .zip(&prefixes)
            .map(|((tool, texts), prefix)| texts.document(tool, prefix.unwrap_or_default()))
            .collect();
        let index = Index::build(&documents, vectors);
        let areas = area::areas(&prefixes);
        let positions: HashMap<String, usize> = tools
            .iter()
            .enumerate()
            .map(|(position, tool)| (tool.name().to_owned(), position))
            .collect();
        let heap_bytes = index.heap_bytes()
            + handshake_bytes(&handshake)
            + tools
                .iter()
                .map(|tool| tool.heap_bytes() + tool.name().len() + POSITION_BYTES)
                .sum::<usize>();
        drop(documents);
        Self {
            tools,
            positions: Arc::new(positions),
            index: Arc::new(index),
            pinned: Vec::new(),
            named_here: Vec::new(),
            missing_from_templates: 0,
            areas,
            handshake,
            notes,
            heap_bytes,
            compiled,
        }
    }

    /// The same, with why the listing stopped before its end.
    pub(crate) fn cut_short(mut self, reason: Option<&'static str>) -> Self {
        self.notes.cut_short = reason;
        self
    }

    /// The same, with what of `named` is here; the access of its tools stays.
    pub(crate) fn naming(mut self, named: &NamedTools) -> Self {
        let all = named.names();
        let here: Vec<bool> = all.map(|(_, pattern)| self.has(pattern)).collect();
        let is_missing = |is_here: &&bool| !**is_here;
        let writes = here.iter().take(named.write_tools.0.len());
        let templates = here
            .iter()
            .skip(named.write_tools.0.len() + named.pins.len());
        self.notes.unmatched_write_patterns = writes.filter(is_missing).count();
        self.missing_from_templates = templates.filter(is_missing).count();
        self.named_here = here;
        self.pinned = self.select(&named.pins).tools;
        self
    }

    /// The same tools under other lists of the operator's.
    pub(crate) fn under(&self, named: &NamedTools) -> Self {
        let tools = self.tools.iter();
        let catalog = Self {
            tools: tools
                .map(|tool| Arc::new(tool.under(&named.write_tools)))
                .collect(),
            positions: Arc::clone(&self.positions),
            index: Arc::clone(&self.index),
            pinned: Vec::new(),
            named_here: Vec::new(),
            missing_from_templates: 0,
            areas: self.areas.clone(),
            handshake: self.handshake.clone(),
            notes: self.notes.clone(),
            heap_bytes: self.heap_bytes,
            compiled: self.compiled.clone(),
        };
        catalog.naming(named)
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
    pub fn get(&self, name: &str) -> Option<&Arc<Tool>> {
        self.tools.get(*self.positions.get(name)?)
    }

    /// The tools that the operator pinned, in the order of the pins.
    pub fn pinned(&self) -> &[Arc<Tool>] {
        &self.pinned
    }

    /// Which of the operator's names a tool has, in the order of [`NamedTools::names`].
    pub(crate) fn named_here(&self) -> &[bool] {
        &self.named_here
    }

    /// How many names and patterns of the operator's templates no tool has.
    pub fn missing_from_templates(&self) -> usize {
        self.missing_from_templates
    }

    /// The best `limit` tools for `query`, best first.
    pub fn search(&self, query: &str, limit: usize) -> Ranked {
        self.search_with(query, None, limit)
    }

    /// The same where a service makes the vectors and this is the query's; by words without one.
    pub fn search_with(&self, query: &str, vector: Option<&Vector>, limit: usize) -> Ranked {
        let ranking = self.index.search_with(query, vector, limit);
        let found = ranking
            .hits
            .into_iter()
            .filter_map(|hit| {
                let tool = self.tools.get(usize::try_from(hit.document.0).ok()?)?;
                Some(Found {
                    tool: Arc::clone(tool),
                    score: hit.score,
                    confidence: hit.confidence,
                    similarity: hit.similarity,
                })
            })
            .collect();
        Ranked {
            found,
            mode: ranking.mode,
        }
    }

    /// How it is searched, save for queries that the model knows nothing of, or that have no vector;
    /// see [`Ranked`].
    pub fn mode(&self) -> Mode {
        self.index.mode()
    }

    /// Up to `limit` tools whose names are close to `name`, closest first; without a client's
    /// `mcp__server__` prefix, and whatever the case, `-` or `_`. Empty where none is close.
    ///
    /// Compares with every name: milliseconds for thousands of tools, but a good part of a second
    /// for a hundred thousand.
    pub fn near(&self, name: &str, limit: usize) -> Vec<Arc<Tool>> {
        names::near(name, self.tools.iter().map(|tool| tool.name()), limit)
            .into_iter()
            .filter_map(|position| self.tools.get(position).map(Arc::clone))
            .collect()
    }

    /// The areas the tools cover, largest first.
    pub fn areas(&self) -> Vec<Area> {
        self.areas.clone()
    }

    /// The area of each tool, in their order; `None` where the name tells none.
    pub fn areas_of_tools(&self) -> Vec<Option<&str>> {
        area::prefixes(self.tools.iter().map(|tool| tool.name()))
    }

    /// What the upstream said of itself when it was listed.
    pub fn handshake(&self) -> &Handshake {
        &self.handshake
    }

    /// What was skipped or repaired.
    pub fn notes(&self) -> &CatalogNotes {
        &self.notes
    }

    /// How many tools' arguments can't be checked, by reason; known of those that were called.
    pub(crate) fn unchecked(&self) -> BTreeMap<UncheckedReason, usize> {
        self.compiled.unchecked()
    }

    /// An estimate of the memory it holds, in bytes. Grows with each tool that is first called,
    /// whose schema is compiled then.
    pub fn heap_bytes(&self) -> usize {
        self.heap_bytes + self.compiled.bytes()
    }
}

/// The tools among `entries`, without an index.
#[cfg(test)]
pub(crate) fn read_tools(entries: Vec<Box<RawValue>>, write_tools: &WriteTools) -> Vec<Tool> {
    entries::read(
        entries,
        wire::Era::Legacy,
        write_tools,
        &Compiled::default(),
    )
    .0
}

fn handshake_bytes(handshake: &Handshake) -> usize {
    let instructions = handshake.instructions.as_ref().map_or(0, String::len);
    let capabilities = handshake
        .capabilities
        .as_ref()
        .map_or(0, |capabilities| capabilities.get().len());
    instructions + capabilities
}

/// What the map from names to positions and the list of tools take for each tool beside the name.
const POSITION_BYTES: usize = 64;

#[cfg(test)]
pub(crate) mod tests;
