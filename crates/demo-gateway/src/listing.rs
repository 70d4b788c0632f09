//! Tools as a list, and its pages.

use std::collections::HashMap;

use serde::Serialize;
use serde_json::value::RawValue;
use wire::{RawObject, RpcError, code, to_raw};

use crate::fault::Effect;

/// What one caller is shown.
#[derive(Debug)]
pub(crate) struct ToolList {
    tools: Vec<Box<RawValue>>,
    /// Where the first tool of each name stands.
    positions: HashMap<String, usize>,
}

/// One page of a listing.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Page<'a> {
    /// The cursor asked for; `None` for the first page.
    pub(crate) cursor: Option<&'a str>,
    /// How many tools a page holds.
    pub(crate) size: usize,
}

impl ToolList {
    pub(crate) fn new(tools: Vec<Box<RawValue>>) -> Self {
        let mut positions = HashMap::new();
        for (position, tool) in tools.iter().enumerate() {
            if let Some(name) = RawObject::read(tool).and_then(|tool| tool.get_str("name")) {
                positions.entry(name.into_owned()).or_insert(position);
            }
        }
        Self { tools, positions }
    }

    pub(crate) fn get(&self, name: &str) -> Option<&RawValue> {
        let position = *self.positions.get(name)?;
        self.tools.get(position).map(AsRef::as_ref)
    }

    /// The result of `tools/list`.
    pub(crate) fn list(
        &self,
        page: Page<'_>,
        effects: &[Effect],
    ) -> Result<Box<RawValue>, RpcError> {
        let endless = effects.iter().find_map(|effect| match effect {
            Effect::EndlessCursor(cursors) => Some(cursors.as_slice()),
            _ => None,
        });
        let size = page.size.max(1);
        let start = match endless {
            Some(_) => 0,
            None => page.start()?,
        };
        let end = self.tools.len().min(start.saturating_add(size));
        let mut tools: Vec<&RawValue> = match effects {
            _ if effects
                .iter()
                .any(|effect| matches!(effect, Effect::EmptyList)) =>
            {
                Vec::new()
            }
            _ => self
                .tools
                .get(start..end)
                .unwrap_or_default()
                .iter()
                .map(AsRef::as_ref)
                .collect(),
        };
        for effect in effects {
            if let Effect::ExtraTools(extra) = effect {
                tools.extend(extra.iter().map(AsRef::as_ref));
            }
        }
        let next_cursor = match endless {
            Some(cursors) => following(cursors, page.cursor),
            None => (end < self.tools.len()).then(|| format!("{CURSOR_PREFIX}{end}")),
        };
        Ok(to_raw(&ListResult { tools, next_cursor }))
    }
}

impl Page<'_> {
    /// Which page it is, counted from 1; `None` where the cursor is none of ours.
    pub(crate) fn number(self) -> Option<usize> {
        self.start().ok().map(|start| start / self.size.max(1) + 1)
    }

    fn start(self) -> Result<usize, RpcError> {
        let Some(cursor) = self.cursor else {
            return Ok(0);
        };
        cursor
            .strip_prefix(CURSOR_PREFIX)
            .and_then(|start| start.parse().ok())
            .ok_or_else(|| RpcError::new(code::INVALID_PARAMS, "Invalid cursor"))
    }
}

/// The cursor after `current` in the round of `cursors`.
fn following(cursors: &[String], current: Option<&str>) -> Option<String> {
    let position = cursors
        .iter()
        .position(|cursor| Some(cursor.as_str()) == current);
    let next = position.map_or(0, |position| position + 1);
    cursors.get(next).or_else(|| cursors.first()).cloned()
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ListResult<'a> {
    tools: Vec<&'a RawValue>,
    #[serde(skip_serializing_if = "Option::is_none")]
    next_cursor: Option<String>,
}

const CURSOR_PREFIX: &str = "after-";
