//! One tool of an answer, and how much of it is shown.

use catalog::{Tool, ToolAccess};
use serde::Serialize;
use serde_json::value::RawValue;
use wire::to_raw;

use crate::tools::MetaTool;
use crate::tools::search::role::Role;
use crate::tools::text::shorten;

/// A tool as it is shown.
pub(super) struct Hit<'a> {
    tool: &'a Tool,
    shown: Shown,
    json: Box<RawValue>,
}

/// How much of a tool is shown.
#[derive(Clone, Copy)]
pub(super) struct Shown {
    pub(super) role: Role,
    pub(super) shape: Shape,
    /// `None` where an earlier query's hit has it.
    pub(super) description_chars: Option<usize>,
}

/// How a hit shows what arguments the tool takes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    Schema,
    Signature,
    Nothing,
}

impl<'a> Hit<'a> {
    pub(super) fn new(tool: &'a Tool, shown: Shown) -> Self {
        Self {
            tool,
            shown,
            json: shown.render(tool),
        }
    }

    pub(super) fn json(&self) -> &RawValue {
        &self.json
    }

    /// Shows `to` instead of `from`; false where it shows something else.
    pub(super) fn reshape(&mut self, from: Shape, to: Shape) -> bool {
        let is_such = self.shown.shape == from;
        if is_such {
            self.shown.shape = to;
            self.json = self.shown.render(self.tool);
        }
        is_such
    }

    pub(super) fn shorten(&mut self, chars: usize) {
        let before = self.shown.description_chars;
        self.shown.description_chars = before.map(|before| before.min(chars));
        self.json = self.shown.render(self.tool);
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct HitJson<'a> {
    name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<String>,
    read_only: bool,
    call: &'static str,
    #[serde(flatten)]
    role: Role,
    #[serde(skip_serializing_if = "Option::is_none")]
    input_schema: Option<&'a RawValue>,
    #[serde(skip_serializing_if = "Option::is_none")]
    signature: Option<&'a str>,
}

impl Shown {
    fn render(self, tool: &Tool) -> Box<RawValue> {
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
            role: self.role,
            input_schema: (self.shape == Shape::Schema).then(|| tool.input_schema()),
            signature: (self.shape == Shape::Signature).then(|| tool.signature()),
        })
    }
}

const TITLE_CHARS: usize = 100;
