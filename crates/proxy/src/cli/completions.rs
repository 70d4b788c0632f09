//! `completions`: a script that completes commands and settings in a shell.

use std::io::{self, Write};
use std::process::ExitCode;

use clap::CommandFactory;
use clap_complete::Shell;

use super::Cli;

/// The arguments of `completions`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Shell to print the script for
    shell: Shell,
}

/// Prints the script.
pub(crate) fn run(args: &Args) -> ExitCode {
    let mut command = Cli::command();
    let name = command.get_name().to_owned();
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut command, name, &mut script);
    match io::stdout().write_all(&script) {
        Ok(()) => ExitCode::SUCCESS,
        // The reader has seen enough.
        Err(_closed_pipe) => ExitCode::FAILURE,
    }
}
