//! The answer to one request, read from a JSON body or an event stream.

use http::header::CONTENT_TYPE;
use http::{HeaderMap, StatusCode};
use serde_json::value::RawValue;
use wire::{InvalidMessage, Message, RequestId};

use crate::backchannel::Backchannel;
use crate::body;
use crate::error::{Presented, UpstreamError};
use crate::refusal::Refusal;
use crate::status;
use crate::stream::EventStream;

/// What an answer must be, and how large it may get.
pub(crate) struct Expected<'a> {
    pub(crate) id: RequestId,
    pub(crate) max_bytes: usize,
    pub(crate) presented: Presented,
    /// How to talk back while the upstream works; only within a legacy session.
    pub(crate) backchannel: Option<Backchannel<'a>>,
}

/// An answer that came whole.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    /// As read, after decompression.
    pub(crate) bytes: usize,
    pub(crate) content: Content,
}

/// A `result`, or why there is none.
pub(crate) type Content = Result<Box<RawValue>, Refusal>;

impl Expected<'_> {
    /// Reads `response` to the answer expected, and no further.
    pub(crate) async fn read(self, response: reqwest::Response) -> Result<Answer, UpstreamError> {
        let status = response.status();
        if let Err(error) = status::check(status, response.headers(), self.presented) {
            body::drain(response);
            return Err(error);
        }
        if status.is_success() {
            return self.read_success(response).await;
        }
        let max_bytes = self.max_bytes.min(MAX_ERROR_BYTES);
        // A body that can't be read leaves the status, which says enough.
        let body = body::collect(response, max_bytes).await.unwrap_or_default();
        Ok(Answer {
            status,
            bytes: body.len(),
            content: Err(Refusal::read(status, &body)),
        })
    }

    async fn read_success(self, response: reqwest::Response) -> Result<Answer, UpstreamError> {
        let status = response.status();
        if matches!(status.as_u16(), 202 | 204 | 205) {
            return Err(malformed(status, response.headers(), "it holds no answer"));
        }
        if is_event_stream(response.headers()) {
            let (content, bytes) = EventStream::new(self).answer(response).await?;
            return Ok(Answer {
                status,
                bytes,
                content,
            });
        }
        let headers = response.headers().clone();
        let body = body::collect(response, self.max_bytes).await?;
        let content = match Message::parse(&body) {
            Ok(message) => self
                .own_content(status, message)
                .ok_or("it answers no request of ours"),
            Err(_) if is_page(&headers, &body) => {
                return Err(UpstreamError::Page {
                    status: status.as_u16(),
                });
            }
            Err(invalid) => Err(fault_of(&body, &invalid)),
        };
        Ok(Answer {
            status,
            bytes: body.len(),
            content: content.map_err(|fault| malformed(status, &headers, fault))?,
        })
    }

    /// What `message` answers, if it answers this request.
    ///
    /// An error without id counts: the upstream couldn't read ours.
    pub(crate) fn own_content(&self, status: StatusCode, message: Message<'_>) -> Option<Content> {
        let Message::Response(response) = message else {
            return None;
        };
        match (response.outcome, response.id) {
            (Ok(result), Some(id)) if id.matches(&self.id) => Some(Ok(result.to_owned())),
            (Err(error), id) if id.as_ref().is_none_or(|id| id.matches(&self.id)) => {
                Some(Err(Refusal::new(status, error)))
            }
            _ => None,
        }
    }
}

/// An answer that can't be used, told by its head and `fault`, without its content.
pub(crate) fn malformed(status: StatusCode, headers: &HeaderMap, fault: &str) -> UpstreamError {
    let media_type = media_type(headers)
        .filter(|media_type| media_type.len() <= 80)
        .unwrap_or("no content type");
    UpstreamError::Malformed {
        reason: format!("status {}, {media_type}: {fault}", status.as_u16()),
    }
}

/// What is wrong with a body that is no message.
pub(crate) fn fault_of(body: &[u8], invalid: &InvalidMessage) -> &'static str {
    match invalid {
        InvalidMessage::NotJson(_) if body.trim_ascii_start().is_empty() => "the body is empty",
        InvalidMessage::NotJson(error) if error.is_eof() => "the JSON is cut off",
        InvalidMessage::NotJson(_) => "it isn't JSON",
        InvalidMessage::Batch => "it is a JSON array, not one message",
        InvalidMessage::Shape(_) => "it is JSON but no JSON-RPC message",
    }
}

/// Whether a body that is no message was meant for a browser.
fn is_page(headers: &HeaderMap, body: &[u8]) -> bool {
    body.trim_ascii_start().starts_with(b"<")
        || media_type(headers).is_some_and(|found| found.eq_ignore_ascii_case("text/html"))
}

/// Whether the body is a stream of events.
pub(crate) fn is_event_stream(headers: &HeaderMap) -> bool {
    media_type(headers).is_some_and(|found| found.eq_ignore_ascii_case("text/event-stream"))
}

fn media_type(headers: &HeaderMap) -> Option<&str> {
    let value = headers.get(CONTENT_TYPE)?.to_str().ok()?;
    let media_type = value.split(';').next()?.trim();
    (!media_type.is_empty()).then_some(media_type)
}

const MAX_ERROR_BYTES: usize = 1 << 20;
