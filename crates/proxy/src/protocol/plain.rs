//! The search of programs that speak no MCP, on the same tools, with the same answers to what goes
//! wrong.

use http::StatusCode;
use wire::{RpcError, code};

use super::error::internal as internal_error;
use super::report::{MessageKind, Report, RequestOutcome};
use super::{Answer, Incoming, Protocol};
use crate::tools::{self, MetaTool, Outcome, PlainReply, ToolContext};

impl Protocol {
    /// Answers a search whose parameters are the whole body. Never fails.
    pub(crate) async fn search(&self, incoming: Incoming<'_>) -> Answer {
        let context = ToolContext {
            caller: incoming.caller,
            catalogs: &self.catalogs,
            upstream: &self.upstream,
            searches: &self.searches,
            settings: &self.tools,
            request_tag: incoming.request_tag,
        };
        let refused = |status, error: RpcError| (status, error.without_id());
        let mut report = Report::new(MessageKind::Plain, RequestOutcome::Error);
        let mut www_authenticate = Vec::new();
        let (outcome, (status, body)) =
            match tools::plain(context, &self.curation.now(), incoming.body).await {
                PlainReply::Found { answer, modes } => {
                    report.outcome = RequestOutcome::Ok;
                    report.searched = modes;
                    let body = String::from(Box::<str>::from(answer)).into_bytes();
                    (Outcome::Ok, (StatusCode::OK, body))
                }
                PlainReply::Refused(text) => {
                    report.outcome = RequestOutcome::Refused;
                    let error = RpcError::new(code::INVALID_PARAMS, text);
                    (Outcome::Refused, refused(StatusCode::BAD_REQUEST, error))
                }
                PlainReply::NoTemplate(text) => {
                    report.outcome = RequestOutcome::Refused;
                    let error = RpcError::new(code::INVALID_PARAMS, text);
                    (Outcome::Refused, refused(StatusCode::NOT_FOUND, error))
                }
                PlainReply::Loading { text, reason } => {
                    report.failure = Some(reason);
                    let error = internal_error(&text, incoming.request_tag);
                    let status = StatusCode::SERVICE_UNAVAILABLE;
                    (Outcome::NoCatalog, refused(status, error))
                }
                PlainReply::Failed { text, reason } => {
                    report.failure = Some(reason);
                    let error = internal_error(&text, incoming.request_tag);
                    (Outcome::NoCatalog, refused(StatusCode::BAD_GATEWAY, error))
                }
                PlainReply::Challenge(challenge) => {
                    report.outcome = RequestOutcome::Challenge;
                    let (status, error) = self.challenged(incoming.caller, &challenge);
                    www_authenticate = challenge.www_authenticate;
                    (Outcome::Challenge, refused(status, error))
                }
            };
        report.call = Some((MetaTool::Search, outcome));
        Answer {
            status,
            body,
            www_authenticate,
            report,
        }
    }
}
