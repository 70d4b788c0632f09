//! Settings as they are used: checked, and without what was only typed.

use std::net::SocketAddr;

use catalog::{CacheSettings, WriteTools};
use upstream::{EraChoice, UpstreamConfig};
use url::Url;
use wire::Era;

use crate::cli::values::UpstreamEra;
use crate::cli::{CatalogSettings, LimitSettings, Settings, UpstreamSettings};
use crate::tools::ToolSettings;

/// Everything that an [`App`](crate::App) is made from.
#[derive(Debug, Clone)]
pub struct Config {
    /// The server behind.
    pub(crate) upstream: UpstreamConfig,
    /// `--listen`.
    pub(crate) listen: SocketAddr,
    /// `--admin-listen`.
    pub(crate) admin_listen: Option<SocketAddr>,
    /// How callers' tools are kept.
    pub(crate) catalog: CacheSettings,
    /// What the five tools read.
    pub(crate) tools: ToolSettings,
    /// `--max-instructions`, in characters.
    pub(crate) max_instructions: usize,
}

/// A setting that can be read but not used.
#[derive(Debug, thiserror::Error)]
pub enum InvalidConfig {
    /// The file of `--upstream-ca`.
    #[error("--upstream-ca can't be used: {0}")]
    UpstreamCa(#[source] std::io::Error),
}

impl Config {
    /// The settings for a proxy before `upstream`.
    pub(crate) fn new(upstream: Url, settings: &Settings) -> Result<Self, InvalidConfig> {
        Ok(Self {
            upstream: settings.upstream.config(upstream, &settings.limits)?,
            listen: settings.listen.listen,
            admin_listen: settings.listen.admin_listen,
            catalog: settings.catalog.config(),
            tools: ToolSettings {
                search_schemas: settings.answers.search_schemas,
                first_listing_wait: settings.catalog.first_listing_wait,
                max_result_bytes: settings.limits.max_result.0,
            },
            max_instructions: settings.answers.max_instructions,
        })
    }
}

impl UpstreamSettings {
    /// How to reach `url`.
    pub(crate) fn config(
        &self,
        url: Url,
        limits: &LimitSettings,
    ) -> Result<UpstreamConfig, InvalidConfig> {
        let extra_roots_pem = match &self.upstream_ca {
            Some(path) => Some(fs_err::read(path).map_err(InvalidConfig::UpstreamCa)?),
            None => None,
        };
        Ok(UpstreamConfig {
            url,
            era: match self.upstream_era {
                UpstreamEra::Auto => EraChoice::Auto,
                UpstreamEra::Legacy => EraChoice::Fixed(Era::Legacy),
                UpstreamEra::Modern => EraChoice::Fixed(Era::Modern),
            },
            connect_timeout: self.connect_timeout,
            call_timeout: self.call_timeout,
            list_timeout: self.list_timeout,
            max_result_bytes: limits.max_result.0,
            max_listing_bytes: MAX_LISTING_BYTES,
            extra_roots_pem,
        })
    }
}

impl CatalogSettings {
    /// How to keep catalogs.
    pub(crate) fn config(&self) -> CacheSettings {
        CacheSettings {
            ttl: self.catalog_ttl,
            max_bytes: self.catalog_memory.0,
            write_tools: WriteTools(self.write_tools.clone()),
        }
    }
}

/// Far above the largest real listing known (9 MB for 4,000 tools).
const MAX_LISTING_BYTES: usize = 64 << 20;
