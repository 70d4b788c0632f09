//! The MCP endpoint: one POST, one message, one answer.

use std::sync::Arc;

use axum::Extension;
use axum::extract::{Request, State};
use axum::response::Response;
use http::StatusCode;
use http::header::ALLOW;

use super::observe::RequestTag;
use super::problem::Problem;
use super::received::Received;
use super::{Edge, accept};

/// Answers one message.
pub(crate) async fn post(
    State(edge): State<Arc<Edge>>,
    Extension(tag): Extension<RequestTag>,
    request: Request,
) -> Result<Response, Problem> {
    let received = Received::read(&edge, request, &tag).await?;
    let answer = edge.protocol.answer(received.incoming(&tag)).await;
    let form = accept::Form::wanted(&received.head.headers);
    Ok(received.answered(&edge, answer, form))
}

/// Any other method: there is no stream to open and no session to end (field case 74).
pub(crate) async fn not_allowed() -> Problem {
    let message = "POST one JSON-RPC message; there are no streams and no sessions here";
    Problem::new(StatusCode::METHOD_NOT_ALLOWED, message).taking(ALLOW, "POST")
}
