//! SHA-256 as text.

use std::fmt::Write;
use std::io::{self, Read};
use std::path::Path;

use fs_err as fs;
use sha2::{Digest, Sha256};

/// That of a file.
pub(super) fn of_file(path: &Path) -> io::Result<String> {
    let mut hasher = Sha256::new();
    feed(&mut fs::File::open(path)?, &mut hasher)?;
    Ok(hex(hasher))
}

/// Reads to the end, and returns how many bytes there were.
pub(super) fn feed(file: &mut impl Read, hasher: &mut Sha256) -> io::Result<u64> {
    let mut buffer = vec![0; BUFFER_BYTES];
    let mut total = 0;
    loop {
        let count = file.read(&mut buffer)?;
        let Some(read) = buffer.get(..count).filter(|read| !read.is_empty()) else {
            return Ok(total);
        };
        hasher.update(read);
        total += read.len() as u64;
    }
}

/// In hexadecimal.
pub(super) fn hex(hasher: Sha256) -> String {
    let mut text = String::new();
    for byte in hasher.finalize() {
        write!(text, "{byte:02x}").unwrap_or_default();
    }
    text
}

const BUFFER_BYTES: usize = 1 << 18;
