//! Settings as they are used: checked, and without what was only typed.

mod vectors;

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use catalog::{CacheSettings, CheckLimits, Vectors};
use embedding::{InvalidModel, Model};
use ranking::Mode;
use upstream::{EmbeddingsConfig, InvalidKey, InvalidUpstream, UpstreamConfig};
use url::Url;

use crate::cli::values::OauthMode;
use crate::cli::{CatalogSettings, ListenSettings, Settings, UpstreamSettings};
use crate::curation::CurationSettings;
use crate::http::{AdminToken, Guard, InFlight, Limits, OauthMetadata, is_loopback};
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
    /// `--admin-token`.
    pub(crate) admin_token: Option<AdminToken>,
    /// Whom we answer.
    pub(crate) guard: Guard,
    /// What becomes of the upstream's OAuth metadata and challenges.
    pub(crate) oauth: OauthMetadata,
    /// How large and how slow a request may be.
    pub(crate) limits: Limits,
    /// How many requests are worked on.
    pub(crate) in_flight: InFlight,
    /// How callers' tools are kept.
    pub(crate) catalog: CacheSettings,
    /// What makes the vectors, if a service does.
    pub(crate) embeddings: Option<EmbeddingsConfig>,
    /// What the operator says of tools.
    pub(crate) curation: CurationSettings,
    /// `--audit-log`.
    pub(crate) audit_log: Option<PathBuf>,
    /// What the five tools read.
    pub(crate) tools: ToolSettings,
    /// `--max-instructions`, in characters.
    pub(crate) max_instructions: usize,
}

/// A setting that can be read but not used.
#[derive(Debug, thiserror::Error)]
pub enum InvalidConfig {
    /// The file of `--upstream-ca`.
    #[error("--upstream-ca can't be used")]
    UpstreamCa(#[source] std::io::Error),
    /// The directory of `--model-dir`.
    #[error("--model-dir can't be used")]
    Model(#[source] InvalidModel),
    /// `--embedder openai` without what it needs.
    #[error("--embedder openai needs --embeddings-url and --embeddings-model")]
    NoService,
    /// The service of `--embedder openai`.
    #[error("--embedder openai can't be used")]
    Embeddings(#[source] InvalidUpstream),
    /// The file of `--embeddings-key-file`.
    #[error("--embeddings-key-file can't be used")]
    KeyFile(#[source] std::io::Error),
    /// What stands in it.
    #[error("--embeddings-key-file holds no key")]
    Key(#[source] InvalidKey),
    /// The file of `--embeddings-ca`.
    #[error("--embeddings-ca can't be used")]
    EmbeddingsCa(#[source] std::io::Error),
}

impl Config {
    /// The settings for a proxy before `upstream`.
    pub fn new(upstream: Url, settings: &Settings) -> Result<Self, InvalidConfig> {
        let connect_timeout = settings.upstream.connect_timeout;
        let embeddings = settings.search.embeddings(connect_timeout)?;
        let vectors = settings.search.vectors(embeddings.as_ref())?;
        Ok(Self {
            upstream: settings
                .upstream
                .config(upstream, settings.limits.max_result.0)?,
            listen: settings.listen.listen,
            admin_listen: settings.listen.admin_listen,
            admin_token: settings.listen.admin_token.clone(),
            guard: settings.listen.guard(),
            oauth: settings.listen.oauth(),
            limits: Limits {
                max_body: settings.limits.max_body.0,
                body_timeout: BODY_TIMEOUT,
            },
            in_flight: InFlight::new(
                settings.limits.max_in_flight,
                settings.limits.max_in_flight_per_caller,
            ),
            catalog: settings.catalog.config(vectors),
            embeddings,
            curation: settings.curation(),
            audit_log: settings.log.audit_log.clone(),
            tools: ToolSettings {
                search_schemas: settings.answers.search_schemas,
                first_listing_wait: settings.catalog.first_listing_wait,
                max_result_bytes: settings.limits.max_result.0,
                checks: CheckLimits::default(),
            },
            max_instructions: settings.answers.max_instructions,
        })
    }

    /// The same, but arguments may take `time` to check: no more than 50 ms otherwise, after which
    /// they are sent unchecked.
    #[must_use]
    pub fn with_check_time(mut self, time: Duration) -> Self {
        self.tools.checks = CheckLimits::new(time);
        self
    }

    /// How queries are searched.
    pub(crate) fn search_mode(&self) -> Mode {
        self.catalog.vectors.embedder().mode()
    }

    /// What tells the meaning of queries and tools, if anything does.
    pub(crate) fn model_name(&self) -> Option<String> {
        if let Some(embeddings) = &self.embeddings {
            return Some(embeddings.model.clone());
        }
        let embedder = self.catalog.vectors.embedder();
        embedder.model().map(Model::name).map(str::to_owned)
    }

    /// The upstream's URL as it may be logged: without credentials and query.
    pub(crate) fn upstream_name(&self) -> String {
        bare(&self.upstream.url)
    }

    /// Whether what is sent upstream can be read on its way.
    pub(crate) fn upstream_is_unencrypted(&self) -> bool {
        is_unencrypted(&self.upstream.url)
    }

    /// Whether what is sent to the embedding service can be.
    pub(crate) fn embeddings_are_unencrypted(&self) -> bool {
        let embeddings = self.embeddings.as_ref();
        embeddings.is_some_and(|embeddings| is_unencrypted(&embeddings.url))
    }
}

impl Settings {
    fn curation(&self) -> CurationSettings {
        CurationSettings {
            pins: self.answers.pin.clone(),
            write_tools: self.catalog.write_tools.clone(),
            file: self.answers.templates.clone(),
        }
    }
}

impl ListenSettings {
    fn guard(&self) -> Guard {
        let public = self.public_url.as_ref().and_then(Url::host_str);
        let public = public.map(str::to_owned);
        Guard {
            hosts: self.allowed_hosts.iter().cloned().chain(public).collect(),
            origins: self.allowed_origins.clone(),
        }
    }

    fn oauth(&self) -> OauthMetadata {
        match self.oauth_metadata {
            OauthMode::Rewrite => OauthMetadata::Rewrite {
                public_url: self.public_url.clone(),
            },
            OauthMode::Passthrough => OauthMetadata::Passthrough,
            OauthMode::Off => OauthMetadata::Off,
        }
    }
}

/// Whether what is sent to `url` leaves this machine unencrypted.
fn is_unencrypted(url: &Url) -> bool {
    url.scheme() == "http" && !url.host().is_some_and(|host| is_loopback(&host))
}

impl UpstreamSettings {
    /// How to reach `url`, for results of at most `max_result_bytes`.
    pub(crate) fn config(
        &self,
        url: Url,
        max_result_bytes: usize,
    ) -> Result<UpstreamConfig, InvalidConfig> {
        let extra_roots_pem = match &self.upstream_ca {
            Some(path) => Some(fs_err::read(path).map_err(InvalidConfig::UpstreamCa)?),
            None => None,
        };
        Ok(UpstreamConfig {
            url,
            era: self.upstream_era.into(),
            connect_timeout: self.connect_timeout,
            call_timeout: self.call_timeout,
            list_timeout: self.list_timeout,
            max_result_bytes,
            max_listing_bytes: MAX_LISTING_BYTES,
            extra_roots_pem,
        })
    }
}

impl CatalogSettings {
    /// How to keep catalogs, and what makes their vectors.
    fn config(&self, vectors: Vectors) -> CacheSettings {
        CacheSettings {
            ttl: self.catalog_ttl,
            max_bytes: self.catalog_memory.0,
            vectors,
        }
    }
}

/// `url` without credentials, query and fragment.
pub(crate) fn bare(url: &Url) -> String {
    format!("{}{}", url.origin().ascii_serialization(), url.path())
}

const BODY_TIMEOUT: Duration = Duration::from_secs(30);
/// Far above the largest real listing known (9 MB for 4,000 tools).
const MAX_LISTING_BYTES: usize = 64 << 20;
