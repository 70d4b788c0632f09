//! The search of programs that speak no MCP: one query in a JSON object, and one object back.

mod request;

use std::sync::Arc;

use catalog::{Freshness, Tool};
use ranking::Mode;
use serde::Serialize;
use serde_json::value::RawValue;
use wire::to_raw;

use self::request::PlainRequest;
use super::answer::{Hits, Look};
use super::results::Results;
use super::role::Role;
use super::{ANSWER_BYTES, CUT_NOTE_BYTES, add_note, cut_note};
use crate::curation::Curated;
use crate::tools::describe::ToolJson;
use crate::tools::failure::Unlisted;
use crate::tools::formats::{Defined, Definitions, Listed};
use crate::tools::omitted::Omitted;
use crate::tools::text::quoted;
use crate::tools::{ToolContext, Workflow};

/// What a plain search comes to. Texts are whole sentences for whoever sent it.
#[derive(Debug)]
pub(crate) enum PlainReply {
    /// It was made; perhaps nothing was found.
    Found {
        /// The answer's object.
        answer: Box<RawValue>,
        /// How the query was searched, if there is one.
        modes: Vec<Mode>,
    },
    /// It can't be made as it was asked for.
    Refused(String),
    /// There is no template of the name that it gives.
    NoTemplate(String),
    /// There are no tools to search.
    Unlisted(Unlisted),
}

/// Makes the search that `body` asks for, which may name one of the templates.
pub(crate) async fn plain(context: ToolContext<'_>, curated: &Curated, body: &[u8]) -> PlainReply {
    let request = match PlainRequest::read(body) {
        Ok(request) => request,
        Err(refusal) => return PlainReply::Refused(format!("nothing was searched: {}", refusal.0)),
    };
    let template = match &request.prompt {
        None => None,
        Some(name) => match curated.template(name) {
            None => return PlainReply::NoTemplate(no_template(name)),
            template => template,
        },
    };
    let view = match context.listed().await {
        Ok(view) => view,
        Err(unlisted) => return PlainReply::Unlisted(unlisted),
    };
    let workflow = template.map(|template| Workflow::of(template, &view.catalog));
    let set = set(workflow.as_ref());
    let queries = request.query.as_slice();
    let vectors = context.query_vectors(&view, queries).await;
    let results = Results::of(queries, request.options, &view, set, &vectors);
    context.audit(&results);
    let modes = results.modes();
    let answer = match request.format {
        None => {
            let look = Look::whole(request.options, context.settings).with_scores();
            with_schemas(&results, workflow.as_ref(), look)
        }
        Some(format) => {
            let catalog = Arc::clone(&view.catalog);
            let definitions = Definitions::of(format, listed(&results, set), catalog).await;
            with_definitions(&results, workflow.as_ref(), &definitions)
        }
    };
    PlainReply::Found { answer, modes }
}

fn no_template(name: &str) -> String {
    format!(
        "there is no template {}: leave out `prompt`, or name one of this server's templates",
        quoted(name)
    )
}

/// The answer with the same hits, schemas and cuts as `search_tools` gives, after the set of a
/// template.
fn with_schemas(
    results: &Results<'_>,
    workflow: Option<&Workflow<'_>>,
    look: Look,
) -> Box<RawValue> {
    let omitted = omitted(workflow);
    let mut answer = Answer::of(results, workflow, &omitted);
    let mut hits = Hits::new(results, look);
    let bytes = to_raw(&answer).get().len();
    hits.fit(ANSWER_BYTES.saturating_sub(bytes + CUT_NOTE_BYTES));
    add_note(&mut answer.note, &cut_note(&hits.cuts));
    let set: Vec<_> = set(workflow).iter().map(|tool| in_template(tool)).collect();
    let set = set.iter().map(|tool| &**tool).collect();
    answer.tools = Tools::Shown([set, hits.json(0), hits.pinned_json()].concat());
    to_raw(&answer)
}

/// The answer with a definition of each tool, ready to be passed to a model.
fn with_definitions(
    results: &Results<'_>,
    workflow: Option<&Workflow<'_>>,
    definitions: &Definitions,
) -> Box<RawValue> {
    let omitted = definitions.omitted().and(&omitted(workflow));
    let mut answer = Answer::of(results, workflow, &omitted);
    if let Some(template) = &mut answer.template {
        // The set comes first, and its last may have found no room.
        template.tools = template.tools.min(definitions.tools().len());
    }
    answer.tools = Tools::Defined(definitions.tools());
    answer.format = Some(definitions.format().name());
    answer.definitions = Some(definitions.json());
    to_raw(&answer)
}

/// All tools of an answer, in its order.
fn listed(results: &Results<'_>, set: &[Arc<Tool>]) -> Vec<Listed> {
    let hits = results.queries.iter().flat_map(|result| &result.found);
    let hits = hits.map(|hit| (&hit.tool, Role::scored(hit)));
    set.iter()
        .map(|tool| (tool, Role::Template))
        .chain(hits)
        .chain(results.pinned.iter().map(|tool| (tool, Role::Pinned)))
        .map(|(tool, role)| Listed {
            tool: Arc::clone(tool),
            role,
        })
        .collect()
}

/// What has no room in a template's set.
fn omitted(workflow: Option<&Workflow<'_>>) -> Omitted {
    workflow.map(Workflow::omitted).cloned().unwrap_or_default()
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Answer<'a> {
    total: usize,
    mode: &'static str,
    catalog_age_seconds: u64,
    catalog_fresh: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    template: Option<TemplateJson<'a>>,
    tools: Tools<'a>,
    /// Names for which there was no room.
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    omitted: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    closest: Option<&'a [String]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    format: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    definitions: Option<Box<RawValue>>,
    #[serde(skip_serializing_if = "String::is_empty")]
    note: String,
}

/// The first `tools` of the answer.
#[derive(Serialize)]
struct TemplateJson<'a> {
    name: &'a str,
    tools: usize,
    missing: usize,
}

/// A tool of a template's set.
#[derive(Serialize)]
struct InTemplate<'a> {
    #[serde(flatten)]
    tool: ToolJson<'a>,
    #[serde(flatten)]
    role: Role,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Tools<'a> {
    Shown(Vec<&'a RawValue>),
    Defined(&'a [Defined]),
}

impl<'a> Answer<'a> {
    /// All of an answer but its hits.
    fn of(results: &'a Results<'_>, workflow: Option<&Workflow<'a>>, omitted: &'a Omitted) -> Self {
        let view = results.view;
        let mut note = workflow.map(Workflow::missing_note).unwrap_or_default();
        add_note(&mut note, &omitted.note());
        add_note(&mut note, &results.note);
        Self {
            total: view.catalog.len(),
            mode: mode(results).name(),
            catalog_age_seconds: view.age.as_secs(),
            catalog_fresh: view.freshness == Freshness::Fresh,
            template: workflow.map(|workflow| TemplateJson {
                name: workflow.name(),
                tools: workflow.set().len(),
                missing: workflow.missing(),
            }),
            tools: Tools::Shown(Vec::new()),
            omitted: omitted.names(),
            closest: results
                .queries
                .first()
                .and_then(|result| result.closest.as_deref()),
            format: None,
            definitions: None,
            note,
        }
    }
}

fn set<'a>(workflow: Option<&'a Workflow<'_>>) -> &'a [Arc<Tool>] {
    workflow.map_or(&[], Workflow::set)
}

fn in_template(tool: &Tool) -> Box<RawValue> {
    to_raw(&InTemplate {
        tool: ToolJson::of(tool),
        role: Role::Template,
    })
}

/// How the one query was searched, or would be.
fn mode(results: &Results<'_>) -> Mode {
    let first = results.queries.first().map(|result| result.mode);
    first.unwrap_or_else(|| results.view.catalog.mode())
}
