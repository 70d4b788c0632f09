//! Hits as definitions that a program hands to a model as they are.

use catalog::{Catalog, Found, Tool, ToolAccess};
use ranking::Confidence;
use serde::Serialize;
use serde_json::value::RawValue;
use wire::to_raw;

use super::MetaTool;
use super::input::Refusal;
use super::search::score;
use super::text::quoted;

/// An API that takes definitions of tools.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Format {
    /// MCP: a tool as `tools/list` gives it.
    Mcp,
}

/// A hit beside its definition.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Defined<'a> {
    name: &'a str,
    read_only: bool,
    call: &'static str,
    score: f64,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    weak: bool,
}

/// The definitions of all hits of a query.
#[derive(Debug)]
pub(super) struct Definitions<'a> {
    tools: Vec<Defined<'a>>,
    json: Vec<Box<RawValue>>,
    left_out: usize,
}

impl Format {
    const ALL: [Self; 1] = [Self::Mcp];

    /// The one called `name`.
    pub(super) fn parse(name: &str) -> Result<Self, Refusal> {
        let known = Self::ALL.into_iter().find(|format| format.name() == name);
        known.ok_or_else(|| {
            let names = Self::ALL.map(|format| format!("`{}`", format.name()));
            Refusal(format!(
                "there is no format {}: take one of {}",
                quoted(name),
                names.join(", ")
            ))
        })
    }

    /// Its name in a request and in the answer.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Mcp => "mcp",
        }
    }
}

impl<'a> Definitions<'a> {
    /// The definitions of `found`, which come from `catalog`, best first.
    pub(super) fn new(_format: Format, found: &'a [Found], _catalog: &'a Catalog) -> Self {
        let mut made = Self {
            tools: Vec::with_capacity(found.len()),
            json: Vec::with_capacity(found.len()),
            left_out: 0,
        };
        let mut bytes = 0;
        for (rank, hit) in found.iter().enumerate() {
            let definition = mcp(&hit.tool);
            bytes += definition.get().len();
            if bytes > DEFINITIONS_BYTES && rank > 0 {
                made.left_out = found.len() - rank;
                break;
            }
            made.tools.push(Defined {
                name: hit.tool.name(),
                read_only: hit.tool.access() == ToolAccess::Read,
                call: MetaTool::that_calls(&hit.tool).name(),
                score: score(hit),
                weak: hit.confidence == Confidence::Weak,
            });
            made.json.push(definition);
        }
        made
    }

    /// The hits, in the order of their definitions.
    pub(super) fn tools(&self) -> &[Defined<'a>] {
        &self.tools
    }

    /// What the API takes as its `tools`.
    pub(super) fn json(&self) -> Box<RawValue> {
        to_raw(&self.json)
    }

    /// What is missing, in a sentence.
    pub(super) fn note(&self) -> String {
        match self.left_out {
            0 => String::new(),
            count => format!(
                "To keep the answer below 1 MiB, the last {count} tools are left out: ask with a \
                 smaller `limit`, or without `format`."
            ),
        }
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct McpTool<'a> {
    name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<&'a str>,
    #[serde(skip_serializing_if = "str::is_empty")]
    description: &'a str,
    input_schema: &'a RawValue,
    #[serde(skip_serializing_if = "Option::is_none")]
    output_schema: Option<&'a RawValue>,
    #[serde(skip_serializing_if = "Option::is_none")]
    annotations: Option<&'a RawValue>,
}

fn mcp(tool: &Tool) -> Box<RawValue> {
    to_raw(&McpTool {
        name: tool.name(),
        title: tool.title(),
        description: tool.description(),
        input_schema: tool.input_schema(),
        output_schema: tool.output_schema(),
        annotations: tool.annotations(),
    })
}

/// Programs take more than models' clients do, but not anything. The best hit always comes.
const DEFINITIONS_BYTES: usize = 1 << 20;
