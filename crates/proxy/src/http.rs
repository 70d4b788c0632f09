//! The HTTP edge: every route and every layer, outermost first where they are stacked.

mod accept;
mod admin_token;
mod guard;
mod health;
mod held;
mod limits;
mod mcp;
mod oauth;
mod observe;
mod openapi;
mod problem;
mod prompts;
mod rebuild;
mod received;
mod search;
mod server;
mod stall;
mod status;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use axum::Router;
use axum::middleware::{from_fn, from_fn_with_state};
use axum::routing::{get, post};
use upstream::CallerKeys;

pub(crate) use admin_token::AdminToken;
pub(crate) use guard::{ANY_HOST, Guard, is_loopback};
pub(crate) use limits::{InFlight, Limits};
pub(crate) use oauth::OauthMetadata;
pub(crate) use observe::RequestTags;
pub(crate) use server::serve;
pub(crate) use status::Configured;

use crate::metrics::Metrics;
use crate::protocol::Protocol;

/// What the routes share.
#[derive(Debug)]
pub(crate) struct Edge {
    /// Answers what is posted.
    pub(crate) protocol: Protocol,
    /// Tells callers apart.
    pub(crate) callers: CallerKeys,
    /// Whom we answer.
    pub(crate) guard: Guard,
    /// What becomes of the upstream's OAuth metadata and challenges.
    pub(crate) oauth: OauthMetadata,
    /// How large and how slow a request may be.
    pub(crate) limits: Limits,
    /// How many are worked on.
    pub(crate) in_flight: InFlight,
    /// `--admin-token`.
    pub(crate) admin_token: Option<AdminToken>,
    /// What the status says of the settings.
    pub(crate) configured: Configured,
    /// What is counted.
    pub(crate) metrics: Metrics,
    /// Names requests in the log.
    pub(crate) tags: RequestTags,
    /// Set once the proxy was told to stop.
    pub(crate) draining: AtomicBool,
    /// When the process began to serve.
    pub(crate) started: Instant,
}

/// Where health and metrics are served.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum AdminRoutes {
    /// Beside MCP.
    Here,
    /// On a listener of their own.
    Elsewhere,
}

/// The routes of the main listener.
pub(crate) fn routes(edge: &Arc<Edge>, admin: AdminRoutes) -> Router {
    let guarded = Router::new()
        .route(MCP_PATH, post(mcp::post).fallback(mcp::not_allowed))
        .route("/mcp/", post(mcp::post).fallback(mcp::not_allowed))
        .route(SEARCH_PATH, post(search::post))
        .route(STATUS_PATH, get(status::get))
        .route(REBUILD_PATH, post(rebuild::post))
        .route(PROMPT_PATH, get(prompts::get))
        .route(OPENAPI_PATH, get(openapi::get))
        .route(oauth::WELL_KNOWN, get(oauth::get))
        .route(&format!("{}/{{*path}}", oauth::WELL_KNOWN), get(oauth::get))
        .fallback(problem::not_found)
        .method_not_allowed_fallback(problem::not_allowed)
        .layer(from_fn_with_state(Arc::clone(edge), guard::check));
    let all = match admin {
        AdminRoutes::Here => guarded.merge(probes()),
        AdminRoutes::Elsewhere => guarded,
    };
    observed(all, edge)
}

/// The routes of `--admin-listen`.
pub(crate) fn admin_routes(edge: &Arc<Edge>) -> Router {
    let routes = probes()
        .route(STATUS_PATH, get(status::get_with_names))
        .route(REBUILD_PATH, post(rebuild::post))
        .fallback(problem::not_found)
        .method_not_allowed_fallback(problem::not_allowed);
    observed(routes, edge)
}

/// Answers to orchestrators, which come by address and without an origin: no host check.
fn probes() -> Router<Arc<Edge>> {
    Router::new()
        .route("/healthz", get(health::alive))
        .route("/readyz", get(health::ready))
        .route("/metrics", get(health::metrics))
}

fn observed(routes: Router<Arc<Edge>>, edge: &Arc<Edge>) -> Router {
    routes
        .layer(from_fn(problem::catch_panics))
        .layer(from_fn_with_state(Arc::clone(edge), observe::observe))
        .with_state(Arc::clone(edge))
}

const MCP_PATH: &str = "/mcp";
const OPENAPI_PATH: &str = "/openapi.json";
const PROMPT_PATH: &str = "/mcp/prompts/{name}";
const REBUILD_PATH: &str = "/mcp/tool-search/rebuild";
const SEARCH_PATH: &str = "/mcp/tool-search";
const STATUS_PATH: &str = "/mcp/tool-search/status";
