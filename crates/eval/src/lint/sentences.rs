//! The first sentences of the tools.

use std::collections::HashMap;
use std::sync::Arc;

use catalog::{Catalog, Tool};
use ranking::first_sentence;

use super::{Finding, Problem};

/// What each tool's description begins with, by position.
pub(super) struct Sentences(Vec<Option<Sentence>>);

struct Sentence {
    text: String,
    /// The position of the first tool that begins with it.
    first: usize,
}

impl Sentences {
    pub(super) fn of(catalog: &Catalog) -> Self {
        let mut firsts = HashMap::new();
        let mut read = |position: usize, tool: &Tool| {
            let text = first_sentence(tool.description().trim());
            (!text.is_empty()).then(|| Sentence {
                text: text.to_owned(),
                first: *firsts.entry(leveled(text)).or_insert(position),
            })
        };
        let tools = catalog.tools().iter().enumerate();
        Self(tools.map(|(position, tool)| read(position, tool)).collect())
    }

    /// How many there are.
    pub(super) fn count(&self) -> usize {
        self.0.iter().flatten().count()
    }

    /// That of the tool at `position`.
    pub(super) fn get(&self, position: usize) -> Option<&str> {
        Some(self.at(position)?.text.as_str())
    }

    /// The same as a finding shows it.
    pub(super) fn shown(&self, position: usize) -> Option<String> {
        let text = self.get(position)?;
        let visible = text.chars().filter(|char| !char.is_control());
        let shown: String = visible.take(SHOWN).collect();
        let cut = if text.chars().count() > SHOWN {
            "…"
        } else {
            ""
        };
        Some(shown + cut)
    }

    /// Whether the tools at two positions begin with the same sentence.
    pub(super) fn are_equal(&self, one: usize, other: usize) -> bool {
        match (self.at(one), self.at(other)) {
            (Some(one), Some(other)) => one.first == other.first,
            _ => false,
        }
    }

    /// Those that an earlier tool has too.
    pub(super) fn copied(&self, catalog: &Catalog) -> Vec<Finding> {
        let tools = catalog.tools();
        let copied = |(position, tool): (usize, &Arc<Tool>)| {
            let first = self.at(position)?.first;
            let from = tools.get(first).filter(|_| first != position)?;
            Some(Finding {
                tool: tool.name().to_owned(),
                problem: Problem::Copied {
                    sentence: self.shown(position)?,
                    from: from.name().to_owned(),
                },
            })
        };
        tools.iter().enumerate().filter_map(copied).collect()
    }

    fn at(&self, position: usize) -> Option<&Sentence> {
        self.0.get(position)?.as_ref()
    }
}

/// `text` without what tells no reader two sentences apart: case, blanks, the full stop.
fn leveled(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    let text = words.join(" ").to_lowercase();
    text.trim_end_matches(['.', '!', '?', '。']).to_owned()
}

/// In characters.
const SHOWN: usize = 80;
