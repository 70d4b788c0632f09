//! What the proxy thinks it is configured with: spelt as the settings are, and nothing secret.

use std::time::Duration;

use serde::Serialize;
use upstream::EraChoice;
use url::Url;

use super::era;
use super::named_tools::Reader;
use crate::cli::values::ByteSize;
use crate::config::Config;
use crate::http::OauthMetadata;

/// The settings in force, by their names.
#[derive(Debug, Clone, Serialize)]
#[expect(clippy::struct_excessive_bools, reason = "as a person reads it")]
pub(crate) struct Configured {
    /// For the operator alone: it names a host that callers needn't know.
    #[serde(skip_serializing_if = "Option::is_none")]
    upstream: Option<String>,
    upstream_era: &'static str,
    upstream_ca: bool,
    public_url: Option<String>,
    oauth_metadata: &'static str,
    allowed_hosts: usize,
    allowed_origins: usize,
    admin_listen: bool,
    admin_token: bool,
    templates: bool,
    audit_log: bool,
    embedder: &'static str,
    search_schemas: usize,
    max_instructions: usize,
    catalog_ttl: String,
    catalog_memory: String,
    first_listing_wait: String,
    connect_timeout: String,
    call_timeout: String,
    list_timeout: String,
    max_body: String,
    max_result: String,
    max_in_flight: usize,
    max_in_flight_per_caller: usize,
}

impl Configured {
    /// The settings that `config` was made from.
    pub(crate) fn of(config: &Config) -> Self {
        let (oauth_metadata, public_url) = match &config.oauth {
            OauthMetadata::Rewrite { public_url } => ("rewrite", public_url.as_ref()),
            OauthMetadata::Passthrough => ("passthrough", None),
            OauthMetadata::Off => ("off", None),
        };
        let upstream = &config.upstream;
        Self {
            upstream: Some(bare(&upstream.url)),
            upstream_era: match upstream.era {
                EraChoice::Auto => "auto",
                EraChoice::Fixed(fixed) => era(fixed),
            },
            upstream_ca: upstream.extra_roots_pem.is_some(),
            public_url: public_url.map(bare),
            oauth_metadata,
            allowed_hosts: config.guard.hosts.len(),
            allowed_origins: config.guard.origins.len(),
            admin_listen: config.admin_listen.is_some(),
            admin_token: config.admin_token.is_some(),
            templates: config.curation.has_file(),
            audit_log: config.audit_log.is_some(),
            embedder: config.catalog.embedder.name(),
            search_schemas: config.tools.search_schemas,
            max_instructions: config.max_instructions,
            catalog_ttl: time(config.catalog.ttl),
            catalog_memory: size(config.catalog.max_bytes),
            first_listing_wait: time(config.tools.first_listing_wait),
            connect_timeout: time(upstream.connect_timeout),
            call_timeout: time(upstream.call_timeout),
            list_timeout: time(upstream.list_timeout),
            max_body: size(config.limits.max_body),
            max_result: size(upstream.max_result_bytes),
            max_in_flight: config.in_flight.max,
            max_in_flight_per_caller: config.in_flight.max_per_caller,
        }
    }

    /// What `reader` may know of it.
    pub(super) fn for_reader(&self, reader: Reader) -> Self {
        let mut known = self.clone();
        if reader == Reader::Anyone {
            known.upstream = None;
        }
        known
    }
}

/// A URL without credentials and query.
fn bare(url: &Url) -> String {
    format!("{}{}", url.origin().ascii_serialization(), url.path())
}

fn time(time: Duration) -> String {
    humantime::format_duration(time).to_string()
}

fn size(bytes: usize) -> String {
    ByteSize(bytes).to_string()
}
