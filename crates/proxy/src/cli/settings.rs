//! Every setting of the proxy, in the groups of its help. Their doc comments are the help.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use catalog::ToolPattern;
use clap::Args;
use url::Url;

use super::values::{self, ByteSize, EmbedderChoice, LogFormat, LogLevel, OauthMode, UpstreamEra};
use super::{DEFAULT_LISTEN, EmbeddingServiceSettings};
use crate::http::AdminToken;

/// Every setting of the proxy but the upstream's URL.
#[derive(Debug, Clone, Args)]
pub struct Settings {
    #[command(flatten)]
    pub(crate) listen: ListenSettings,
    #[command(flatten)]
    pub(crate) limits: LimitSettings,
    #[command(flatten)]
    pub(crate) upstream: UpstreamSettings,
    #[command(flatten)]
    pub(crate) catalog: CatalogSettings,
    #[command(flatten)]
    pub(crate) search: SearchSettings,
    #[command(flatten)]
    pub(crate) answers: AnswerSettings,
    #[command(flatten)]
    pub(crate) log: LogSettings,
}

/// Where the proxy listens and whom it answers.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Listening")]
pub(crate) struct ListenSettings {
    /// Address and port to serve on
    #[arg(long, env = "TOOLSEARCH_LISTEN", value_name = "ADDRESS")]
    #[arg(default_value = DEFAULT_LISTEN, value_parser = values::address)]
    pub(crate) listen: SocketAddr,
    /// Second address, for /healthz, /readyz and /metrics, which then leave the first; the status and
    /// the rebuild are served at both
    #[arg(long, env = "TOOLSEARCH_ADMIN_LISTEN", value_name = "ADDRESS")]
    #[arg(value_parser = values::address)]
    pub(crate) admin_listen: Option<SocketAddr>,
    /// What X-Admin-Token must hold to have all lists of tools renewed; nobody may without. At least
    /// 16 characters. Better in the environment: a command line can be read by others
    #[arg(
        long,
        env = "TOOLSEARCH_ADMIN_TOKEN",
        value_name = "TOKEN",
        hide_env_values = true,
        allow_hyphen_values = true
    )]
    #[arg(value_parser = AdminToken::parse)]
    pub(crate) admin_token: Option<AdminToken>,
    /// Host names to answer to besides localhost and the public URL's, comma-separated. Needed when
    /// clients reach the proxy by another name, as behind 0.0.0.0. `*` answers to any, so that a name
    /// which somebody else points here isn't noticed: of web pages only the origin is checked then
    #[arg(
        long,
        env = "TOOLSEARCH_ALLOWED_HOSTS",
        value_name = "HOSTS",
        value_delimiter = ','
    )]
    #[arg(value_parser = values::host)]
    pub(crate) allowed_hosts: Vec<String>,
    /// Origins of web pages that may call, comma-separated, such as https://app.example.com
    #[arg(
        long,
        env = "TOOLSEARCH_ALLOWED_ORIGINS",
        value_name = "ORIGINS",
        value_delimiter = ','
    )]
    #[arg(value_parser = values::origin)]
    pub(crate) allowed_origins: Vec<String>,
    /// URL of the MCP endpoint as clients reach it, such as https://tools.example.com/mcp. Needed
    /// for an upstream with OAuth when clients reach the proxy by https or another path; without,
    /// it is http, the host that was asked, and /mcp
    #[arg(long, env = "TOOLSEARCH_PUBLIC_URL", value_name = "URL")]
    #[arg(value_parser = values::public_url, hide_env_values = true)]
    pub(crate) public_url: Option<Url>,
    /// What to do with the upstream's OAuth metadata and challenges: put the public URL in, hand
    /// them on unchanged, or serve no metadata
    #[arg(long, env = "TOOLSEARCH_OAUTH_METADATA", value_name = "MODE")]
    #[arg(default_value = "rewrite")]
    pub(crate) oauth_metadata: OauthMode,
}

/// How much is taken at once.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Limits")]
#[expect(clippy::struct_field_names, reason = "fields are named as their flags")]
pub(crate) struct LimitSettings {
    /// Largest request body
    #[arg(
        long,
        env = "TOOLSEARCH_MAX_BODY",
        value_name = "SIZE",
        default_value = "10MiB"
    )]
    pub(crate) max_body: ByteSize,
    /// Largest result of a tool
    #[arg(
        long,
        env = "TOOLSEARCH_MAX_RESULT",
        value_name = "SIZE",
        default_value = "64MiB"
    )]
    pub(crate) max_result: ByteSize,
    /// Requests worked on at once; more get HTTP 503
    #[arg(
        long,
        env = "TOOLSEARCH_MAX_IN_FLIGHT",
        value_name = "COUNT",
        default_value = "1024"
    )]
    #[arg(value_parser = values::count)]
    pub(crate) max_in_flight: usize,
    /// The same for each caller
    #[arg(
        long,
        env = "TOOLSEARCH_MAX_IN_FLIGHT_PER_CALLER",
        value_name = "COUNT"
    )]
    #[arg(default_value = "64", value_parser = values::count)]
    pub(crate) max_in_flight_per_caller: usize,
}

/// How to talk to the server behind.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Upstream")]
pub(crate) struct UpstreamSettings {
    /// Protocol era of the upstream: ask it, or take one as given
    #[arg(
        long,
        env = "TOOLSEARCH_UPSTREAM_ERA",
        value_name = "ERA",
        default_value = "auto"
    )]
    pub(crate) upstream_era: UpstreamEra,
    /// File of PEM certificates to trust besides the system's
    #[arg(long, env = "TOOLSEARCH_UPSTREAM_CA", value_name = "FILE")]
    pub(crate) upstream_ca: Option<PathBuf>,
    /// Longest wait for a connection, TLS included
    #[arg(
        long,
        env = "TOOLSEARCH_CONNECT_TIMEOUT",
        value_name = "TIME",
        default_value = "5s"
    )]
    #[arg(value_parser = values::duration)]
    pub(crate) connect_timeout: Duration,
    /// Longest wait for a call's whole answer
    #[arg(
        long,
        env = "TOOLSEARCH_CALL_TIMEOUT",
        value_name = "TIME",
        default_value = "5m"
    )]
    #[arg(value_parser = values::duration)]
    pub(crate) call_timeout: Duration,
    /// Longest wait for the whole list of tools
    #[arg(
        long,
        env = "TOOLSEARCH_LIST_TIMEOUT",
        value_name = "TIME",
        default_value = "60s"
    )]
    #[arg(value_parser = values::duration)]
    pub(crate) list_timeout: Duration,
}

/// How the lists of tools are kept.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Catalog")]
pub(crate) struct CatalogSettings {
    /// How long a caller's list of tools counts as fresh
    #[arg(
        long,
        env = "TOOLSEARCH_CATALOG_TTL",
        value_name = "TIME",
        default_value = "10m"
    )]
    #[arg(value_parser = values::duration)]
    pub(crate) catalog_ttl: Duration,
    /// Memory for the lists of all callers
    #[arg(
        long,
        env = "TOOLSEARCH_CATALOG_MEMORY",
        value_name = "SIZE",
        default_value = "256MiB"
    )]
    pub(crate) catalog_memory: ByteSize,
    /// How long a request waits for its caller's first list
    #[arg(
        long,
        env = "TOOLSEARCH_FIRST_LISTING_WAIT",
        value_name = "TIME",
        default_value = "10s"
    )]
    #[arg(value_parser = values::duration)]
    pub(crate) first_listing_wait: Duration,
    /// Tools that count as writes whatever they say of themselves: names or patterns such as
    /// jira_delete_*, comma-separated
    #[arg(
        long,
        env = "TOOLSEARCH_WRITE_TOOLS",
        value_name = "TOOLS",
        value_delimiter = ','
    )]
    #[arg(value_parser = ToolPattern::parse)]
    pub(crate) write_tools: Vec<ToolPattern>,
}

/// How tools are found.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Search")]
pub(crate) struct SearchSettings {
    /// What tells the meaning of queries and tools: the model inside, a service that speaks OpenAI's
    /// API, or none to search by words only
    #[arg(
        long,
        env = "TOOLSEARCH_EMBEDDER",
        value_name = "NAME",
        default_value = "builtin"
    )]
    pub(crate) embedder: EmbedderChoice,
    /// Directory of another model to use instead: any Model2Vec one, such as `fetch-model` gets. See
    /// docs/models.md
    #[arg(long, env = "TOOLSEARCH_MODEL_DIR", value_name = "DIR")]
    #[arg(conflicts_with = "embedder")]
    pub(crate) model_dir: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) service: EmbeddingServiceSettings,
}

/// What the answers hold.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Answers")]
pub(crate) struct AnswerSettings {
    /// How many hits of each query come with their whole input schema
    #[arg(
        long,
        env = "TOOLSEARCH_SEARCH_SCHEMAS",
        value_name = "COUNT",
        default_value = "3"
    )]
    pub(crate) search_schemas: usize,
    /// How much of the upstream's instructions follows our own, in characters
    #[arg(
        long,
        env = "TOOLSEARCH_MAX_INSTRUCTIONS",
        value_name = "COUNT",
        default_value = "10000"
    )]
    pub(crate) max_instructions: usize,
    /// Tools that every search shows after its hits: names or patterns such as jobs_*,
    /// comma-separated
    #[arg(
        long,
        env = "TOOLSEARCH_PIN",
        value_name = "TOOLS",
        value_delimiter = ','
    )]
    #[arg(value_parser = ToolPattern::parse)]
    pub(crate) pin: Vec<ToolPattern>,
    /// File of workflows with their tools, in TOML, which may also hold more pins and write tools.
    /// Read again on SIGHUP
    #[arg(long, env = "TOOLSEARCH_TEMPLATES", value_name = "FILE")]
    pub(crate) templates: Option<PathBuf>,
}

/// What is logged.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Logging")]
pub(crate) struct LogSettings {
    /// Least severe messages to log
    #[arg(
        long,
        env = "TOOLSEARCH_LOG_LEVEL",
        value_name = "LEVEL",
        default_value = "info"
    )]
    pub(crate) log_level: LogLevel,
    /// Form of the log [default: text on a terminal, else json]
    #[arg(long, env = "TOOLSEARCH_LOG_FORMAT", value_name = "FORMAT")]
    pub(crate) log_format: Option<LogFormat>,
    /// File to append every search to: query, who asked, what was found. Off unless given; see
    /// docs/privacy.md
    #[arg(long, env = "TOOLSEARCH_AUDIT_LOG", value_name = "FILE")]
    pub(crate) audit_log: Option<PathBuf>,
}
