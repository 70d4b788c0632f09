//! Answers for programs that speak no MCP: an object as it is, or an error with a status that says
//! what it is. And their search, on the same tools as everybody's.

use http::StatusCode;
use serde_json::value::RawValue;
use wire::{ErrorView, RpcError, code};

use super::error::internal as internal_error;
use super::exchange::Unavailable;
use super::report::{MessageKind, Report, RequestOutcome};
use super::{Answer, Incoming, Protocol};
use crate::tools::{self, MetaTool, Outcome, PlainReply};

/// Why there is no answer.
#[derive(Debug)]
pub(super) enum PlainFailure {
    /// It can't be meant, or names what there isn't.
    Refused {
        /// Of the 4xx.
        status: StatusCode,
        /// A whole sentence.
        text: String,
    },
    /// The upstream doesn't give what it takes.
    Unavailable(Unavailable),
}

impl From<Unavailable> for PlainFailure {
    fn from(unavailable: Unavailable) -> Self {
        Self::Unavailable(unavailable)
    }
}

impl Protocol {
    /// Answers a search whose parameters are the whole body. Never fails.
    pub(crate) async fn search(&self, incoming: Incoming<'_>) -> Answer {
        let mut report = Report::new(MessageKind::Plain, RequestOutcome::Ok);
        let context = self.tool_context(incoming);
        let refused = |status, text| PlainFailure::Refused { status, text };
        let (outcome, result) =
            match tools::plain(context, &self.curation.now(), incoming.body).await {
                PlainReply::Found { answer, modes } => {
                    report.searched = modes;
                    (Outcome::Ok, Ok(answer))
                }
                PlainReply::Refused(text) => {
                    let failure = refused(StatusCode::BAD_REQUEST, text);
                    (Outcome::Refused, Err(failure))
                }
                PlainReply::NoTemplate(text) => {
                    let failure = refused(StatusCode::NOT_FOUND, text);
                    (Outcome::Refused, Err(failure))
                }
                PlainReply::Unlisted(unlisted) => {
                    let unavailable = Unavailable::unlisted(unlisted, &mut report);
                    let outcome = match &unavailable {
                        Unavailable::Challenge(_) => Outcome::Challenge,
                        _ => Outcome::NoCatalog,
                    };
                    (outcome, Err(unavailable.into()))
                }
            };
        report.call = Some((MetaTool::Search, outcome));
        self.plain_answer(incoming, result, report)
    }

    /// What goes back for `result`.
    pub(super) fn plain_answer(
        &self,
        incoming: Incoming<'_>,
        result: Result<Box<RawValue>, PlainFailure>,
        mut report: Report,
    ) -> Answer {
        let mut www_authenticate = Vec::new();
        report.outcome = match &result {
            Ok(_) => RequestOutcome::Ok,
            Err(PlainFailure::Refused { .. }) => RequestOutcome::Refused,
            Err(PlainFailure::Unavailable(Unavailable::Challenge(_))) => RequestOutcome::Challenge,
            Err(PlainFailure::Unavailable(_)) => RequestOutcome::Error,
        };
        let ours = |text: &str| internal_error(text, incoming.request_tag);
        let (status, body) = match result {
            Ok(object) => (StatusCode::OK, object.get().as_bytes().to_vec()),
            Err(PlainFailure::Refused { status, text }) => {
                let error = RpcError::new(code::INVALID_PARAMS, text);
                (status, error.without_id())
            }
            Err(PlainFailure::Unavailable(unavailable)) => {
                let (status, error) = match unavailable {
                    Unavailable::Loading(text) => (StatusCode::SERVICE_UNAVAILABLE, ours(&text)),
                    Unavailable::Failed(text) => (StatusCode::BAD_GATEWAY, ours(&text)),
                    Unavailable::Limited(text) => (StatusCode::TOO_MANY_REQUESTS, ours(&text)),
                    Unavailable::Refused(error) => {
                        let error = ErrorView::read(&error);
                        let error = RpcError::new(error.code, error.message);
                        (StatusCode::BAD_GATEWAY, error)
                    }
                    Unavailable::Challenge(challenge) => {
                        let (status, error) = self.challenged(incoming.caller, &challenge);
                        www_authenticate = challenge.www_authenticate;
                        (status, error)
                    }
                };
                (status, error.without_id())
            }
        };
        Answer {
            status,
            body,
            www_authenticate,
            report,
        }
    }
}
