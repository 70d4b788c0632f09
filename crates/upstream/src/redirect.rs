//! Which redirects are followed: those that keep the request and its token where they were.

use http::header::LOCATION;
use http::{HeaderMap, StatusCode};
use url::Url;

use crate::error::{RedirectLocation, UpstreamError};

/// How many redirects in a row are followed.
pub(crate) const MAX_HOPS: usize = 5;

/// Where the answer to a request for `from` redirects to, `None` if it is no redirect.
///
/// Only 307 and 308 within the same scheme, host and port are followed, because they alone keep
/// the method and send the token nowhere else (field case 61).
pub(crate) fn target(
    from: &Url,
    status: StatusCode,
    headers: &HeaderMap,
) -> Result<Option<Url>, UpstreamError> {
    if !status.is_redirection() || status == StatusCode::NOT_MODIFIED {
        return Ok(None);
    }
    let location = headers
        .get(LOCATION)
        .and_then(|location| from.join(location.to_str().ok()?).ok());
    let Some(to) = location else {
        return Err(UpstreamError::Status {
            status: status.as_u16(),
        });
    };
    match obstacle(from, &to, status) {
        None => Ok(Some(to)),
        Some(reason) => Err(refused(&to, reason)),
    }
}

/// The error for a redirect to `to`, naming it without query and credentials. What isn't HTTP may
/// hold anything after its scheme and isn't named.
pub(crate) fn refused(to: &Url, reason: &'static str) -> UpstreamError {
    let location = if is_http(to) {
        format!("{}{}", to.origin().ascii_serialization(), to.path())
    } else {
        "another scheme".to_owned()
    };
    UpstreamError::Redirect {
        location: RedirectLocation(location),
        reason,
    }
}

fn obstacle(from: &Url, to: &Url, status: StatusCode) -> Option<&'static str> {
    if !is_http(to) {
        Some("only http and https are spoken; set the upstream's URL to where it should go")
    } else if from.scheme() == "https" && to.scheme() == "http" {
        Some("it leaves TLS; set the upstream's URL to where it should go")
    } else if from.origin() != to.origin() {
        Some("it is another origin, which must not get the caller's token; set it as the upstream")
    } else if !to.username().is_empty() || to.password().is_some() {
        Some("it holds credentials")
    } else if !matches!(status.as_u16(), 307 | 308) {
        Some("its status would turn the request into a GET; set it as the upstream's URL")
    } else {
        None
    }
}

fn is_http(url: &Url) -> bool {
    matches!(url.scheme(), "http" | "https")
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    fn check(from: &str, status: u16, location: &str, expected: Result<Option<&str>, &str>) {
        let headers = HeaderMap::from_iter([(LOCATION, HeaderValue::from_str(location).unwrap())]);
        let from = Url::parse(from).unwrap();
        let found = target(&from, StatusCode::from_u16(status).unwrap(), &headers);
        let found = found
            .map(|url| url.map(String::from))
            .map_err(|error| error.with_causes());
        let expected = expected
            .map(|url| url.map(str::to_owned))
            .map_err(str::to_owned);
        match (&found, &expected) {
            (Err(found), Err(part)) => assert!(found.contains(part.as_str()), "{found}"),
            _ => assert_eq!(found, expected, "{status} {location}"),
        }
    }

    #[test]
    fn only_the_same_origin_by_307_and_308_is_followed() {
        let from = "https://gw.test/mcp?team=1";
        check(from, 307, "/mcp/", Ok(Some("https://gw.test/mcp/")));
        check(
            from,
            308,
            "https://gw.test:443/v2",
            Ok(Some("https://gw.test/v2")),
        );
        check(from, 200, "/mcp/", Ok(None));
        check(from, 304, "/mcp/", Ok(None));
        check(from, 307, "http://gw.test/mcp/", Err("leaves TLS"));
        check(from, 308, "https://gw.test:8443/mcp", Err("another origin"));
        check(from, 307, "https://evil.test/mcp", Err("another origin"));
        check(from, 307, "//evil.test/mcp", Err("another origin"));
        check(from, 307, "https://u:p@gw.test/mcp", Err("credentials"));
        check(
            "http://gw.test/mcp",
            307,
            "https://gw.test/mcp",
            Err("another origin"),
        );
        for status in [300, 301, 302, 303] {
            check(from, status, "/mcp/", Err("into a GET"));
        }
    }

    #[test]
    fn the_error_names_no_query() {
        let from = "https://gw.test/mcp";
        check(
            from,
            302,
            "https://login.test/start?token=canary#canary",
            Err("it leads to https://login.test/start"),
        );
    }

    #[test]
    fn what_is_not_http_is_not_quoted() {
        let from = "https://gw.test/mcp";
        for location in [
            "javascript:alert(1)",
            "data:text/html,canary",
            "file:///etc/canary",
            "ftp://gw.test/mcp",
            "wss://gw.test/mcp",
            "canary+x:y",
        ] {
            let expected = "it leads to another scheme";
            check(from, 307, location, Err(expected));
        }
    }

    #[test]
    fn a_redirect_to_nowhere_is_a_status() {
        let from = Url::parse("https://gw.test/mcp").unwrap();
        let found = target(&from, StatusCode::TEMPORARY_REDIRECT, &HeaderMap::new());
        assert!(matches!(found, Err(UpstreamError::Status { status: 307 })));
    }
}
