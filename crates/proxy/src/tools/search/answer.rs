//! The hits of a search as JSON, within a budget.

use std::sync::Arc;

use catalog::{Found, Tool, ToolAccess};
use ranking::Confidence;
use serde::Serialize;
use serde_json::value::RawValue;
use wire::to_raw;

use super::request::SearchRequest;
use crate::tools::text::shorten;
use crate::tools::{MetaTool, ToolSettings};

/// The hits of all queries of one search.
#[derive(Default)]
pub(super) struct Hits<'a> {
    /// One list per query, best first, and one more of pinned tools.
    lists: Vec<Vec<Hit<'a>>>,
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

/// One hit and how much of it is shown.
struct Hit<'a> {
    tool: &'a Tool,
    score: Option<Scored>,
    weak: bool,
    pinned: bool,
    shape: Shape,
    /// `None` where an earlier query's hit has it.
    description_chars: Option<usize>,
    json: Box<RawValue>,
}

/// How a hit shows what arguments the tool takes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shape {
    Schema,
    Signature,
    Nothing,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
#[expect(clippy::struct_excessive_bools, reason = "as a model reads it")]
struct HitJson<'a> {
    name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<String>,
    read_only: bool,
    call: &'static str,
    #[serde(flatten)]
    score: Option<Scored>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    weak: bool,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pinned: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    input_schema: Option<&'a RawValue>,
    #[serde(skip_serializing_if = "Option::is_none")]
    signature: Option<&'a str>,
}

impl Look {
    /// Nothing but what a call needs.
    pub(super) const SIGNATURES: Self = Self {
        schemas: 0,
        descriptions: Descriptions::Hidden,
        scores: Scores::Hidden,
    };

    /// All that `request` asks for.
    pub(super) fn whole(request: &SearchRequest, settings: &ToolSettings) -> Self {
        Self {
            schemas: if request.schemas {
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
    /// Shows `found`, one list per query, and `pinned` with signatures. A tool's description and its
    /// schema stand once: a later query's hit on the same tool is short.
    pub(super) fn new(found: &'a [Vec<Found>], pinned: &'a [Arc<Tool>], look: Look) -> Self {
        let mut described: Vec<&str> = Vec::new();
        let mut with_schema: Vec<&str> = Vec::new();
        let mut lists = Vec::with_capacity(found.len() + 1);
        for list in found {
            let mut hits = Vec::with_capacity(list.len());
            for (rank, found) in list.iter().enumerate() {
                let name = found.tool.name();
                let shape = if rank < look.schemas && first_time(&mut with_schema, name) {
                    Shape::Schema
                } else {
                    Shape::Signature
                };
                let description_chars = look
                    .description_chars()
                    .filter(|_| first_time(&mut described, name));
                let mut hit = Hit::new(found, shape, description_chars);
                if look.scores == Scores::Shown {
                    hit.score = Some(Scored::of(found));
                }
                hit.json = hit.render();
                hits.push(hit);
            }
            lists.push(hits);
        }
        lists.push(pinned.iter().map(|tool| Hit::pinned(tool, look)).collect());
        Self {
            lists,
            cuts: Cuts::default(),
        }
    }

    /// Leaves out what passes `budget` bytes: schemas from the last hit up, then long descriptions,
    /// then signatures, then hits, pinned tools last.
    pub(super) fn fit(&mut self, budget: usize) {
        for (list, rank) in self.last_to_first() {
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
            for hit in self.lists.iter_mut().flatten() {
                hit.shorten(chars);
            }
        }
        for (list, rank) in self.last_to_first() {
            if self.bytes() <= budget {
                return;
            }
            if self.reshape(list, rank, Shape::Signature, Shape::Nothing) {
                self.cuts.signatures += 1;
            }
        }
        let pins = self.lists.len().saturating_sub(1);
        let (pinned, hits): (Vec<_>, Vec<_>) = self
            .last_to_first()
            .into_iter()
            .partition(|(list, _)| *list == pins);
        for (list, _) in hits.into_iter().chain(pinned) {
            if self.bytes() <= budget {
                return;
            }
            if self.lists.get_mut(list).and_then(Vec::pop).is_some() {
                self.cuts.hits += 1;
            }
        }
    }

    /// The JSON of the hits of the query at `position`.
    pub(super) fn json(&self, position: usize) -> Vec<&RawValue> {
        let queries = self
            .lists
            .split_last()
            .map_or(&[][..], |(_, queries)| queries);
        queries
            .get(position)
            .map(|hits| json(hits))
            .unwrap_or_default()
    }

    /// The JSON of the pinned tools.
    pub(super) fn pinned_json(&self) -> Vec<&RawValue> {
        self.lists
            .last()
            .map(|pinned| json(pinned))
            .unwrap_or_default()
    }

    /// Positions (query, rank) of all hits, the worst ranks first, the last query first among equals.
    fn last_to_first(&self) -> Vec<(usize, usize)> {
        let mut positions: Vec<(usize, usize)> = self
            .lists
            .iter()
            .enumerate()
            .flat_map(|(list, hits)| (0..hits.len()).map(move |rank| (list, rank)))
            .collect();
        positions.sort_unstable_by_key(|&(list, rank)| std::cmp::Reverse((rank, list)));
        positions
    }

    fn reshape(&mut self, list: usize, rank: usize, from: Shape, to: Shape) -> bool {
        let hit = self.lists.get_mut(list).and_then(|hits| hits.get_mut(rank));
        let Some(hit) = hit.filter(|hit| hit.shape == from) else {
            return false;
        };
        hit.shape = to;
        hit.json = hit.render();
        true
    }

    /// With the comma after each hit.
    fn bytes(&self) -> usize {
        self.lists
            .iter()
            .flatten()
            .map(|hit| hit.json.get().len() + 1)
            .sum()
    }
}

impl<'a> Hit<'a> {
    fn new(found: &'a Found, shape: Shape, description_chars: Option<usize>) -> Self {
        Self {
            tool: &found.tool,
            score: None,
            weak: found.confidence == Confidence::Weak,
            pinned: false,
            shape,
            description_chars,
            json: RawValue::NULL.to_owned(),
        }
    }

    fn pinned(tool: &'a Tool, look: Look) -> Self {
        let mut hit = Self {
            tool,
            score: None,
            weak: false,
            pinned: true,
            shape: Shape::Signature,
            description_chars: look.description_chars(),
            json: RawValue::NULL.to_owned(),
        };
        hit.json = hit.render();
        hit
    }

    fn shorten(&mut self, chars: usize) {
        self.description_chars = self.description_chars.map(|before| before.min(chars));
        self.json = self.render();
    }

    fn render(&self) -> Box<RawValue> {
        let tool = self.tool;
        let described = self.description_chars;
        to_raw(&HitJson {
            name: tool.name(),
            title: described
                .and_then(|_| tool.title())
                .filter(|title| *title != tool.name())
                .map(|title| shorten(title, TITLE_CHARS).into_owned()),
            description: described
                .map(|chars| shorten(tool.description().trim(), chars).into_owned())
                .filter(|description| !description.is_empty()),
            read_only: tool.access() == ToolAccess::Read,
            call: MetaTool::that_calls(tool).name(),
            score: self.score,
            weak: self.weak,
            pinned: self.pinned,
            input_schema: (self.shape == Shape::Schema).then(|| tool.input_schema()),
            signature: (self.shape == Shape::Signature).then(|| tool.signature()),
        })
    }
}

fn json<'a>(hits: &'a [Hit<'_>]) -> Vec<&'a RawValue> {
    hits.iter().map(|hit| hit.json.as_ref()).collect()
}

/// How well a hit fits, to four decimals.
pub(super) fn score(found: &Found) -> f64 {
    rounded(found.score.0)
}

fn rounded(value: f32) -> f64 {
    (f64::from(value) * 1e4).round() / 1e4
}

/// How well a hit fits, and how near its meaning is.
#[derive(Debug, Clone, Copy, Serialize)]
pub(in crate::tools) struct Scored {
    score: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    similarity: Option<f64>,
}

impl Scored {
    pub(in crate::tools) fn of(found: &Found) -> Self {
        Self {
            score: score(found),
            similarity: found.similarity.map(rounded),
        }
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
const TITLE_CHARS: usize = 100;

#[cfg(test)]
mod tests;
