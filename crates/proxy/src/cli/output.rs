//! What a command prints.

use std::io::{self, Write};

/// Writes `text` to standard output. A reader that has seen enough (`| head`) closes the pipe, and
/// that is no fault.
pub(crate) fn print(text: &str) -> io::Result<()> {
    match io::stdout().write_all(text.as_bytes()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error),
        _ => Ok(()),
    }
}
