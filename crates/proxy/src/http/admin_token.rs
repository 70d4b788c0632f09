//! The operator's own token.

use std::fmt;
use std::sync::Arc;

use http::{HeaderMap, HeaderName};
use subtle::ConstantTimeEq;

/// What `X-Admin-Token` must hold.
#[derive(Clone)]
pub(crate) struct AdminToken(Arc<[u8]>);

/// A token that is none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a token has 16 characters or more, all of them visible ASCII")]
pub(crate) struct InvalidAdminToken;

impl AdminToken {
    /// Reads `--admin-token`. A shorter one could be guessed.
    pub(crate) fn parse(text: &str) -> Result<Self, InvalidAdminToken> {
        let is_visible = text.bytes().all(|byte| byte.is_ascii_graphic());
        if is_visible && text.len() >= SHORTEST {
            Ok(Self(text.as_bytes().into()))
        } else {
            Err(InvalidAdminToken)
        }
    }

    /// Whether `headers` hold it, once. How long that takes to say tells nothing of it but its length.
    pub(super) fn is_in(&self, headers: &HeaderMap) -> bool {
        let mut given = headers.get_all(HEADER).iter();
        match (given.next(), given.next()) {
            (Some(given), None) => given.as_bytes().ct_eq(&self.0).into(),
            _ => false,
        }
    }
}

impl fmt::Debug for AdminToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("AdminToken")
    }
}

const HEADER: HeaderName = HeaderName::from_static("x-admin-token");
const SHORTEST: usize = 16;

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    #[test]
    fn only_the_whole_token_counts() {
        let token = AdminToken::parse("sixteen-or-more!").unwrap();
        let check = |values: &[&'static str], expected: bool| {
            let mut headers = HeaderMap::new();
            for value in values {
                headers.append(HEADER, HeaderValue::from_static(value));
            }
            assert_eq!(token.is_in(&headers), expected, "{values:?}");
        };
        check(&["sixteen-or-more!"], true);
        check(&["sixteen-or-more"], false);
        check(&["sixteen-or-more!!"], false);
        check(&["Sixteen-or-more!"], false);
        check(&[""], false);
        check(&[], false);
        check(&["sixteen-or-more!", "sixteen-or-more!"], false);
    }

    #[test]
    fn a_token_is_long_and_visible_and_never_shown() {
        for text in [
            "",
            "fifteen-letters",
            "with a blank in it",
            "ąčęėįšųū-ąčęėįšųū",
        ] {
            assert!(AdminToken::parse(text).is_err(), "{text}");
        }
        let token = AdminToken::parse("sixteen-or-more!").unwrap();
        assert_eq!(format!("{token:?}"), "AdminToken");
    }
}
