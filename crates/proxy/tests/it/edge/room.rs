//! How many requests are worked on at once.

use axum::body::Body;
use demo_gateway::{DemoSettings, Effect, Fault, Target};
use http::Request;
use serde_json::Value;

use super::{PING, proxy};
use crate::proxied::{Proxied, Proxy, until};

#[tokio::test]
async fn more_than_the_allowed_number_in_flight_is_told_to_come_back() {
    let settings = || DemoSettings {
        faults: vec![Fault::new(Target::method("prompts/list"), Effect::Hang)],
        ..DemoSettings::default()
    };
    for flags in [
        ["--max-in-flight", "1"],
        ["--max-in-flight-per-caller", "1"],
    ] {
        let proxied = Proxied::start(settings(), &flags).await;
        let proxy = proxied.proxy.clone();
        let hanging = tokio::spawn(async move { proxy.legacy("prompts/list", Value::Null).await });
        proxied
            .gateway
            .until(|activity| activity.received > 0)
            .await;
        until(async || proxied.gateway.count("prompts/list") > 0).await;
        let refused = proxied.proxy.post(&[], PING).await;
        assert_eq!(refused.error(), (503, -32603), "{flags:?}");
        assert_eq!(refused.header("retry-after"), Some("1"));
        let data = &refused.json()["error"]["data"];
        assert_eq!(
            data["requestId"].as_str(),
            refused.header("x-request-id"),
            "{data}"
        );
        let other = proxied
            .proxy
            .post(&[("authorization", "Bearer other")], PING)
            .await;
        let expected = if flags[0] == "--max-in-flight" {
            503
        } else {
            200
        };
        assert_eq!(other.status, expected, "{flags:?}");
        hanging.abort();
        assert!(hanging.await.unwrap_err().is_cancelled());
        assert_eq!(proxied.proxy.post(&[], PING).await.status, 200, "{flags:?}");
    }
}

#[tokio::test]
async fn an_answer_that_isnt_read_keeps_its_place() {
    for flag in ["--max-in-flight", "--max-in-flight-per-caller"] {
        let proxy = proxy(&[flag, "1"]);
        let request = Request::post("/mcp").header("host", "localhost");
        let unread = proxy.answer(request.body(Body::from(PING)).unwrap()).await;
        assert_eq!(unread.status(), 200);
        assert_eq!(proxy.post(&[], PING).await.status, 503, "{flag}");
        assert_eq!(in_flight(&proxy).await, "2", "{flag}");
        drop(unread);
        assert_eq!(proxy.post(&[], PING).await.status, 200, "{flag}");
        assert_eq!(in_flight(&proxy).await, "1", "{flag}");
    }
}

/// As the metrics say it, their own request included.
async fn in_flight(proxy: &Proxy) -> String {
    let metrics = proxy.get("/metrics").await;
    let metrics = String::from_utf8_lossy(&metrics.body).into_owned();
    let value = metrics
        .lines()
        .find_map(|line| line.strip_prefix("toolsearch_requests_in_flight "));
    value.unwrap().to_owned()
}
