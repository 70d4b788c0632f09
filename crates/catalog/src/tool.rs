//! One tool of a catalog.

use serde_json::value::RawValue;

use crate::access::ToolAccess;

/// A tool as it was listed, and what was read of it.
#[derive(Debug)]
pub struct Tool {
    name: String,
    title: Option<String>,
    description: String,
    access: ToolAccess,
    raw: Box<RawValue>,
}

impl Tool {
    /// The name, exactly as listed.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// `title`, else `annotations.title`.
    pub fn title(&self) -> Option<&str> {
        self.title.as_deref()
    }

    /// The description as listed, but for invisible tag characters and direction overrides (field
    /// case 95); empty where there is none.
    pub fn description(&self) -> &str {
        &self.description
    }

    /// What calling it may do.
    pub fn access(&self) -> ToolAccess {
        self.access
    }

    /// The whole tool as listed, byte for byte.
    pub fn raw(&self) -> &RawValue {
        &self.raw
    }

    /// The input schema, byte for byte; `{"type":"object"}` where the listing had none.
    pub fn input_schema(&self) -> &RawValue {
        todo!()
    }

    /// The output schema, byte for byte.
    pub fn output_schema(&self) -> Option<&RawValue> {
        todo!()
    }

    /// The annotations, byte for byte.
    pub fn annotations(&self) -> Option<&RawValue> {
        todo!()
    }

    /// One line such as `create_issue(owner: string, repo: string, labels?: string[])`: required
    /// parameters first, in the schema's order. At most a few hundred characters.
    pub fn signature(&self) -> &str {
        todo!()
    }

    /// `Mcp-Param-*` headers that a modern upstream wants mirrored for `arguments`.
    pub fn param_headers(&self, _arguments: &RawValue) -> Vec<(String, String)> {
        todo!()
    }
}
