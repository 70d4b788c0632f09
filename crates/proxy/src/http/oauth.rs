//! The upstream's OAuth documents under our own URL.
//!
//! Clients insist that the metadata's `resource` is the URL they were given, and they find the
//! metadata by the challenge (RFC 9728). So with a public URL both name us instead of the upstream;
//! everything else in them stays as it came, but for what is signed.

use std::sync::Arc;

use axum::Extension;
use axum::extract::State;
use axum::response::Response;
use http::{HeaderValue, StatusCode};
use serde_json::value::RawValue;
use url::Url;
use wire::{RawObject, to_raw};

use super::Edge;
use super::observe::RequestTag;
use super::problem::{Problem, json};

/// What becomes of the upstream's metadata and challenges.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum OauthMetadata {
    /// They name us by our public URL.
    Rewrite {
        /// `--public-url`.
        public_url: Url,
    },
    /// They stay as they come.
    Passthrough,
    /// Challenges stay as they come; no metadata is served.
    Off,
}

/// The upstream's protected-resource metadata.
pub(crate) async fn get(
    State(edge): State<Arc<Edge>>,
    Extension(tag): Extension<RequestTag>,
) -> Result<Response, Problem> {
    if edge.oauth == OauthMetadata::Off {
        return Err(no_metadata());
    }
    // Whoever asks is nobody yet, and each question is a request upstream.
    let _place = edge.in_flight.enter(edge.callers.caller(None).key, &tag)?;
    match edge.protocol.upstream.resource_metadata().await {
        Ok(Some(document)) => {
            let document = edge.oauth.document(document);
            Ok(json(StatusCode::OK, document.get().to_owned()))
        }
        Ok(None) => Err(no_metadata()),
        Err(error) => Err(Problem::ours(
            StatusCode::BAD_GATEWAY,
            error.to_string(),
            tag,
        )),
    }
}

impl OauthMetadata {
    /// `document` with us as the resource.
    fn document(&self, document: Box<RawValue>) -> Box<RawValue> {
        let (Self::Rewrite { public_url }, Some(object)) = (self, RawObject::read(&document))
        else {
            return document;
        };
        let resource = to_raw(trimmed(public_url));
        // Its claims would win over `resource` (RFC 9728, section 2.2), and it can't be signed anew.
        let replaced = ["resource", "signed_metadata"];
        object.rewrite(&replaced, &[("resource", &resource)])
    }

    /// A `WWW-Authenticate` value with the address of our metadata, if it names any.
    pub(crate) fn challenge(&self, value: &HeaderValue) -> HeaderValue {
        let Self::Rewrite { public_url } = self else {
            return value.clone();
        };
        let rewritten = with_metadata_url(value.as_bytes(), &metadata_url(public_url));
        HeaderValue::from_bytes(&rewritten).unwrap_or_else(|_| value.clone())
    }
}

/// `{origin}/.well-known/oauth-protected-resource{path}` (RFC 9728, section 3.1).
fn metadata_url(public_url: &Url) -> String {
    let origin = public_url.origin().ascii_serialization();
    let path = public_url.path().trim_end_matches('/');
    format!("{origin}{WELL_KNOWN}{path}")
}

/// The URL without the slash that the `url` crate gives to an origin.
fn trimmed(url: &Url) -> &str {
    match url.path() {
        "/" => url.as_str().trim_end_matches('/'),
        _ => url.as_str(),
    }
}

/// `challenges` with `url` in every parameter `resource_metadata`; one header may hold several
/// challenges. What looks like a parameter within a quoted string isn't one.
fn with_metadata_url(challenges: &[u8], url: &str) -> Vec<u8> {
    let mut written = Vec::with_capacity(challenges.len() + url.len());
    let mut rest = challenges;
    let mut is_boundary = true;
    while let Some((&byte, after)) = rest.split_first() {
        let value = if is_boundary {
            after_parameter_name(rest)
        } else {
            None
        };
        let next = match value {
            Some(value) => value,
            None if byte == b'"' => after_quoted(after),
            None => after,
        };
        written.extend_from_slice(rest.strip_suffix(next).unwrap_or_default());
        rest = next;
        if let Some(value) = value {
            written.extend_from_slice(format!("\"{url}\"").as_bytes());
            rest = after_parameter_value(value);
        }
        is_boundary = matches!(byte, b' ' | b',' | b'\t');
    }
    written
}

fn after_parameter_name(text: &[u8]) -> Option<&[u8]> {
    let (name, rest) = text.split_at_checked(PARAMETER.len())?;
    let rest = rest.trim_ascii_start().strip_prefix(b"=")?;
    name.eq_ignore_ascii_case(PARAMETER)
        .then(|| rest.trim_ascii_start())
}

fn after_parameter_value(text: &[u8]) -> &[u8] {
    if let Some(quoted) = text.strip_prefix(b"\"") {
        return after_quoted(quoted);
    }
    let end = text
        .iter()
        .position(|byte| matches!(byte, b',' | b' ' | b'\t'));
    text.get(end.unwrap_or(text.len())..).unwrap_or_default()
}

/// What follows the closing quote.
fn after_quoted(mut text: &[u8]) -> &[u8] {
    while let Some((&byte, after)) = text.split_first() {
        text = match byte {
            b'"' => return after,
            b'\\' => after.get(1..).unwrap_or_default(),
            _ => after,
        };
    }
    text
}

fn no_metadata() -> Problem {
    Problem::new(
        StatusCode::NOT_FOUND,
        "there is no protected-resource metadata here",
    )
}

pub(crate) const WELL_KNOWN: &str = "/.well-known/oauth-protected-resource";
const PARAMETER: &[u8] = b"resource_metadata";

#[cfg(test)]
mod tests {
    use super::*;

    fn rewrite(public_url: &str) -> OauthMetadata {
        OauthMetadata::Rewrite {
            public_url: public_url.parse().unwrap(),
        }
    }

    fn check_challenge(value: &'static str, expected: &str) {
        let rewritten =
            rewrite("https://us.example/mcp").challenge(&HeaderValue::from_static(value));
        assert_eq!(rewritten.to_str().unwrap(), expected, "{value}");
    }

    #[test]
    fn only_the_address_of_the_metadata_changes() {
        let ours = "\"https://us.example/.well-known/oauth-protected-resource/mcp\"";
        check_challenge("Bearer", "Bearer");
        check_challenge(
            r#"Bearer error="invalid_token", resource_metadata="https://up.example/x", scope="a b""#,
            &format!(r#"Bearer error="invalid_token", resource_metadata={ours}, scope="a b""#),
        );
        check_challenge(
            "bearer Resource_Metadata = https://up.example/x, realm=r",
            &format!("bearer Resource_Metadata = {ours}, realm=r"),
        );
        let quoted = r#"Bearer error_description="say \"x\", resource_metadata=\"y\"""#;
        check_challenge(quoted, quoted);
        check_challenge(
            r#"Bearer xresource_metadata="https://up.example/x""#,
            r#"Bearer xresource_metadata="https://up.example/x""#,
        );
        check_challenge(
            r#"Bearer resource_metadata="https://up.example/x", DPoP algs="a", resource_metadata=https://up.example/y"#,
            &format!(r#"Bearer resource_metadata={ours}, DPoP algs="a", resource_metadata={ours}"#),
        );
        check_challenge(
            "Bearer resource_metadata=\"cut",
            &format!("Bearer resource_metadata={ours}"),
        );
    }

    #[test]
    fn only_the_resource_changes_in_the_document() {
        let upstream = r#"{"resource":"https://up.example/mcp","scopes_supported":["a"],"signed_metadata":"e.y.J","x":1.0}"#;
        for (public_url, expected) in [
            ("https://us.example/mcp", "https://us.example/mcp"),
            ("https://us.example", "https://us.example"),
        ] {
            let document = RawValue::from_string(upstream.to_owned()).unwrap();
            assert_eq!(
                rewrite(public_url).document(document).get(),
                format!(r#"{{"resource":"{expected}","scopes_supported":["a"],"x":1.0}}"#)
            );
        }
    }

    #[test]
    fn without_a_public_url_nothing_changes() {
        let value = HeaderValue::from_static(r#"Bearer resource_metadata="https://up.example/x""#);
        assert_eq!(OauthMetadata::Passthrough.challenge(&value), value);
    }
}
