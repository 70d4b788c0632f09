//! Tools from files instead of an upstream (`--tools`).

use std::io;
use std::path::{Path, PathBuf};

use serde_json::value::RawValue;
use wire::RawObject;

/// Why a file of tools can't be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DumpError {
    /// Neither a file nor a folder.
    #[error("{}: no such file or directory", .path.display())]
    NotFound {
        /// What was looked for.
        path: PathBuf,
    },
    /// The file or folder can't be read; the cause names it.
    #[error("the tools can't be read")]
    Io(#[from] io::Error),
    /// Neither JSON nor JSON lines.
    #[error("{}:{line}:{column}: not JSON: {reason}", .path.display())]
    NotJson {
        /// The file.
        path: PathBuf,
        /// Where, from 1.
        line: usize,
        /// Where in the line, in bytes.
        column: usize,
        /// What is wrong there.
        reason: String,
    },
    /// JSON, but not of tools.
    #[error(
        "{}: no tools: wanted a tools/list result, an object with a `tools` array, or JSON lines",
        .path.display()
    )]
    NoTools {
        /// The file.
        path: PathBuf,
    },
    /// A folder without a `.json` or `.jsonl` file.
    #[error("{}: no .json or .jsonl file in this folder", .path.display())]
    EmptyFolder {
        /// The folder.
        path: PathBuf,
    },
}

impl DumpError {
    fn not_json(path: &Path, line: usize, error: &serde_json::Error) -> Self {
        let text = error.to_string();
        // The parser counts lines on its own, which in JSON lines are always the first.
        let reason = text.split(" at line ").next().unwrap_or(&text);
        Self::NotJson {
            path: path.to_owned(),
            line,
            column: error.column(),
            reason: reason.to_owned(),
        }
    }

    fn no_tools(path: &Path) -> Self {
        Self::NoTools {
            path: path.to_owned(),
        }
    }
}

/// The tools in `path`: a `tools/list` result or answer, a dump with a `tools` member, an array of
/// tools, JSON lines of tools, or a folder of such files, in which case each name is prefixed by
/// its file's (`github.json` makes `github__create_issue`).
pub fn read_dump(path: &Path) -> Result<Vec<Box<RawValue>>, DumpError> {
    let metadata = fs_err::metadata(path).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => DumpError::NotFound {
            path: path.to_owned(),
        },
        _ => DumpError::Io(error),
    })?;
    if !metadata.is_dir() {
        return read_file(path);
    }
    let mut tools = Vec::new();
    let files = dump_files(path)?;
    for file in &files {
        let prefix = file.file_stem().unwrap_or_default().to_string_lossy();
        let entries = read_file(file)?;
        tools.extend(entries.into_iter().map(|tool| prefixed(tool, &prefix)));
    }
    if files.is_empty() {
        return Err(DumpError::EmptyFolder {
            path: path.to_owned(),
        });
    }
    Ok(tools)
}

/// The folder's dumps by name, so that the order is the same everywhere.
fn dump_files(folder: &Path) -> Result<Vec<PathBuf>, DumpError> {
    let mut files = Vec::new();
    for entry in fs_err::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let is_dump = path
            .extension()
            .is_some_and(|extension| extension == "json" || extension == "jsonl");
        if is_dump && !name.starts_with(['.', '_']) && path.is_file() {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

fn read_file(path: &Path) -> Result<Vec<Box<RawValue>>, DumpError> {
    let bytes = fs_err::read(path)?;
    let text = String::from_utf8(bytes).map_err(|error| {
        io::Error::new(
            io::ErrorKind::InvalidData,
            format!("{}: {error}", path.display()),
        )
    })?;
    let text = text.trim_start_matches('\u{FEFF}');
    match serde_json::from_str::<&RawValue>(text) {
        Ok(whole) => tools_in(whole)
            .or_else(|| single(whole))
            .ok_or_else(|| DumpError::no_tools(path)),
        Err(error) => read_lines(path, text, &error),
    }
}

/// JSON lines; if already the first isn't JSON by itself, `whole` says what is wrong.
fn read_lines(
    path: &Path,
    text: &str,
    whole: &serde_json::Error,
) -> Result<Vec<Box<RawValue>>, DumpError> {
    let mut tools = Vec::new();
    let lines = text
        .lines()
        .enumerate()
        .filter(|(_, line)| !line.trim().is_empty());
    for (position, line) in lines {
        match serde_json::from_str::<&RawValue>(line) {
            Ok(entry) => match tools_in(entry) {
                Some(entries) => tools.extend(entries),
                None => tools.push(entry.to_owned()),
            },
            Err(_) if tools.is_empty() => {
                return Err(DumpError::not_json(path, whole.line(), whole));
            }
            Err(error) => return Err(DumpError::not_json(path, position + 1, &error)),
        }
    }
    if tools.is_empty() {
        return Err(DumpError::no_tools(path));
    }
    Ok(tools)
}

/// The entries of an array of tools, or of an object's `tools`, its own or its `result`'s.
fn tools_in(value: &RawValue) -> Option<Vec<Box<RawValue>>> {
    if value.get().starts_with('[') {
        return serde_json::from_str(value.get()).ok();
    }
    let object = RawObject::read(value)?;
    let tools = object
        .get("tools")
        .or_else(|| RawObject::read(object.get("result")?)?.get("tools"))?;
    serde_json::from_str(tools.get()).ok()
}

/// A file of one tool: JSON lines with one line.
fn single(value: &RawValue) -> Option<Vec<Box<RawValue>>> {
    RawObject::read(value)?.get_str("name")?;
    Some(vec![value.to_owned()])
}

/// `tool` with `prefix__` before its name; every other byte stays. What has no name stays whole,
/// for the catalog to skip and count.
fn prefixed(tool: Box<RawValue>, prefix: &str) -> Box<RawValue> {
    let renamed = RawObject::read(&tool).and_then(|object| {
        let name = object.get_str("name")?;
        let text = tool.get();
        let value = object.get("name")?.get();
        let start = (value.as_ptr() as usize).checked_sub(text.as_ptr() as usize)?;
        let quoted = wire::to_raw(&format!("{prefix}__{name}"));
        let before = text.get(..start)?;
        let after = text.get(start + value.len()..)?;
        RawValue::from_string(format!("{before}{}{after}", quoted.get())).ok()
    });
    renamed.unwrap_or(tool)
}

#[cfg(test)]
mod tests;
