//! `serve`: the proxy itself.

use std::process::ExitCode;

use url::Url;

use super::Settings;

/// The arguments of `serve`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// URL of the MCP server to stand before, such as https://gateway.example.com/mcp
    #[arg(long, env = "TOOLSEARCH_UPSTREAM", value_name = "URL")]
    pub(crate) upstream: Url,
    #[command(flatten)]
    pub(crate) settings: Settings,
}

/// Serves until it is told to stop.
pub(crate) fn run(_args: Args) -> ExitCode {
    ExitCode::SUCCESS
}
