//! The key to an embedding service.

use std::fmt;
use std::sync::Arc;

use http::HeaderValue;
use secrecy::{ExposeSecret, SecretString};

/// A key as a secret: neither printed nor logged.
#[derive(Clone)]
pub struct EmbeddingsKey(Arc<SecretString>);

/// A key that can't be sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "a key is one line of visible ASCII, up to {} characters",
    EmbeddingsKey::MAX_BYTES
)]
pub struct InvalidKey;

impl EmbeddingsKey {
    /// The longest key taken, in bytes.
    pub const MAX_BYTES: usize = 16 * 1024;

    /// The key in `text`, without the blanks and line ends around it.
    pub fn parse(text: &str) -> Result<Self, InvalidKey> {
        let key = text.trim();
        let is_key = !key.is_empty()
            && key.len() <= Self::MAX_BYTES
            && key.bytes().all(|byte| byte.is_ascii_graphic());
        if is_key {
            Ok(Self(Arc::new(SecretString::from(key))))
        } else {
            Err(InvalidKey)
        }
    }

    /// The header to send, marked so that HTTP libraries don't log it.
    pub(super) fn bearer(&self) -> Option<HeaderValue> {
        let text = SecretString::from(format!("Bearer {}", self.0.expose_secret()));
        let mut value = HeaderValue::from_str(text.expose_secret()).ok()?;
        value.set_sensitive(true);
        Some(value)
    }
}

impl fmt::Debug for EmbeddingsKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("EmbeddingsKey")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_a_line_of_visible_ascii_and_never_shown() {
        let long = "k".repeat(EmbeddingsKey::MAX_BYTES + 1);
        for text in ["", " \n", "two words", "two\nlines", "raktas-ė", &long] {
            assert_eq!(EmbeddingsKey::parse(text).unwrap_err(), InvalidKey);
        }
        let key = EmbeddingsKey::parse(" canary-1\r\n").unwrap();
        assert_eq!(format!("{key:?}"), "EmbeddingsKey");
        let bearer = key.bearer().unwrap();
        assert_eq!(bearer, "Bearer canary-1");
        assert!(bearer.is_sensitive());
    }
}
