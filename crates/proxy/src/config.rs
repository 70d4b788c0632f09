//! Settings as they are used: checked, and without what was only typed.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use catalog::{CacheSettings, CheckLimits};
use embedding::{InvalidModel, Model};
use ranking::{Embedder, Mode};
use upstream::{EraChoice, UpstreamConfig};
use url::{Host, Url};
use wire::Era;

use crate::cli::values::{OauthMode, UpstreamEra};
use crate::cli::{CatalogSettings, ListenSettings, Settings, UpstreamSettings};
use crate::curation::CurationSettings;
use crate::http::{ANY_HOST, AdminToken, Guard, InFlight, Limits, OauthMetadata, is_loopback};
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
    /// An entry of `--allowed-origins`.
    #[error(
        "--allowed-origins has `{0}`: an origin is a scheme and a host, such as https://app.example.com"
    )]
    Origin(String),
    /// An entry of `--allowed-hosts`.
    #[error(
        "--allowed-hosts has `{0}`: a host is a name or an address without scheme and port, or *"
    )]
    Host(String),
    /// `--public-url`.
    #[error("--public-url has a query or a fragment: it must have neither")]
    PublicUrl,
    /// The directory of `--model-dir`.
    #[error("--model-dir can't be used")]
    Model(#[source] InvalidModel),
}

impl Config {
    /// The settings for a proxy before `upstream`.
    pub fn new(upstream: Url, settings: &Settings) -> Result<Self, InvalidConfig> {
        Ok(Self {
            upstream: settings
                .upstream
                .config(upstream, settings.limits.max_result.0)?,
            listen: settings.listen.listen,
            admin_listen: settings.listen.admin_listen,
            admin_token: settings.listen.admin_token.clone(),
            guard: settings.listen.guard()?,
            oauth: settings.listen.oauth()?,
            limits: Limits {
                max_body: settings.limits.max_body.0,
                body_timeout: BODY_TIMEOUT,
            },
            in_flight: InFlight::new(
                settings.limits.max_in_flight,
                settings.limits.max_in_flight_per_caller,
            ),
            catalog: settings.catalog.config(settings.search.embedder()?),
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
        self.catalog.embedder.mode()
    }

    /// What tells the meaning of queries and tools, if anything does.
    pub(crate) fn model_name(&self) -> Option<&str> {
        self.catalog.embedder.model().map(Model::name)
    }

    /// The upstream's URL as it may be logged: without credentials and query.
    pub(crate) fn upstream_name(&self) -> String {
        let url = &self.upstream.url;
        format!("{}{}", url.origin().ascii_serialization(), url.path())
    }

    /// Whether what is sent upstream can be read on its way.
    pub(crate) fn upstream_is_unencrypted(&self) -> bool {
        let url = &self.upstream.url;
        url.scheme() == "http" && !url.host().is_some_and(|host| is_loopback(&host))
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
    fn guard(&self) -> Result<Guard, InvalidConfig> {
        let named = self.allowed_hosts.iter().map(|host| known_host(host));
        let public = self
            .public_url
            .as_ref()
            .and_then(Url::host_str)
            .map(str::to_owned);
        Ok(Guard {
            hosts: named.chain(public.map(Ok)).collect::<Result<_, _>>()?,
            origins: self
                .allowed_origins
                .iter()
                .map(|origin| known_origin(origin))
                .collect::<Result<_, _>>()?,
        })
    }

    fn oauth(&self) -> Result<OauthMetadata, InvalidConfig> {
        if let Some(url) = &self.public_url
            && (url.query().is_some() || url.fragment().is_some())
        {
            return Err(InvalidConfig::PublicUrl);
        }
        Ok(match self.oauth_metadata {
            OauthMode::Rewrite => OauthMetadata::Rewrite {
                public_url: self.public_url.clone(),
            },
            OauthMode::Passthrough => OauthMetadata::Passthrough,
            OauthMode::Off => OauthMetadata::Off,
        })
    }
}

fn known_host(host: &str) -> Result<String, InvalidConfig> {
    if host == ANY_HOST {
        return Ok(host.to_owned());
    }
    Host::parse(host)
        .map(|host| host.to_string())
        .map_err(|_invalid| InvalidConfig::Host(host.to_owned()))
}

/// The origin in the serialisation that browsers send.
fn known_origin(origin: &str) -> Result<String, InvalidConfig> {
    let url = Url::parse(origin).ok().filter(|url| {
        url.has_host() && url.path() == "/" && url.query().is_none() && url.fragment().is_none()
    });
    let url = url.ok_or_else(|| InvalidConfig::Origin(origin.to_owned()))?;
    Ok(url.origin().ascii_serialization())
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
            era: match self.upstream_era {
                UpstreamEra::Auto => EraChoice::Auto,
                UpstreamEra::Legacy => EraChoice::Fixed(Era::Legacy),
                UpstreamEra::Modern => EraChoice::Fixed(Era::Modern),
            },
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
    fn config(&self, embedder: Embedder) -> CacheSettings {
        CacheSettings {
            ttl: self.catalog_ttl,
            max_bytes: self.catalog_memory.0,
            embedder,
        }
    }
}

const BODY_TIMEOUT: Duration = Duration::from_secs(30);
/// Far above the largest real listing known (9 MB for 4,000 tools).
const MAX_LISTING_BYTES: usize = 64 << 20;
