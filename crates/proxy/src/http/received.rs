//! A request with a body, let in and read whole; and the way back of its answer.

use axum::extract::Request;
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use http::header::{
    ACCEPT, ACCEPT_ENCODING, AUTHORIZATION, CONTENT_ENCODING, CONTENT_TYPE, RETRY_AFTER,
    WWW_AUTHENTICATE,
};
use http::request::Parts;
use http::{HeaderMap, HeaderValue, StatusCode};
use upstream::{Authorization, Caller};
use url::Url;

use super::held::hold;
use super::limits::Place;
use super::observe::RequestTag;
use super::problem::{Problem, json, whole_seconds};
use super::{Edge, accept, oauth};
use crate::protocol::{Answer, Incoming};

/// Who sent what, and the place that it takes among the requests in flight.
pub(super) struct Received {
    pub(super) head: Parts,
    caller: Caller,
    body: Bytes,
    place: Place,
}

impl Received {
    /// Lets `request` in, if there is room, and reads its body.
    pub(super) async fn read(
        edge: &Edge,
        request: Request,
        tag: &RequestTag,
    ) -> Result<Self, Problem> {
        let (head, body) = request.into_parts();
        let caller = edge.caller(&head.headers)?;
        check_content_type(&head.headers)?;
        check_content_encoding(&head.headers)?;
        let place = edge.in_flight.enter(caller.key, tag)?;
        let body = edge.limits.read(body).await?;
        Ok(Self {
            head,
            caller,
            body,
            place,
        })
    }

    /// What the protocol sees of it.
    pub(super) fn incoming<'a>(&'a self, tag: &'a RequestTag) -> Incoming<'a> {
        Incoming {
            caller: &self.caller,
            headers: &self.head.headers,
            body: &self.body,
            request_tag: tag.as_str(),
        }
    }

    /// The HTTP answer. The place is taken until it has left.
    pub(super) fn answered(self, edge: &Edge, answer: Answer, form: accept::Form) -> Response {
        let public_url = edge.oauth.public_url(&self.head.uri, &self.head.headers);
        hold(respond(answer, form, public_url.as_ref()), self.place)
    }
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
    if let Some(after) = answer.report.retry_after {
        let headers = response.headers_mut();
        headers.insert(RETRY_AFTER, whole_seconds(after));
    }
    response.extensions_mut().insert(answer.report);
    response
}

/// JSON or unsaid: some clients forget it, none means another format by it. Said twice, a server
/// before us may have gone by the other one.
fn check_content_type(headers: &HeaderMap) -> Result<(), Problem> {
    let mut given = headers.get_all(CONTENT_TYPE).iter();
    let value = match (given.next(), given.next()) {
        (None, _) => return Ok(()),
        (Some(value), None) => value.to_str().unwrap_or_default(),
        (Some(_), Some(_)) => "",
    };
    let media_type = value.split(';').next().unwrap_or_default().trim();
    if media_type.eq_ignore_ascii_case("application/json") {
        return Ok(());
    }
    let message = "the body must be JSON: send Content-Type: application/json, once";
    let problem = Problem::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, message);
    Err(problem.taking(ACCEPT, "application/json"))
}

/// As it is: what unpacks may grow without bound.
fn check_content_encoding(headers: &HeaderMap) -> Result<(), Problem> {
    let mut given = headers.get_all(CONTENT_ENCODING).iter();
    let is_plain = |value: &HeaderValue| {
        let codings = value.to_str().unwrap_or("unreadable").split(',');
        codings
            .map(str::trim)
            .all(|coding| coding.is_empty() || coding.eq_ignore_ascii_case("identity"))
    };
    if given.all(is_plain) {
        return Ok(());
    }
    let message = "the body must not be compressed: send it as it is, without Content-Encoding";
    let problem = Problem::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, message);
    Err(problem.taking(ACCEPT_ENCODING, "identity"))
}
