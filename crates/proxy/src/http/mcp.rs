//! The MCP endpoint: one POST, one message, one answer.

use std::sync::Arc;

use axum::Extension;
use axum::extract::{Request, State};
use axum::response::{IntoResponse, Response};
use http::header::{ALLOW, AUTHORIZATION, CONTENT_TYPE, WWW_AUTHENTICATE};
use http::{HeaderMap, HeaderValue, StatusCode};
use upstream::{Authorization, Caller};
use url::Url;

use super::held::hold;
use super::observe::RequestTag;
use super::problem::{Problem, json};
use super::{Edge, accept, oauth};
use crate::protocol::{Answer, Incoming};

/// Answers one message.
pub(crate) async fn post(
    State(edge): State<Arc<Edge>>,
    Extension(tag): Extension<RequestTag>,
    request: Request,
) -> Result<Response, Problem> {
    let (head, body) = request.into_parts();
    let caller = edge.caller(&head.headers)?;
    check_content_type(&head.headers)?;
    let place = edge.in_flight.enter(caller.key, &tag)?;
    let body = edge.limits.read(body).await?;
    let incoming = Incoming {
        caller: &caller,
        headers: &head.headers,
        body: &body,
        request_tag: tag.as_str(),
    };
    let answer = edge.protocol.answer(incoming).await;
    let public_url = edge.oauth.public_url(&head.uri, &head.headers);
    let response = respond(
        answer,
        accept::Form::wanted(&head.headers),
        public_url.as_ref(),
    );
    Ok(hold(response, place))
}

/// Any other method: there is no stream to open and no session to end (field case 74).
pub(crate) async fn not_allowed() -> Response {
    let message = "POST one JSON-RPC message; there are no streams and no sessions here";
    let mut response = Problem::new(StatusCode::METHOD_NOT_ALLOWED, message).into_response();
    response
        .headers_mut()
        .insert(ALLOW, HeaderValue::from_static("POST"));
    response
}

impl Edge {
    /// Who sent a request with these headers.
    pub(crate) fn caller(&self, headers: &HeaderMap) -> Result<Caller, Problem> {
        let authorization = Authorization::parse(headers.get_all(AUTHORIZATION).iter())
            .map_err(|error| Problem::new(StatusCode::BAD_REQUEST, error.to_string()))?;
        Ok(self.callers.caller(authorization))
    }
}

fn respond(answer: Answer, form: accept::Form, public_url: Option<&Url>) -> Response {
    let mut response = if answer.body.is_empty() {
        answer.status.into_response()
    } else {
        match form {
            accept::Form::Json => json(answer.status, answer.body),
            accept::Form::EventStream => accept::event_stream(answer.status, &answer.body),
        }
    };
    for value in &answer.www_authenticate {
        let value = oauth::challenge(value, public_url);
        response.headers_mut().append(WWW_AUTHENTICATE, value);
    }
    response.extensions_mut().insert(answer.report);
    response
}

/// JSON or unsaid: some clients forget it, none means another format by it.
fn check_content_type(headers: &HeaderMap) -> Result<(), Problem> {
    let Some(value) = headers.get(CONTENT_TYPE) else {
        return Ok(());
    };
    let media_type = value.to_str().unwrap_or_default().split(';').next();
    let media_type = media_type.unwrap_or_default().trim();
    if media_type.eq_ignore_ascii_case("application/json") {
        return Ok(());
    }
    Err(Problem::new(
        StatusCode::UNSUPPORTED_MEDIA_TYPE,
        "the body must be JSON: send Content-Type: application/json",
    ))
}
