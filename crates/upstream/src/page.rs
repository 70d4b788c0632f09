//! One page of a listing, read from its result.

use std::time::Duration;

use serde_json::value::RawValue;
use wire::RawObject;

use crate::error::UpstreamError;

/// One page of tools.
#[derive(Debug)]
pub(crate) struct Page {
    pub(crate) tools: Vec<Box<RawValue>>,
    /// The cursor of the page after it.
    pub(crate) next: Option<Box<RawValue>>,
    /// Its `ttlMs`.
    pub(crate) ttl: Option<Duration>,
}

impl Page {
    pub(crate) fn read(result: &RawValue) -> Result<Self, UpstreamError> {
        let members = RawObject::read(result);
        let member = |key| members.as_ref().and_then(|members| members.get(key));
        let tools: Option<Vec<&RawValue>> =
            member("tools").and_then(|tools| serde_json::from_str(tools.get()).ok());
        let Some(tools) = tools else {
            return Err(UpstreamError::malformed(
                "the result of `tools/list` has no array `tools`",
            ));
        };
        // A result of another type isn't this page (2026-07-28, result types).
        if member("resultType").is_some_and(|kind| kind.get() != "\"complete\"") {
            return Err(UpstreamError::malformed(
                "the result of `tools/list` isn't complete",
            ));
        }
        Ok(Self {
            tools: tools.into_iter().map(ToOwned::to_owned).collect(),
            next: member("nextCursor")
                .filter(|next| next.get() != "null")
                .map(ToOwned::to_owned),
            ttl: member("ttlMs")
                .and_then(|ttl| ttl.get().parse().ok())
                .map(Duration::from_millis),
        })
    }
}
