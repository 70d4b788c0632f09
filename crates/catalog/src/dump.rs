//! Tools from a file instead of an upstream (`--tools`).

use std::path::Path;

use serde_json::value::RawValue;

/// Why a file of tools can't be read.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct DumpError(pub String);

/// The tools in `path`: a `tools/list` result or answer, a dump with a `tools` member, JSON lines,
/// or a folder of them, in which case each name is prefixed by its file's (`github.json` makes
/// `github__create_issue`).
pub fn read_dump(_path: &Path) -> Result<Vec<Box<RawValue>>, DumpError> {
    todo!()
}
