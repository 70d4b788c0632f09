//! Why a directory can't be used.

use std::io;
use std::path::{Path, PathBuf};

/// A directory that holds no model which can be used. Says in one line what was found, what was
/// wanted and what to do.
#[derive(Debug, thiserror::Error)]
pub enum InvalidModel {
    /// There is no directory of that name.
    #[error(
        "`{}` isn't a directory; a model is one with config.json, tokenizer.json and \
         model.safetensors",
        .0.display()
    )]
    NotADirectory(PathBuf),
    /// A file is missing or can't be read.
    #[error("config.json, tokenizer.json and model.safetensors must be there and readable")]
    Unreadable(#[from] io::Error),
    /// A file hasn't come whole.
    #[error("`{}` is part of a file: run fetch-model again, which goes on from there", .0.display())]
    Unfinished(PathBuf),
    /// A file isn't what it should be.
    #[error(
        "`{}` can't be used: {found}; the three files of a model must be whole and of one source",
        path.display()
    )]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What it has, and what was wanted.
        found: String,
    },
}

impl InvalidModel {
    pub(super) fn damaged(path: &Path, found: impl Into<String>) -> Self {
        Self::Damaged {
            path: path.to_owned(),
            found: found.into(),
        }
    }
}
