//! What keeps a model from being fetched or from being right.

use std::error::Error;
use std::io;
use std::path::{Path, PathBuf};

/// Why a file isn't here. Names no credentials: URLs are shown without them and without queries.
#[derive(Debug, thiserror::Error)]
pub(crate) enum FetchError {
    /// What is here can't be written.
    #[error("`{}` can't be written: {advice}", path.display())]
    Disk {
        path: PathBuf,
        advice: &'static str,
        #[source]
        source: io::Error,
    },
    /// Another process writes the same file.
    #[error("`{}` is being written by another fetch-model: wait for its end", .0.display())]
    Busy(PathBuf),
    /// There is a file of that name which isn't the model's.
    #[error(
        "`{}` is another file than the model's: its sha256 is {found}, wanted {wanted}; name another \
         directory, or take the file away",
        path.display()
    )]
    Other {
        path: PathBuf,
        found: String,
        wanted: String,
    },
    /// No connection.
    #[error("{url} can't be reached: {advice}")]
    Connect {
        url: String,
        advice: &'static str,
        #[source]
        source: Box<dyn Error + Send + Sync>,
    },
    /// The server refuses.
    #[error("{url} answers {status}{advice}")]
    Status {
        url: String,
        status: http::StatusCode,
        advice: &'static str,
    },
    /// A page instead of a file.
    #[error(
        "{url} answers with a web page instead of the file, as networks do that want a sign-in: \
         nothing was stored"
    )]
    WebPage { url: String },
    /// Another file.
    #[error(
        "{url} is a file of {found}, wanted {wanted} bytes: it isn't the model's, nothing was stored"
    )]
    Length {
        url: String,
        found: String,
        wanted: u64,
    },
    /// The right length, but other bytes.
    #[error(
        "{url} isn't the model's file: its sha256 is {found}, wanted {wanted}; it was \
         removed, so run it again, unless that place has another file"
    )]
    Digest {
        url: String,
        found: String,
        wanted: String,
    },
    /// The connection broke while bytes came.
    #[error(
        "the connection broke after {have} of {wanted} bytes of {url}; run it again to go on from there"
    )]
    Broken {
        url: String,
        have: u64,
        wanted: u64,
        #[source]
        source: Box<dyn Error + Send + Sync>,
    },
}

impl FetchError {
    /// A fault of the disk, and what to do.
    pub(super) fn disk(path: &Path, source: io::Error) -> Self {
        let advice = match source.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
                "the disk is full; make room and run it again to go on from there"
            }
            io::ErrorKind::ReadOnlyFilesystem => {
                "the disk is read-only; name a directory on another one"
            }
            io::ErrorKind::PermissionDenied => {
                "this user may not; name another directory, or give them the right"
            }
            _ => "name a directory that can be written",
        };
        Self::Disk {
            path: path.to_owned(),
            advice,
            source,
        }
    }
}
