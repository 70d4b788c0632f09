//! The upstream's OAuth documents under our own URL.
//!
//! Clients insist that the metadata's `resource` is the URL they were given, and they find the
//! metadata by the challenge (RFC 9728). So both name us instead of the upstream, by the public URL
//! or else by the host that was asked; everything else in them stays as it came, but for what is
//! signed.

use std::sync::Arc;

use axum::Extension;
use axum::extract::State;
use axum::response::Response;
use http::{HeaderMap, HeaderValue, StatusCode, Uri};
use serde_json::value::RawValue;
use upstream::UpstreamError;
use url::Url;
use wire::{RawObject, to_raw};

use super::Edge;
use super::guard::host;
use super::held::hold;
use super::observe::RequestTag;
use super::problem::{Problem, json};
use super::routes::MCP_PATH;

/// What becomes of the upstream's metadata and challenges.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum OauthMetadata {
    /// They name us.
    Rewrite {
        /// `--public-url`.
        public_url: Option<Url>,
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
    uri: Uri,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    if !edge.oauth.is_served_at(uri.path()) {
        return Err(no_metadata());
    }
    // Whoever asks is nobody yet, and each question is a request upstream.
    let place = edge.in_flight.enter(edge.callers.caller(None).key, &tag)?;
    match edge.protocol.upstream.resource_metadata().await {
        Ok(Some(document)) => {
            let document = match edge.oauth.public_url(&uri, &headers) {
                Some(public_url) => naming(&public_url, document),
                None => document,
            };
            let response = json(StatusCode::OK, document.get().to_owned());
            Ok(hold(response, place))
        }
        Ok(None) => Err(no_metadata()),
        Err(error) => {
            let status = match error {
                UpstreamError::RateLimited { .. } => StatusCode::TOO_MANY_REQUESTS,
                _ => StatusCode::BAD_GATEWAY,
            };
            let problem = Problem::ours(status, error.to_string(), tag);
            Err(problem.retry_after(error.retry_after()))
        }
    }
}

impl OauthMetadata {
    /// The URL by which the sender of such a request, whose host is known to be one of ours, reaches
    /// us; `None` where that isn't to be told. Without `--public-url` it begins with `http`, because
    /// what a client says of a proxy between us can't be trusted.
    pub(crate) fn public_url(&self, uri: &Uri, headers: &HeaderMap) -> Option<Url> {
        let Self::Rewrite { public_url } = self else {
            return None;
        };
        if public_url.is_some() {
            return public_url.clone();
        }
        let asked = host(uri, headers)?;
        let port = asked.port().map(|port| format!(":{port}"));
        let port = port.unwrap_or_default();
        Url::parse(&format!("http://{}{port}{MCP_PATH}", asked.host())).ok()
    }

    /// Whether `path` is the metadata's place for our endpoint or for the host (RFC 9728, section
    /// 3.1): at any other it would be another resource's.
    fn is_served_at(&self, path: &str) -> bool {
        let Some(resource) = path.strip_prefix(WELL_KNOWN) else {
            return false;
        };
        let resource = resource.trim_end_matches('/');
        let is_ours = |path: &str| resource.is_empty() || resource == path;
        match self {
            Self::Off => false,
            Self::Passthrough | Self::Rewrite { public_url: None } => is_ours(MCP_PATH),
            Self::Rewrite {
                public_url: Some(url),
            } => is_ours(MCP_PATH) || is_ours(url.path().trim_end_matches('/')),
        }
    }
}

/// `document` with us, at `public_url`, as the resource.
fn naming(public_url: &Url, document: Box<RawValue>) -> Box<RawValue> {
    let Some(object) = RawObject::read(&document) else {
        return document;
    };
    let resource = to_raw(trimmed(public_url));
    // Its claims would win over `resource` (RFC 9728, section 2.2), and it can't be signed anew.
    let replaced = ["resource", "signed_metadata"];
    object.rewrite(&replaced, &[("resource", &resource)])
}

/// A `WWW-Authenticate` value with the address of our metadata, if it names any. Without a public
/// URL it stays.
pub(crate) fn challenge(value: &HeaderValue, public_url: Option<&Url>) -> HeaderValue {
    let Some(public_url) = public_url else {
        return value.clone();
    };
    let rewritten = with_metadata_url(value.as_bytes(), &metadata_url(public_url));
    HeaderValue::from_bytes(&rewritten).unwrap_or_else(|_| value.clone())
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

pub(super) const WELL_KNOWN: &str = "/.well-known/oauth-protected-resource";
/// The same for a resource that has a path (RFC 9728, 3.1).
pub(super) const WELL_KNOWN_OF_A_PATH: &str = "/.well-known/oauth-protected-resource/{*path}";
const PARAMETER: &[u8] = b"resource_metadata";

#[cfg(test)]
mod tests;
