//! `search`: one query over a list of tools.

use std::process::ExitCode;

/// The arguments of `search`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// What to look for
    pub(crate) query: String,
}

/// Searches and prints.
pub(crate) fn run(_args: Args) -> ExitCode {
    ExitCode::SUCCESS
}
