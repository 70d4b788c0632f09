//! What a client of one upstream is made from.

use std::time::Duration;

use url::Url;
use wire::Era;

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

/// Why the client can't be made.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct InvalidUpstream(pub String);

impl UpstreamConfig {
    /// Refuses an endpoint that can't be spoken to, or that would make the proxy hold credentials.
    pub(crate) fn check(&self) -> Result<(), InvalidUpstream> {
        let reason = if !matches!(self.url.scheme(), "http" | "https") {
            "the upstream's URL must begin with http:// or https://"
        } else if self.url.host().is_none() {
            "the upstream's URL names no host"
        } else if !self.url.username().is_empty() || self.url.password().is_some() {
            "the upstream's URL holds credentials: let callers send their own Authorization"
        } else {
            return Ok(());
        };
        Err(InvalidUpstream(reason.to_owned()))
    }
}
