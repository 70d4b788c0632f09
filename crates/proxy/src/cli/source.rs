//! Where a command that serves nothing gets its tools.

use std::path::PathBuf;

use anyhow::Context;
use catalog::read_dump;
use http::HeaderValue;
use serde_json::value::RawValue;
use upstream::{Authorization, Caller, CallerKeys, Upstream};
use url::Url;

use super::UpstreamSettings;

/// A file of tools or a server that lists them.
#[derive(Debug, clap::Args)]
#[group(multiple = false)]
pub(crate) struct Source {
    /// File of tools: a tools/list result, a dump, JSON lines, or a folder of these
    #[arg(long, value_name = "PATH")]
    pub(crate) tools: Option<PathBuf>,
    /// URL of an MCP server whose tools to search
    #[arg(long, env = "TOOLSEARCH_UPSTREAM", value_name = "URL")]
    upstream: Option<Url>,
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
