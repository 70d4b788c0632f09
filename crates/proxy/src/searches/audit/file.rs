//! A file that is put aside when it is full. Only its owner may read it.

use std::fs::{Metadata, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

use fs_err::os::unix::fs::OpenOptionsExt;
use fs_err::{File, OpenOptions};

/// Grows to `max_bytes`, then becomes `path.1`; what was that becomes `path.2`, and so on to
/// [`KEPT`], after which it is gone. Whatever fails of that is taken up again with the next line, and
/// no file is given up for it.
#[derive(Debug)]
pub(super) struct RotatedFile {
    path: PathBuf,
    /// `None` once it was put aside, or when nobody knows how much of a line it took.
    current: Option<Current>,
    max_bytes: u64,
    /// Whether the last line may have been written in part.
    is_torn: bool,
    /// Whether the last file was given up for lying elsewhere, and none is begun since.
    is_moved: bool,
}

/// Where a line went.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Appended {
    /// After the one before it, or into the file that follows a full one.
    InTurn,
    /// Into a file begun anew, because the one at hand lies elsewhere by now, or nowhere.
    AnotherFile,
}

#[derive(Debug)]
struct Current {
    file: File,
    identity: Identity,
    bytes: u64,
}

/// Device and inode: what a file keeps when it is moved.
type Identity = (u64, u64);

impl RotatedFile {
    /// Opens or makes the file at `path`, to be appended to.
    pub(super) fn open(path: PathBuf, max_bytes: u64) -> io::Result<Self> {
        Ok(Self {
            current: Some(open(&path)?),
            path,
            max_bytes,
            is_torn: false,
            is_moved: false,
        })
    }

    /// Appends `line` and a line break.
    pub(super) fn append(&mut self, line: &[u8]) -> io::Result<Appended> {
        self.look_for_current();
        let mut current = self.opened()?;
        if current.bytes > 0 && current.bytes + line.len() as u64 + 1 > self.max_bytes {
            self.put_aside()?;
            current = self.opened()?;
        }
        let before: &[u8] = if self.is_torn { b"\n" } else { b"" };
        let line = [before, line, b"\n"].concat();
        self.is_torn = true;
        current.file.write_all(&line)?;
        self.is_torn = false;
        current.bytes += line.len() as u64;
        self.current = Some(current);
        Ok(if std::mem::take(&mut self.is_moved) {
            Appended::AnotherFile
        } else {
            Appended::InTurn
        })
    }

    /// Gives up the file at hand if it isn't the one at its path any more: who reads there would miss
    /// what is written to it. If it is, somebody may have cut it.
    fn look_for_current(&mut self) {
        let Some(current) = &mut self.current else {
            return;
        };
        match fs_err::metadata(&self.path) {
            Ok(there) if identity(&there) == current.identity => current.bytes = there.len(),
            _ => {
                self.current = None;
                self.is_moved = true;
            }
        }
    }

    /// The file, which its user puts back.
    fn opened(&mut self) -> io::Result<Current> {
        let current = match self.current.take() {
            Some(current) => current,
            None => open(&self.path)?,
        };
        self.is_torn &= current.bytes > 0;
        Ok(current)
    }

    /// Gives the file its next name. No name moves beyond the first that is free, such as one that an
    /// earlier try left.
    fn put_aside(&self) -> io::Result<()> {
        let mut free = 0;
        while free < KEPT && self.name(free).try_exists()? {
            free += 1;
        }
        for number in (0..free).rev() {
            fs_err::rename(self.name(number), self.name(number + 1))?;
        }
        Ok(())
    }

    /// Of the file that was put aside `number` files ago.
    fn name(&self, number: u32) -> PathBuf {
        let mut path = self.path.clone().into_os_string();
        if number > 0 {
            path.push(format!(".{number}"));
        }
        path.into()
    }
}

fn open(path: &Path) -> io::Result<Current> {
    // Opening a pipe waits for somebody to read.
    if fs_err::metadata(path).is_ok_and(|there| !there.is_file()) {
        return Err(not_plain(path));
    }
    let mut options = OpenOptions::new();
    let file = options
        .append(true)
        .create(true)
        .mode(OWNER_ONLY)
        .open(path)?;
    let metadata = file.metadata()?;
    if !metadata.is_file() {
        return Err(not_plain(path));
    }
    if metadata.permissions().mode() & 0o777 != OWNER_ONLY {
        file.set_permissions(Permissions::from_mode(OWNER_ONLY))?;
    }
    Ok(Current {
        file,
        identity: identity(&metadata),
        bytes: metadata.len(),
    })
}

fn identity(metadata: &Metadata) -> Identity {
    (metadata.dev(), metadata.ino())
}

fn not_plain(path: &Path) -> io::Error {
    let message = format!("{} isn't a plain file", path.display());
    io::Error::new(io::ErrorKind::InvalidInput, message)
}

const OWNER_ONLY: u32 = 0o600;
/// How many full files are kept.
const KEPT: u32 = 9;

#[cfg(test)]
mod tests;
