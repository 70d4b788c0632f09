//! Who is calling: the Authorization value as a secret, and the key that stands for it.

use std::fmt;
use std::sync::Arc;

use hmac::{Hmac, KeyInit, Mac};
use http::HeaderValue;
use secrecy::{ExposeSecret, SecretString};
use sha2::Sha256;

/// A caller's Authorization header value. Neither printed nor logged nor compared.
#[derive(Debug, Clone)]
pub struct Authorization(Arc<SecretString>);

/// A header value that can't be an Authorization. Answered with 400, nothing is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum InvalidAuthorization {
    /// Two headers: it is unclear who is calling.
    #[error("send one Authorization header, not several")]
    Several,
    /// Control characters or anything but ASCII.
    #[error("the Authorization header has characters other than printable ASCII")]
    Characters,
    /// More than [`Authorization::MAX_BYTES`].
    #[error(
        "the Authorization header is longer than {} bytes",
        Authorization::MAX_BYTES
    )]
    TooLong,
}

/// What stands for a caller in maps: an HMAC of the Authorization value under a key that only this
/// process knows, so that neither a dump nor a log tells the token.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct CallerKey([u8; 32]);

/// Makes [`CallerKey`]s.
#[derive(Clone)]
pub struct CallerKeys(Hmac<Sha256>);

/// Somebody who asks: what to send on, and what to remember them by.
#[derive(Debug, Clone)]
pub struct Caller {
    /// Stands for them.
    pub key: CallerKey,
    /// Goes upstream unchanged; `None` sends none.
    pub authorization: Option<Authorization>,
}

impl Authorization {
    /// The longest value taken, in bytes.
    pub const MAX_BYTES: usize = 16 * 1024;

    /// The one value among a request's Authorization headers, if there is one.
    pub fn parse<'a>(
        mut values: impl Iterator<Item = &'a HeaderValue>,
    ) -> Result<Option<Self>, InvalidAuthorization> {
        let Some(value) = values.next() else {
            return Ok(None);
        };
        if values.next().is_some() {
            return Err(InvalidAuthorization::Several);
        }
        if value.len() > Self::MAX_BYTES {
            return Err(InvalidAuthorization::TooLong);
        }
        let text = value
            .to_str()
            .ok()
            .ok_or(InvalidAuthorization::Characters)?;
        Ok(Some(Self(Arc::new(SecretString::from(text)))))
    }

    /// The header to send upstream, marked so that HTTP libraries don't log it.
    pub(crate) fn header(&self) -> Option<HeaderValue> {
        let mut value = HeaderValue::from_str(self.0.expose_secret()).ok()?;
        value.set_sensitive(true);
        Some(value)
    }
}

impl CallerKeys {
    /// Keys under `secret`, which must be random and stay in this process.
    #[expect(clippy::expect_used, reason = "HMAC takes keys of any length")]
    pub fn new(secret: [u8; 32]) -> Self {
        Self(Hmac::new_from_slice(&secret).expect("HMAC takes keys of any length"))
    }

    /// The caller who sent `authorization`. All callers without one are one caller.
    pub fn caller(&self, authorization: Option<Authorization>) -> Caller {
        let mut mac = self.0.clone();
        if let Some(Authorization(value)) = &authorization {
            // The leading byte keeps an empty value apart from none.
            mac.update(&[1]);
            mac.update(value.expose_secret().as_bytes());
        }
        Caller {
            key: CallerKey(mac.finalize().into_bytes().into()),
            authorization,
        }
    }
}

impl CallerKey {
    /// Its first eight hexadecimal digits: enough to tell the callers of a file apart, too few to be
    /// taken for a secret.
    pub fn tag(&self) -> String {
        let [first, second, third, fourth, ..] = self.0;
        format!("{:08x}", u32::from_be_bytes([first, second, third, fourth]))
    }
}

impl fmt::Debug for CallerKeys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("CallerKeys")
    }
}

impl fmt::Debug for CallerKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("CallerKey")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(values: &[&[u8]]) -> Result<Option<Authorization>, InvalidAuthorization> {
        let values: Vec<_> = values
            .iter()
            .map(|value| HeaderValue::from_bytes(value).unwrap())
            .collect();
        Authorization::parse(values.iter())
    }

    fn key(value: Option<&str>) -> CallerKey {
        let values: Vec<&[u8]> = value.iter().map(|value| value.as_bytes()).collect();
        CallerKeys::new([7; 32]).caller(parse(&values).unwrap()).key
    }

    #[test]
    fn different_values_are_different_callers() {
        let keys = [
            None,
            Some(""),
            Some("Bearer a"),
            Some("Bearer b"),
            Some("bearer a"),
        ]
        .map(key);
        for (position, one) in keys.iter().enumerate() {
            assert!(
                keys.iter().skip(position + 1).all(|other| one != other),
                "{position}"
            );
        }
        assert!(key(Some("Bearer a")) == key(Some("Bearer a")));
    }

    #[test]
    fn unusable_headers_are_refused() {
        assert_eq!(
            parse(&[b"a", b"a"]).unwrap_err(),
            InvalidAuthorization::Several
        );
        assert_eq!(
            parse(&[b"Bearer \xc4\x85"]).unwrap_err(),
            InvalidAuthorization::Characters
        );
        let long = vec![b'a'; Authorization::MAX_BYTES + 1];
        assert_eq!(parse(&[&long]).unwrap_err(), InvalidAuthorization::TooLong);
    }

    #[test]
    fn nothing_secret_is_printed() {
        let authorization = parse(&[b"Bearer canary"]).unwrap();
        let caller = CallerKeys::new([7; 32]).caller(authorization);
        assert!(!format!("{caller:?}").contains("canary"));
    }
}
