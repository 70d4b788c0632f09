//! Which tools only read.

use wire::{Hint, ToolView};

/// What calling a tool may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ToolAccess {
    /// Reads only: literally `readOnlyHint: true`, not `destructiveHint: true`, and not on the
    /// operator's list.
    Read,
    /// Anything else.
    Write,
}

/// An exact name or a glob (`*`, `?`) over names. Case-sensitive, nothing trimmed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolPattern(String);

/// A pattern that can't be meant.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("a tool pattern is a name or a glob such as `jira_delete_*`, not an empty text")]
pub struct InvalidPattern;

/// The operator's list of tools that count as writes whatever they say.
#[derive(Debug, Clone, Default)]
pub struct WriteTools(pub Vec<ToolPattern>);

impl ToolPattern {
    /// Reads a pattern.
    pub fn parse(text: &str) -> Result<Self, InvalidPattern> {
        if text.is_empty() {
            Err(InvalidPattern)
        } else {
            Ok(Self(text.to_owned()))
        }
    }

    /// Whether `name` matches.
    pub fn matches(&self, _name: &str) -> bool {
        todo!()
    }
}

impl WriteTools {
    /// The access of a tool as listed.
    pub fn access(&self, tool: &ToolView<'_>) -> ToolAccess {
        let marked = tool.read_only == Hint::True && tool.destructive != Hint::True;
        if marked && !self.0.iter().any(|pattern| pattern.matches(&tool.name)) {
            ToolAccess::Read
        } else {
            ToolAccess::Write
        }
    }
}
