//! A template's tools, as one caller may use them.

use std::sync::Arc;

use catalog::{Catalog, Selection, Tool};
use serde::Serialize;
use serde_json::value::RawValue;
use wire::to_raw;

use super::describe::ToolJson;
use super::text::quoted;
use crate::curation::Template;

/// A template, and those of its tools that a caller has.
#[derive(Debug)]
pub(crate) struct Workflow<'a> {
    template: &'a Template,
    selection: Selection,
}

/// A workflow for programs.
#[derive(Debug, Serialize)]
pub(crate) struct Manifest<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<&'a str>,
    tools: Vec<Box<RawValue>>,
    missing: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
}

impl<'a> Workflow<'a> {
    /// What `template` names of `catalog`.
    pub(crate) fn of(template: &'a Template, catalog: &Catalog) -> Self {
        Self {
            template,
            selection: catalog.select(&template.tools),
        }
    }

    /// The whole set, each tool as `describe_tool` gives it.
    pub(crate) fn manifest(&self) -> Manifest<'a> {
        Manifest {
            title: self.template.title.as_deref(),
            description: self.template.description.as_deref(),
            tools: self.tools(),
            missing: self.selection.missing,
            note: self.missing_note(),
        }
    }

    /// The result of `prompts/get`: one message that gives the whole set.
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
        &self.selection.tools
    }

    /// How many entries of the template the caller lacks.
    pub(super) fn missing(&self) -> usize {
        self.selection.missing
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
        let missing = self.missing_note().map(|note| format!("\n\n{note}"));
        format!("{opening}\n\n{tools}{}", missing.unwrap_or_default())
    }

    fn tools(&self) -> Vec<Box<RawValue>> {
        let tools = self.selection.tools.iter();
        tools.map(|tool| to_raw(&ToolJson::of(tool))).collect()
    }

    /// That tools are missing; not which, and not whether others have them.
    pub(super) fn missing_note(&self) -> Option<String> {
        let count = match self.selection.missing {
            0 => return None,
            1 => "One entry of this template stands".to_owned(),
            count => format!("{count} entries of this template stand"),
        };
        Some(format!(
            "{count} for no tool of this user's: such a tool may not exist, or not be for this user."
        ))
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
