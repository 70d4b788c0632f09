//! In which form an answer goes out. JSON, unless a client takes event streams alone.

use axum::response::Response;
use http::header::{ACCEPT, CONTENT_TYPE};
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode};

/// The form of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// One JSON document.
    Json,
    /// The same as the only event of a stream.
    EventStream,
}

impl Form {
    /// What `Accept` asks for. Absent, unknown and unreadable values mean JSON: connectors and
    /// proxies send anything there (field case 73).
    pub(crate) fn wanted(headers: &HeaderMap) -> Self {
        let mut takes_events = false;
        for value in headers.get_all(ACCEPT) {
            for range in value.to_str().unwrap_or_default().split(',') {
                let mut parts = range.split(';').map(str::trim);
                let media_type = parts.next().unwrap_or_default().to_ascii_lowercase();
                let is_refused = parts.any(is_weight_of_zero);
                match media_type.as_str() {
                    "application/json" | "application/*" | "*/*" if !is_refused => {
                        return Self::Json;
                    }
                    "text/event-stream" | "text/*" if !is_refused => takes_events = true,
                    _ => {}
                }
            }
        }
        if takes_events {
            Self::EventStream
        } else {
            Self::Json
        }
    }
}

/// `q=0`, with up to three decimals (RFC 9110, section 12.4.2).
fn is_weight_of_zero(parameter: &str) -> bool {
    parameter.split_once('=').is_some_and(|(name, weight)| {
        name.eq_ignore_ascii_case("q") && weight.parse() == Ok(0.0_f32)
    })
}

/// A JSON document as a stream of one event. Line breaks between its tokens become lines of the
/// event, which a reader joins again.
pub(crate) fn event_stream(status: StatusCode, json: &[u8]) -> Response {
    let mut body = Vec::with_capacity(json.len() + 32);
    body.extend_from_slice(b"event: message\n");
    for line in json.split(|byte| matches!(byte, b'\n' | b'\r')) {
        body.extend_from_slice(b"data: ");
        body.extend_from_slice(line);
        body.push(b'\n');
    }
    body.push(b'\n');
    let mut response = Response::new(body.into());
    *response.status_mut() = status;
    let stream = HeaderValue::from_static("text/event-stream");
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, stream);
    headers.insert(UNBUFFERED, HeaderValue::from_static("no"));
    response
}

/// Asks nginx not to hold the stream back (2026-07-28, streamable HTTP).
const UNBUFFERED: HeaderName = HeaderName::from_static("x-accel-buffering");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_unless_it_is_excluded() {
        for (accept, expected) in [
            (None, Form::Json),
            (Some("application/json, text/event-stream"), Form::Json),
            (Some("*/*"), Form::Json),
            (
                Some("Application/JSON;q=0.1, text/event-stream"),
                Form::Json,
            ),
            (Some("text/html"), Form::Json),
            (Some("text/event-stream"), Form::EventStream),
            (Some("TEXT/Event-Stream; q=0.9"), Form::EventStream),
            (
                Some("application/json;q=0, text/event-stream"),
                Form::EventStream,
            ),
            (
                Some("application/json; Q=0.000, text/event-stream"),
                Form::EventStream,
            ),
            (
                Some("application/json;q=0.001, text/event-stream"),
                Form::Json,
            ),
        ] {
            let mut headers = HeaderMap::new();
            if let Some(accept) = accept {
                headers.insert(ACCEPT, HeaderValue::from_static(accept));
            }
            assert_eq!(Form::wanted(&headers), expected, "{accept:?}");
        }
    }
}
