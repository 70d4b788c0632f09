//! The hits of a search as JSON, within a budget.

mod hit;

use std::cmp::Reverse;

use serde_json::value::RawValue;

use self::hit::{Hit, Shape, Shown};
use super::request::Options;
use super::results::Results;
use super::role::Role;
use crate::tools::ToolSettings;

/// The tools that one search shows.
#[derive(Default)]
pub(super) struct Hits<'a> {
    /// For each query, best first.
    queries: Vec<Vec<Hit<'a>>>,
    pinned: Vec<Hit<'a>>,
    /// What had to go to stay within the budget.
    pub(super) cuts: Cuts,
}

/// What was left out of an answer, all of it to be had from `describe_tool`.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Cuts {
    /// Schemas that became signatures.
    pub(super) schemas: usize,
    /// Hits that lost their signature.
    pub(super) signatures: usize,
    /// Hits left out, the last of each query first.
    pub(super) hits: usize,
    /// Whether descriptions are shorter than usual.
    pub(super) descriptions: bool,
}

/// How much of hits is shown.
#[derive(Clone, Copy)]
pub(super) struct Look {
    /// How many of each query come with their schema.
    schemas: usize,
    descriptions: Descriptions,
    scores: Scores,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Descriptions {
    Shown,
    Hidden,
}

/// Whether hits come with their scores. A model has no use for them.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Scores {
    Shown,
    Hidden,
}

/// One of the lists of an answer; of equal ranks, what stands last goes first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum List {
    Query(usize),
    Pinned,
}

impl Look {
    /// Nothing but what a call needs.
    pub(super) const SIGNATURES: Self = Self {
        schemas: 0,
        descriptions: Descriptions::Hidden,
        scores: Scores::Hidden,
    };

    /// All that is asked for.
    pub(super) fn whole(asked: Options, settings: &ToolSettings) -> Self {
        Self {
            schemas: if asked.schemas {
                settings.search_schemas
            } else {
                0
            },
            descriptions: Descriptions::Shown,
            scores: Scores::Hidden,
        }
    }

    /// The same with the scores of hits.
    pub(super) const fn with_scores(self) -> Self {
        Self {
            scores: Scores::Shown,
            ..self
        }
    }

    /// How much of the description of a tool that is shown for the first time.
    fn description_chars(self) -> Option<usize> {
        (self.descriptions == Descriptions::Shown).then_some(DESCRIPTION_CHARS)
    }
}

impl<'a> Hits<'a> {
    /// Shows what `results` found, and its pinned tools with signatures. A tool's description and its
    /// schema stand once: a later query's hit on the same tool is short.
    pub(super) fn new(results: &'a Results<'_>, look: Look) -> Self {
        let mut described: Vec<&str> = Vec::new();
        let mut with_schema: Vec<&str> = Vec::new();
        let mut hits = Self::default();
        for result in &results.queries {
            let mut list = Vec::with_capacity(result.found.len());
            for (rank, found) in result.found.iter().enumerate() {
                let name = found.tool.name();
                let shape = if rank < look.schemas && first_time(&mut with_schema, name) {
                    Shape::Schema
                } else {
                    Shape::Signature
                };
                let shown = Shown {
                    role: match look.scores {
                        Scores::Shown => Role::scored(found),
                        Scores::Hidden => Role::unscored(found),
                    },
                    shape,
                    description_chars: look
                        .description_chars()
                        .filter(|_| first_time(&mut described, name)),
                };
                list.push(Hit::new(&found.tool, shown));
            }
            hits.queries.push(list);
        }
        let shown = Shown {
            role: Role::Pinned,
            shape: Shape::Signature,
            description_chars: look.description_chars(),
        };
        let pinned = results.pinned.iter().map(|tool| Hit::new(tool, shown));
        hits.pinned = pinned.collect();
        hits
    }

    /// Leaves out what passes `budget` bytes: schemas from the last hit up, then long descriptions,
    /// then signatures, then hits, pinned tools last.
    pub(super) fn fit(&mut self, budget: usize) {
        for (rank, list) in self.last_to_first() {
            if self.bytes() <= budget {
                return;
            }
            if self.reshape(list, rank, Shape::Schema, Shape::Signature) {
                self.cuts.schemas += 1;
            }
        }
        for chars in SHORTER_DESCRIPTIONS {
            if self.bytes() <= budget {
                return;
            }
            self.cuts.descriptions = true;
            for hit in self.queries.iter_mut().flatten().chain(&mut self.pinned) {
                hit.shorten(chars);
            }
        }
        for (rank, list) in self.last_to_first() {
            if self.bytes() <= budget {
                return;
            }
            if self.reshape(list, rank, Shape::Signature, Shape::Nothing) {
                self.cuts.signatures += 1;
            }
        }
        let (pinned, hits): (Vec<_>, Vec<_>) = self
            .last_to_first()
            .into_iter()
            .partition(|(_, list)| *list == List::Pinned);
        for (_, list) in hits.into_iter().chain(pinned) {
            if self.bytes() <= budget {
                return;
            }
            if self.list_mut(list).and_then(Vec::pop).is_some() {
                self.cuts.hits += 1;
            }
        }
    }

    /// The JSON of the hits of the query at `position`.
    pub(super) fn json(&self, position: usize) -> Vec<&RawValue> {
        let hits = self.queries.get(position).map_or(&[][..], Vec::as_slice);
        hits.iter().map(Hit::json).collect()
    }

    /// The JSON of the pinned tools.
    pub(super) fn pinned_json(&self) -> Vec<&RawValue> {
        self.pinned.iter().map(Hit::json).collect()
    }

    /// Ranks and lists of all hits, the worst ranks first, the last list first among equals.
    fn last_to_first(&self) -> Vec<(usize, List)> {
        let queries = self.queries.iter().enumerate();
        let mut places: Vec<(usize, List)> = queries
            .map(|(query, hits)| (List::Query(query), hits))
            .chain([(List::Pinned, &self.pinned)])
            .flat_map(|(list, hits)| (0..hits.len()).map(move |rank| (rank, list)))
            .collect();
        places.sort_unstable_by_key(|place| Reverse(*place));
        places
    }

    fn list_mut(&mut self, list: List) -> Option<&mut Vec<Hit<'a>>> {
        match list {
            List::Query(query) => self.queries.get_mut(query),
            List::Pinned => Some(&mut self.pinned),
        }
    }

    fn reshape(&mut self, list: List, rank: usize, from: Shape, to: Shape) -> bool {
        let hit = self.list_mut(list).and_then(|hits| hits.get_mut(rank));
        hit.is_some_and(|hit| hit.reshape(from, to))
    }

    /// With the comma after each hit.
    fn bytes(&self) -> usize {
        let hits = self.queries.iter().flatten().chain(&self.pinned);
        hits.map(|hit| hit.json().get().len() + 1).sum()
    }
}

/// Whether `name` wasn't in `seen` yet; it is afterwards.
fn first_time<'a>(seen: &mut Vec<&'a str>, name: &'a str) -> bool {
    let new = !seen.contains(&name);
    if new {
        seen.push(name);
    }
    new
}

const DESCRIPTION_CHARS: usize = 300;
const SHORTER_DESCRIPTIONS: [usize; 2] = [120, 40];

#[cfg(test)]
mod tests;
