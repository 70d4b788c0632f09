//! What the rules look at: the files that git knows or would add.

use std::fmt;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};
use fs_err as fs;

/// Every text file of the repository.
#[derive(Debug, Default)]
pub(super) struct Tree {
    pub(super) files: Vec<File>,
}

/// One text file.
#[derive(Debug)]
pub(super) struct File {
    /// From the repository's root, with forward slashes.
    pub(super) path: String,
    pub(super) text: String,
}

/// A broken rule.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Problem {
    path: String,
    /// Counted from 1; none when the file as a whole is meant.
    line: Option<usize>,
    message: String,
}

impl Tree {
    pub(super) fn read(root: &Path) -> Result<Self> {
        let listing = Command::new("git")
            .args([
                "ls-files",
                "-z",
                "--cached",
                "--others",
                "--exclude-standard",
            ])
            .current_dir(root)
            .output()
            .context("can't start git")?;
        ensure!(
            listing.status.success(),
            "git ls-files ended with {}",
            listing.status
        );
        let mut files = Vec::new();
        for path in String::from_utf8(listing.stdout)?.split_terminator('\0') {
            let place = root.join(path);
            // A file that was removed but not yet committed is still listed.
            if !place.is_file() {
                continue;
            }
            // What isn't UTF-8 isn't text, and no rule speaks of it.
            if let Ok(text) = String::from_utf8(fs::read(place)?) {
                files.push(File {
                    path: path.to_owned(),
                    text,
                });
            }
        }
        Ok(Self { files })
    }

    pub(super) fn file(&self, path: &str) -> Option<&File> {
        self.files.iter().find(|file| file.path == path)
    }

    /// The files whose name ends in `.extension`.
    pub(super) fn with_extension(&self, extension: &str) -> impl Iterator<Item = &File> {
        self.files.iter().filter(move |file| {
            file.path
                .rsplit_once('.')
                .is_some_and(|(_, found)| found == extension)
        })
    }

    /// True if there is such a file or folder.
    pub(super) fn has(&self, path: &str) -> bool {
        self.files.iter().any(|file| {
            file.path == path
                || file
                    .path
                    .strip_prefix(path)
                    .is_some_and(|rest| rest.starts_with('/'))
        })
    }
}

impl File {
    /// The lines with their numbers, from 1.
    pub(super) fn lines(&self) -> impl Iterator<Item = (usize, &str)> {
        self.text
            .lines()
            .enumerate()
            .map(|(index, line)| (index + 1, line))
    }

    /// A breach of the file as a whole.
    pub(super) fn problem(&self, message: impl Into<String>) -> Problem {
        Problem {
            path: self.path.clone(),
            line: None,
            message: message.into(),
        }
    }

    /// A breach on one line.
    pub(super) fn problem_at(&self, line: usize, message: impl Into<String>) -> Problem {
        Problem {
            path: self.path.clone(),
            line: Some(line),
            message: message.into(),
        }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "{}:{line}: {}", self.path, self.message),
            None => write!(f, "{}: {}", self.path, self.message),
        }
    }
}

#[cfg(test)]
impl Tree {
    /// A made-up tree.
    pub(super) fn of(files: &[(&str, &str)]) -> Self {
        let file = |&(path, text): &(&str, &str)| File {
            path: path.to_owned(),
            text: text.to_owned(),
        };
        Self {
            files: files.iter().map(file).collect(),
        }
    }
}

/// What `rule` says about a made-up tree, one line a breach.
#[cfg(test)]
pub(super) fn findings(rule: fn(&Tree) -> Vec<Problem>, files: &[(&str, &str)]) -> Vec<String> {
    rule(&Tree::of(files))
        .iter()
        .map(ToString::to_string)
        .collect()
}
