//! `GET /mcp/tool-search/status`: whether listing works, and why not. Counts and times, never the
//! name of a tool but to the operator.

mod configured;
mod doubtful_tools;
mod embedding_service;
mod model;
mod named_tools;
mod notes;

use std::collections::BTreeMap;
use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use axum::extract::State;
use axum::response::Response;
use catalog::{CacheStatus, CatalogView, Freshness, LastFailure, ToolAccess, VectorServiceStatus};
use http::header::AUTHORIZATION;
use http::{HeaderMap, StatusCode};
use ranking::{Embedder, Mode};
use serde::Serialize;
use tokio::task::spawn_blocking;
use wire::{Era, to_raw};

pub(crate) use self::configured::Configured;
use self::doubtful_tools::DoubtfulToolsStatus;
use self::embedding_service::EmbeddingServiceStatus;
use self::model::ModelStatus;
use self::named_tools::{NamedToolsStatus, Reader};
use self::notes::Notes;
use super::Edge;
use super::problem::{Problem, json};
use crate::times::timestamp;

#[derive(Serialize)]
struct Status {
    ready: bool,
    version: &'static str,
    uptime_seconds: u64,
    /// How queries are searched: `hybrid` or by `words`.
    mode: &'static str,
    embedder: &'static str,
    /// Null where search is by words only.
    model: Option<ModelStatus>,
    /// Null where no service makes the vectors.
    embedding_service: Option<EmbeddingServiceStatus>,
    upstream_era: Option<&'static str>,
    callers: usize,
    catalog_bytes: usize,
    build_attempts: u64,
    builds_running: usize,
    build_failures: u64,
    built_at: Option<String>,
    build_ms: Option<u128>,
    last_error: Option<LastError>,
    rebuild_asked_at: Option<String>,
    searches: SearchCounts,
    notes: Notes,
    /// Tools whose arguments can't be checked, of those called so far.
    unchecked_tools: BTreeMap<&'static str, usize>,
    access_flips: u64,
    /// Names: for the operator alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    doubtful_tools: Option<DoubtfulToolsStatus>,
    named_tools: NamedToolsStatus,
    /// Null without one.
    audit_log: Option<AuditLogStatus>,
    configured: Configured,
    /// Absent without a token where nobody asked without one before.
    #[serde(skip_serializing_if = "Option::is_none")]
    caller: Option<CallerStatus>,
}

/// Queries answered since the start, by how each was searched.
#[derive(Serialize)]
struct SearchCounts {
    hybrid: u64,
    words: u64,
}

#[derive(Serialize)]
struct AuditLogStatus {
    lines_written: u64,
    lines_dropped: u64,
    reopened: u64,
}

#[derive(Serialize)]
struct LastError {
    at: String,
    message: String,
}

/// The catalog of the caller who asks; all absent before their first request.
#[derive(Serialize, Default)]
struct CallerStatus {
    tools: Option<usize>,
    reads: Option<usize>,
    writes: Option<usize>,
    built_at: Option<String>,
    age_seconds: Option<u64>,
    fresh: Option<bool>,
    /// Entries of the templates that name none of this caller's tools.
    missing_from_templates: Option<usize>,
}

/// Answers from what is known; starts nothing.
pub(crate) async fn get(
    State(edge): State<Arc<Edge>>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    Ok(Status::of(&edge, &headers, Reader::Anyone)?.answer())
}

/// The same at `--admin-listen`.
pub(crate) async fn get_with_names(
    State(edge): State<Arc<Edge>>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let status = Status::of(&edge, &headers, Reader::Operator)?;
    // Every tool of every catalog is read.
    let doubtful = spawn_blocking(move || edge.protocol.catalogs.doubtful());
    let doubtful = match doubtful.await {
        Ok(doubtful) => doubtful,
        Err(error) => resume_unwind(error.into_panic()),
    };
    let status = Status {
        doubtful_tools: Some(doubtful.into()),
        ..status
    };
    Ok(status.answer())
}

impl Status {
    fn of(edge: &Edge, headers: &HeaderMap, reader: Reader) -> Result<Self, Problem> {
        let view = edge.protocol.catalogs.peek(&edge.caller(headers)?.key);
        let caller = view.map(CallerStatus::from).or_else(|| {
            let has_token = headers.contains_key(AUTHORIZATION);
            has_token.then(CallerStatus::default)
        });
        Ok(Self {
            caller,
            ..Self::process(edge, reader)
        })
    }

    fn answer(&self) -> Response {
        json(StatusCode::OK, to_raw(self).get().to_owned())
    }

    fn process(edge: &Edge, reader: Reader) -> Self {
        let CacheStatus {
            callers,
            bytes,
            max_bytes: _,
            build_attempts,
            builds_running,
            build_failures,
            last_error,
            last_success,
            last_duration,
            notes,
            unchecked_tools,
            unmatched,
            access_flips,
            last_outdated,
            vector_service,
        } = edge.protocol.catalogs.status();
        let embedder = edge.protocol.catalogs.embedder();
        Self {
            ready: !edge.draining.load(Ordering::Relaxed),
            version: env!("CARGO_PKG_VERSION"),
            uptime_seconds: edge.started.elapsed().as_secs(),
            mode: mode(embedder, vector_service.as_ref()).name(),
            embedder: embedder.name(),
            model: model(edge, reader),
            embedding_service: vector_service
                .map(|status| EmbeddingServiceStatus::of(status, reader)),
            upstream_era: edge.protocol.upstream.era().map(era),
            callers,
            catalog_bytes: bytes,
            build_attempts,
            builds_running,
            build_failures,
            built_at: last_success.map(timestamp),
            build_ms: last_duration.map(|took| took.as_millis()),
            last_error: last_error.map(|failure| LastError::of(failure, reader)),
            rebuild_asked_at: last_outdated.map(timestamp),
            searches: SearchCounts {
                hybrid: edge.metrics.searched(Mode::Hybrid),
                words: edge.metrics.searched(Mode::Words),
            },
            notes: notes.into(),
            unchecked_tools: unchecked_tools
                .into_iter()
                .map(|(why, count)| (why.name(), count))
                .collect(),
            access_flips,
            doubtful_tools: None,
            named_tools: NamedToolsStatus::of(edge, &unmatched, reader),
            audit_log: edge.protocol.searches.audit.as_ref().map(|audit| {
                let counts = audit.counts();
                AuditLogStatus {
                    lines_written: counts.written(),
                    lines_dropped: counts.dropped(),
                    reopened: counts.reopened(),
                }
            }),
            configured: edge.configured.for_reader(reader),
            caller: None,
        }
    }
}

impl LastError {
    /// With its causes for the operator alone: they may name hosts behind the proxy.
    fn of(failure: LastFailure, reader: Reader) -> Self {
        Self {
            at: timestamp(failure.at),
            message: match reader {
                Reader::Operator => failure.with_causes,
                Reader::Anyone => failure.message,
            },
        }
    }
}

impl From<CatalogView> for CallerStatus {
    fn from(view: CatalogView) -> Self {
        let tools = view.catalog.tools();
        let reads = tools
            .iter()
            .filter(|tool| tool.access() == ToolAccess::Read)
            .count();
        Self {
            tools: Some(tools.len()),
            reads: Some(reads),
            writes: Some(tools.len() - reads),
            built_at: Some(timestamp(view.built_at)),
            age_seconds: Some(view.age.as_secs()),
            fresh: Some(view.freshness == Freshness::Fresh),
            missing_from_templates: Some(view.catalog.missing_from_templates()),
        }
    }
}

/// How queries are searched now.
fn mode(embedder: &Embedder, service: Option<&VectorServiceStatus>) -> Mode {
    match service {
        Some(service) if !service.is_well => Mode::Words,
        _ => embedder.mode(),
    }
}

fn model(edge: &Edge, reader: Reader) -> Option<ModelStatus> {
    let embedder = edge.protocol.catalogs.embedder();
    match (embedder, &edge.configured.embeddings_model) {
        (Embedder::Service { dimensions }, Some(name)) => {
            Some(ModelStatus::of_service(name, *dimensions, reader))
        }
        _ => embedder.model().map(|model| ModelStatus::of(model, reader)),
    }
}

const fn era(era: Era) -> &'static str {
    match era {
        Era::Legacy => "legacy",
        Era::Modern => "modern",
    }
}
