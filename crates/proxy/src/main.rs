//! The binary: reads the command line and runs the command.

use std::process::ExitCode;

use proxy::Cli;

fn main() -> ExitCode {
    match Cli::read(std::env::args_os()) {
        Ok(cli) => cli.run(),
        Err(error) => error.report(),
    }
}
