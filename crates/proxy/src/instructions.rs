//! What a client reads about the proxy at its handshake: our guidance, then the upstream's own text.

use catalog::Catalog;

/// Our guidance (at most 900 characters) with how many tools there are and which areas they cover,
/// then the upstream's instructions, cut to `max_chars` with a note that says so. `None` where the
/// catalog isn't there yet.
pub(crate) fn instructions(_catalog: Option<&Catalog>, _max_chars: usize) -> String {
    todo!()
}
