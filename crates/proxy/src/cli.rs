//! The command line: every command, and the only list of settings.
#![expect(
    clippy::doc_markdown,
    rustdoc::bare_urls,
    reason = "doc comments are help texts, read on a terminal"
)]

pub(crate) mod completions;
#[cfg(test)]
mod configuration_docs;
pub(crate) mod demo;
pub(crate) mod eval;
pub(crate) mod fetch_model;
pub(crate) mod health;
mod output;
pub(crate) mod search;
pub(crate) mod serve;
mod source;
mod usage;
pub(crate) mod values;
pub(crate) mod verify_model;

use std::ffi::OsString;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use catalog::ToolPattern;
use clap::{Args, Parser, Subcommand};
use embedding::Model;
use ranking::Embedder;
use url::Url;

pub use usage::UsageError;

use crate::config::InvalidConfig;
use crate::http::AdminToken;
use values::{ByteSize, EmbedderChoice, LogFormat, LogLevel, OauthMode, UpstreamEra};

/// An MCP server that shows a model five tools instead of hundreds: it finds the right ones in the
/// model's own words and calls them on the server behind it.
#[derive(Debug, Parser)]
#[command(name = "mcp-toolsearch-proxy", version, after_help = DEFAULT_COMMAND)]
pub struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Serve the five tools before an MCP server
    Serve(serve::Args),
    /// Serve them before a made-up company with tools to try
    Demo(demo::Args),
    /// Search a list of tools once and print what is found
    Search(search::Args),
    /// Measure how well questions find their tools
    Eval(eval::Args),
    /// Fetch a larger model than the one inside
    FetchModel(fetch_model::Args),
    /// Check that a model's directory is whole
    VerifyModel(verify_model::Args),
    /// Ask a running proxy whether it is alive
    Health(health::Args),
    /// Print a completion script for a shell
    Completions(completions::Args),
}

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
    pub(crate) allowed_hosts: Vec<String>,
    /// Origins of web pages that may call, comma-separated, such as https://app.example.com
    #[arg(
        long,
        env = "TOOLSEARCH_ALLOWED_ORIGINS",
        value_name = "ORIGINS",
        value_delimiter = ','
    )]
    pub(crate) allowed_origins: Vec<String>,
    /// URL of the MCP endpoint as clients reach it, such as https://tools.example.com/mcp. Needed
    /// for an upstream with OAuth when clients reach the proxy by https or another path; without,
    /// it is http, the host that was asked, and /mcp
    #[arg(long, env = "TOOLSEARCH_PUBLIC_URL", value_name = "URL", value_parser = values::url)]
    #[arg(hide_env_values = true)]
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
    /// What tells the meaning of queries and tools: the model inside, or none to search by words only
    #[arg(
        long,
        env = "TOOLSEARCH_EMBEDDER",
        value_name = "NAME",
        default_value = "builtin"
    )]
    embedder: EmbedderChoice,
    /// Directory of another model to use instead: any Model2Vec one, such as `fetch-model` gets. See
    /// docs/models.md
    #[arg(long, env = "TOOLSEARCH_MODEL_DIR", value_name = "DIR")]
    #[arg(conflicts_with = "embedder")]
    model_dir: Option<PathBuf>,
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

impl SearchSettings {
    /// What makes vectors.
    pub(crate) fn embedder(&self) -> Result<Embedder, InvalidConfig> {
        match &self.model_dir {
            Some(directory) => Model::open(directory)
                .map(Embedder::Directory)
                .map_err(InvalidConfig::Model),
            None => Ok(self.embedder.into()),
        }
    }
}

impl Cli {
    /// Reads `args`, the first of which is the program. Without a command it is `serve`.
    pub fn read(args: impl IntoIterator<Item = OsString>) -> Result<Self, UsageError> {
        let mut args: Vec<OsString> = args.into_iter().collect();
        let first = args.get(1).and_then(|first| first.to_str());
        let names_command = first.is_some_and(|first| {
            !first.starts_with('-') || matches!(first, "-h" | "--help" | "-V" | "--version")
        });
        if !names_command {
            let position = args.len().min(1);
            args.insert(position, "serve".into());
        }
        Self::try_parse_from(args).map_err(UsageError::from)
    }

    /// Runs the command to its end.
    pub fn run(self) -> ExitCode {
        match self.command {
            Command::Serve(args) => serve::run(args),
            Command::Demo(args) => demo::run(args),
            Command::Search(args) => search::run(args),
            Command::Eval(args) => eval::run(args),
            Command::FetchModel(args) => fetch_model::run(args),
            Command::VerifyModel(args) => verify_model::run(&args),
            Command::Health(args) => health::run(&args),
            Command::Completions(args) => completions::run(&args),
        }
    }
}

pub(crate) const DEFAULT_LISTEN: &str = "127.0.0.1:8080";
const DEFAULT_COMMAND: &str = "Without a command it serves: mcp-toolsearch-proxy --upstream URL. \
    `mcp-toolsearch-proxy serve --help` lists the settings.";
