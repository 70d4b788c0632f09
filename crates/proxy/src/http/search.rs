//! `POST /mcp/tool-search`: one search, for programs that speak no MCP.

use std::sync::Arc;

use axum::Extension;
use axum::extract::{Request, State};
use axum::response::Response;

use super::observe::RequestTag;
use super::problem::Problem;
use super::received::Received;
use super::{Edge, accept};

/// Answers one search.
pub(crate) async fn post(
    State(edge): State<Arc<Edge>>,
    Extension(tag): Extension<RequestTag>,
    request: Request,
) -> Result<Response, Problem> {
    let received = Received::read(&edge, request, &tag).await?;
    let answer = edge.protocol.search(received.incoming(&tag)).await;
    Ok(received.answered(&edge, answer, accept::Form::Json))
}
