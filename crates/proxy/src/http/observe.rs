//! Around every request: its name in the log, one log line, its counts, and the headers that every
//! answer carries.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use axum::extract::{MatchedPath, Request, State};
use axum::middleware::Next;
use axum::response::Response;
use http::header::CACHE_CONTROL;
use http::{HeaderName, HeaderValue, StatusCode};
use http_body::Body;
use ranking::Mode;
use tracing::Instrument;

use super::held::hold;
use super::{Edge, routes};
use crate::metrics::Route;
use crate::protocol::{Report, RequestOutcome};
use crate::times::milliseconds;

/// What the log calls one request.
#[derive(Debug, Clone)]
pub(crate) struct RequestTag(Arc<str>);

/// Makes [`RequestTag`]s: a number, after a word that tells processes apart.
#[derive(Debug)]
pub(crate) struct RequestTags {
    process: u32,
    next: AtomicU64,
}

/// Logs and counts a request once: when it is answered, or when its caller goes away before.
struct Observation {
    edge: Arc<Edge>,
    tag: RequestTag,
    route: Route,
    started: Instant,
    bytes_in: u64,
    is_recorded: bool,
}

impl RequestTag {
    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

impl RequestTags {
    /// Tags that begin with `process`, a random number.
    pub(crate) fn new(process: u32) -> Self {
        Self {
            process,
            next: AtomicU64::new(1),
        }
    }

    pub(crate) fn next(&self) -> RequestTag {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        RequestTag(format!("{:08x}-{number}", self.process).into())
    }
}

/// The outermost layer.
pub(crate) async fn observe(
    State(edge): State<Arc<Edge>>,
    mut request: Request,
    next: Next,
) -> Response {
    let tag = edge.tags.next();
    let in_flight = edge.metrics.enter();
    let observation = Observation {
        tag: tag.clone(),
        route: route(request.extensions().get::<MatchedPath>()),
        started: Instant::now(),
        bytes_in: request.body().size_hint().lower(),
        is_recorded: false,
        edge,
    };
    request.extensions_mut().insert(tag.clone());
    // Of the severest level, so that every line that is logged within names its request.
    let span = tracing::error_span!("request", request_id = tag.as_str());
    let mut response = next.run(request).instrument(span).await;
    observation.end(&mut response);
    let headers = response.headers_mut();
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    if let Ok(tag) = HeaderValue::from_str(tag.as_str()) {
        headers.insert(REQUEST_ID, tag);
    }
    hold(response, in_flight)
}

impl Observation {
    fn end(mut self, response: &mut Response) {
        let report = response.extensions_mut().remove::<Report>();
        let status = response.status();
        let outcome = match &report {
            Some(report) => report.outcome,
            None => outcome(self.route, status),
        };
        let bytes_out = response.body().size_hint().lower();
        self.record(report.as_ref(), outcome, Some((status, bytes_out)));
    }

    fn record(
        &mut self,
        report: Option<&Report>,
        outcome: RequestOutcome,
        answer: Option<(StatusCode, u64)>,
    ) {
        self.is_recorded = true;
        let took = self.started.elapsed();
        self.edge.metrics.record(self.route, report, outcome, took);
        if self.route == Route::Admin && outcome == RequestOutcome::Ok {
            return;
        }
        let call = report.and_then(|report| report.call);
        tracing::info!(
            request_id = self.tag.as_str(),
            route = self.route.name(),
            method = report.map(|report| report.kind.name()),
            tool = call.map(|(tool, _)| tool.name()),
            tool_outcome = call.map(|(_, outcome)| outcome.name()),
            searched = report.and_then(|report| searched(&report.searched)),
            target_tool = report.and_then(|report| report.target.as_deref()),
            outcome = outcome.name(),
            reason = report.and_then(|report| report.failure.as_deref()),
            status = answer.map(|(status, _)| status.as_u16()),
            upstream_ms = report
                .and_then(|report| report.upstream_time)
                .map(milliseconds),
            total_ms = milliseconds(took),
            bytes_in = self.bytes_in,
            bytes_out = answer.map(|(_, bytes)| bytes),
            "request"
        );
    }
}

impl Drop for Observation {
    fn drop(&mut self) {
        if !self.is_recorded {
            self.record(None, RequestOutcome::Cancelled, None);
        }
    }
}

fn route(path: Option<&MatchedPath>) -> Route {
    let served = path.and_then(|path| routes::at(path.as_str()));
    served.map_or(Route::Unknown, |served| served.route)
}

/// How a call's queries were searched.
fn searched(modes: &[Mode]) -> Option<&'static str> {
    let first = *modes.first()?;
    let is_alike = modes.iter().all(|mode| *mode == first);
    Some(if is_alike { first.name() } else { "mixed" })
}

/// How a request ended that never became a message.
fn outcome(route: Route, status: StatusCode) -> RequestOutcome {
    // That the proxy stops is an answer to whether it is ready.
    let is_answer = route == Route::Admin && status == StatusCode::SERVICE_UNAVAILABLE;
    if status.is_success() || is_answer {
        RequestOutcome::Ok
    } else if status == StatusCode::SERVICE_UNAVAILABLE {
        RequestOutcome::Overloaded
    } else if status.is_server_error() {
        RequestOutcome::Fault
    } else {
        RequestOutcome::Refused
    }
}

const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_proxy_that_stops_is_not_overloaded() {
        for (route, status, expected) in [
            (Route::Mcp, 200, RequestOutcome::Ok),
            (Route::Mcp, 503, RequestOutcome::Overloaded),
            (Route::Admin, 503, RequestOutcome::Ok),
            (Route::Admin, 500, RequestOutcome::Fault),
            (Route::Unknown, 404, RequestOutcome::Refused),
        ] {
            let status = StatusCode::from_u16(status).unwrap();
            assert_eq!(outcome(route, status), expected, "{route:?} {status}");
        }
    }

    #[test]
    fn a_call_is_searched_one_way_or_mixed() {
        let (hybrid, words) = (Mode::Hybrid, Mode::Words);
        for (modes, expected) in [
            (vec![], None),
            (vec![hybrid, hybrid], Some("hybrid")),
            (vec![words], Some("words")),
            (vec![hybrid, words], Some("mixed")),
        ] {
            assert_eq!(searched(&modes), expected, "{modes:?}");
        }
    }
}
