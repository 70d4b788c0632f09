//! A file that is put aside when it is full. Only its owner may read it.

use std::fs::Permissions;
use std::io::{self, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use fs_err::os::unix::fs::OpenOptionsExt;
use fs_err::{File, OpenOptions};

/// Grows to `max_bytes`, then becomes `path.1`; what was that becomes `path.2`, and so on to
/// [`KEPT`], after which it is gone.
#[derive(Debug)]
pub(super) struct RotatedFile {
    path: PathBuf,
    file: File,
    bytes: u64,
    max_bytes: u64,
    /// Whether the last line may have been written in part.
    is_torn: bool,
}

impl RotatedFile {
    /// Opens or makes the file at `path`, to be appended to.
    pub(super) fn open(path: PathBuf, max_bytes: u64) -> io::Result<Self> {
        let (file, bytes) = open(&path)?;
        Ok(Self {
            path,
            file,
            bytes,
            max_bytes,
            is_torn: false,
        })
    }

    /// Appends `line` and a line break.
    pub(super) fn append(&mut self, line: &[u8]) -> io::Result<()> {
        let before: &[u8] = if self.is_torn { b"\n" } else { b"" };
        let line = [before, line, b"\n"].concat();
        let bytes = line.len() as u64;
        if self.bytes > 0 && self.bytes + bytes > self.max_bytes {
            self.rotate()?;
        }
        self.bytes += bytes;
        let written = self.file.write_all(&line);
        self.is_torn = written.is_err();
        written
    }

    fn rotate(&mut self) -> io::Result<()> {
        for number in (1..KEPT).rev() {
            rename(&self.aside(number), &self.aside(number + 1))?;
        }
        rename(&self.path, &self.aside(1))?;
        (self.file, self.bytes) = open(&self.path)?;
        self.is_torn = false;
        Ok(())
    }

    fn aside(&self, number: u32) -> PathBuf {
        let mut path = self.path.clone().into_os_string();
        path.push(format!(".{number}"));
        path.into()
    }
}

fn open(path: &Path) -> io::Result<(File, u64)> {
    let mut options = OpenOptions::new();
    let file = options
        .append(true)
        .create(true)
        .mode(OWNER_ONLY)
        .open(path)?;
    let metadata = file.metadata()?;
    if !metadata.is_file() {
        let message = format!("{} isn't a plain file", path.display());
        return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
    }
    if metadata.permissions().mode() & 0o777 != OWNER_ONLY {
        file.set_permissions(Permissions::from_mode(OWNER_ONLY))?;
    }
    Ok((file, metadata.len()))
}

/// A file that isn't there needs no other name.
fn rename(from: &Path, to: &Path) -> io::Result<()> {
    match fs_err::rename(from, to) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        renamed => renamed,
    }
}

const OWNER_ONLY: u32 = 0o600;
/// How many full files are kept.
const KEPT: u32 = 9;

#[cfg(test)]
mod tests {
    use super::*;

    fn mode(path: &Path) -> u32 {
        fs_err::metadata(path).unwrap().permissions().mode() & 0o777
    }

    #[test]
    fn full_files_are_put_aside_and_the_oldest_go() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.log");
        let mut file = RotatedFile::open(path.clone(), 10).unwrap();
        for number in 0..30 {
            file.append(format!("{number:04}").as_bytes()).unwrap();
        }
        let read = |path: &Path| fs_err::read_to_string(path).unwrap();
        assert_eq!(read(&path), "0028\n0029\n");
        assert_eq!(read(&file.aside(1)), "0026\n0027\n");
        assert_eq!(read(&file.aside(9)), "0010\n0011\n");
        assert_eq!(fs_err::read_dir(folder.path()).unwrap().count(), 10);
        assert_eq!((mode(&path), mode(&file.aside(9))), (0o600, 0o600));
        // What was there counts.
        let mut again = RotatedFile::open(path.clone(), 10).unwrap();
        again.append(b"longer than the limit").unwrap();
        assert_eq!(read(&path), "longer than the limit\n");
        assert_eq!(read(&file.aside(1)), "0028\n0029\n");
    }

    #[test]
    fn an_old_file_is_closed_to_others() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.log");
        fs_err::write(&path, "old\n").unwrap();
        fs_err::set_permissions(&path, Permissions::from_mode(0o644)).unwrap();
        RotatedFile::open(path.clone(), 10).unwrap();
        assert_eq!(mode(&path), 0o600);
        let refused = RotatedFile::open(PathBuf::from("/dev/null"), 10).unwrap_err();
        assert!(
            refused.to_string().contains("isn't a plain file"),
            "{refused}"
        );
    }
}
