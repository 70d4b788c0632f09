//! The tools that the operator's settings name.

use std::fmt;

use crate::access::{ToolPattern, WriteTools};
use crate::snapshot::Catalog;

/// The tools that the operator's settings name.
#[derive(Debug, Clone, Default)]
pub struct NamedTools {
    /// Those that count as writes whatever they say of themselves.
    pub write_tools: WriteTools,
    /// Those that every search shows.
    pub pins: Vec<ToolPattern>,
    /// Those of each template, by its name.
    pub templates: Vec<(String, Vec<ToolPattern>)>,
}

/// A name or pattern of the operator's that no tool has had since it was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnmatchedName {
    /// Where the operator wrote it.
    pub place: NamedIn,
    /// What stands there.
    pub pattern: ToolPattern,
}

/// Where tools are named.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NamedIn {
    /// The list of tools that count as writes.
    WriteTools,
    /// The pins.
    Pins,
    /// The template of this name.
    Template(String),
}

/// The names that no tool has had so far, and which of them were reported.
#[derive(Debug)]
pub(crate) struct UnmatchedNames {
    unreported: Vec<UnmatchedName>,
    reported: Vec<UnmatchedName>,
}

impl fmt::Display for NamedIn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::WriteTools => f.write_str("write tools"),
            Self::Pins => f.write_str("pins"),
            Self::Template(name) => write!(f, "template {name}"),
        }
    }
}

impl UnmatchedNames {
    /// All that `named` holds.
    pub(crate) fn of(named: &NamedTools) -> Self {
        let writes = named.write_tools.0.iter();
        let writes = writes.map(|pattern| (NamedIn::WriteTools, pattern));
        let pins = named.pins.iter().map(|pattern| (NamedIn::Pins, pattern));
        let templates = named.templates.iter().flat_map(|(name, patterns)| {
            let place = NamedIn::Template(name.clone());
            patterns.iter().map(move |pattern| (place.clone(), pattern))
        });
        let all = writes.chain(pins).chain(templates);
        Self {
            unreported: all
                .map(|(place, pattern)| UnmatchedName {
                    place,
                    pattern: pattern.clone(),
                })
                .collect(),
            reported: Vec::new(),
        }
    }

    /// Drops those that a tool of `catalog` has; logs each that is left, once.
    pub(crate) fn meet(&mut self, catalog: &Catalog) {
        let is_open = |unmatched: &UnmatchedName| !catalog.has(&unmatched.pattern);
        self.reported.retain(is_open);
        self.unreported.retain(is_open);
        for UnmatchedName { place, pattern } in &self.unreported {
            tracing::warn!(%place, %pattern, "a setting names a tool that no list of tools has so far");
        }
        self.reported.append(&mut self.unreported);
    }

    /// Those that were reported.
    pub(crate) fn reported(&self) -> &[UnmatchedName] {
        &self.reported
    }
}
