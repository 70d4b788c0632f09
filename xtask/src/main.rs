//! The project's own checks, run as `cargo xtask COMMAND`. Needs nothing installed but Rust; the
//! end-to-end part of `ci` also needs Node, npm and Python.

#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a command-line tool speaks on the standard streams"
)]

mod ci;
mod docs;
mod tidy;

use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, Result, bail};

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<()> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .context("xtask stands in a folder of the repository")?;
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments.as_slice() {
        ["ci"] => ci::run(root, ci::EndToEnd::Run),
        ["ci", "--no-e2e"] => ci::run(root, ci::EndToEnd::Skip),
        ["docs"] => docs::write(root),
        ["docs", "--check"] => docs::check(root),
        ["tidy"] => tidy::run(root),
        _ => bail!("{USAGE}"),
    }
}

const USAGE: &str = "\
expected one of:
  cargo xtask ci [--no-e2e]   everything that must hold before a change lands
  cargo xtask docs [--check]  write the generated docs, or check that they are up to date
  cargo xtask tidy            the rules that clippy can't see";
