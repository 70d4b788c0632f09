//! Hits as definitions that a program hands to a model as they are, in the form and within the rules
//! of the model's API.

mod changes;
mod definition;
mod gemini;
mod keywords;
mod names;
mod parameters;
mod root;

use std::collections::BTreeMap;
use std::sync::Arc;

use catalog::{Catalog, Found, Tool, ToolAccess};
use ranking::Confidence;
use serde::Serialize;
use serde_json::value::RawValue;
use wire::to_raw;

use self::definition::{Declarations, Definition};
use self::names::{NameRule, Start, names};
use super::MetaTool;
use super::input::Refusal;
use super::search::Scored;
use super::text::quoted;

/// An API that takes definitions of tools.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Format {
    /// MCP: a tool as `tools/list` gives it.
    Mcp,
    /// OpenAI's Chat Completions, which many others took over: a name within
    /// `^[a-zA-Z0-9_-]{1,64}$` (platform.openai.com/docs/api-reference/chat/create). Refused besides,
    /// as people found: a combinator, `enum`, `const` or `not` at the root (goruck/home-generative-agent
    /// #545), an array without `items` (digitalocean-labs/mcp-digitalocean #265), and by some models a
    /// description of more than 1,024 characters (getsentry/sentry-mcp #106).
    OpenAi,
    /// Anthropic's Messages: a name within `^[a-zA-Z0-9_-]{1,128}$`
    /// (platform.claude.com/docs/agents-and-tools/tool-use/define-tools). Refused besides: a combinator
    /// at the root (mobile-next/mobile-mcp #344), a parameter outside `^[a-zA-Z0-9_.-]{1,64}$`
    /// (beautyfree/appstore-connect-mcp #2), what is no JSON Schema of 2020-12 (anthropics/claude-code
    /// #63673).
    Anthropic,
    /// Gemini's `generateContent`: a name of up to 64 letters, digits, `_` and `-` that begins with a
    /// letter or `_`; some of its endpoints take `.` and `:` too (google-gemini/gemini-cli #9535). What
    /// a schema may be: [`gemini`].
    Gemini,
}

/// A hit beside its definition.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[expect(clippy::struct_excessive_bools, reason = "as a program reads it")]
pub(super) struct Defined<'a> {
    name: &'a str,
    /// What the definition calls it.
    called_as: String,
    read_only: bool,
    call: &'static str,
    #[serde(flatten)]
    score: Option<Scored>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    weak: bool,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pinned: bool,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    template: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    changes: Vec<String>,
    /// Parameters that the definition calls otherwise, and their names upstream.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    renamed_arguments: BTreeMap<String, String>,
}

/// The definitions of all hits of a query.
#[derive(Debug)]
pub(super) struct Definitions<'a> {
    format: Format,
    tools: Vec<Defined<'a>>,
    json: Vec<Box<RawValue>>,
    left_out: usize,
}

impl Format {
    const ALL: [Self; 4] = [Self::Mcp, Self::OpenAi, Self::Anthropic, Self::Gemini];

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
            Self::OpenAi => "openai",
            Self::Anthropic => "anthropic",
            Self::Gemini => "gemini",
        }
    }

    /// What a tool may be called; `None` for anything.
    const fn names(self) -> Option<NameRule> {
        let (max_chars, starts) = match self {
            Self::Mcp => return None,
            Self::OpenAi => (64, Start::Anyhow),
            Self::Anthropic => (128, Start::Anyhow),
            Self::Gemini => (64, Start::LetterOrUnderscore),
        };
        Some(NameRule {
            max_chars,
            signs: "_-",
            starts,
        })
    }

    /// What a parameter may be called; `None` for anything.
    const fn parameters(self) -> Option<NameRule> {
        let (signs, starts) = match self {
            Self::Mcp | Self::OpenAi => return None,
            Self::Anthropic => ("_.-", Start::Anyhow),
            // cloud.google.com/vertex-ai/docs/reference/rest/v1beta1/FunctionDeclaration
            Self::Gemini => ("_", Start::LetterOrUnderscore),
        };
        Some(NameRule {
            max_chars: 64,
            signs,
            starts,
        })
    }
}

impl<'a> Definitions<'a> {
    /// The definitions of `set`, a template's, of `found`, best first, and of `pinned`, all of which
    /// come from `catalog`. The set comes whole.
    pub(super) fn new(
        format: Format,
        set: &'a [Arc<Tool>],
        found: &'a [Found],
        pinned: &'a [Arc<Tool>],
        catalog: &'a Catalog,
    ) -> Self {
        let unfound = |tool: &'a Arc<Tool>| (&**tool, None);
        let hits = found.iter().map(|hit| (&*hit.tool, Some(hit)));
        let shown: Vec<(&Tool, Option<&Found>)> = set
            .iter()
            .map(unfound)
            .chain(hits)
            .chain(pinned.iter().map(unfound))
            .collect();
        let tools: Vec<&Tool> = shown.iter().map(|(tool, _)| *tool).collect();
        let called_as = match format.names() {
            Some(rule) => names(&rule, &tools, catalog),
            None => tools.iter().map(|tool| tool.name().to_owned()).collect(),
        };
        let mut made = Self {
            format,
            tools: Vec::with_capacity(shown.len()),
            json: Vec::with_capacity(shown.len()),
            left_out: 0,
        };
        let mut bytes = 0;
        for (rank, ((tool, hit), called_as)) in shown.iter().zip(called_as).enumerate() {
            let definition = Definition::new(format, tool, &called_as);
            bytes += definition.json.get().len();
            if bytes > DEFINITIONS_BYTES && rank > 0 && rank >= set.len() {
                made.left_out = shown.len() - rank;
                break;
            }
            made.tools.push(Defined {
                name: tool.name(),
                called_as,
                read_only: tool.access() == ToolAccess::Read,
                call: MetaTool::that_calls(tool).name(),
                score: hit.map(Scored::of),
                weak: hit.is_some_and(|hit| hit.confidence == Confidence::Weak),
                pinned: hit.is_none() && rank >= set.len(),
                template: rank < set.len(),
                changes: definition.changes.into_texts(),
                renamed_arguments: definition.renamed,
            });
            made.json.push(definition.json);
        }
        made
    }

    /// The hits, in the order of their definitions.
    pub(super) fn tools(&self) -> &[Defined<'a>] {
        &self.tools
    }

    /// What the API takes as its `tools`.
    pub(super) fn json(&self) -> Box<RawValue> {
        match self.format {
            // An empty list of declarations is refused.
            Format::Gemini if !self.json.is_empty() => to_raw(&[Declarations::of(&self.json)]),
            _ => to_raw(&self.json),
        }
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

/// Programs take more than models' clients do, but not anything. A template's set and the best
/// hit always come.
const DEFINITIONS_BYTES: usize = 1 << 20;

#[cfg(test)]
mod tests;
