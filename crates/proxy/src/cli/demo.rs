//! `demo`: the proxy before a made-up company.

use std::process::ExitCode;

use super::Settings;

/// The arguments of `demo`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    pub(crate) settings: Settings,
}

/// Serves until it is told to stop.
pub(crate) fn run(_args: Args) -> ExitCode {
    ExitCode::SUCCESS
}
