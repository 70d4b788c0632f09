//! Answers for what never becomes a message: JSON always, HTML never.

use std::panic::AssertUnwindSafe;
use std::time::Duration;

use axum::Extension;
use axum::body::Body;
use axum::extract::Request;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use futures_util::FutureExt;
use http::header::{CONTENT_TYPE, RETRY_AFTER};
use http::{HeaderName, HeaderValue, StatusCode};
use wire::{RpcError, code};

use super::observe::RequestTag;
use crate::protocol;

/// A request that is turned away before it is read as a message.
#[derive(Debug, Clone)]
pub(crate) struct Problem {
    status: StatusCode,
    message: String,
    /// Set where the caller can't help it: what finds the request in the log.
    tag: Option<RequestTag>,
    /// What programs read of it.
    header: Option<(HeaderName, HeaderValue)>,
}

impl Problem {
    /// The caller's doing.
    pub(crate) fn new(status: StatusCode, message: impl Into<String>) -> Self {
        Self {
            status,
            message: message.into(),
            tag: None,
            header: None,
        }
    }

    /// Not the caller's doing.
    pub(crate) fn ours(status: StatusCode, message: impl Into<String>, tag: RequestTag) -> Self {
        Self {
            tag: Some(tag),
            ..Self::new(status, message)
        }
    }

    /// The same, with a header that says to programs what would have been taken.
    pub(crate) fn taking(self, header: HeaderName, value: &'static str) -> Self {
        let header = Some((header, HeaderValue::from_static(value)));
        Self { header, ..self }
    }

    /// The same, with when to try again if that is known.
    pub(crate) fn retry_after(self, after: Option<Duration>) -> Self {
        let header = after.map(|after| (RETRY_AFTER, whole_seconds(after)));
        Self { header, ..self }
    }

    /// What is wrong.
    pub(crate) fn message(&self) -> &str {
        &self.message
    }
}

impl IntoResponse for Problem {
    /// A JSON-RPC error without an id: MCP clients show its message, and others can read it.
    fn into_response(self) -> Response {
        let error = match &self.tag {
            Some(tag) => protocol::internal_error(&self.message, tag.as_str()),
            None => RpcError::new(code::INVALID_REQUEST, self.message),
        };
        let mut response = json(self.status, error.without_id());
        response.headers_mut().extend(self.header);
        response
    }
}

/// `body` as JSON. A 503 says when to try again.
pub(crate) fn json(status: StatusCode, body: impl Into<Body>) -> Response {
    let mut response = Response::new(body.into());
    *response.status_mut() = status;
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    if status == StatusCode::SERVICE_UNAVAILABLE {
        headers.insert(RETRY_AFTER, HeaderValue::from_static("1"));
    }
    response
}

/// `after` as `Retry-After` has it, rounded up.
pub(crate) fn whole_seconds(after: Duration) -> HeaderValue {
    let more = u64::from(after.subsec_nanos() > 0);
    after.as_secs().saturating_add(more).into()
}

/// Any path that isn't ours.
pub(crate) async fn not_found() -> Problem {
    Problem::new(
        StatusCode::NOT_FOUND,
        "nothing is served here; MCP is at /mcp",
    )
}

/// A method that a path of ours doesn't have; the server adds those that it has.
pub(crate) async fn not_allowed() -> Problem {
    Problem::new(
        StatusCode::METHOD_NOT_ALLOWED,
        "this path doesn't take this method; Allow names those that it takes",
    )
}

/// Answers 500 where a handler panics. What it panicked with is neither logged nor sent.
pub(crate) async fn catch_panics(
    Extension(tag): Extension<RequestTag>,
    request: Request,
    next: Next,
) -> Response {
    let answer = AssertUnwindSafe(next.run(request)).catch_unwind().await;
    answer.unwrap_or_else(|_payload| {
        let status = StatusCode::INTERNAL_SERVER_ERROR;
        Problem::ours(status, "a fault of the proxy", tag).into_response()
    })
}

#[cfg(test)]
mod tests {
    use axum::Router;
    use axum::middleware::from_fn;
    use axum::routing::get;
    use http_body_util::BodyExt;
    use tower::ServiceExt;

    use super::*;
    use crate::http::observe::RequestTags;

    #[tokio::test]
    async fn a_panic_is_an_answer_that_tells_nothing_of_its_cause() {
        async fn tag(mut request: Request, next: Next) -> Response {
            request.extensions_mut().insert(RequestTags::new(7).next());
            next.run(request).await
        }
        async fn fail() {
            panic!("canary");
        }
        let routes = Router::new()
            .route("/", get(fail))
            .layer(from_fn(catch_panics))
            .layer(from_fn(tag));
        let request = Request::get("/").body(Body::empty()).unwrap();
        let response = routes.oneshot(request).await.unwrap();
        assert_eq!(response.status(), StatusCode::INTERNAL_SERVER_ERROR);
        let body = response.into_body().collect().await.unwrap().to_bytes();
        let data = r#"{"requestId":"00000007-1"}"#;
        assert_eq!(
            String::from_utf8_lossy(&body),
            format!(
                r#"{{"jsonrpc":"2.0","id":null,"error":{{"code":-32603,"message":"a fault of the proxy","data":{data}}}}}"#
            )
        );
    }
}
