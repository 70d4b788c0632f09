//! One JSON-RPC 2.0 message, read from bytes and written to bytes.

mod incoming;

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::error::Category;
use serde_json::value::RawValue;

pub use incoming::{MAX_NESTING, is_nested_deeper};

use crate::object::{RawObject, as_str, to_raw};

/// JSON-RPC and MCP error codes that are written or recognised.
pub mod code {
    /// The body isn't JSON.
    pub const PARSE_ERROR: i64 = -32700;
    /// The body is JSON but no JSON-RPC message this server takes.
    pub const INVALID_REQUEST: i64 = -32600;
    /// No such method; HTTP 404 in the modern era.
    pub const METHOD_NOT_FOUND: i64 = -32601;
    /// Params that don't fit the method.
    pub const INVALID_PARAMS: i64 = -32602;
    /// A fault of the server.
    pub const INTERNAL_ERROR: i64 = -32603;
    /// A header says other than the body (2026-07-28); HTTP 400.
    pub const HEADER_MISMATCH: i64 = -32020;
    /// The method needs a capability the client didn't declare (2026-07-28); HTTP 400.
    pub const MISSING_CAPABILITY: i64 = -32021;
    /// A version this server doesn't speak (2026-07-28); HTTP 400.
    pub const UNSUPPORTED_VERSION: i64 = -32022;
}

/// A request's id as it was spelt: a JSON string or integer.
#[derive(Debug, Clone)]
pub struct RequestId(Box<RawValue>);

/// A message that may arrive on either side.
#[derive(Debug)]
pub enum Message<'a> {
    /// Wants an answer.
    Request(Request<'a>),
    /// Wants none.
    Notification {
        /// What happened.
        method: Cow<'a, str>,
        /// Its details; an object if present.
        params: Option<&'a RawValue>,
    },
    /// Answers an earlier request.
    Response(Response<'a>),
}

/// A request with its id.
#[derive(Debug)]
pub struct Request<'a> {
    /// Echoed in the answer.
    pub id: RequestId,
    /// For example `tools/call`.
    pub method: Cow<'a, str>,
    /// An object if present.
    pub params: Option<&'a RawValue>,
}

/// An answer: exactly one of its outcomes.
#[derive(Debug)]
pub struct Response<'a> {
    /// The request's id; `None` where the sender couldn't tell (`null` or absent).
    pub id: Option<RequestId>,
    /// The `result`, or the `error` object, as it came.
    pub outcome: Result<&'a RawValue, &'a RawValue>,
}

/// Why bytes are no message. Each maps to [`InvalidMessage::rpc_error`].
#[derive(Debug, thiserror::Error)]
pub enum InvalidMessage {
    /// Not JSON at all, or not UTF-8.
    #[error("the body isn't valid JSON")]
    NotJson(#[source] serde_json::Error),
    /// An array: batches were removed from MCP in 2025-06-18.
    #[error("batches aren't supported: send one JSON-RPC message per request")]
    Batch,
    /// JSON of another kind, or a member of the wrong kind.
    #[error("not a JSON-RPC 2.0 message: {0}")]
    Shape(&'static str),
}

impl InvalidMessage {
    /// The error to answer with, under `id: null`.
    pub fn rpc_error(&self) -> RpcError {
        let code = match self {
            Self::NotJson(_) => code::PARSE_ERROR,
            Self::Batch | Self::Shape(_) => code::INVALID_REQUEST,
        };
        RpcError::new(code, self.to_string())
    }
}

/// An error of our own making.
#[derive(Debug, Clone)]
pub struct RpcError {
    /// One of [`code`].
    pub code: i64,
    /// What was wrong and what to do.
    pub message: String,
    /// Details for programs.
    pub data: Option<Box<RawValue>>,
}

/// What can be read of an `error` object that somebody else wrote.
#[derive(Debug, Clone)]
pub struct ErrorView<'a> {
    /// The code; 0 where there is none.
    pub code: i64,
    /// The message; empty where there is none.
    pub message: Cow<'a, str>,
    /// The details, raw.
    pub data: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct Envelope<'a> {
    #[serde(borrow)]
    jsonrpc: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "present")]
    id: Option<&'a RawValue>,
    #[serde(borrow)]
    method: Option<&'a RawValue>,
    #[serde(borrow)]
    params: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "present")]
    result: Option<&'a RawValue>,
    #[serde(borrow)]
    error: Option<&'a RawValue>,
}

/// Tells `"id": null` from no id.
fn present<'de, D: serde::Deserializer<'de>>(value: D) -> Result<Option<&'de RawValue>, D::Error> {
    <&RawValue>::deserialize(value).map(Some)
}

impl<'a> Message<'a> {
    /// The one message that `body` holds. A byte order mark before it is ignored.
    pub fn parse(body: &'a [u8]) -> Result<Self, InvalidMessage> {
        let body = body.strip_prefix(b"\xef\xbb\xbf").unwrap_or(body);
        let raw: &RawValue = serde_json::from_slice(body).map_err(InvalidMessage::NotJson)?;
        match raw.get().as_bytes().first() {
            Some(b'{') => {}
            Some(b'[') => return Err(InvalidMessage::Batch),
            _ => return Err(InvalidMessage::Shape("it must be an object")),
        }
        let envelope: Envelope<'a> = serde_json::from_str(raw.get()).map_err(|error| {
            InvalidMessage::Shape(match error.classify() {
                Category::Data => "a member stands twice",
                _ => "a member's name holds half a character (a lone \\ud800 to \\udfff)",
            })
        })?;
        envelope.into_message()
    }
}

impl<'a> Envelope<'a> {
    fn into_message(self) -> Result<Message<'a>, InvalidMessage> {
        if self.jsonrpc.and_then(as_str).as_deref() != Some("2.0") {
            return Err(InvalidMessage::Shape("`jsonrpc` must be \"2.0\""));
        }
        let Some(method) = self.method else {
            return self.into_response();
        };
        let method = as_str(method).ok_or(InvalidMessage::Shape("`method` must be a string"))?;
        if self
            .params
            .is_some_and(|params| !params.get().starts_with('{'))
        {
            return Err(InvalidMessage::Shape("`params` must be an object"));
        }
        let Some(id) = self.id else {
            return Ok(Message::Notification {
                method,
                params: self.params,
            });
        };
        let id = RequestId::read(id)
            .ok_or(InvalidMessage::Shape("`id` must be a string or an integer"))?;
        Ok(Message::Request(Request {
            id,
            method,
            params: self.params,
        }))
    }

    fn into_response(self) -> Result<Message<'a>, InvalidMessage> {
        let outcome = match (self.result, self.error) {
            (Some(result), None) => Ok(result),
            (None, Some(error)) => Err(error),
            // JSON-RPC 1.0 fills in the other one with null.
            (Some(result), Some(error)) if result.get() == "null" => Err(error),
            _ => {
                return Err(InvalidMessage::Shape(
                    "`method`, `result` or `error` is missing",
                ));
            }
        };
        Ok(Message::Response(Response {
            id: self.id.and_then(RequestId::read),
            outcome,
        }))
    }
}

impl RequestId {
    /// A number of our own choosing.
    pub fn number(number: u64) -> Self {
        Self(to_raw(&number))
    }

    /// The id that `raw` is, or `None` if it is of a kind that no id has.
    pub fn read(raw: &RawValue) -> Option<Self> {
        let text = raw.get();
        let integer = || !text.contains(['.', 'e', 'E']) && text != "null";
        let first = text.as_bytes().first()?;
        (*first == b'"' || ((first.is_ascii_digit() || *first == b'-') && integer()))
            .then(|| Self(raw.to_owned()))
    }

    /// The id as it is spelt in JSON.
    pub fn get(&self) -> &str {
        self.0.get()
    }

    /// Whether `other` is the same id; strings are compared by value, not spelling.
    pub fn matches(&self, other: &Self) -> bool {
        self.get() == other.get()
            || matches!((as_str(&self.0), as_str(&other.0)), (Some(a), Some(b)) if a == b)
    }

    /// The same for ids that match, and for no others.
    pub fn key(&self) -> String {
        as_str(&self.0).map_or_else(
            || self.get().to_owned(),
            |text| to_raw(&*text).get().to_owned(),
        )
    }

    /// The bytes of a successful answer to this request. `result` keeps its bytes.
    pub fn result(&self, result: &RawValue) -> Vec<u8> {
        let mut body = Vec::with_capacity(result.get().len() + self.get().len() + 40);
        body.extend_from_slice(br#"{"jsonrpc":"2.0","id":"#);
        body.extend_from_slice(self.get().as_bytes());
        body.extend_from_slice(br#","result":"#);
        body.extend_from_slice(result.get().as_bytes());
        body.push(b'}');
        body
    }

    /// The bytes of a failed answer to this request. `error` keeps its bytes.
    pub fn error(&self, error: &RawValue) -> Vec<u8> {
        error_body(self.get(), error)
    }
}

impl RpcError {
    /// An error without details.
    pub fn new(code: i64, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            data: None,
        }
    }

    /// The `error` object.
    pub fn to_raw(&self) -> Box<RawValue> {
        #[derive(serde::Serialize)]
        struct ErrorObject<'a> {
            code: i64,
            message: &'a str,
            #[serde(skip_serializing_if = "Option::is_none")]
            data: Option<&'a RawValue>,
        }
        to_raw(&ErrorObject {
            code: self.code,
            message: &self.message,
            data: self.data.as_deref(),
        })
    }

    /// The bytes of an answer to a message whose id couldn't be read.
    pub fn without_id(&self) -> Vec<u8> {
        error_body("null", &self.to_raw())
    }
}

impl<'a> ErrorView<'a> {
    /// What `error` says. Members of the wrong kind count as absent.
    pub fn read(error: &'a RawValue) -> Self {
        let object = RawObject::read(error);
        let member = |key| object.as_ref().and_then(|object| object.get(key));
        Self {
            code: member("code")
                .and_then(|code| code.get().parse().ok())
                .unwrap_or(0),
            message: member("message").and_then(as_str).unwrap_or_default(),
            data: member("data"),
        }
    }
}

fn error_body(id: &str, error: &RawValue) -> Vec<u8> {
    let mut body = Vec::with_capacity(error.get().len() + id.len() + 40);
    body.extend_from_slice(br#"{"jsonrpc":"2.0","id":"#);
    body.extend_from_slice(id.as_bytes());
    body.extend_from_slice(br#","error":"#);
    body.extend_from_slice(error.get().as_bytes());
    body.push(b'}');
    body
}

#[cfg(test)]
mod tests;
