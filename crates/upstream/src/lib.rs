//! Client of the MCP server behind the proxy, and of an embedding service.
//!
//! [`Upstream`] is the principal type: it finds out which era the server speaks, keeps a session
//! per caller where the server wants one, lists tools and forwards requests. It holds no
//! credentials: each call names its [`Caller`].
//!
//! A request goes out once, with two exceptions. One that the upstream refused before running it (a
//! session it has lost, a version or an era it doesn't speak) goes out once more on new terms, a
//! write too. One with [`Effect::Read`] goes out once more if the connection breaks before an
//! answer begins.

mod answer;
mod backchannel;
mod body;
mod call;
mod config;
mod credential;
mod embeddings;
mod envelope;
mod era;
mod error;
mod handshake;
mod listing;
mod metadata;
mod page;
mod redirect;
mod refusal;
mod request;
mod session;
mod status;
mod stream;
mod terms;
mod transport;

use std::sync::atomic::{AtomicU64, Ordering};

use serde_json::value::RawValue;
use wire::Era;

use crate::call::within;
use crate::era::EraMemory;
use crate::session::Sessions;
use crate::transport::Transport;

pub use config::{EraChoice, InvalidUpstream, UpstreamConfig};
pub use credential::{Authorization, Caller, CallerKey, CallerKeys, InvalidAuthorization};
pub use embeddings::{Embeddings, EmbeddingsConfig, EmbeddingsError, EmbeddingsKey, InvalidKey};
pub use error::{Challenge, ChallengeStatus, Presented, RedirectLocation, UpstreamError};
pub use listing::{Handshake, Listing};
pub use request::{Effect, Forward, Reply};

/// The server behind the proxy.
#[derive(Debug)]
pub struct Upstream {
    config: UpstreamConfig,
    transport: Transport,
    era: EraMemory,
    sessions: Sessions,
    last_id: AtomicU64,
}

impl Upstream {
    /// A client for `config`. Opens no connection.
    pub fn new(config: UpstreamConfig) -> Result<Self, InvalidUpstream> {
        config.check()?;
        Ok(Self {
            transport: Transport::new(&config)?,
            era: EraMemory::new(config.era),
            sessions: Sessions::default(),
            last_id: AtomicU64::new(0),
            config,
        })
    }

    /// All tools that `caller` may see, with the handshake that came before them.
    pub async fn list(&self, caller: &Caller) -> Result<Listing, UpstreamError> {
        within(self.config.list_timeout, self.list_all(caller)).await
    }

    /// Sends `request` for `caller` and returns the answer. Dropping the future cancels it.
    pub async fn forward(
        &self,
        caller: &Caller,
        request: Forward<'_>,
    ) -> Result<Reply, UpstreamError> {
        let max_bytes = self.config.max_result_bytes;
        self.forward_up_to(caller, request, max_bytes).await
    }

    /// As [`forward`](Self::forward), but an answer of more than `max_bytes` isn't taken, nor more
    /// of it held.
    pub async fn forward_up_to(
        &self,
        caller: &Caller,
        request: Forward<'_>,
        max_bytes: usize,
    ) -> Result<Reply, UpstreamError> {
        let max_bytes = max_bytes.min(self.config.max_result_bytes);
        within(
            self.config.call_timeout,
            self.call(caller, &request, max_bytes),
        )
        .await
    }

    /// The upstream's protected-resource metadata (RFC 9728), or `None` where it has none.
    /// Never sends an Authorization.
    pub async fn resource_metadata(&self) -> Result<Option<Box<RawValue>>, UpstreamError> {
        metadata::fetch(&self.transport).await
    }

    /// The era found or set; `None` before the first answer.
    pub fn era(&self) -> Option<Era> {
        self.era.agreed().map(wire::ProtocolRevision::era)
    }

    /// An id that no other request of this process has.
    fn next_id(&self) -> u64 {
        self.last_id.fetch_add(1, Ordering::Relaxed) + 1
    }
}
