//! One tool in the form of each API.

use std::borrow::Cow;
use std::collections::BTreeMap;

use catalog::Tool;
use serde::Serialize;
use serde_json::Value;
use serde_json::value::RawValue;
use wire::to_raw;

use super::Format;
use super::changes::Changes;
use super::gemini;
use super::schema::Schema;
use super::work::Work;
use crate::tools::text::shorten;

/// A tool's definition, and in what it differs from the tool.
pub(super) struct Definition {
    pub(super) json: Box<RawValue>,
    pub(super) changes: Changes,
    /// Parameters that are called otherwise, and their names upstream.
    pub(super) renamed: BTreeMap<String, String>,
    /// How many values of JSON were copied for it.
    pub(super) work: usize,
}

impl Definition {
    /// The definition of `tool` under the name `called_as`.
    pub(super) fn new(format: Format, tool: &Tool, called_as: &str) -> Self {
        let mut changes = Changes::default();
        if called_as != tool.name() {
            changes.note(&format!(
                "the API takes no name such as `{}`",
                shorten(tool.name(), 64)
            ));
        }
        let mut work = Work::new();
        let mut renamed = BTreeMap::new();
        let json = match format {
            Format::Mcp => mcp(tool),
            Format::OpenAi => {
                let description = shorten(tool.description(), OPENAI_DESCRIPTION_CHARS);
                if matches!(description, Cow::Owned(_)) {
                    changes.note("the description is cut to 1,024 characters");
                }
                let schema = Schema::read(format, tool.input_schema(), &mut work, &mut changes);
                renamed = schema.renamed;
                openai(called_as, &description, &schema.json)
            }
            Format::Anthropic => {
                let schema = Schema::read(format, tool.input_schema(), &mut work, &mut changes);
                renamed = schema.renamed;
                anthropic(called_as, tool.description(), &schema.json)
            }
            Format::Gemini => {
                let schema = Schema::read(format, tool.input_schema(), &mut work, &mut changes);
                renamed = schema.renamed;
                let parameters = gemini::parameters(&schema.root, &mut work, &mut changes);
                declaration(called_as, tool.description(), parameters.as_ref())
            }
        };
        Self {
            json,
            changes,
            renamed,
            work: work.done(),
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

#[derive(Serialize)]
struct OpenAiTool<'a> {
    r#type: &'static str,
    function: OpenAiFunction<'a>,
}

#[derive(Serialize)]
struct OpenAiFunction<'a> {
    name: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    description: &'a str,
    parameters: &'a RawValue,
}

fn openai(name: &str, description: &str, parameters: &RawValue) -> Box<RawValue> {
    to_raw(&OpenAiTool {
        r#type: "function",
        function: OpenAiFunction {
            name,
            description,
            parameters,
        },
    })
}

#[derive(Serialize)]
struct AnthropicTool<'a> {
    name: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    description: &'a str,
    input_schema: &'a RawValue,
}

fn anthropic(name: &str, description: &str, input_schema: &RawValue) -> Box<RawValue> {
    to_raw(&AnthropicTool {
        name,
        description,
        input_schema,
    })
}

#[derive(Serialize)]
struct Declaration<'a> {
    name: &'a str,
    /// Gemini wants one, if only an empty one.
    description: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    parameters: Option<&'a Value>,
}

fn declaration(name: &str, description: &str, parameters: Option<&Value>) -> Box<RawValue> {
    to_raw(&Declaration {
        name,
        description,
        parameters,
    })
}

/// Gemini takes all functions as one tool.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Declarations<'a> {
    function_declarations: &'a [Box<RawValue>],
}

impl<'a> Declarations<'a> {
    pub(super) fn of(declarations: &'a [Box<RawValue>]) -> Self {
        Self {
            function_declarations: declarations,
        }
    }
}

const OPENAI_DESCRIPTION_CHARS: usize = 1_024;
