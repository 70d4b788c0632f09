//! What is needed of the upstream, and why it can't be had. Who asked is told by the way they asked:
//! JSON-RPC and plain HTTP have statuses of their own for it.

use std::time::Instant;

use catalog::CatalogView;
use serde_json::value::RawValue;
use upstream::{Challenge, Forward, Reply, UpstreamError};
use wire::Era;

use super::error::{Failure, Rejection};
use super::report::Report;
use super::{Incoming, Protocol};
use crate::tools::{ToolContext, Unlisted, wait};

/// Why there is nothing of the upstream's to go on with. Texts are for the caller; the report has
/// the cause.
#[derive(Debug)]
pub(super) enum Unavailable {
    /// The caller's first list of tools is on its way.
    Loading(String),
    /// The exchange brought no answer, or none that can be used.
    Failed(String),
    /// The upstream takes no more requests for now.
    Limited(String),
    /// The upstream's own error object.
    Refused(Box<RawValue>),
    /// The upstream wants other credentials.
    Challenge(Challenge),
}

impl Protocol {
    /// What the five tools work with.
    pub(super) fn tool_context<'a>(&'a self, incoming: Incoming<'a>) -> ToolContext<'a> {
        ToolContext {
            caller: incoming.caller,
            catalogs: &self.catalogs,
            upstream: &self.upstream,
            searches: &self.searches,
            settings: &self.tools,
            request_tag: incoming.request_tag,
        }
    }

    /// The caller's tools.
    pub(super) async fn catalog_of(
        &self,
        incoming: Incoming<'_>,
        report: &mut Report,
    ) -> Result<CatalogView, Unavailable> {
        let listed = self.tool_context(incoming).listed().await;
        listed.map_err(|unlisted| Unavailable::unlisted(unlisted, report))
    }

    /// What the upstream says to `forward`.
    pub(super) async fn exchange(
        &self,
        incoming: Incoming<'_>,
        forward: Forward<'_>,
        report: &mut Report,
    ) -> Result<Reply, Unavailable> {
        let started = Instant::now();
        let reply = self.upstream.forward(incoming.caller, forward).await;
        report.upstream_took(started.elapsed());
        reply.map_err(|error| match error {
            UpstreamError::Challenge(challenge) => Unavailable::Challenge(challenge),
            error => {
                report.failure = Some(error.with_causes());
                Unavailable::failed(&error, report)
            }
        })
    }
}

impl Unavailable {
    /// An exchange that ended with `error`, which is no challenge.
    fn failed(error: &UpstreamError, report: &mut Report) -> Self {
        let UpstreamError::RateLimited { retry_after } = error else {
            return Self::Failed(error.to_string());
        };
        report.retry_after = *retry_after;
        Self::Limited(match retry_after {
            Some(after) => format!("{error}: retry after {}", wait(*after)),
            None => format!("{error}: try again later"),
        })
    }

    /// There is no list of tools.
    pub(super) fn unlisted(unlisted: Unlisted, report: &mut Report) -> Self {
        let (unavailable, reason) = match unlisted {
            Unlisted::Challenge(challenge) => return Self::Challenge(challenge),
            Unlisted::Loading { text, reason } => (Self::Loading(text), reason),
            Unlisted::Failed { text, reason } => (Self::Failed(text), reason),
            Unlisted::Limited {
                text,
                reason,
                retry_after,
            } => {
                report.retry_after = retry_after;
                (Self::Limited(text), reason)
            }
        };
        report.failure = Some(reason);
        unavailable
    }

    /// The upstream's answer can't be used, for a reason that the caller may know.
    pub(super) fn unusable(reason: &str, report: &mut Report) -> Self {
        report.failure = Some(reason.to_owned());
        Self::Failed(reason.to_owned())
    }

    /// What a JSON-RPC request of `era` has instead of a result.
    pub(super) fn failure(self, era: Era, request_tag: &str) -> Failure {
        match self {
            Self::Loading(text) | Self::Failed(text) | Self::Limited(text) => {
                Rejection::unavailable(&text, request_tag).into()
            }
            Self::Refused(error) => Failure::from_error_object(error, era),
            Self::Challenge(challenge) => Failure::Challenge(challenge),
        }
    }
}
