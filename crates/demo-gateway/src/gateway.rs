//! The gateway's state, and the way of one request through it.

use std::borrow::Cow;
use std::future::pending;

use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use http::{HeaderMap, Method, StatusCode, header};
use serde_json::value::RawValue;
use wire::{Message, RawObject, Request, RequestMeta, RpcError, code};

use crate::access::{Access, Stranger, Visitor};
use crate::fault::{Effect, Incoming, Script};
use crate::hangup::Hangup;
use crate::record::{ReceivedRequest, Recorder};
use crate::reply::{Delivery, Reply};
use crate::session::Sessions;
use crate::settings::{AnswerFormat, DemoEra, DemoSettings};
use crate::{legacy, modern};

/// Everything a request meets.
#[derive(Debug)]
pub(crate) struct Gateway {
    pub(crate) era: DemoEra,
    pub(crate) instructions: Option<String>,
    pub(crate) page_size: usize,
    pub(crate) access: Access,
    pub(crate) sessions: Sessions,
    pub(crate) script: Script,
    pub(crate) recorder: Recorder,
    format: AnswerFormat,
}

/// One request with what its answer depends on.
#[derive(Debug)]
pub(crate) struct Exchange<'a> {
    pub(crate) request: Request<'a>,
    pub(crate) headers: &'a HeaderMap,
    pub(crate) visitor: Visitor,
    pub(crate) effects: &'a [Effect],
}

impl Gateway {
    /// A gateway that clients reach at `origin` (scheme, host and port).
    pub(crate) fn new(settings: DemoSettings, origin: String) -> Self {
        Self {
            era: settings.era,
            instructions: settings.instructions,
            page_size: settings.page_size,
            access: Access::new(settings.tools, settings.callers, origin),
            sessions: Sessions::default(),
            script: Script::new(settings.faults),
            recorder: Recorder::new(settings.recording),
            format: settings.format,
        }
    }

    /// Answers one HTTP request to the MCP endpoint.
    pub(crate) async fn respond(&self, received: ReceivedRequest, hangup: &Hangup) -> Response {
        self.recorder.receive(&received);
        let mut in_flight = self.recorder.in_flight();
        let response = match received.http_method {
            Method::POST => self.post(&received.headers, &received.body, hangup).await,
            Method::DELETE if self.era == DemoEra::LegacyStateful => {
                self.end_session(&received.headers)
            }
            _ => self.method_not_allowed(),
        };
        in_flight.done();
        response
    }

    async fn post(&self, headers: &HeaderMap, body: &Bytes, hangup: &Hangup) -> Response {
        let message = match Message::parse(body) {
            Ok(message) => message,
            Err(invalid) => return refusal(StatusCode::BAD_REQUEST, &invalid.rpc_error()),
        };
        let effects = self.script.meet(&Incoming::read(&message, self.page_size));
        if let Some(response) = self.intervene(&effects, hangup).await {
            return response;
        }
        let visitor = match self.access.admit(headers) {
            Ok(visitor) => visitor,
            Err(stranger) => return self.access.unauthorized(stranger),
        };
        match message {
            Message::Request(request) => {
                let exchange = Exchange {
                    request,
                    headers,
                    visitor,
                    effects: &effects,
                };
                let reply = self.answer(&exchange);
                Delivery {
                    format: self.format,
                    effects: &effects,
                    recorder: &self.recorder,
                }
                .send(reply, exchange.request.params)
            }
            Message::Notification { .. } => self.accept(headers, &visitor),
            Message::Response(_) => {
                self.recorder.count(|activity| activity.responses += 1);
                self.accept(headers, &visitor)
            }
        }
    }

    /// The effects that come before any answer.
    async fn intervene(&self, effects: &[Effect], hangup: &Hangup) -> Option<Response> {
        for effect in effects {
            match effect {
                Effect::Delay(delay) => tokio::time::sleep(*delay).await,
                Effect::Hang => pending().await,
                Effect::Disconnect => {
                    hangup.hang_up();
                    pending::<()>().await;
                }
                Effect::Reply(reply) => return Some(reply.clone().into_response()),
                Effect::Unauthorized => {
                    return Some(self.access.unauthorized(Stranger::UnknownToken));
                }
                Effect::InsufficientScope(scope) => {
                    return Some(self.access.insufficient_scope(scope));
                }
                Effect::ForgetSessions => {
                    self.sessions.forget();
                    self.count_sessions();
                }
                _ => {}
            }
        }
        None
    }

    fn answer(&self, exchange: &Exchange<'_>) -> Reply {
        match RequestMeta::read(exchange.request.params) {
            _ if !self.era.is_modern() => legacy::answer(self, exchange),
            Ok(Some(meta)) => modern::answer(self, exchange, &meta),
            Ok(None) if modern::is_announced(exchange.headers) || !self.era.is_legacy() => {
                modern::refuse_without_envelope(self, exchange)
            }
            Ok(None) => legacy::answer(self, exchange),
            Err(error) => Reply::error(
                &exchange.request.id,
                StatusCode::BAD_REQUEST,
                &RpcError::new(code::INVALID_PARAMS, error.to_string()),
            ),
        }
    }

    /// 202 for what wants no answer, if it comes in a session where one is needed.
    fn accept(&self, headers: &HeaderMap, visitor: &Visitor) -> Response {
        if self.era == DemoEra::LegacyStateful
            && let Err(fault) = self.sessions.check(headers, &visitor.token)
        {
            return refusal(fault.status(), &fault.rpc_error());
        }
        StatusCode::ACCEPTED.into_response()
    }

    fn end_session(&self, headers: &HeaderMap) -> Response {
        let ended = self.sessions.close(headers);
        self.count_sessions();
        let status = if ended {
            StatusCode::NO_CONTENT
        } else {
            StatusCode::NOT_FOUND
        };
        status.into_response()
    }

    fn method_not_allowed(&self) -> Response {
        let allowed = if self.era == DemoEra::LegacyStateful {
            "DELETE, POST"
        } else {
            "POST"
        };
        (StatusCode::METHOD_NOT_ALLOWED, [(header::ALLOW, allowed)]).into_response()
    }

    /// Brings the count of open sessions up to date.
    pub(crate) fn count_sessions(&self) {
        let open = self.sessions.len();
        self.recorder.count(|activity| activity.sessions = open);
    }
}

impl Exchange<'_> {
    /// A member of the params.
    pub(crate) fn param(&self, key: &str) -> Option<&RawValue> {
        RawObject::read(self.request.params?)?.get(key)
    }

    /// A member of the params if it is a string.
    pub(crate) fn text_param(&self, key: &str) -> Option<String> {
        let params = RawObject::read(self.request.params?)?;
        params.get_str(key).map(Cow::into_owned)
    }
}

/// An error that answers no request.
fn refusal(status: StatusCode, error: &RpcError) -> Response {
    let headers = [(header::CONTENT_TYPE, "application/json")];
    (status, headers, error.without_id()).into_response()
}
