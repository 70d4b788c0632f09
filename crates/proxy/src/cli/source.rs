//! Where a command that serves nothing gets its tools.

use std::io;
use std::path::PathBuf;

use anyhow::Context;
use catalog::read_dump;
use clap::error::ErrorKind;
use clap::parser::ValueSource;
use clap::{ArgMatches, Args, Command, FromArgMatches};
use http::HeaderValue;
use serde_json::value::RawValue;
use tokio::runtime::Runtime;
use upstream::{Authorization, Caller, CallerKeys, Upstream};
use url::Url;

use super::{UpstreamSettings, values};

/// What a command was told to take its tools from.
#[derive(Debug)]
pub(crate) enum Source {
    /// A file or folder.
    File(PathBuf),
    /// A server that lists them.
    Server(Url),
    /// The made-up company's.
    Demo,
    /// Nothing was said.
    Unsaid,
}

#[derive(clap::Args)]
#[group(id = "Source")]
struct Given {
    /// File of tools: a tools/list result, a dump, JSON lines, or a folder of these
    #[arg(long, value_name = "PATH")]
    tools: Option<PathBuf>,
    /// URL of an MCP server whose tools to search
    #[arg(long, env = "TOOLSEARCH_UPSTREAM", value_name = "URL", value_parser = values::url)]
    #[arg(hide_env_values = true)]
    upstream: Option<Url>,
    /// Search the made-up company's 500 tools
    #[arg(long)]
    demo: bool,
}

impl Args for Source {
    fn augment_args(command: Command) -> Command {
        Given::augment_args(command)
    }

    fn augment_args_for_update(command: Command) -> Command {
        Given::augment_args_for_update(command)
    }
}

impl FromArgMatches for Source {
    /// One of the three. What is typed goes before a server that the environment names.
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let given = Given::from_arg_matches(matches)?;
        let is_typed = matches.value_source("upstream") == Some(ValueSource::CommandLine);
        let typed_upstream = given.upstream.as_ref().filter(|_| is_typed);
        match (given.tools, typed_upstream, given.demo) {
            (Some(path), None, false) => Ok(Self::File(path)),
            (None, None, true) => Ok(Self::Demo),
            (None, _, false) => Ok(given.upstream.map_or(Self::Unsaid, Self::Server)),
            _ => {
                let message = "--tools, --upstream and --demo can't be used together: keep one \
                               of them\n";
                Err(clap::Error::raw(ErrorKind::ArgumentConflict, message))
            }
        }
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Source {
    /// The tools, as they are listed.
    pub(crate) fn list(&self, settings: &UpstreamSettings) -> anyhow::Result<Vec<Box<RawValue>>> {
        match self {
            Self::File(path) => Ok(read_dump(path)?),
            Self::Server(url) => ask(url.clone(), settings),
            Self::Demo => Ok(demo_gateway::company_tools()),
            Self::Unsaid => anyhow::bail!("give --tools PATH, --upstream URL or --demo"),
        }
    }
}

fn ask(url: Url, settings: &UpstreamSettings) -> anyhow::Result<Vec<Box<RawValue>>> {
    let upstream = Upstream::new(settings.config(url, NO_RESULTS)?)?;
    let caller = caller()?;
    let listing = runtime()?
        .block_on(upstream.list(&caller))
        .context("the tools can't be listed")?;
    Ok(listing.tools)
}

/// Enough to ask one server one thing at a time.
pub(crate) fn runtime() -> io::Result<Runtime> {
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
}

/// Whoever the environment says.
pub(crate) fn caller() -> anyhow::Result<Caller> {
    let authorization = match std::env::var_os(AUTHORIZATION) {
        Some(value) => {
            let value = HeaderValue::from_bytes(value.as_encoded_bytes())
                .with_context(|| format!("{AUTHORIZATION} can't be sent as a header"))?;
            Authorization::parse(std::iter::once(&value)).context(AUTHORIZATION)?
        }
        None => None,
    };
    // The only caller of this process: nothing is kept under their key.
    Ok(CallerKeys::new([0; 32]).caller(authorization))
}

pub(super) const AUTHORIZATION: &str = "TOOLSEARCH_AUTHORIZATION";
pub(crate) const AUTHORIZATION_HELP: &str = "TOOLSEARCH_AUTHORIZATION in the environment is sent \
    to the server that is asked as the Authorization header, for example `Bearer …`.";
/// No tool is called here.
const NO_RESULTS: usize = 0;
