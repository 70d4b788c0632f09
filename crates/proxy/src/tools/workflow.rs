//! A template's tools, as one caller may use them.

use std::sync::Arc;

use catalog::{Catalog, Tool};
use serde::Serialize;
use serde_json::value::RawValue;
use wire::to_raw;

use super::describe::ToolJson;
use super::omitted::Omitted;
use super::text::quoted;
use crate::curation::Template;

/// A template, and those of its tools that a caller has.
#[derive(Debug)]
pub(crate) struct Workflow<'a> {
    template: &'a Template,
    set: Vec<Arc<Tool>>,
    omitted: Omitted,
    /// How many entries of the template name none.
    missing: usize,
}

/// A workflow for programs.
#[derive(Debug, Serialize)]
pub(crate) struct Manifest<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<&'a str>,
    tools: Vec<Box<RawValue>>,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    omitted: &'a [String],
    missing: usize,
    #[serde(skip_serializing_if = "String::is_empty")]
    note: String,
}

impl<'a> Workflow<'a> {
    /// What `template` names of `catalog`, from the first on as far as an answer has room; the first
    /// always.
    pub(crate) fn of(template: &'a Template, catalog: &Catalog) -> Self {
        let selection = catalog.select(&template.tools);
        let mut workflow = Self {
            template,
            set: Vec::new(),
            omitted: Omitted::default(),
            missing: selection.missing,
        };
        let mut bytes = 0;
        for tool in selection.tools {
            if bytes <= SET_BYTES {
                bytes += to_raw(&ToolJson::of(&tool)).get().len();
            }
            if bytes <= SET_BYTES || workflow.set.is_empty() {
                workflow.set.push(tool);
            } else {
                workflow.omitted.add(tool.name());
            }
        }
        workflow
    }

    /// The set, each tool as `describe_tool` gives it.
    pub(crate) fn manifest(&self) -> Manifest<'_> {
        let notes = [self.omitted.note(), self.missing_note()];
        Manifest {
            title: self.template.title.as_deref(),
            description: self.template.description.as_deref(),
            tools: self.tools(),
            omitted: self.omitted.names(),
            missing: self.missing,
            note: notes.join(" ").trim().to_owned(),
        }
    }

    /// The result of `prompts/get`: one message that gives the set.
    pub(crate) fn prompt(&self) -> Box<RawValue> {
        let text = self.text();
        to_raw(&PromptResult {
            description: self.template.description.as_deref(),
            messages: [Message {
                role: "user",
                content: Text {
                    r#type: "text",
                    text: &text,
                },
            }],
        })
    }

    /// Its name.
    pub(super) fn name(&self) -> &'a str {
        &self.template.name
    }

    /// The tools that the caller has.
    pub(super) fn set(&self) -> &[Arc<Tool>] {
        &self.set
    }

    /// Those beside them for which there is no room.
    pub(super) fn omitted(&self) -> &Omitted {
        &self.omitted
    }

    /// How many entries of the template the caller lacks.
    pub(super) fn missing(&self) -> usize {
        self.missing
    }

    fn text(&self) -> String {
        let name = quoted(&self.template.name);
        let about = self.template.description.as_deref().map(str::trim);
        let about = about.or(self.template.title.as_deref()).unwrap_or_default();
        let opening = if about.is_empty() {
            format!("Work through {name}.")
        } else {
            format!("Work through {name}: {about}")
        };
        let tools: Vec<String> = self
            .tools()
            .iter()
            .map(|tool| tool.get().to_owned())
            .collect();
        let tools = if tools.is_empty() {
            "None of its tools is there for this user.".to_owned()
        } else {
            format!(
                "Its tools, one a line; no search is needed. Call each by its exact `name` through \
                 the tool that its `call` names, with `arguments` that fit its `inputSchema`:\n\n{}",
                tools.join("\n")
            )
        };
        let notes = [self.omitted.prompt_note(), self.missing_note()];
        let parts = [opening, tools].into_iter().chain(notes);
        let parts: Vec<String> = parts.filter(|part| !part.is_empty()).collect();
        parts.join("\n\n")
    }

    fn tools(&self) -> Vec<Box<RawValue>> {
        let tools = self.set.iter();
        tools.map(|tool| to_raw(&ToolJson::of(tool))).collect()
    }

    /// That tools are missing; not which, and not whether others have them. Empty where none are.
    pub(super) fn missing_note(&self) -> String {
        let count = match self.missing {
            0 => return String::new(),
            1 => "One entry of this template stands".to_owned(),
            count => format!("{count} entries of this template stand"),
        };
        format!(
            "{count} for no tool of this user's: such a tool may not exist, or not be for this user."
        )
    }
}

#[derive(Serialize)]
struct PromptResult<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<&'a str>,
    messages: [Message<'a>; 1],
}

#[derive(Serialize)]
struct Message<'a> {
    role: &'static str,
    content: Text<'a>,
}

#[derive(Serialize)]
struct Text<'a> {
    r#type: &'static str,
    text: &'a str,
}

/// A model reads it all as a prompt; a program may take as much as definitions have.
const SET_BYTES: usize = 1 << 20;
