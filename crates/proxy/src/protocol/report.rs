//! What the log and the metrics learn of a message: names and outcomes, never contents.

use std::time::Duration;

use catalog::UncheckedReason;
use ranking::Mode;

use super::Method;
use crate::tools::{MetaTool, Outcome};

/// One message, as it is logged and counted.
#[derive(Debug, Clone)]
pub(crate) struct Report {
    /// What it was.
    pub(crate) kind: MessageKind,
    /// How it ended.
    pub(crate) outcome: RequestOutcome,
    /// The meta-tool it called, and how that ended.
    pub(crate) call: Option<(MetaTool, Outcome)>,
    /// The upstream tool it was about, if known to the caller's catalog.
    pub(crate) target: Option<String>,
    /// How each query of a search was searched.
    pub(crate) searched: Vec<Mode>,
    /// Why calls went upstream without a check of their arguments.
    pub(crate) unchecked: Vec<UncheckedReason>,
    /// How long the upstream took, where it was asked; several times, all of them.
    pub(crate) upstream_time: Option<Duration>,
    /// Why there is no answer of the upstream.
    pub(crate) failure: Option<String>,
    /// When it takes requests again, as it says: for the answer's header.
    pub(crate) retry_after: Option<Duration>,
}

/// What kind of message came.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum MessageKind {
    /// A request of this method; `None` for one that isn't served.
    Request(Option<Method>),
    /// Any notification.
    Notification,
    /// A response to something we never asked.
    Response,
    /// No JSON-RPC message.
    Invalid,
    /// No JSON-RPC, and not meant to be: a search, or a template and prompt by name.
    Plain,
}

/// How a request ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum RequestOutcome {
    /// With a result, or accepted.
    Ok,
    /// With a JSON-RPC error.
    Error,
    /// With the upstream's 401 or 403.
    Challenge,
    /// Turned away: host, origin, size, form, unknown path; without JSON-RPC also what can't be meant.
    Refused,
    /// Turned away because too many were in flight.
    Overloaded,
    /// With a fault of ours.
    Fault,
    /// The caller went away before the answer, or no longer wants it.
    Cancelled,
}

impl Report {
    /// A report without details.
    pub(crate) fn new(kind: MessageKind, outcome: RequestOutcome) -> Self {
        Self {
            kind,
            outcome,
            call: None,
            target: None,
            searched: Vec::new(),
            unchecked: Vec::new(),
            upstream_time: None,
            failure: None,
            retry_after: None,
        }
    }

    /// The upstream was asked, and took `time`.
    pub(super) fn upstream_took(&mut self, time: Duration) {
        *self.upstream_time.get_or_insert_default() += time;
    }
}

impl MessageKind {
    /// Its name in logs and metrics; unknown methods share one.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Request(method) => method.map_or("unknown", Method::name),
            Self::Notification => "notification",
            Self::Response => "response",
            Self::Invalid => "invalid",
            Self::Plain => "none",
        }
    }
}

impl RequestOutcome {
    /// Its name in logs and metrics.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Error => "error",
            Self::Challenge => "challenge",
            Self::Refused => "refused",
            Self::Overloaded => "overloaded",
            Self::Fault => "fault",
            Self::Cancelled => "cancelled",
        }
    }
}
