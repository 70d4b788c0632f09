//! Statuses that mean the same whatever was asked: credentials and rate limits.

use std::time::{Duration, SystemTime};

use http::header::{RETRY_AFTER, WWW_AUTHENTICATE};
use http::{HeaderMap, HeaderValue, StatusCode};

use crate::error::{Challenge, ChallengeStatus, Presented, UpstreamError};

/// Refuses 401, 403 and 429 with what their headers say.
pub(crate) fn check(
    status: StatusCode,
    headers: &HeaderMap,
    presented: Presented,
) -> Result<(), UpstreamError> {
    check_rate(status, headers)?;
    let status = match status {
        StatusCode::UNAUTHORIZED => ChallengeStatus::Unauthorized,
        StatusCode::FORBIDDEN => ChallengeStatus::Forbidden,
        _ => return Ok(()),
    };
    Err(UpstreamError::Challenge(Challenge {
        status,
        presented,
        www_authenticate: headers.get_all(WWW_AUTHENTICATE).iter().cloned().collect(),
    }))
}

/// Refuses 429 alone, where nobody's credentials are in question.
pub(crate) fn check_rate(status: StatusCode, headers: &HeaderMap) -> Result<(), UpstreamError> {
    if status != StatusCode::TOO_MANY_REQUESTS {
        return Ok(());
    }
    let retry_after = headers.get(RETRY_AFTER);
    Err(UpstreamError::RateLimited {
        retry_after: retry_after.and_then(|value| retry_after_of(value, SystemTime::now())),
    })
}

/// How long `value` asks to wait: seconds, or a date to wait for (RFC 9110, 10.2.3).
pub(crate) fn retry_after_of(value: &HeaderValue, now: SystemTime) -> Option<Duration> {
    let text = value.to_str().ok()?.trim();
    if let Ok(seconds) = text.parse() {
        return Some(Duration::from_secs(seconds));
    }
    let date = httpdate::parse_http_date(text).ok()?;
    Some(date.duration_since(now).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_forms_of_retry_after_are_read() {
        let now = httpdate::parse_http_date("Mon, 30 Nov 2026 12:00:00 GMT").unwrap();
        for (value, expected) in [
            ("7", Some(7)),
            (" 7 ", Some(7)),
            ("0", Some(0)),
            ("Mon, 30 Nov 2026 12:01:30 GMT", Some(90)),
            ("Mon, 30 Nov 2026 11:00:00 GMT", Some(0)),
            ("-7", None),
            ("soon", None),
            ("7.5", None),
        ] {
            let value = HeaderValue::from_str(value).unwrap();
            assert_eq!(
                retry_after_of(&value, now),
                expected.map(Duration::from_secs),
                "{value:?}"
            );
        }
    }
}
