//! `POST /mcp/tool-search/rebuild`: an operator wants new lists of tools.

use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use http::{HeaderMap, StatusCode};
use serde::Serialize;
use wire::to_raw;

use super::Edge;
use super::problem::{Problem, json};

#[derive(Serialize)]
struct Rebuild {
    /// Whose lists are renewed with their next request. Only that brings the token that listing needs.
    callers: usize,
}

/// Makes every caller's list due. Never 401, which MCP clients take for the upstream's.
pub(crate) async fn post(
    State(edge): State<Arc<Edge>>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let Some(token) = &edge.admin_token else {
        return Err(refused(
            "nobody may ask for new lists until --admin-token is set",
        ));
    };
    if !token.is_in(&headers) {
        tracing::warn!("new lists were asked for without the admin token");
        return Err(refused("send the value of --admin-token in X-Admin-Token"));
    }
    let callers = edge.protocol.catalogs.outdate();
    tracing::info!(callers, "every list of tools is due");
    let answer = to_raw(&Rebuild { callers });
    Ok(json(StatusCode::OK, answer.get().to_owned()))
}

fn refused(message: &str) -> Problem {
    Problem::new(StatusCode::FORBIDDEN, message)
}
