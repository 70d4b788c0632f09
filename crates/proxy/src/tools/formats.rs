//! Hits as definitions that a program hands to a model as they are, in the form and within the rules
//! of the model's API.

mod changes;
mod definition;
mod document;
mod fold;
mod gemini;
mod keywords;
mod links;
mod names;
mod parameters;
mod patterns;
mod root;
mod schema;
mod size;
mod work;

use std::collections::BTreeMap;
use std::panic::resume_unwind;
use std::sync::Arc;

use catalog::{Catalog, Tool, ToolAccess};
use serde::Serialize;
use serde_json::value::RawValue;
use tokio::task::spawn_blocking;
use wire::to_raw;

use self::definition::{Declarations, Definition};
use self::names::{NameRule, Start, names};
use super::MetaTool;
use super::input::Refusal;
use super::omitted::Omitted;
use super::search::Role;
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
    /// description of more than 1,024 characters (getsentry/sentry-mcp #106); also a `pattern` that
    /// Python can't read: [`patterns`].
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

/// A tool of an answer.
#[derive(Debug, Clone)]
pub(super) struct Listed {
    pub(super) tool: Arc<Tool>,
    pub(super) role: Role,
}

/// A tool beside its definition.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Defined {
    name: String,
    /// What the definition calls it.
    called_as: String,
    read_only: bool,
    call: &'static str,
    #[serde(flatten)]
    role: Role,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    changes: Vec<String>,
    /// Parameters that the definition calls otherwise, and their names upstream.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    renamed_arguments: BTreeMap<String, String>,
}

/// The definitions of all tools of an answer.
#[derive(Debug)]
pub(super) struct Definitions {
    format: Format,
    tools: Vec<Defined>,
    json: Vec<Box<RawValue>>,
    omitted: Omitted,
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

    /// How many definitions a request may have: OpenAI refuses it whole beyond 128.
    const fn max_tools(self) -> usize {
        match self {
            Self::OpenAi => 128,
            Self::Mcp | Self::Anthropic | Self::Gemini => usize::MAX,
        }
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

impl Definitions {
    /// The definitions of `listed`, all of which come from `catalog`, from the first on as far as an
    /// answer's bytes and the work for it go; the first always. What an upstream's schemas take to be
    /// converted is no work for a thread that answers requests.
    pub(super) async fn of(format: Format, listed: Vec<Listed>, catalog: Arc<Catalog>) -> Self {
        let made = spawn_blocking(move || Self::new(format, &listed, &catalog)).await;
        made.unwrap_or_else(|error| resume_unwind(error.into_panic()))
    }

    fn new(format: Format, listed: &[Listed], catalog: &Catalog) -> Self {
        let tools: Vec<&Tool> = listed.iter().map(|listed| &*listed.tool).collect();
        let called_as = match format.names() {
            Some(rule) => names(&rule, &tools, catalog),
            None => tools.iter().map(|tool| tool.name().to_owned()).collect(),
        };
        let mut made = Self {
            format,
            tools: Vec::with_capacity(listed.len()),
            json: Vec::with_capacity(listed.len()),
            omitted: Omitted::default(),
        };
        let mut bytes = 0;
        let mut work = 0;
        for (rank, (listed, called_as)) in listed.iter().zip(called_as).enumerate() {
            let definition = Definition::new(format, &listed.tool, &called_as);
            work += definition.work;
            let (defined, json) = Defined::of(listed, called_as, definition);
            bytes += json.get().len() + to_raw(&defined).get().len();
            let full =
                bytes > DEFINITIONS_BYTES || work > DEFINITIONS_WORK || rank >= format.max_tools();
            if full && rank > 0 {
                let rest = tools.iter().skip(rank);
                rest.for_each(|tool| made.omitted.add(tool.name()));
                break;
            }
            made.tools.push(defined);
            made.json.push(json);
        }
        made
    }

    /// The API that they are for.
    pub(super) const fn format(&self) -> Format {
        self.format
    }

    /// The tools, in the order of their definitions.
    pub(super) fn tools(&self) -> &[Defined] {
        &self.tools
    }

    /// The last tools, for which there was no room.
    pub(super) const fn omitted(&self) -> &Omitted {
        &self.omitted
    }

    /// What the API takes as its `tools`.
    pub(super) fn json(&self) -> Box<RawValue> {
        match self.format {
            // An empty list of declarations is refused.
            Format::Gemini if !self.json.is_empty() => to_raw(&[Declarations::of(&self.json)]),
            _ => to_raw(&self.json),
        }
    }
}

impl Defined {
    /// `listed` beside its `definition`.
    fn of(listed: &Listed, called_as: String, definition: Definition) -> (Self, Box<RawValue>) {
        let tool = &*listed.tool;
        let defined = Self {
            name: tool.name().to_owned(),
            called_as,
            read_only: tool.access() == ToolAccess::Read,
            call: MetaTool::that_calls(tool).name(),
            role: listed.role,
            changes: definition.changes.into_texts(),
            renamed_arguments: definition.renamed,
        };
        (defined, definition.json)
    }
}

/// Programs take more than models' clients do, but not anything.
const DEFINITIONS_BYTES: usize = 1 << 20;
/// In values of JSON that are copied: some hundred times what a thousand real tools take.
const DEFINITIONS_WORK: usize = 4_000_000;

#[cfg(test)]
mod tests;
