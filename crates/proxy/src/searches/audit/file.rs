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
        assert_eq!(read(&file.name(1)), "0026\n0027\n");
        assert_eq!(read(&file.name(9)), "0010\n0011\n");
        assert_eq!(fs_err::read_dir(folder.path()).unwrap().count(), 10);
        assert_eq!((mode(&path), mode(&file.name(9))), (0o600, 0o600));
        // What was there counts.
        let mut again = RotatedFile::open(path.clone(), 10).unwrap();
        again.append(b"longer than the limit").unwrap();
        assert_eq!(read(&path), "longer than the limit\n");
        assert_eq!(read(&file.name(1)), "0028\n0029\n");
    }

    fn files(file: &RotatedFile) -> Vec<(u32, String)> {
        let there = (0..=KEPT).filter(|number| file.name(*number).is_file());
        let read = |number| fs_err::read_to_string(file.name(number)).unwrap();
        there.map(|number| (number, read(number))).collect()
    }

    #[test]
    fn what_was_put_aside_outlasts_a_file_that_cant_be_opened() {
        let folder = tempfile::tempdir().unwrap();
        let mut file = RotatedFile::open(folder.path().join("a.log"), 6).unwrap();
        for line in ["first", "second", "third"] {
            file.append(line.as_bytes()).unwrap();
        }
        file.put_aside().unwrap();
        file.current = None;
        fs_err::create_dir(&file.path).unwrap();
        let kept = files(&file);
        assert_eq!(kept.len(), 3);
        for _ in 0..=KEPT {
            file.append(b"lost").unwrap_err();
        }
        assert_eq!(files(&file), kept);
        fs_err::remove_dir(&file.path).unwrap();
        file.append(b"last").unwrap();
        let last = (0, "last\n".to_owned());
        assert_eq!(files(&file), [vec![last], kept].concat());
    }

    #[test]
    fn what_was_put_aside_outlasts_a_name_that_cant_be_changed() {
        let folder = tempfile::tempdir().unwrap();
        let mut file = RotatedFile::open(folder.path().join("a.log"), 6).unwrap();
        for number in 1..=3 {
            fs_err::write(file.name(number), format!("{number}\n")).unwrap();
        }
        file.append(b"first").unwrap();
        // Nothing but the last takes this one's place.
        fs_err::create_dir(file.name(KEPT)).unwrap();
        for number in 4..KEPT {
            fs_err::write(file.name(number), format!("{number}\n")).unwrap();
        }
        let kept = files(&file);
        for _ in 0..=KEPT {
            file.append(b"lost").unwrap_err();
        }
        assert_eq!(files(&file), kept);
        fs_err::remove_dir(file.name(KEPT)).unwrap();
        fs_err::remove_file(file.name(5)).unwrap();
        file.append(b"last").unwrap();
        let names: Vec<String> = files(&file).into_iter().map(|(_, text)| text).collect();
        let expected = ["last", "first", "1", "2", "3", "4", "6", "7", "8"];
        assert_eq!(names, expected.map(|text| format!("{text}\n")));
    }

    #[test]
    fn a_new_file_begins_with_a_line() {
        let folder = tempfile::tempdir().unwrap();
        let mut file = RotatedFile::open(folder.path().join("a.log"), 6).unwrap();
        file.append(b"tor").unwrap();
        (file.current, file.is_torn) = (None, true);
        file.append(b"n").unwrap();
        (file.current, file.is_torn) = (None, true);
        file.append(b"whole").unwrap();
        let expected = [(0, "whole\n"), (1, "tor\n\nn\n")];
        assert_eq!(
            files(&file),
            expected.map(|(number, text)| (number, text.to_owned()))
        );
    }

    #[test]
    fn what_somebody_moved_deleted_or_cut_takes_no_line() {
        let folder = tempfile::tempdir().unwrap();
        let mut file = RotatedFile::open(folder.path().join("a.log"), 12).unwrap();
        let mut append = |line: &str| file.append(line.as_bytes()).unwrap();
        let path = folder.path().join("a.log");
        let read = || fs_err::read_to_string(&path).unwrap();
        assert_eq!(append("first"), Appended::InTurn);
        fs_err::remove_file(&path).unwrap();
        assert_eq!(append("second"), Appended::AnotherFile);
        assert_eq!(append("3"), Appended::InTurn);
        assert_eq!(read(), "second\n3\n");
        let moved = folder.path().join("moved");
        fs_err::rename(&path, &moved).unwrap();
        assert_eq!(append("fourth"), Appended::AnotherFile);
        assert_eq!(read(), "fourth\n");
        assert_eq!(fs_err::read_to_string(&moved).unwrap(), "second\n3\n");
        // Another file in its place is gone on with, and a directory in its place isn't used.
        fs_err::rename(&moved, &path).unwrap();
        assert_eq!(append("5"), Appended::AnotherFile);
        assert_eq!(read(), "second\n3\n5\n");
        fs_err::write(&path, "").unwrap();
        assert_eq!(append("sixth"), Appended::InTurn);
        assert_eq!(read(), "sixth\n");
        fs_err::remove_file(&path).unwrap();
        fs_err::create_dir(&path).unwrap();
        file.append(b"lost").unwrap_err();
        fs_err::remove_dir(&path).unwrap();
        assert_eq!(file.append(b"last").unwrap(), Appended::AnotherFile);
        assert_eq!(files(&file), [(0, "last\n".to_owned())]);
    }

    #[test]
    fn a_pipe_is_refused_at_once() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.log");
        let made = std::process::Command::new("mkfifo").arg(&path).status();
        assert!(made.unwrap().success());
        let refused = RotatedFile::open(path.clone(), 10).unwrap_err();
        let expected = format!("{} isn't a plain file", path.display());
        assert_eq!(refused.to_string(), expected);
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
