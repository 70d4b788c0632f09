//! Client of the MCP server behind the proxy.
//!
//! [`Upstream`] is the principal type: it finds out which era the server speaks, keeps a session
//! per caller where the server wants one, lists tools and forwards requests. It holds no
//! credentials: each call names its [`Caller`].

mod credential;
mod error;

use std::time::Duration;

use serde_json::value::RawValue;
use url::Url;
use wire::Era;

pub use credential::{Authorization, Caller, CallerKey, CallerKeys, InvalidAuthorization};
pub use error::{Challenge, ChallengeStatus, UpstreamError};

/// Which era to speak to the upstream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EraChoice {
    /// Ask with `server/discover`, remember the answer.
    Auto,
    /// No question: this one.
    Fixed(Era),
}

/// How to reach the upstream. Made once, from the settings.
#[derive(Debug, Clone)]
pub struct UpstreamConfig {
    /// The MCP endpoint.
    pub url: Url,
    /// `--upstream-era`.
    pub era: EraChoice,
    /// For TCP and TLS together.
    pub connect_timeout: Duration,
    /// For one call, from sending to the last byte.
    pub call_timeout: Duration,
    /// For one listing, all its pages together.
    pub list_timeout: Duration,
    /// A call's answer may have this many bytes.
    pub max_result_bytes: usize,
    /// A listing may have this many bytes, all pages together.
    pub max_listing_bytes: usize,
    /// PEM certificates to trust beside the system's.
    pub extra_roots_pem: Option<Vec<u8>>,
}

/// The server behind the proxy.
#[derive(Debug)]
pub struct Upstream;

/// What the upstream says of itself to one caller.
#[derive(Debug, Clone, Default)]
pub struct Handshake {
    /// Its instructions, unchanged.
    pub instructions: Option<String>,
    /// Its `capabilities` object, raw.
    pub capabilities: Option<Box<RawValue>>,
}

/// Everything one caller may see, listed once.
#[derive(Debug)]
pub struct Listing {
    /// From the same exchange.
    pub handshake: Handshake,
    /// The entries of all pages in order, raw; not yet known to be tools.
    pub tools: Vec<Box<RawValue>>,
    /// How many pages were read.
    pub pages: usize,
    /// Their size together.
    pub bytes: usize,
    /// The upstream's own `ttlMs`, the shortest of the pages.
    pub ttl: Option<Duration>,
    /// Why the listing stopped before its end though what was read can be used (a cursor that
    /// repeats, field case 29).
    pub cut_short: Option<&'static str>,
    /// How long it took.
    pub took: Duration,
}

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
    /// A `result`.
    Result(Box<RawValue>),
    /// A JSON-RPC `error` object.
    Error(Box<RawValue>),
}

/// Why the client can't be made.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct InvalidUpstream(pub String);

impl Upstream {
    /// A client for `config`. Opens no connection.
    pub fn new(_config: UpstreamConfig) -> Result<Self, InvalidUpstream> {
        todo!()
    }

    /// All tools that `caller` may see, with the handshake that came before them.
    pub async fn list(&self, _caller: &Caller) -> Result<Listing, UpstreamError> {
        todo!()
    }

    /// Sends `request` for `caller` and returns the answer. Dropping the future cancels it.
    pub async fn forward(
        &self,
        _caller: &Caller,
        _request: Forward<'_>,
    ) -> Result<Reply, UpstreamError> {
        todo!()
    }

    /// The upstream's protected-resource metadata (RFC 9728), or `None` where it has none.
    /// Never sends an Authorization.
    pub async fn resource_metadata(&self) -> Result<Option<Box<RawValue>>, UpstreamError> {
        todo!()
    }

    /// The era found or set; `None` before the first answer.
    pub fn era(&self) -> Option<Era> {
        todo!()
    }
}
