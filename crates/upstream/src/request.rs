//! A request to forward and its answer.

use serde_json::value::RawValue;
use wire::Era;

/// A request to forward.
#[derive(Debug, Clone)]
pub struct Forward<'a> {
    /// For example `tools/call`.
    pub method: &'a str,
    /// The members of `params` without `_meta`, each raw, in order.
    pub params: Vec<(&'a str, &'a RawValue)>,
    /// `params._meta` of the caller, if any; only a whitelist of its members is sent on.
    pub meta: Option<&'a RawValue>,
    /// What `Mcp-Name` must say for this method: the tool, prompt or resource.
    pub name: Option<&'a str>,
    /// `Mcp-Param-*` headers: the suffix and the value's text.
    pub param_headers: Vec<(String, String)>,
    /// Whether running it twice does harm.
    pub effect: Effect,
}

/// Whether a request may be sent a second time after it may have run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    /// At most once more, and only before any byte of an answer.
    Read,
    /// Never, unless the upstream refused it before running it.
    Write,
}

/// The upstream's answer to a forwarded request, with its bytes unchanged.
#[derive(Debug)]
pub enum Reply {
    /// A `result`, in the form of the era that it was asked for in: what the client knows of the
    /// upstream by now may be newer.
    Result {
        /// The result.
        result: Box<RawValue>,
        /// The era of its form.
        era: Era,
    },
    /// A JSON-RPC `error` object.
    Error(Box<RawValue>),
}

impl<'a> Forward<'a> {
    /// A question of our own, which changes nothing.
    pub(crate) fn question(method: &'a str, params: Vec<(&'a str, &'a RawValue)>) -> Self {
        Self {
            method,
            params,
            meta: None,
            name: None,
            param_headers: Vec::new(),
            effect: Effect::Read,
        }
    }
}
