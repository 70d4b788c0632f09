//! What the tools' own first sentences find.

use std::collections::HashMap;
use std::sync::Arc;

use catalog::{Catalog, Found, Tool};

use super::sentences::Sentences;
use super::{Finding, Problem};
use crate::run::DEPTH;

/// What the first sentence of each tool found, by position.
pub(super) struct Searches(Vec<Vec<Hit>>);

struct Hit {
    position: usize,
    score: f32,
}

impl Searches {
    /// Puts them all. `searched` is called for each tool.
    pub(super) fn new(
        catalog: &Catalog,
        sentences: &Sentences,
        mut searched: impl FnMut(),
    ) -> Self {
        let names = catalog.tools().iter().map(|tool| tool.name());
        let positions: HashMap<&str, usize> = names.zip(0..).collect();
        let hit = |found: &Found| {
            Some(Hit {
                position: *positions.get(found.tool.name())?,
                score: found.score.0,
            })
        };
        let search = |position| {
            let sentence = sentences.get(position);
            let found = sentence.map(|sentence| catalog.search(sentence, DEPTH).found);
            searched();
            found.iter().flatten().filter_map(hit).collect()
        };
        Self((0..catalog.len()).map(search).collect())
    }

    /// How many sentences find their tool, or one that begins with the same.
    pub(super) fn found(&self, sentences: &Sentences) -> usize {
        let is_found = |position: &usize| self.is_found(*position, sentences);
        (0..self.0.len()).filter(is_found).count()
    }

    /// Those that don't.
    pub(super) fn not_found(&self, catalog: &Catalog, sentences: &Sentences) -> Vec<Finding> {
        let tools = catalog.tools();
        let name = |tool: &Arc<Tool>| tool.name().to_owned();
        let lost = |(position, tool): (usize, &Arc<Tool>)| {
            let sentence = sentences.shown(position)?;
            if self.is_found(position, sentences) {
                return None;
            }
            let mut hits = self.hits(position).iter();
            let first = hits.clone().next().and_then(|hit| tools.get(hit.position));
            let place = hits.position(|hit| hit.position == position);
            Some(Finding {
                tool: name(tool),
                problem: Problem::NotFound {
                    sentence,
                    rank: place.map(|place| place + 1),
                    instead: first.map(name),
                },
            })
        };
        tools.iter().enumerate().filter_map(lost).collect()
    }

    /// Pairs of one area that the search can't tell apart, but for those that begin with the same
    /// sentence, which are told anyway.
    pub(super) fn collisions(&self, catalog: &Catalog, sentences: &Sentences) -> Vec<Finding> {
        let areas = catalog.areas_of_tools();
        let collides = |one: usize, other: usize| {
            one < other
                && areas.get(one) == areas.get(other)
                && !sentences.are_equal(one, other)
                && self.rivals(other).any(|rival| rival == one)
        };
        let tools = catalog.tools();
        let mut collisions = Vec::new();
        for (position, tool) in tools.iter().enumerate() {
            let others = self.rivals(position);
            let others = others.filter(|other| collides(position, *other));
            collisions.extend(
                others
                    .filter_map(|other| tools.get(other))
                    .map(|other| Finding {
                        tool: tool.name().to_owned(),
                        problem: Problem::Collides {
                            with: other.name().to_owned(),
                        },
                    }),
            );
        }
        collisions
    }

    fn is_found(&self, position: usize, sentences: &Sentences) -> bool {
        let soon = self.hits(position).iter().take(SOON);
        soon.map(|hit| hit.position)
            .any(|hit| sentences.are_equal(hit, position))
    }

    /// The other tools that a tool's sentence finds nearly as well as the tool itself, or better.
    fn rivals(&self, position: usize) -> impl Iterator<Item = usize> {
        let (own, others): (Vec<&Hit>, Vec<&Hit>) = self
            .hits(position)
            .iter()
            .partition(|hit| hit.position == position);
        let least = own.first().map_or(0.0, |own| own.score * NEARLY);
        let rivals = others.into_iter().filter(move |hit| hit.score >= least);
        rivals.map(|hit| hit.position)
    }

    fn hits(&self, position: usize) -> &[Hit] {
        self.0.get(position).map_or(&[], Vec::as_slice)
    }
}

/// How far down a tool counts as found.
pub(super) const SOON: usize = 5;

/// Which share of a tool's score makes another one's nearly as good. On 3,809 tools of 120 servers
/// it gives 14 pairs, such as a reply and a reply to all; at 0.9 there are 116, among them creating
/// and updating the same, which nobody takes for each other.
const NEARLY: f32 = 0.95;
