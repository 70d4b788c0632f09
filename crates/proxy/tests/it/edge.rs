//! Whom the edge answers, in which form, and how much it takes.

use std::time::Duration;

use axum::body::Body;
use bytes::Bytes;
use demo_gateway::{DemoSettings, Effect, Fault, Target};
use futures_util::stream;
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
async fn a_body_comes_as_it_is() {
    let proxy = proxy(&[]);
    for (headers, status, taken) in [
        (&[("content-encoding", "identity")][..], 200, None),
        (&[("content-encoding", "")], 200, None),
        (&[("content-encoding", "gzip")], 415, Some("identity")),
        (
            &[("content-encoding", "identity, br")],
            415,
            Some("identity"),
        ),
        (
            &[
                ("content-encoding", "identity"),
                ("content-encoding", "gzip"),
            ],
            415,
            Some("identity"),
        ),
    ] {
        let headers = [&[("host", "localhost")], headers].concat();
        let answer = ping(&proxy, &headers).await;
        assert_eq!(answer.status, status, "{headers:?}");
        assert_eq!(answer.header("accept-encoding"), taken, "{headers:?}");
        if status == 415 {
            let message = answer.json()["error"]["message"].to_string();
            assert!(message.contains("Content-Encoding"), "{message}");
        }
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
async fn a_body_is_json_or_unsaid() {
    let proxy = proxy(&[]);
    for (content_type, status) in [
        (None, 200),
        (Some("application/json"), 200),
        (Some("Application/JSON; charset=utf-8"), 200),
        (Some("text/plain"), 415),
        (Some("application/x-www-form-urlencoded"), 415),
    ] {
        let headers: Vec<_> = [
            Some(("host", "localhost")),
            content_type.map(|it| ("content-type", it)),
        ]
        .into_iter()
        .flatten()
        .collect();
        assert_eq!(
            ping(&proxy, &headers).await.status,
            status,
            "{content_type:?}"
        );
    }
    let json = ("content-type", "application/json");
    let twice = ping(&proxy, &[("host", "localhost"), json, json]).await;
    assert_eq!(twice.error(), (415, -32600));
    assert_eq!(twice.header("accept"), Some("application/json"));
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
async fn large_bodies_pass_up_to_the_limit() {
    let by_default = proxy(&[]);
    let small = proxy(&["--max-body", "1KiB"]);
    let padded = |bytes: usize| {
        let padding = " ".repeat(bytes - PING.len());
        format!("{padding}{PING}")
    };
    for (proxy, bytes, status) in [
        (&by_default, 3 << 20, 200),
        (&by_default, (10 << 20) + 1, 413),
        (&small, 1024, 200),
        (&small, 1025, 413),
    ] {
        let answer = proxy.post(&[], padded(bytes)).await;
        assert_eq!(answer.status, status, "{bytes}");
        if status == 413 {
            assert_eq!(answer.error(), (413, -32600));
            assert!(
                answer.json()["error"]["message"]
                    .to_string()
                    .contains("--max-body")
            );
        }
    }
    let unannounced =
        stream::iter((0..3).map(|_| Ok::<_, std::io::Error>(Bytes::from(vec![b' '; 512]))));
    assert_eq!(
        small.post(&[], Body::from_stream(unannounced)).await.status,
        413
    );
}

#[tokio::test]
async fn a_body_that_announces_too_much_isnt_read() {
    let endless = stream::poll_fn(
        |_| -> std::task::Poll<Option<Result<Bytes, std::io::Error>>> {
            panic!("the body was read")
        },
    );
    let body = Announced(Body::from_stream(endless));
    assert_eq!(proxy(&[]).post(&[], Body::new(body)).await.status, 413);
}

/// A body that says it has a gigabyte.
struct Announced(Body);

impl http_body::Body for Announced {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: std::pin::Pin<&mut Self>,
        context: &mut std::task::Context<'_>,
    ) -> std::task::Poll<Option<Result<http_body::Frame<Bytes>, axum::Error>>> {
        std::pin::Pin::new(&mut self.0).poll_frame(context)
    }

    fn size_hint(&self) -> http_body::SizeHint {
        http_body::SizeHint::with_exact(1 << 30)
    }
}

#[tokio::test(start_paused = true)]
async fn a_body_that_trickles_in_is_given_up() {
    let started = tokio::time::Instant::now();
    let trickle = stream::unfold((), |()| async {
        tokio::time::sleep(Duration::from_secs(3)).await;
        Some((Ok::<_, std::io::Error>(Bytes::from_static(b" ")), ()))
    });
    let answer = proxy(&[]).post(&[], Body::from_stream(trickle)).await;
    assert_eq!(answer.error(), (408, -32600));
    assert_eq!(started.elapsed().as_secs(), 30);
}

#[tokio::test]
async fn a_body_that_breaks_off_is_refused() {
    let broken = stream::iter([
        Ok(Bytes::from_static(b"{")),
        Err(std::io::Error::other("gone")),
    ]);
    assert_eq!(
        proxy(&[])
            .post(&[], Body::from_stream(broken))
            .await
            .error(),
        (400, -32600)
    );
}

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
        while proxied.gateway.count("prompts/list") == 0 {
            tokio::task::yield_now().await;
        }
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
