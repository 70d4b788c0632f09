//! Which tools fit a need: `search_tools`, and the search of programs that speak no MCP.

mod answer;
mod plain;
mod record;
mod request;
mod results;
mod role;

use std::borrow::Cow;
use std::time::Duration;

use catalog::Missing;
use serde::Serialize;
use serde_json::value::RawValue;
use wire::to_raw;

pub(crate) use plain::{PlainReply, plain};
pub(super) use role::Role;

use self::answer::{Cuts, Hits, Look};
use self::request::{Queries, SearchRequest};
pub(super) use self::results::searched_part;
use self::results::{QueryResult, Results};
use super::failure::LOADING;
use super::text::{shorten, wait};
use super::{Outcome, ToolContext, ToolReply};

pub(super) async fn run(context: ToolContext<'_>, arguments: Option<&RawValue>) -> ToolReply {
    let request = match SearchRequest::read(arguments) {
        Ok(request) => request,
        Err(refusal) => {
            return ToolReply::refused(&format!("Nothing was searched: {}.", refusal.0));
        }
    };
    match context.catalog().await {
        Ok(view) => {
            let queries = request.queries.as_slice();
            let vectors = context.query_vectors(&view, queries).await;
            let results = Results::of(queries, request.options, &view, &[], &vectors);
            context.audit(&results);
            let searched = results.modes();
            let look = Look::whole(request.options, context.settings);
            let whole = shown(&request.queries, &results, look);
            let answer = match context.trail(&request, &results, &whole) {
                None => whole,
                Some(ago) => repeated(&request.queries, results, ago),
            };
            ToolReply {
                searched,
                ..ToolReply::json(&answer)
            }
        }
        Err(Missing::Loading) => loading(&request),
        Err(missing) => context.no_catalog(&missing),
    }
}

/// The answer that its reader had `ago`, in short: it may have lost it since, and may not need it.
fn repeated(queries: &Queries, results: Results<'_>, ago: Duration) -> Box<RawValue> {
    let mut note = format!(
        "The same search had the same answer {} ago, so here are only names and signatures: \
         describe_tool shows these tools in full, other words may find others.",
        wait(ago)
    );
    add_note(&mut note, &results.note);
    let results = Results { note, ..results };
    shown(queries, &results, Look::SIGNATURES)
}

fn shown(queries: &Queries, results: &Results<'_>, look: Look) -> Box<RawValue> {
    let mut frame = Frame {
        queries,
        total: Some(results.view.catalog.len()),
        results: &results.queries,
        note: results.note.clone(),
    };
    let mut hits = Hits::new(results, look);
    let frame_bytes = frame.around(&Hits::default()).get().len();
    hits.fit(ANSWER_BYTES.saturating_sub(frame_bytes + CUT_NOTE_BYTES));
    frame.add_note(&cut_note(&hits.cuts));
    frame.around(&hits)
}

fn loading(request: &SearchRequest) -> ToolReply {
    let frame = Frame {
        queries: &request.queries,
        total: None,
        results: &[],
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
    /// Empty while nobody knows.
    results: &'a [QueryResult<'a>],
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
    Several {
        results: Vec<ResultJson<'a>>,
        /// Those that are pinned, once for all queries.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        tools: Vec<&'a RawValue>,
    },
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
        add_note(&mut self.note, note);
    }

    /// The answer with `hits`.
    fn around(&self, hits: &Hits<'_>) -> Box<RawValue> {
        let tools = |position: usize, pinned: Vec<_>| ToolsJson {
            tools: [hits.json(position), pinned].concat(),
            closest: self
                .results
                .get(position)
                .and_then(|result| result.closest.as_deref()),
        };
        let hits = match self.queries {
            Queries::One(_) => HitsJson::One(tools(0, hits.pinned_json())),
            Queries::Several(queries) => HitsJson::Several {
                results: queries
                    .iter()
                    .enumerate()
                    .map(|(position, query)| ResultJson {
                        query: shorten(query, ECHO_CHARS),
                        tools: tools(position, Vec::new()),
                    })
                    .collect(),
                tools: hits.pinned_json(),
            },
        };
        to_raw(&AnswerJson {
            total: self.total,
            hits,
            note: &self.note,
        })
    }
}

fn add_note(notes: &mut String, note: &str) {
    if !notes.is_empty() && !note.is_empty() {
        notes.push(' ');
    }
    *notes += note;
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

/// An answer stays below this many bytes in each half (field case 46: clients cut larger ones).
const ANSWER_BYTES: usize = 40_000;
/// What [`cut_note`] may add.
const CUT_NOTE_BYTES: usize = 250;
/// How much of a query is repeated beside its hits.
const ECHO_CHARS: usize = 200;
