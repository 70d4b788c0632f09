//! `search_tools`: which tools fit a need.

mod answer;
mod request;

use std::borrow::Cow;

use catalog::{Catalog, CatalogView, Found, Freshness, Missing, Ranked};
use ranking::{Confidence, Mode};
use serde::Serialize;
use serde_json::value::RawValue;
use wire::to_raw;

use self::answer::{Cuts, Hits};
use self::request::{MAX_LIMIT, Queries, SearchRequest};
use super::failure::LOADING;
use super::text::{quoted, short_name, shorten, wait};
use super::{Outcome, ToolContext, ToolReply};

pub(super) async fn run(context: ToolContext<'_>, arguments: Option<&RawValue>) -> ToolReply {
    let request = match SearchRequest::read(arguments) {
        Ok(request) => request,
        Err(refusal) => {
            return ToolReply::refused(&format!("Nothing was searched: {}.", refusal.0));
        }
    };
    match context.catalog().await {
        Ok(view) => found(&request, &view, context.settings.search_schemas),
        Err(Missing::Loading) => loading(&request),
        Err(missing) => context.no_catalog(&missing),
    }
}

fn found(request: &SearchRequest, view: &CatalogView, search_schemas: usize) -> ToolReply {
    let catalog = &view.catalog;
    let queries = request.queries.as_slice();
    let (found, modes): (Vec<Vec<Found>>, Vec<Mode>) = queries
        .iter()
        .map(|query| catalog.search(&shorten(query, QUERY_CHARS), request.limit))
        .map(|Ranked { found, mode }| (found, mode))
        .unzip();
    let closest = queries
        .iter()
        .zip(&found)
        .map(|(query, found)| found.is_empty().then(|| closest(catalog, query)));
    let mut frame = Frame {
        queries: &request.queries,
        total: Some(catalog.len()),
        closest: closest.collect(),
        note: note(request, view, &found),
    };
    let schemas = if request.schemas { search_schemas } else { 0 };
    let mut hits = Hits::new(&found, schemas);
    let frame_bytes = frame.around(&Hits::default()).get().len();
    hits.fit(ANSWER_BYTES.saturating_sub(frame_bytes + CUT_NOTE_BYTES));
    frame.add_note(&cut_note(&hits.cuts));
    ToolReply {
        searched: modes,
        ..ToolReply::json(&frame.around(&hits))
    }
}

fn loading(request: &SearchRequest) -> ToolReply {
    let frame = Frame {
        queries: &request.queries,
        total: None,
        closest: Vec::new(),
        note: format!("{LOADING} Until then nothing is found."),
    };
    ToolReply {
        outcome: Outcome::NoCatalog,
        ..ToolReply::json(&frame.around(&Hits::default()))
    }
}

/// All of an answer but the hits.
struct Frame<'a> {
    queries: &'a Queries,
    /// `None` while nobody knows.
    total: Option<usize>,
    /// For each query that found nothing, the closest names.
    closest: Vec<Option<Vec<String>>>,
    note: String,
}

#[derive(Serialize)]
struct AnswerJson<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    total: Option<usize>,
    #[serde(flatten)]
    hits: HitsJson<'a>,
    #[serde(skip_serializing_if = "str::is_empty")]
    note: &'a str,
}

#[derive(Serialize)]
#[serde(untagged)]
enum HitsJson<'a> {
    One(ToolsJson<'a>),
    Several { results: Vec<ResultJson<'a>> },
}

#[derive(Serialize)]
struct ResultJson<'a> {
    query: Cow<'a, str>,
    #[serde(flatten)]
    tools: ToolsJson<'a>,
}

#[derive(Serialize)]
struct ToolsJson<'a> {
    tools: Vec<&'a RawValue>,
    #[serde(skip_serializing_if = "Option::is_none")]
    closest: Option<&'a [String]>,
}

impl Frame<'_> {
    fn add_note(&mut self, note: &str) {
        if !self.note.is_empty() && !note.is_empty() {
            self.note.push(' ');
        }
        self.note += note;
    }

    /// The answer with `hits`.
    fn around(&self, hits: &Hits<'_>) -> Box<RawValue> {
        let tools = |position: usize| ToolsJson {
            tools: hits.json(position),
            closest: self.closest.get(position).and_then(Option::as_deref),
        };
        let hits = match self.queries {
            Queries::One(_) => HitsJson::One(tools(0)),
            Queries::Several(queries) => HitsJson::Several {
                results: queries
                    .iter()
                    .enumerate()
                    .map(|(position, query)| ResultJson {
                        query: shorten(query, ECHO_CHARS),
                        tools: tools(position),
                    })
                    .collect(),
            },
        };
        to_raw(&AnswerJson {
            total: self.total,
            hits,
            note: &self.note,
        })
    }
}

fn closest(catalog: &Catalog, query: &str) -> Vec<String> {
    catalog
        .near(&shorten(query, ECHO_CHARS), CLOSEST)
        .iter()
        .map(|tool| short_name(tool.name()).into_owned())
        .collect()
}

/// Everything that a reader of the hits should know beside them.
fn note(request: &SearchRequest, view: &CatalogView, found: &[Vec<Found>]) -> String {
    let mut notes = Vec::new();
    if view.catalog.is_empty() {
        notes.push("The upstream lists no tools for this user.".to_owned());
    } else if found.iter().any(Vec::is_empty) {
        notes.push(nothing_fits(found, &view.catalog));
    }
    if found.iter().any(|hits| only_weak(hits)) {
        notes.push(ONLY_WEAK.to_owned());
    }
    if request.clamped {
        notes.push(format!(
            "`limit` goes from 1 to {MAX_LIMIT}: {} is used.",
            request.limit
        ));
    }
    let age = wait(view.age);
    match view.freshness {
        Freshness::Fresh => {}
        Freshness::Stale => {
            notes.push(format!("The list of tools is {age} old and being renewed."));
        }
        Freshness::StaleAfterFailure => notes.push(format!(
            "The list of tools is {age} old: the upstream couldn't be asked for a new one."
        )),
    }
    // Of the setting, not of a query: one that the model knows nothing of lost nothing by it.
    if view.catalog.mode() == Mode::Words {
        notes.push(WORDS_ONLY.to_owned());
    }
    notes.join(" ")
}

fn only_weak(hits: &[Found]) -> bool {
    !hits.is_empty() && hits.iter().all(|hit| hit.confidence == Confidence::Weak)
}

fn nothing_fits(found: &[Vec<Found>], catalog: &Catalog) -> String {
    let where_empty = if found.iter().all(Vec::is_empty) {
        ""
    } else {
        "Where `tools` is empty: "
    };
    let what = match catalog.mode() {
        Mode::Hybrid => "No tool fits: say it in other words.",
        Mode::Words => {
            "No tool has these words: say it in other words, in the language of the tools."
        }
    };
    let areas: Vec<String> = catalog
        .areas()
        .iter()
        .take(AREAS)
        .map(|area| quoted(&area.name))
        .collect();
    let areas = if areas.is_empty() {
        String::new()
    } else {
        format!(" The tools cover, among others: {}.", areas.join(", "))
    };
    format!("{where_empty}{what}{areas}")
}

fn cut_note(cuts: &Cuts) -> String {
    if *cuts == Cuts::default() {
        return String::new();
    }
    let mut parts = Vec::new();
    if cuts.schemas > 0 {
        parts.push(format!("{} inputSchema stand as signatures", cuts.schemas));
    }
    if cuts.descriptions {
        parts.push("descriptions are shorter".to_owned());
    }
    if cuts.signatures > 0 {
        parts.push(format!("{} signatures are left out", cuts.signatures));
    }
    if cuts.hits > 0 {
        parts.push(format!("{} tools are left out", cuts.hits));
    }
    format!(
        "To keep the answer small, {}: describe_tool has them whole.",
        parts.join(", ")
    )
}

const WORDS_ONLY: &str = "Searched by words only, not by meaning.";
const ONLY_WEAK: &str = "Where all tools are `weak`, maybe none fits: read what each does before \
                         you call it, or search in other words.";
/// An answer stays below this many bytes in each half (field case 46: clients cut larger ones).
const ANSWER_BYTES: usize = 40_000;
/// What [`cut_note`] may add.
const CUT_NOTE_BYTES: usize = 250;
/// Longer queries are searched by their beginning.
const QUERY_CHARS: usize = 2_000;
/// How much of a query is repeated beside its hits.
const ECHO_CHARS: usize = 200;
const CLOSEST: usize = 5;
const AREAS: usize = 12;
