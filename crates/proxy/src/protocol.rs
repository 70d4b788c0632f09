//! One JSON-RPC message in, one answer out, in both protocol eras and without any state between
//! requests; while a legacy one runs, another may cancel it. And searches, templates and prompts for
//! programs that speak no MCP.
//!
//! [`Protocol`] is the principal type. It knows MCP over HTTP (headers and statuses belong to the
//! protocol) but not the server that carries it.

mod dispatch;
mod error;
mod exchange;
mod lifecycle;
mod method;
mod negotiate;
mod plain;
mod prompt_names;
mod prompt_page;
mod prompts;
mod report;
mod running;
mod shape;

use std::sync::Arc;

use catalog::Catalogs;
use http::{HeaderMap, HeaderValue, StatusCode};
use upstream::{Caller, Challenge, ChallengeStatus, Upstream};
use wire::{Message, Request, RpcError};

pub(crate) use error::internal as internal_error;
use error::{Failure, Rejection};
pub(crate) use method::Method;
pub(crate) use prompt_names::PromptNames;
pub(crate) use prompt_page::PromptRequest;
pub(crate) use report::{MessageKind, Report, RequestOutcome};
pub(crate) use running::Running;

use crate::curation::Curation;
use crate::searches::Searches;
use crate::tools::ToolSettings;

/// Answers MCP messages.
#[derive(Debug)]
pub(crate) struct Protocol {
    /// Where calls go.
    pub(crate) upstream: Arc<Upstream>,
    /// Where callers' tools are.
    pub(crate) catalogs: Arc<Catalogs>,
    /// Where templates are.
    pub(crate) curation: Arc<Curation>,
    /// What prompts the upstream has.
    pub(crate) prompt_names: PromptNames,
    /// Where searches are noted.
    pub(crate) searches: Arc<Searches>,
    /// What the five tools read.
    pub(crate) tools: ToolSettings,
    /// `--max-instructions`, in characters.
    pub(crate) max_instructions: usize,
    /// What may be cancelled.
    pub(crate) running: Running,
}

/// A message as it arrived.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Incoming<'a> {
    /// Who sent it.
    pub(crate) caller: &'a Caller,
    /// The HTTP headers.
    pub(crate) headers: &'a HeaderMap,
    /// The HTTP body.
    pub(crate) body: &'a [u8],
    /// What the log calls this request; stands in errors that are our fault.
    pub(crate) request_tag: &'a str,
}

/// What goes back.
#[derive(Debug)]
pub(crate) struct Answer {
    /// The HTTP status.
    pub(crate) status: StatusCode,
    /// A JSON-RPC response, the answer to a plain search, or nothing.
    pub(crate) body: Vec<u8>,
    /// The upstream's `WWW-Authenticate` values.
    pub(crate) www_authenticate: Vec<HeaderValue>,
    /// For the log and the metrics.
    pub(crate) report: Report,
}

impl Protocol {
    /// Answers one message. Never fails: whatever goes wrong is an answer.
    pub(crate) async fn answer(&self, incoming: Incoming<'_>) -> Answer {
        match Message::parse_incoming(incoming.body) {
            Ok(Message::Request(request)) => self.answer_request(incoming, &request).await,
            Ok(Message::Notification { method, params }) => {
                if method == CANCELLED {
                    self.running.cancel(incoming.caller.key, params);
                }
                Answer::accepted(MessageKind::Notification)
            }
            Ok(Message::Response(_)) => Answer::accepted(MessageKind::Response),
            Err(invalid) => Answer {
                status: StatusCode::BAD_REQUEST,
                body: invalid.rpc_error().without_id(),
                www_authenticate: Vec::new(),
                report: Report::new(MessageKind::Invalid, RequestOutcome::Error),
            },
        }
    }

    async fn answer_request(&self, incoming: Incoming<'_>, request: &Request<'_>) -> Answer {
        let method = Method::parse(&request.method);
        let mut report = Report::new(MessageKind::Request(method), RequestOutcome::Ok);
        let failure = match self.result(incoming, request, &mut report).await {
            Ok(result) => {
                return Answer {
                    status: StatusCode::OK,
                    body: request.id.result(&result),
                    www_authenticate: Vec::new(),
                    report,
                };
            }
            Err(failure) => failure,
        };
        let (status, error, www_authenticate) = match failure {
            Failure::Rejection(Rejection { status, error }) => (status, error.to_raw(), Vec::new()),
            Failure::Upstream { status, error } => (status, error, Vec::new()),
            Failure::Challenge(challenge) => {
                report.outcome = RequestOutcome::Challenge;
                let (status, error) = self.challenged(incoming.caller, &challenge);
                (status, error.to_raw(), challenge.www_authenticate)
            }
        };
        if report.outcome == RequestOutcome::Ok {
            report.outcome = RequestOutcome::Error;
        }
        Answer {
            status,
            body: request.id.error(&error),
            www_authenticate,
            report,
        }
    }

    /// Status and error for a caller whose credentials the upstream refused.
    fn challenged(&self, caller: &Caller, challenge: &Challenge) -> (StatusCode, RpcError) {
        // The next listing must not come from before the refusal (field case 89).
        self.catalogs.forget(&caller.key);
        let status = match challenge.status {
            ChallengeStatus::Unauthorized => StatusCode::UNAUTHORIZED,
            ChallengeStatus::Forbidden => StatusCode::FORBIDDEN,
        };
        (status, error::challenge(status))
    }
}

impl Answer {
    /// What a notification or a response gets: nothing, in both eras.
    fn accepted(kind: MessageKind) -> Self {
        Self {
            status: StatusCode::ACCEPTED,
            body: Vec::new(),
            www_authenticate: Vec::new(),
            report: Report::new(kind, RequestOutcome::Ok),
        }
    }
}

const CANCELLED: &str = "notifications/cancelled";
