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
        let endless = |effect: &Effect| matches!(effect, Effect::EndlessCursor(_));
        let mut result = if effects.iter().any(endless) {
            self.page(Page {
                cursor: None,
                ..page
            })?
        } else {
            self.page(page)?
        };
        for effect in effects {
            match effect {
                Effect::EmptyList => result = ListResult::default(),
                Effect::ExtraTools(extra) => result.tools.extend(extra.iter().map(AsRef::as_ref)),
                Effect::EndlessCursor(round) => result.next_cursor = following(round, page.cursor),
                _ => {}
            }
        }
        Ok(to_raw(&result))
    }

    fn page(&self, page: Page<'_>) -> Result<ListResult<'_>, RpcError> {
        let start = page.start()?;
        let end = start.saturating_add(page.size.max(1)).min(self.tools.len());
        let tools = self.tools.get(start..end).unwrap_or_default();
        Ok(ListResult {
            tools: tools.iter().map(AsRef::as_ref).collect(),
            next_cursor: (end < self.tools.len()).then(|| format!("{CURSOR_PREFIX}{end}")),
        })
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

/// The cursor after `current` in a round of them.
fn following(round: &[String], current: Option<&str>) -> Option<String> {
    let mut rest = round
        .iter()
        .skip_while(|cursor| Some(cursor.as_str()) != current);
    rest.nth(1).or_else(|| round.first()).cloned()
}

#[derive(Default, Serialize)]
#[serde(rename_all = "camelCase")]
struct ListResult<'a> {
    tools: Vec<&'a RawValue>,
    #[serde(skip_serializing_if = "Option::is_none")]
    next_cursor: Option<String>,
}

const CURSOR_PREFIX: &str = "after-";
