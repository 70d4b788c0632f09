//! `GET /mcp/prompts/{name}`: a workflow's tools and the upstream's prompt, for programs that speak
//! no MCP.

use std::sync::Arc;

use axum::Extension;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, Request, State};
use axum::response::Response;
use http::StatusCode;
use serde_json::{Map, Value};
use url::form_urlencoded;

use super::observe::RequestTag;
use super::problem::Problem;
use super::received::Received;
use super::{Edge, accept};
use crate::protocol::PromptRequest;

/// Answers with the template and the prompt called `name`; the query holds the prompt's arguments.
pub(crate) async fn get(
    State(edge): State<Arc<Edge>>,
    Extension(tag): Extension<RequestTag>,
    name: Result<Path<String>, PathRejection>,
    request: Request,
) -> Result<Response, Problem> {
    let Path(name) = name.map_err(|_rejection| {
        let message = "the name isn't UTF-8 with other characters as %XX";
        Problem::new(StatusCode::BAD_REQUEST, message)
    })?;
    let received = Received::read(&edge, request, &tag).await?;
    let query = received.head.uri.query().unwrap_or_default().as_bytes();
    let arguments: Map<String, Value> = form_urlencoded::parse(query)
        .map(|(key, value)| (key.into_owned(), Value::String(value.into_owned())))
        .collect();
    let asked = PromptRequest {
        name: &name,
        arguments: &arguments,
    };
    let answer = edge
        .protocol
        .prompt_page(received.incoming(&tag), asked)
        .await;
    Ok(received.answered(&edge, answer, accept::Form::Json))
}
