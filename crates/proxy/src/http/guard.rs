//! Whom we answer: requests to a host name of ours, and of web pages only those from an origin on
//! the list. Without it any page could reach a proxy on its reader's machine by a name that it
//! points there (field cases 81 and 82).

use std::sync::Arc;

use axum::body::Body;
use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use http::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN,
    ACCESS_CONTROL_EXPOSE_HEADERS, ACCESS_CONTROL_MAX_AGE, ACCESS_CONTROL_REQUEST_METHOD, HOST,
    ORIGIN,
};
use http::uri::Authority;
use http::{HeaderMap, HeaderValue, Method, StatusCode, Uri};
use url::{Host, Url};

use super::Edge;
use super::problem::Problem;

/// The hosts and origins that are answered.
#[derive(Debug, Clone)]
pub(crate) struct Guard {
    /// Beside loopback, in lower case; [`ANY_HOST`] for any.
    pub(crate) hosts: Vec<String>,
    /// In the serialisation of the URL standard.
    pub(crate) origins: Vec<String>,
}

/// Turns away requests that don't say which host they are for, or say it twice (RFC 9112, section
/// 3.2): a server before us may have read another one. Without any, the other checks decide.
pub(crate) async fn one_host(request: Request, next: Next) -> Response {
    if names_one_host_at_most(request.uri(), request.headers()) {
        return next.run(request).await;
    }
    no_host().into_response()
}

fn no_host() -> Problem {
    let message = "a request says in one header which host it is for: Host: example.com:8080";
    Problem::new(StatusCode::BAD_REQUEST, message)
}

fn names_one_host_at_most(uri: &Uri, headers: &HeaderMap) -> bool {
    let is_host = |host: &Authority| !host.as_str().contains('@');
    let mut given = headers.get_all(HOST).iter();
    let header = match (given.next(), given.next()) {
        (None, _) => true,
        (Some(host), None) if host.is_empty() => true,
        (Some(host), None) => authority(host).is_some_and(|host| is_host(&host)),
        (Some(_), Some(_)) => false,
    };
    header && uri.authority().is_none_or(is_host)
}

/// Turns foreign hosts and origins away, and answers browsers' questions about the allowed ones.
pub(crate) async fn check(State(edge): State<Arc<Edge>>, request: Request, next: Next) -> Response {
    let origin = match edge.guard.admit(&request) {
        Ok(origin) => origin,
        Err(problem) => {
            tracing::warn!(reason = problem.message(), "a request was turned away");
            return problem.into_response();
        }
    };
    let Some(origin) = origin else {
        return next.run(request).await;
    };
    let is_preflight = request.method() == Method::OPTIONS
        && request
            .headers()
            .contains_key(ACCESS_CONTROL_REQUEST_METHOD);
    let mut response = if is_preflight {
        preflight()
    } else {
        next.run(request).await
    };
    let headers = response.headers_mut();
    headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, origin);
    headers.insert(
        ACCESS_CONTROL_EXPOSE_HEADERS,
        HeaderValue::from_static(EXPOSED),
    );
    response
}

impl Guard {
    /// The origin of a request that may go on, if it has one.
    fn admit(&self, request: &Request) -> Result<Option<HeaderValue>, Problem> {
        let host = host(request.uri(), request.headers()).ok_or_else(no_host)?;
        if !self.answers(host.host()) {
            return Err(Problem::new(
                StatusCode::FORBIDDEN,
                "requests to this host name aren't answered; name it in --allowed-hosts",
            ));
        }
        let Some(origin) = request.headers().get(ORIGIN) else {
            return Ok(None);
        };
        if self.allows(origin) || self.is_own_page(origin, &host) {
            return Ok(Some(origin.clone()));
        }
        Err(Problem::new(
            StatusCode::FORBIDDEN,
            "requests from this origin aren't answered; name it in --allowed-origins",
        ))
    }

    fn answers(&self, host: &str) -> bool {
        self.names(host) || self.hosts.iter().any(|known| known == ANY_HOST)
    }

    /// Whether `host` is known to be ours. That any host is answered says nothing of this one.
    fn names(&self, host: &str) -> bool {
        Host::parse(host).is_ok_and(|host| is_loopback(&host))
            || self
                .hosts
                .iter()
                .any(|known| known.eq_ignore_ascii_case(host))
    }

    /// A page that we served ourselves. Under a name that isn't known to be ours, a page may come
    /// from whoever pointed that name here.
    fn is_own_page(&self, origin: &HeaderValue, host: &Authority) -> bool {
        let origin = origin.to_str().ok().and_then(|text| text.split_once("://"));
        origin.is_some_and(|(_scheme, origin)| {
            self.names(host.host()) && origin.eq_ignore_ascii_case(host.as_str())
        })
    }

    fn allows(&self, origin: &HeaderValue) -> bool {
        let origin = origin.to_str().ok().and_then(|text| Url::parse(text).ok());
        origin.is_some_and(|origin| {
            self.origins
                .contains(&origin.origin().ascii_serialization())
        })
    }
}

/// The host, and perhaps the port, that a request was sent to.
pub(crate) fn host(uri: &Uri, headers: &HeaderMap) -> Option<Authority> {
    match uri.authority() {
        Some(authority) => Some(authority.clone()),
        None => authority(headers.get(HOST)?),
    }
}

fn authority(host: &HeaderValue) -> Option<Authority> {
    host.to_str().ok()?.parse().ok()
}

/// Whether `host` is this machine and no other.
pub(crate) fn is_loopback(host: &Host<impl AsRef<str>>) -> bool {
    match host {
        Host::Domain(name) => name.as_ref() == "localhost",
        Host::Ipv4(address) => address.is_loopback(),
        Host::Ipv6(address) => address.is_loopback(),
    }
}

fn preflight() -> Response {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::NO_CONTENT;
    let headers = response.headers_mut();
    headers.insert(
        ACCESS_CONTROL_ALLOW_METHODS,
        HeaderValue::from_static("GET, POST"),
    );
    headers.insert(
        ACCESS_CONTROL_ALLOW_HEADERS,
        HeaderValue::from_static(ALLOWED),
    );
    headers.insert(ACCESS_CONTROL_MAX_AGE, HeaderValue::from_static("600"));
    response
}

/// Of [`Guard::hosts`]: whatever name a request is sent to.
pub(crate) const ANY_HOST: &str = "*";
const ALLOWED: &str = "authorization, content-type, accept, mcp-protocol-version, mcp-session-id, \
    mcp-method, mcp-name, last-event-id";
const EXPOSED: &str = "www-authenticate, retry-after, x-request-id";
