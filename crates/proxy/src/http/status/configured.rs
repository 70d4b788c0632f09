//! What the proxy thinks it is configured with: spelt as the settings are, and nothing secret.

use serde::Serialize;

use super::named_tools::Reader;

/// The settings in force, by their names.
#[derive(Debug, Clone, Serialize)]
#[expect(clippy::struct_excessive_bools, reason = "as a person reads it")]
pub(crate) struct Configured {
    /// For the operator alone: it names a host that callers needn't know.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) upstream: Option<String>,
    pub(crate) upstream_era: String,
    pub(crate) upstream_ca: bool,
    pub(crate) public_url: Option<String>,
    pub(crate) oauth_metadata: String,
    pub(crate) allowed_hosts: usize,
    pub(crate) allowed_origins: usize,
    pub(crate) admin_listen: bool,
    pub(crate) admin_token: bool,
    pub(crate) templates: bool,
    pub(crate) audit_log: bool,
    pub(crate) embedder: &'static str,
    /// For the operator alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) embeddings_url: Option<String>,
    /// For the operator alone: it may be their own word.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) embeddings_model: Option<String>,
    pub(crate) embeddings_key: bool,
    pub(crate) embeddings_ca: bool,
    pub(crate) search_schemas: usize,
    pub(crate) max_instructions: usize,
    pub(crate) catalog_ttl: String,
    pub(crate) catalog_memory: String,
    pub(crate) first_listing_wait: String,
    pub(crate) connect_timeout: String,
    pub(crate) call_timeout: String,
    pub(crate) list_timeout: String,
    pub(crate) max_body: String,
    pub(crate) max_result: String,
    pub(crate) max_in_flight: usize,
    pub(crate) max_in_flight_per_caller: usize,
}

impl Configured {
    /// What `reader` may know of it.
    pub(super) fn for_reader(&self, reader: Reader) -> Self {
        let mut known = self.clone();
        if reader == Reader::Anyone {
            known.upstream = None;
            known.embeddings_url = None;
            known.embeddings_model = None;
        }
        known
    }
}
