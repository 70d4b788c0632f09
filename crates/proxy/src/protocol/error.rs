//! The one map from what went wrong to a JSON-RPC error and an HTTP status.

use http::StatusCode;
use serde::Serialize;
use serde_json::value::RawValue;
use upstream::Challenge;
use wire::{Era, ErrorView, MetaError, ProtocolRevision, RpcError, code, to_raw};

use crate::tools::{quoted, shorten};

/// Why a request has no result.
#[derive(Debug)]
pub(crate) enum Failure {
    /// We say no.
    Rejection(Rejection),
    /// The upstream said no; its error object keeps its bytes.
    Upstream {
        /// The HTTP status for this caller's era.
        status: StatusCode,
        /// The error object.
        error: Box<RawValue>,
    },
    /// The upstream wants other credentials.
    Challenge(Challenge),
}

/// An error of our own with its HTTP status.
#[derive(Debug)]
pub(crate) struct Rejection {
    pub(crate) status: StatusCode,
    pub(crate) error: RpcError,
}

impl From<Rejection> for Failure {
    fn from(rejection: Rejection) -> Self {
        Self::Rejection(rejection)
    }
}

impl Rejection {
    fn new(status: StatusCode, code: i64, message: impl Into<String>) -> Self {
        Self {
            status,
            error: RpcError::new(code, message),
        }
    }

    /// Nothing of the upstream's to go on with, for `reason`.
    pub(crate) fn unavailable(reason: &str, request_tag: &str) -> Self {
        Self {
            status: StatusCode::OK,
            error: internal(reason, request_tag),
        }
    }

    /// A request that its caller cancelled. JSON-RPC wants no answer then and HTTP wants one; clients
    /// have forgotten the id and ignore it. The code is what servers log for a client that left.
    pub(crate) fn cancelled() -> Self {
        Self::new(StatusCode::OK, 499, "cancelled by the client")
    }

    /// A result that the caller's era can't carry.
    pub(crate) fn uncarried(reason: impl Into<String>) -> Self {
        Self::new(StatusCode::OK, code::INTERNAL_ERROR, reason)
    }

    /// A method that this era doesn't have, or that the upstream doesn't offer.
    pub(crate) fn method_not_found(method: &str, era: Era) -> Self {
        let message = format!("there is no method {} here", quoted(method));
        Self::new(
            method_not_found_status(era),
            code::METHOD_NOT_FOUND,
            message,
        )
    }

    /// `params` that don't fit the method. Stays 200: 400 is for a missing envelope alone.
    pub(crate) fn params(message: impl Into<String>) -> Self {
        Self::new(StatusCode::OK, code::INVALID_PARAMS, message)
    }

    /// A header that is missing or says other than the body.
    pub(crate) fn header_mismatch(message: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, code::HEADER_MISMATCH, message)
    }

    /// A header that can't be what it should be.
    pub(crate) fn malformed_header(message: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, code::INVALID_REQUEST, message)
    }

    /// A modern request without the `_meta` that it needs.
    pub(crate) fn envelope(message: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, code::INVALID_PARAMS, message)
    }

    /// A revision we don't speak. Lists the same as `server/discover`, since a client that reads
    /// this error is a modern one; `initialize` offers the older ones.
    pub(crate) fn unsupported_version(requested: &str) -> Self {
        #[derive(Serialize)]
        struct Versions<'a> {
            supported: [&'static str; 1],
            requested: &'a str,
        }
        let data = to_raw(&Versions {
            supported: [ProtocolRevision::LATEST.as_str()],
            requested: &shorten(requested, VERSION_CHARS),
        });
        Self {
            status: StatusCode::BAD_REQUEST,
            error: RpcError {
                data: Some(data),
                ..RpcError::new(code::UNSUPPORTED_VERSION, "unsupported protocol version")
            },
        }
    }
}

impl From<MetaError> for Rejection {
    fn from(error: MetaError) -> Self {
        Self::envelope(error.to_string())
    }
}

impl Failure {
    /// The upstream's error object, with the status that `era` asks for.
    pub(crate) fn from_error_object(error: Box<RawValue>, era: Era) -> Self {
        let status = match ErrorView::read(&error).code {
            code::METHOD_NOT_FOUND => method_not_found_status(era),
            _ => StatusCode::OK,
        };
        Self::Upstream { status, error }
    }
}

/// A fault that isn't the caller's, with what finds it in the log.
pub(crate) fn internal(message: &str, request_tag: &str) -> RpcError {
    #[derive(Serialize)]
    #[serde(rename_all = "camelCase")]
    struct Data<'a> {
        request_id: &'a str,
    }
    RpcError {
        data: Some(to_raw(&Data {
            request_id: request_tag,
        })),
        ..RpcError::new(code::INTERNAL_ERROR, message)
    }
}

/// The body beside a challenge. Its code is the status, outside the range that JSON-RPC reserves.
pub(crate) fn challenge(status: StatusCode) -> RpcError {
    let message = match status {
        StatusCode::FORBIDDEN => "the upstream refuses these credentials for this request",
        _ => "the upstream refused this request's Authorization, or wants one",
    };
    RpcError::new(i64::from(status.as_u16()), message)
}

const fn method_not_found_status(era: Era) -> StatusCode {
    match era {
        Era::Modern => StatusCode::NOT_FOUND,
        Era::Legacy => StatusCode::OK,
    }
}

/// Versions are dates; a longer one is a mistake or worse, and its beginning tells which.
const VERSION_CHARS: usize = 40;
