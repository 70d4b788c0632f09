//! Whom the edge answers, in which form, and how much it takes.

mod bodies;
mod room;

use axum::body::Body;
use demo_gateway::{DemoSettings, Effect, Fault, Target};
use http::Request;
use serde_json::{Value, json};

use crate::proxied::{Answer, Proxied, Proxy, message};

const PING: &str = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;

/// A proxy that no test of this file lets ask its upstream.
fn proxy(flags: &[&str]) -> Proxy {
    Proxy::before("http://127.0.0.1:1/mcp", flags)
}

async fn ping(proxy: &Proxy, headers: &[(&str, &str)]) -> Answer {
    send(proxy, "POST", headers, Body::from(PING)).await
}

async fn send(proxy: &Proxy, method: &str, headers: &[(&str, &str)], body: Body) -> Answer {
    let mut request = Request::builder().method(method).uri("/mcp");
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    proxy.send(request.body(body).unwrap()).await
}

#[tokio::test]
async fn only_known_host_names_are_answered() {
    let loopback = proxy(&[]);
    let named = proxy(&[
        "--allowed-hosts",
        "tools.example,10.0.0.5",
        "--public-url",
        "https://us.example/mcp",
    ]);
    let any = proxy(&["--allowed-hosts", "*"]);
    for (host, by_default, when_named) in [
        ("localhost", 200, 200),
        ("LOCALHOST:9", 200, 200),
        ("127.0.0.1:8080", 200, 200),
        ("127.1.2.3", 200, 200),
        ("[::1]:8080", 200, 200),
        ("tools.example", 403, 200),
        ("Tools.Example:443", 403, 200),
        ("10.0.0.5:8080", 403, 200),
        ("us.example", 403, 200),
        ("evil.example", 403, 403),
        ("localhost.evil.example", 403, 403),
        ("127.0.0.1.evil.example", 403, 403),
        ("tools.example.evil", 403, 403),
    ] {
        let answer = ping(&loopback, &[("host", host)]).await;
        assert_eq!(answer.status, by_default, "{host}");
        if by_default == 403 {
            let message = answer.json()["error"]["message"].to_string();
            assert!(message.contains("--allowed-hosts"), "{message}");
        }
        assert_eq!(
            ping(&named, &[("host", host)]).await.status,
            when_named,
            "{host}"
        );
        assert_eq!(ping(&any, &[("host", host)]).await.status, 200, "{host}");
    }
}

#[tokio::test]
async fn a_request_names_one_host() {
    let any = proxy(&["--allowed-hosts", "*"]);
    for hosts in [
        &[][..],
        &[""],
        &["localhost", "localhost"],
        &["localhost", "evil.example"],
        &["user@localhost"],
        &["user:secret@localhost:8080"],
        &["localhost/mcp"],
        &["local host"],
        &["localhost, evil.example"],
    ] {
        let headers: Vec<_> = hosts.iter().map(|host| ("host", *host)).collect();
        let answer = ping(&any, &headers).await;
        assert_eq!(answer.error(), (400, -32600), "{hosts:?}");
    }
    // Probes ask by address, and some without a host.
    for (hosts, status) in [(&[][..], 200), (&["10.1.2.3"], 200), (&["a", "b"], 400)] {
        let mut request = Request::get("/healthz");
        for host in hosts {
            request = request.header("host", *host);
        }
        let answer = any.send(request.body(Body::empty()).unwrap()).await;
        assert_eq!(answer.status, status, "{hosts:?}");
    }
    for (target, status) in [
        ("http://localhost/mcp", 200),
        ("http://user@localhost/mcp", 400),
    ] {
        let request = Request::post(target).header("host", "localhost");
        let answer = any.send(request.body(Body::from(PING)).unwrap()).await;
        assert_eq!(answer.status, status, "{target}");
    }
}

#[tokio::test]
async fn only_pages_of_allowed_origins_may_call() {
    let proxy = proxy(&[
        "--allowed-origins",
        "https://app.example,http://localhost:3000/",
    ]);
    for (origin, status) in [
        ("https://app.example", 200),
        ("https://APP.example:443", 200),
        ("http://localhost:3000", 200),
        ("http://localhost:8080", 200),
        ("http://app.example", 403),
        ("https://app.example:444", 403),
        ("http://localhost:3001", 403),
        ("https://app.example.evil", 403),
        ("null", 403),
        ("", 403),
    ] {
        let answer = ping(&proxy, &[("host", "localhost:8080"), ("origin", origin)]).await;
        assert_eq!(answer.status, status, "{origin}");
        if status == 200 {
            assert_eq!(answer.header("access-control-allow-origin"), Some(origin));
            assert_eq!(answer.header("access-control-allow-credentials"), None);
        } else {
            let message = answer.json()["error"]["message"].to_string();
            assert!(message.contains("--allowed-origins"), "{message}");
        }
    }
}

#[tokio::test]
async fn a_page_of_our_own_is_one_under_a_name_that_is_known_to_be_ours() {
    let any = proxy(&["--allowed-hosts", "*,tools.example"]);
    let public = proxy(&[
        "--allowed-hosts",
        "*",
        "--public-url",
        "https://us.example/mcp",
    ]);
    for (proxy, host, origin, status) in [
        (&any, "evil.example:8080", "http://evil.example:8080", 403),
        (&any, "10.0.0.5:8080", "http://10.0.0.5:8080", 403),
        (&any, "tools.example:8080", "http://tools.example:8080", 200),
        (&any, "localhost:8080", "http://localhost:8080", 200),
        (&any, "tools.example", "http://evil.example", 403),
        (&public, "us.example", "https://us.example", 200),
        (&public, "evil.example", "https://evil.example", 403),
    ] {
        let answer = ping(proxy, &[("host", host), ("origin", origin)]).await;
        assert_eq!(answer.status, status, "{origin} to {host}");
        let named = answer.header("access-control-allow-origin");
        assert_eq!(
            named,
            (status == 200).then_some(origin),
            "{origin} to {host}"
        );
    }
}

#[tokio::test]
async fn browsers_may_ask_before_they_call() {
    let proxy = proxy(&["--allowed-origins", "https://app.example"]);
    let ask = |origin| {
        [
            ("host", "localhost"),
            ("origin", origin),
            ("access-control-request-method", "POST"),
            ("access-control-request-headers", "authorization"),
        ]
    };
    let answer = send(
        &proxy,
        "OPTIONS",
        &ask("https://app.example"),
        Body::empty(),
    )
    .await;
    assert_eq!(answer.status, 204);
    assert_eq!(
        answer.header("access-control-allow-origin"),
        Some("https://app.example")
    );
    assert!(
        answer
            .header("access-control-allow-methods")
            .unwrap()
            .contains("POST")
    );
    assert_eq!(
        answer.header("access-control-allow-headers"),
        Some(
            "authorization, content-type, accept, mcp-protocol-version, mcp-session-id, mcp-method, \
             mcp-name, last-event-id"
        )
    );
    let answer = send(
        &proxy,
        "OPTIONS",
        &ask("https://evil.example"),
        Body::empty(),
    )
    .await;
    assert_eq!(answer.status, 403);
    assert_eq!(answer.header("access-control-allow-origin"), None);
}

#[tokio::test]
async fn a_page_can_read_a_challenge() {
    let settings = DemoSettings {
        faults: vec![Fault::new(Target::Every, Effect::Unauthorized)],
        ..DemoSettings::default()
    };
    let proxied = Proxied::start(settings, &["--allowed-origins", "https://app.example"]).await;
    let body = message("prompts/list", Value::Null);
    let answer = proxied
        .proxy
        .post(&[("origin", "https://app.example")], body)
        .await;
    assert_eq!(answer.status, 401);
    assert_eq!(
        answer.header("access-control-allow-origin"),
        Some("https://app.example")
    );
    let exposed = answer.header("access-control-expose-headers").unwrap();
    assert!(exposed.contains("www-authenticate"), "{exposed}");
}

#[tokio::test]
async fn an_answer_is_a_stream_only_where_json_is_excluded() {
    let proxy = proxy(&[]);
    let headers = [("host", "localhost"), ("accept", "text/event-stream")];
    let answer = ping(&proxy, &headers).await;
    assert_eq!(answer.header("content-type"), Some("text/event-stream"));
    let text = String::from_utf8_lossy(&answer.body);
    assert_eq!(
        text,
        "event: message\ndata: {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n\n"
    );
    for accept in ["*/*", "application/json", "text/html", ""] {
        let answer = ping(&proxy, &[("host", "localhost"), ("accept", accept)]).await;
        assert_eq!(
            answer.header("content-type"),
            Some("application/json"),
            "{accept}"
        );
    }
}

#[tokio::test]
async fn faults_of_the_upstream_say_how_to_find_them_in_the_log() {
    let answer = proxy(&[]).legacy("prompts/list", json!({})).await;
    assert_eq!(answer.error(), (200, -32603));
    let error = &answer.json()["error"];
    assert_eq!(
        error["data"]["requestId"].as_str(),
        answer.header("x-request-id")
    );
    assert!(
        error["message"]
            .as_str()
            .unwrap()
            .contains("can't be reached"),
        "{error}"
    );
}
