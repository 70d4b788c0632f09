//! Statuses that mean the same whatever was asked.

use std::time::Duration;

use upstream::{CallerKeys, ChallengeStatus, UpstreamError};

use crate::scripted::{Scripted, answered, caller, empty};

#[tokio::test]
async fn a_challenge_tells_want_of_credentials_from_refused_ones() {
    for (status, authorization, expected) in [
        (
            401,
            None,
            "the upstream answered 401 to a request without Authorization",
        ),
        (
            403,
            None,
            "the upstream answered 403 to a request without Authorization",
        ),
        (
            401,
            Some("Bearer canary"),
            "the upstream refused the Authorization given with 401",
        ),
        (
            403,
            Some("Bearer canary"),
            "the upstream refused the Authorization given with 403",
        ),
    ] {
        let caller = match authorization {
            Some(value) => caller(value),
            None => CallerKeys::new([1; 32]).caller(None),
        };
        // Refused at the first question, and at the handshake.
        for refused in ["server/discover", "initialize"] {
            let upstream = Scripted::start(move |seen| {
                if seen.rpc_method() == refused {
                    return empty(status);
                }
                seen.legacy(None).unwrap()
            })
            .await;
            let error = upstream.client().list(&caller).await.unwrap_err();
            assert_eq!(error.to_string(), expected);
            assert!(!format!("{error:?}").contains("canary"));
        }
    }
}

#[tokio::test]
async fn challenges_come_whole() {
    let values = [
        "Bearer error=\"insufficient_scope\", scope=\"a b\", resource_metadata=\"https://a.test/x\"",
        "DPoP algs=\"ES256\"",
    ];
    for (status, expected) in [
        (401, ChallengeStatus::Unauthorized),
        (403, ChallengeStatus::Forbidden),
    ] {
        for count in 0..=2 {
            let error = answered(move |seen| {
                let mut response = seen.error(status, -32001, "who are you");
                for value in values.iter().take(count) {
                    response
                        .headers_mut()
                        .append("www-authenticate", value.parse().unwrap());
                }
                response
            })
            .await
            .unwrap_err();
            let UpstreamError::Challenge(challenge) = error else {
                panic!("{error:?}")
            };
            assert_eq!(challenge.status, expected);
            assert_eq!(challenge.www_authenticate, &values[..count]);
        }
    }
}

#[tokio::test]
async fn rate_limits_say_how_long() {
    for (value, expected) in [(Some("7"), Some(Duration::from_secs(7))), (None, None)] {
        let error = answered(move |_| {
            let mut response = empty(429);
            if let Some(value) = value {
                response
                    .headers_mut()
                    .insert("retry-after", value.parse().unwrap());
            }
            response
        })
        .await
        .unwrap_err();
        let UpstreamError::RateLimited { retry_after } = error else {
            panic!("{error:?}")
        };
        assert_eq!(retry_after, expected);
    }
}
