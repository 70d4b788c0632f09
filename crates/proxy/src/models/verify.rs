//! Whether a directory's model is whole, without a network.

use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use embedding::{InvalidModel, Model};

use super::digest;
use super::pinned::{PinnedFile, PinnedModel};

/// A directory that is right.
#[derive(Debug)]
pub(crate) enum Verified {
    /// It holds the pinned model, to the byte.
    Pinned(Model),
    /// It holds another one that can be used; whether its bytes are the published ones nobody here
    /// knows.
    Other(Model),
}

/// Why a directory isn't right.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Unverified {
    /// It can't be used, whatever it was meant to be.
    #[error(transparent)]
    Unusable(#[from] InvalidModel),
    /// A file can't be read to its end.
    #[error("a file can't be read whole")]
    Unreadable(#[from] io::Error),
    /// Some of the pinned model's files, beside others.
    #[error(
        "`{}` is damaged or of another model: its sha256 is {found}, wanted {wanted}; remove it and \
         run fetch-model, or copy it again",
        path.display()
    )]
    Damaged {
        path: PathBuf,
        found: String,
        wanted: String,
    },
}

/// Checks the model in `directory`: where any file is one of `pinned`, all must be. Another model is
/// only opened.
pub(crate) fn verify(directory: &Path, pinned: &PinnedModel<'_>) -> Result<Verified, Unverified> {
    let found: Vec<(&PinnedFile<'_>, String)> = pinned
        .files
        .iter()
        .filter_map(|file| Some((file, digest_of(&directory.join(file.name)).transpose()?)))
        .map(|(file, digest)| Ok((file, digest?)))
        .collect::<io::Result<_>>()?;
    let is_right = |(file, found): &&(&PinnedFile<'_>, String)| *found == file.sha256;
    let is_pinned = found.iter().any(|found| is_right(&found));
    if let Some((file, found)) = found
        .into_iter()
        .find(|found| is_pinned && !is_right(&found))
    {
        return Err(Unverified::Damaged {
            path: directory.join(file.name),
            found,
            wanted: file.sha256.to_owned(),
        });
    }
    let model = Model::open(directory)?;
    Ok(if is_pinned {
        Verified::Pinned(model)
    } else {
        Verified::Other(model)
    })
}

/// None if there is no such file.
fn digest_of(path: &Path) -> io::Result<Option<String>> {
    match digest::of_file(path) {
        Ok(digest) => Ok(Some(digest)),
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            Ok(None)
        }
        Err(error) => Err(error),
    }
}
