//! An answer on its way out: JSON or events, whole, compressed or broken off.

use std::io::Write;

use axum::body::Body;
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use flate2::Compression;
use flate2::write::GzEncoder;
use http::{HeaderName, HeaderValue, StatusCode, header};
use serde_json::value::RawValue;
use wire::{HEADER_SESSION_ID, RawObject, RequestId, RpcError, meta_key};

use crate::fault::{Effect, Piece};
use crate::playback::Playback;
use crate::record::Recorder;
use crate::settings::AnswerFormat;

/// A JSON-RPC answer and its status.
#[derive(Debug)]
pub(crate) struct Reply {
    status: StatusCode,
    body: Vec<u8>,
    session: Option<String>,
}

/// How a reply is sent.
#[derive(Debug)]
pub(crate) struct Delivery<'a> {
    pub(crate) format: AnswerFormat,
    pub(crate) effects: &'a [Effect],
    pub(crate) recorder: &'a Recorder,
}

impl Reply {
    pub(crate) fn result(id: &RequestId, result: &RawValue) -> Self {
        Self {
            status: StatusCode::OK,
            body: id.result(result),
            session: None,
        }
    }

    pub(crate) fn error(id: &RequestId, status: StatusCode, error: &RpcError) -> Self {
        Self {
            status,
            body: id.error(&error.to_raw()),
            session: None,
        }
    }

    /// The same reply, naming the session that it opened.
    pub(crate) fn in_session(self, session: String) -> Self {
        Self {
            session: Some(session),
            ..self
        }
    }
}

impl Delivery<'_> {
    /// The response that carries `reply` to a request with `params`.
    pub(crate) fn send(self, reply: Reply, params: Option<&RawValue>) -> Response {
        let pieces = self.effects.iter().find_map(|effect| match effect {
            Effect::Stream(pieces) => Some(pieces.clone()),
            _ => None,
        });
        let events = reply.status == StatusCode::OK && self.format == AnswerFormat::Sse;
        let content_type = if events || pieces.is_some() {
            "text/event-stream"
        } else {
            "application/json"
        };
        let body = match pieces {
            Some(pieces) => self.script(pieces, event(&reply.body)),
            None if events => self.body(event_stream(&reply.body, params)),
            None => self.body(reply.body),
        };
        let mut response = (reply.status, body).into_response();
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(content_type));
        if self.gzips() {
            headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
        }
        if let Some(Ok(session)) = reply.session.map(HeaderValue::try_from) {
            headers.insert(HeaderName::from_static(HEADER_SESSION_ID), session);
        }
        response
    }

    fn body(&self, whole: Vec<u8>) -> Body {
        let whole = Bytes::from(if self.gzips() { gzip(&whole) } else { whole });
        let pieces = self.effects.iter().find_map(|effect| match effect {
            Effect::Chunks(size) => Some(chunks(&whole, *size)),
            Effect::CutAfter(bytes) => Some(cut(&whole, *bytes)),
            _ => None,
        });
        match pieces {
            Some(pieces) => self.script(pieces, Vec::new()),
            None => Body::from(whole),
        }
    }

    fn script(&self, pieces: Vec<Piece>, answer: Vec<u8>) -> Body {
        Playback::new(pieces, answer.into(), self.recorder).into_body()
    }

    fn gzips(&self) -> bool {
        self.effects
            .iter()
            .any(|effect| matches!(effect, Effect::Gzip))
    }
}

/// A priming event without data, progress if the caller gave a token, and the answer.
fn event_stream(answer: &[u8], params: Option<&RawValue>) -> Vec<u8> {
    let mut stream = b"id: 1\ndata:\n\n".to_vec();
    if let Some(progress) = params.and_then(progress) {
        stream.extend_from_slice(&event(progress.as_bytes()));
    }
    stream.extend_from_slice(&event(answer));
    stream
}

fn event(message: &[u8]) -> Vec<u8> {
    [b"event: message\ndata: ", message, b"\n\n"].concat()
}

fn progress(params: &RawValue) -> Option<String> {
    let meta = RawObject::read(params)?.get("_meta")?;
    let token = RawObject::read(meta)?.get(meta_key::PROGRESS_TOKEN)?.get();
    Some(format!(
        r#"{{"jsonrpc":"2.0","method":"notifications/progress","params":{{"progressToken":{token},"progress":1,"total":2,"message":"halfway"}}}}"#
    ))
}

#[expect(clippy::expect_used, reason = "writing into memory doesn't fail")]
fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).expect("memory takes bytes");
    encoder.finish().expect("memory takes bytes")
}

fn chunks(whole: &Bytes, size: usize) -> Vec<Piece> {
    whole
        .chunks(size.max(1))
        .map(|chunk| Piece::Bytes(Bytes::copy_from_slice(chunk)))
        .collect()
}

fn cut(whole: &Bytes, bytes: usize) -> Vec<Piece> {
    let start = whole.slice(..bytes.min(whole.len()));
    vec![Piece::Bytes(start), Piece::Cut]
}
