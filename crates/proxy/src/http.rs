//! The HTTP edge: what every route shares.

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
mod routes;
mod search;
mod server;
mod stall;
mod status;

use std::sync::atomic::AtomicBool;
use std::time::Instant;

use upstream::CallerKeys;

pub(crate) use admin_token::{AdminToken, InvalidAdminToken};
pub(crate) use guard::{ANY_HOST, Guard, is_loopback};
pub(crate) use limits::{InFlight, Limits};
pub(crate) use oauth::OauthMetadata;
pub(crate) use observe::RequestTags;
pub(crate) use routes::{AdminRoutes, admin_routes, routes};
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
