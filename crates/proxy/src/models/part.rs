//! A file that isn't whole yet, under a name of its own.

use std::fs::TryLockError;
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use embedding::UNFINISHED;
use fs_err as fs;
use sha2::{Digest, Sha256};

use super::digest;
use super::fault::FetchError;

/// What has come of a file so far. Locked, so that two don't write one file.
pub(super) struct Part {
    path: PathBuf,
    file: fs::File,
    hasher: Sha256,
    length: u64,
}

impl Part {
    /// The part of the file `path`, with what an earlier try left of it.
    pub(super) fn open(path: &Path) -> Result<Self, FetchError> {
        let mut name = path.as_os_str().to_owned();
        name.push(UNFINISHED);
        let path = PathBuf::from(name);
        let disk = |error| FetchError::disk(&path, error);
        let mut options = fs::OpenOptions::new();
        let file = options.read(true).write(true).create(true).truncate(false);
        let mut file = file.open(&path).map_err(disk)?;
        match file.file().try_lock() {
            Err(TryLockError::WouldBlock) => return Err(FetchError::Busy(path)),
            // A network disk may have no locks; the digest at the end is what counts.
            Ok(()) | Err(TryLockError::Error(_)) => {}
        }
        let mut hasher = Sha256::new();
        let left = file.metadata().map_err(disk)?.len();
        let length = digest::feed(&mut (&mut file).take(left), &mut hasher).map_err(disk)?;
        Ok(Self {
            path,
            file,
            hasher,
            length,
        })
    }

    /// How many bytes are here.
    pub(super) fn length(&self) -> u64 {
        self.length
    }

    /// Forgets what is here.
    pub(super) fn restart(&mut self) -> Result<(), FetchError> {
        if self.length > 0 {
            let emptied = self.file.set_len(0);
            let emptied = emptied.and_then(|()| self.file.seek(SeekFrom::Start(0)));
            emptied.map_err(|error| FetchError::disk(&self.path, error))?;
            self.hasher = Sha256::new();
            self.length = 0;
        }
        Ok(())
    }

    /// Adds bytes at the end.
    pub(super) fn write(&mut self, bytes: &[u8]) -> Result<(), FetchError> {
        let written = self.file.write_all(bytes);
        written.map_err(|error| FetchError::disk(&self.path, error))?;
        self.hasher.update(bytes);
        self.length += bytes.len() as u64;
        Ok(())
    }

    /// Gives it the name `path` if it has the digest `wanted`. Else takes it away and returns its
    /// own.
    pub(super) fn finish(
        self,
        path: &Path,
        wanted: &str,
    ) -> Result<Result<(), String>, FetchError> {
        let disk = |error| FetchError::disk(&self.path, error);
        let found = digest::hex(self.hasher);
        if found != wanted {
            fs::remove_file(&self.path).map_err(disk)?;
            return Ok(Err(found));
        }
        self.file.sync_all().map_err(disk)?;
        fs::rename(&self.path, path).map_err(disk)?;
        Ok(Ok(()))
    }

    /// Takes it away, if nothing is in it.
    pub(super) fn give_up(self) {
        if self.length == 0 {
            // It is the fault before that matters.
            fs::remove_file(&self.path).ok();
        }
    }
}
