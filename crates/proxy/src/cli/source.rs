//! Where a command that serves nothing gets its tools.

use std::path::PathBuf;

use anyhow::Context;
use catalog::read_dump;
use clap::error::ErrorKind;
use clap::parser::ValueSource;
use clap::{ArgMatches, Args, Command, FromArgMatches};
use http::HeaderValue;
use serde_json::value::RawValue;
use upstream::{Authorization, Caller, CallerKeys, Upstream};
use url::Url;

use super::{UpstreamSettings, values};

/// A file of tools or a server that lists them.
#[derive(Debug)]
pub(crate) struct Source {
    pub(crate) tools: Option<PathBuf>,
    upstream: Option<Url>,
}

#[derive(clap::Args)]
#[group(id = "Source")]
struct Given {
    /// File of tools: a tools/list result, a dump, JSON lines, or a folder of these
    #[arg(long, value_name = "PATH")]
    tools: Option<PathBuf>,
    /// URL of an MCP server whose tools to search
    #[arg(long, env = "TOOLSEARCH_UPSTREAM", value_name = "URL", value_parser = values::url)]
    upstream: Option<Url>,
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
    /// One of the two. A file that is named goes before a server that the environment names.
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let Given { tools, upstream } = Given::from_arg_matches(matches)?;
        let is_typed = matches.value_source("upstream") == Some(ValueSource::CommandLine);
        if tools.is_some() && is_typed {
            let message = "--tools and --upstream can't be used together: leave out one of them\n";
            return Err(clap::Error::raw(ErrorKind::ArgumentConflict, message));
        }
        Ok(Self {
            upstream: upstream.filter(|_| tools.is_none()),
            tools,
        })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Source {
    /// The tools, as they are listed.
    pub(crate) fn list(&self, settings: &UpstreamSettings) -> anyhow::Result<Vec<Box<RawValue>>> {
        match (&self.tools, &self.upstream) {
            (Some(path), _) => Ok(read_dump(path)?),
            (None, Some(url)) => ask(url.clone(), settings),
            (None, None) => anyhow::bail!("give --tools PATH or --upstream URL"),
        }
    }
}

fn ask(url: Url, settings: &UpstreamSettings) -> anyhow::Result<Vec<Box<RawValue>>> {
    let upstream = Upstream::new(settings.config(url, NO_RESULTS)?)?;
    let caller = caller()?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let listing = runtime
        .block_on(upstream.list(&caller))
        .context("the tools can't be listed")?;
    Ok(listing.tools)
}

/// Whoever the environment says.
fn caller() -> anyhow::Result<Caller> {
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

const AUTHORIZATION: &str = "TOOLSEARCH_AUTHORIZATION";
pub(crate) const AUTHORIZATION_HELP: &str = "TOOLSEARCH_AUTHORIZATION in the environment is sent \
    to the --upstream as the Authorization header, for example `Bearer …`.";
/// No tool is called here.
const NO_RESULTS: usize = 0;
