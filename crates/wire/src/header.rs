//! Header names of MCP over HTTP, and how text is carried in a header value.

use std::borrow::Cow;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

/// The revision of a request; required in the modern era.
pub const HEADER_PROTOCOL_VERSION: &str = "mcp-protocol-version";
/// The body's method; required in the modern era.
pub const HEADER_METHOD: &str = "mcp-method";
/// The body's `params.name` or `params.uri`, for the methods that have one.
pub const HEADER_NAME: &str = "mcp-name";
/// What a tool's `x-mcp-header` names follow.
pub const HEADER_PARAM_PREFIX: &str = "mcp-param-";
/// A legacy server's session.
pub const HEADER_SESSION_ID: &str = "mcp-session-id";

const OPENING: &str = "=?base64?";
const CLOSING: &str = "?=";

/// A header value that looks encoded but can't be decoded.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("the header value isn't base64 of UTF-8 text between `=?base64?` and `?=`")]
pub struct DecodeHeaderError;

/// `text` as a header value: itself where that is safe, else `=?base64?…?=`.
///
/// Safe is printable ASCII without blanks at either end that doesn't itself look encoded
/// (2026-07-28, streamable HTTP, header encoding).
pub fn encode_header(text: &str) -> Cow<'_, str> {
    let printable = text.bytes().all(|byte| (b' '..=b'~').contains(&byte));
    let trimmed = !text.starts_with(' ') && !text.ends_with(' ') && !text.is_empty();
    if printable && trimmed && !looks_encoded(text) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(format!("{OPENING}{}{CLOSING}", STANDARD.encode(text)))
}

/// The text that a header value carries.
pub fn decode_header(value: &str) -> Result<Cow<'_, str>, DecodeHeaderError> {
    let Some(encoded) = value
        .strip_prefix(OPENING)
        .and_then(|rest| rest.strip_suffix(CLOSING))
    else {
        return Ok(Cow::Borrowed(value));
    };
    let bytes = STANDARD.decode(encoded).ok().ok_or(DecodeHeaderError)?;
    String::from_utf8(bytes)
        .ok()
        .map(Cow::Owned)
        .ok_or(DecodeHeaderError)
}

fn looks_encoded(text: &str) -> bool {
    text.starts_with(OPENING) && text.ends_with(CLOSING)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn plain_names_stay_plain() {
        for plain in ["create_issue", "a/b.c:d", "x y"] {
            assert_eq!(encode_header(plain), plain);
        }
        assert_eq!(encode_header("名前"), "=?base64?5ZCN5YmN?=");
    }

    #[test]
    fn what_only_looks_encoded_is_refused() {
        assert_eq!(decode_header("=?base64?***?="), Err(DecodeHeaderError));
        assert_eq!(decode_header("=?base64?/w==?="), Err(DecodeHeaderError));
        assert_eq!(decode_header("=?base64?").unwrap(), "=?base64?");
    }

    proptest! {
        #[test]
        fn any_text_comes_back(text in "\\PC*|[ -~]*|(?s).*") {
            let encoded = encode_header(&text);
            prop_assert!(encoded.bytes().all(|byte| (b' '..=b'~').contains(&byte)));
            prop_assert_eq!(decode_header(&encoded).unwrap(), text.as_str());
        }
    }
}
