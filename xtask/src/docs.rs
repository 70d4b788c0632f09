//! The generated docs. A test of `proxy` renders them from the settings and compares; with
//! `UPDATE_DOCS=1` it writes them instead.

use std::path::Path;

use anyhow::{Context, Result};

use crate::ci::execute;

/// Writes the generated docs.
pub(crate) fn write(root: &Path) -> Result<()> {
    execute(root, "cargo", DOCS_TEST, &[("UPDATE_DOCS", "1")])
}

/// Fails if a generated file isn't what the code would write.
pub(crate) fn check(root: &Path) -> Result<()> {
    execute(root, "cargo", DOCS_TEST, &[]).context("run `cargo xtask docs` and commit the result")
}

/// For the whole workspace, so that it is the build of the test command.
const DOCS_TEST: &[&str] = &["test", "--workspace", "--locked", "configuration_docs"];
