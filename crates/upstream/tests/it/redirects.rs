//! Redirects: the token stays where it was sent (field case 61).

use upstream::{Effect, UpstreamError};

use crate::scripted::{Scripted, call, empty, redirect, text};

#[tokio::test]
async fn within_the_origin_the_request_goes_on_whole() {
    for (status, location) in [(307, "/v2/mcp"), (308, "v2/mcp"), (308, "/v2/mcp?a=1")] {
        let upstream = Scripted::start(move |seen| match seen.path.as_str() {
            "/mcp" => redirect(status, location),
            _ => seen.modern().unwrap_or_else(|| seen.result("1")),
        })
        .await;
        let reply = call(&upstream.client(), Effect::Write).await.unwrap();
        assert_eq!(text(&reply), "1");
        let seen = upstream.seen();
        for pair in seen.chunks(2) {
            let [asked, followed] = pair else {
                panic!("{seen:?}")
            };
            assert_eq!(
                (asked.path.as_str(), followed.path.as_str()),
                ("/mcp", "/v2/mcp")
            );
            assert_eq!(asked.method, followed.method);
            assert_eq!(asked.text, followed.text);
            assert_eq!(asked.headers, followed.headers);
            assert_eq!(followed.header("authorization"), Some("Bearer token"));
        }
    }
}

#[tokio::test]
async fn elsewhere_nothing_is_sent() {
    let other = Scripted::start(|_| empty(200)).await;
    for status in [301, 302, 303, 307, 308] {
        let location = format!("{}/mcp?secret=1", other.origin);
        let upstream = Scripted::start(move |_| redirect(status, &location)).await;
        let error = call(&upstream.client(), Effect::Write).await.unwrap_err();
        let UpstreamError::Redirect { location, .. } = &error else {
            panic!("{error:?}");
        };
        assert_eq!(
            location.to_string(),
            format!("it leads to {}/mcp", other.origin)
        );
        assert!(!error.to_string().contains(&other.origin), "{error}");
        assert_eq!(upstream.seen().len(), 1);
    }
    assert!(other.seen().is_empty());
}

#[tokio::test]
async fn a_redirect_that_would_ask_differently_is_not_followed() {
    for status in [301, 302, 303] {
        let upstream = Scripted::start(move |_| redirect(status, "/v2")).await;
        let error = call(&upstream.client(), Effect::Write).await.unwrap_err();
        assert!(error.surely_not_run());
        let expected = format!("it leads to {}/v2", upstream.origin);
        assert!(error.with_causes().ends_with(&expected), "{error}");
        assert_eq!(upstream.seen().len(), 1);
    }
}

#[tokio::test]
async fn a_circle_ends() {
    let upstream = Scripted::start(|_| redirect(307, "/mcp")).await;
    let error = call(&upstream.client(), Effect::Write).await.unwrap_err();
    assert!(matches!(error, UpstreamError::Redirect { .. }), "{error:?}");
    assert_eq!(upstream.seen().len(), 6);
}
