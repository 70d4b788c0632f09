//! How the service does that tells the meaning of queries and tools.

use std::collections::BTreeMap;

use catalog::VectorServiceStatus;
use serde::Serialize;

use super::LastError;
use super::named_tools::Reader;

/// Counts, and why it fails if it does.
#[derive(Serialize)]
pub(super) struct EmbeddingServiceStatus {
    /// Its last request went well, or there was none.
    ok: bool,
    /// How long it isn't asked.
    paused_ms: u128,
    tools_waiting: usize,
    /// Tools whose texts it doesn't take.
    tools_refused: u64,
    requests_answered: u64,
    requests_failed: BTreeMap<&'static str, u64>,
    last_error: Option<LastError>,
}

impl EmbeddingServiceStatus {
    pub(super) fn of(status: VectorServiceStatus, reader: Reader) -> Self {
        Self {
            ok: status.is_well,
            paused_ms: status.pause.unwrap_or_default().as_millis(),
            tools_waiting: status.waiting,
            tools_refused: status.refused,
            requests_answered: status.answered,
            requests_failed: status.failed,
            last_error: status
                .last_error
                .map(|failure| LastError::of(failure, reader)),
        }
    }
}
