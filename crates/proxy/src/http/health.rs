//! Liveness, readiness and metrics. None needs the upstream or a token (field case 98).

use std::sync::Arc;
use std::sync::atomic::Ordering;

use axum::Extension;
use axum::extract::State;
use axum::response::Response;
use http::header::CONTENT_TYPE;
use http::{HeaderValue, StatusCode};

use super::Edge;
use super::observe::RequestTag;
use super::problem::{Problem, json};

/// The process answers.
pub(crate) async fn alive() -> Response {
    json(StatusCode::OK, r#"{"status":"ok"}"#)
}

/// New work is welcome. The model lies in the program: nothing has to be loaded first.
pub(crate) async fn ready(State(edge): State<Arc<Edge>>) -> Response {
    if edge.draining.load(Ordering::Relaxed) {
        return json(StatusCode::SERVICE_UNAVAILABLE, r#"{"status":"stopping"}"#);
    }
    json(StatusCode::OK, r#"{"status":"ready"}"#)
}

/// The counts for Prometheus.
pub(crate) async fn metrics(
    State(edge): State<Arc<Edge>>,
    Extension(tag): Extension<RequestTag>,
) -> Result<Response, Problem> {
    let text = edge.metrics.text().map_err(|error| {
        let message = format!("the metrics can't be written: {error}");
        Problem::ours(StatusCode::INTERNAL_SERVER_ERROR, message, tag)
    })?;
    let mut response = Response::new(text.into());
    let open_metrics = HeaderValue::from_static(OPEN_METRICS);
    response.headers_mut().insert(CONTENT_TYPE, open_metrics);
    Ok(response)
}

const OPEN_METRICS: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";
