//! Everything that must hold before a change lands, cheapest first.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context, Result, ensure};

use crate::tidy;

/// Whether the real servers and clients run too; they need npm, `PyPI` and some minutes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum EndToEnd {
    /// All of it.
    Run,
    /// Only what needs Rust alone.
    Skip,
}

pub(crate) fn run(root: &Path, end_to_end: EndToEnd) -> Result<()> {
    step("fmt", || {
        execute(root, "cargo", &["fmt", "--all", "--check"], &[])
    })?;
    step("tidy", || tidy::run(root))?;
    step("clippy", || execute(root, "cargo", CLIPPY, &[]))?;
    step("test", || execute(root, "cargo", TEST, &[]))?;
    step("rustdoc", || {
        execute(root, "cargo", RUSTDOC, &[("RUSTDOCFLAGS", "-D warnings")])
    })?;
    if end_to_end == EndToEnd::Run {
        step("e2e", || execute(root, "e2e/run", &[], &[]))?;
    }
    Ok(())
}

/// Runs a program in the repository and fails as it does. What it prints goes straight through.
pub(crate) fn execute(
    root: &Path,
    program: &str,
    arguments: &[&str],
    environment: &[(&str, &str)],
) -> Result<()> {
    let line = format!("{program} {}", arguments.join(" "));
    let status = Command::new(program)
        .args(arguments)
        .envs(environment.iter().copied())
        .current_dir(root)
        .stdin(Stdio::null())
        .status()
        .with_context(|| format!("can't start `{line}`"))?;
    ensure!(status.success(), "`{line}` ended with {status}");
    Ok(())
}

fn step(name: &str, body: impl FnOnce() -> Result<()>) -> Result<()> {
    println!("ci: {name}");
    let start = Instant::now();
    body().with_context(|| format!("ci: {name} failed"))?;
    println!("ci: {name} took {:.0} s", start.elapsed().as_secs_f64());
    Ok(())
}

const CLIPPY: &[&str] = &[
    "clippy",
    "--workspace",
    "--all-targets",
    "--locked",
    "--",
    "-D",
    "warnings",
];
/// The README's test command; it runs the doc tests and checks the generated docs too.
const TEST: &[&str] = &["test", "--workspace", "--locked"];
const RUSTDOC: &[&str] = &[
    "doc",
    "--workspace",
    "--no-deps",
    "--locked",
    "--document-private-items",
];
