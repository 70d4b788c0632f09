//! Scripted departures from good behaviour.

use std::borrow::Cow;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use http::{HeaderName, HeaderValue, StatusCode, header};
use serde_json::value::RawValue;
use wire::{Message, RawObject, RpcError};

use crate::listing::Page;

/// One departure: what it does, to which requests, how often.
#[derive(Debug, Clone)]
pub struct Fault {
    target: Target,
    effect: Effect,
    uses: usize,
}

/// Which requests a fault meets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Target {
    /// All of them, notifications too.
    Every,
    /// Those of one method, such as `tools/list` or `notifications/initialized`.
    Method(String),
    /// Calls of one tool.
    Tool(String),
    /// One page of `tools/list`, counted from 1.
    Page(usize),
}

/// What a fault does. Several may meet one request; each does its part.
#[derive(Debug, Clone)]
pub enum Effect {
    /// Waits before anything else happens.
    Delay(Duration),
    /// Never answers; the connection stays open.
    Hang,
    /// Closes the connection without a byte of an answer.
    Disconnect,
    /// Answers this instead, without running anything.
    Reply(RawReply),
    /// Answers 401 with the gateway's challenge.
    Unauthorized,
    /// Answers 403 and asks for this scope.
    InsufficientScope(String),
    /// Forgets every session first (stateful era), as a restart does.
    ForgetSessions,
    /// Answers this JSON-RPC error, without running anything.
    Error(RpcError),
    /// Answers this result, exactly these bytes.
    Result(Box<RawValue>),
    /// Answers a text block of this many bytes.
    HugeText(usize),
    /// Asks the caller for a confirmation first (`input_required`, 2026-07-28).
    AskFirst,
    /// Lists no tools.
    EmptyList,
    /// Lists these entries after the tools of the page, whatever they are.
    ExtraTools(Vec<Box<RawValue>>),
    /// Every page is the first and names the next of these cursors, round and round.
    EndlessCursor(Vec<String>),
    /// Compresses the body.
    Gzip,
    /// Sends the body in chunks of this many bytes.
    Chunks(usize),
    /// Breaks the connection off after this many bytes of the body.
    CutAfter(usize),
    /// Sends these pieces as `text/event-stream` instead of a plain answer.
    Stream(Vec<Piece>),
}

/// A whole HTTP answer.
#[derive(Debug, Clone)]
pub struct RawReply {
    /// The status.
    pub status: StatusCode,
    /// Names and values of its headers.
    pub headers: Vec<(String, String)>,
    /// Its body.
    pub body: Bytes,
}

/// A piece of a scripted event stream.
#[derive(Debug, Clone)]
pub enum Piece {
    /// These bytes.
    Bytes(Bytes),
    /// The answer as an event.
    Answer,
    /// Waits until the client posts a JSON-RPC response, as servers do that asked it something.
    AwaitResponse,
    /// Nothing more, and the connection stays open.
    Hang,
    /// Breaks the connection off.
    Cut,
}

/// What of a request decides which faults it meets.
#[derive(Debug, Clone, Default)]
pub(crate) struct Incoming {
    pub(crate) method: String,
    pub(crate) tool: Option<String>,
    pub(crate) page: Option<usize>,
}

/// The faults in force. They may change while the gateway runs.
#[derive(Debug)]
pub(crate) struct Script(Mutex<Vec<Fault>>);

impl Fault {
    /// A fault that stays.
    pub fn new(target: Target, effect: Effect) -> Self {
        Self {
            target,
            effect,
            uses: usize::MAX,
        }
    }

    /// The same fault for its next `uses` requests only.
    #[must_use]
    pub fn times(self, uses: usize) -> Self {
        Self { uses, ..self }
    }
}

impl Target {
    /// The requests of one method.
    pub fn method(method: &str) -> Self {
        Self::Method(method.to_owned())
    }

    /// The calls of one tool.
    pub fn tool(name: &str) -> Self {
        Self::Tool(name.to_owned())
    }

    fn meets(&self, incoming: &Incoming) -> bool {
        match self {
            Self::Every => true,
            Self::Method(method) => *method == incoming.method,
            Self::Tool(name) => incoming.tool.as_ref() == Some(name),
            Self::Page(page) => incoming.page == Some(*page),
        }
    }
}

impl Incoming {
    /// Reads a message that came to a gateway with pages of this size.
    pub(crate) fn read(message: &Message<'_>, page_size: usize) -> Self {
        let (method, params) = match message {
            Message::Request(request) => (request.method.as_ref(), request.params),
            Message::Notification { method, params } => (method.as_ref(), *params),
            Message::Response(_) => return Self::default(),
        };
        let params = params.and_then(RawObject::read);
        let text = |key| params.as_ref()?.get_str(key);
        let page = Page {
            cursor: text("cursor").as_deref(),
            size: page_size,
        }
        .number();
        Self {
            method: method.to_owned(),
            tool: text("name")
                .filter(|_| method == "tools/call")
                .map(Cow::into_owned),
            page: page.filter(|_| method == "tools/list"),
        }
    }
}

impl RawReply {
    /// An HTML page, as proxies send with a 502 and login pages with a 200.
    pub fn html(status: StatusCode) -> Self {
        Self::new(status, "text/html", "<html><body>Not today.</body></html>")
    }

    /// A 429 that asks for patience; `retry_after` is seconds or an HTTP date.
    pub fn too_many_requests(retry_after: &str) -> Self {
        let mut reply = Self::new(StatusCode::TOO_MANY_REQUESTS, "text/plain", "slow down");
        reply
            .headers
            .push(("retry-after".to_owned(), retry_after.to_owned()));
        reply
    }

    /// A redirect to `location`.
    pub fn redirect(status: StatusCode, location: &str) -> Self {
        let mut reply = Self::new(status, "text/plain", "");
        reply
            .headers
            .push(("location".to_owned(), location.to_owned()));
        reply
    }

    /// `body` under `status`.
    pub fn new(status: StatusCode, content_type: &str, body: impl Into<Bytes>) -> Self {
        Self {
            status,
            headers: vec![("content-type".to_owned(), content_type.to_owned())],
            body: body.into(),
        }
    }
}

impl IntoResponse for RawReply {
    fn into_response(self) -> Response {
        let mut response = (self.status, self.body).into_response();
        response.headers_mut().remove(header::CONTENT_TYPE);
        for (name, value) in &self.headers {
            // A script's own headers; what isn't one is left out and its test sees that.
            if let (Ok(name), Ok(value)) = (
                HeaderName::from_bytes(name.as_bytes()),
                HeaderValue::from_str(value),
            ) {
                response.headers_mut().append(name, value);
            }
        }
        response
    }
}

impl Script {
    pub(crate) fn new(faults: Vec<Fault>) -> Self {
        Self(Mutex::new(faults))
    }

    pub(crate) fn replace(&self, faults: Vec<Fault>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = faults;
    }

    /// What happens to this request. Faults with a limit are used up by it.
    pub(crate) fn meet(&self, incoming: &Incoming) -> Vec<Effect> {
        let mut faults = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut effects = Vec::new();
        for fault in faults.iter_mut().filter(|fault| fault.uses > 0) {
            if fault.target.meets(incoming) {
                fault.uses = fault.uses.saturating_sub(1);
                effects.push(fault.effect.clone());
            }
        }
        effects
    }
}

#[cfg(test)]
mod tests;
