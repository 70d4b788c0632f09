//! What goes upstream, and what is told of it (field cases 91, 92).

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};

use serde_json::json;
use serde_json::value::RawValue;
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Metadata, Subscriber};
use upstream::{Effect, Forward, Upstream, UpstreamError};

use crate::scripted::{Scripted, Seen, call, caller, config, empty, text, typed};

fn raw(text: &str) -> Box<RawValue> {
    RawValue::from_string(text.to_owned()).unwrap()
}

/// The one call that reaches an upstream of the era.
async fn sent(era: wire::Era, meta: Option<&str>) -> Seen {
    let upstream = Scripted::start(move |seen| {
        let answered = match era {
            wire::Era::Modern => seen.modern(),
            wire::Era::Legacy => seen.legacy(Some("s")),
        };
        answered.unwrap_or_else(|| seen.result("1"))
    })
    .await;
    let (name, arguments) = (raw("\"výroba\""), raw("{ \"n\":1.0e+2 }"));
    let meta = meta.map(raw);
    let request = Forward {
        method: "tools/call",
        params: vec![("name", &name), ("arguments", &arguments)],
        meta: meta.as_deref(),
        name: Some("výroba"),
        param_headers: vec![
            ("Region".to_owned(), "eu west".to_owned()),
            ("City".to_owned(), "名前".to_owned()),
            ("not a name".to_owned(), "x".to_owned()),
        ],
        effect: Effect::Write,
    };
    upstream
        .client()
        .forward(&caller("Bearer token"), request)
        .await
        .unwrap();
    upstream.seen().pop().unwrap()
}

#[tokio::test]
async fn of_the_headers_there_are_ours_and_the_authorization() {
    let modern = sent(wire::Era::Modern, None).await;
    let legacy = sent(wire::Era::Legacy, None).await;
    let names = |seen: &Seen| -> BTreeSet<String> {
        seen.headers.keys().map(ToString::to_string).collect()
    };
    let common = [
        "accept",
        "accept-encoding",
        "authorization",
        "content-length",
        "content-type",
        "host",
        "mcp-protocol-version",
        "user-agent",
    ];
    let with = |more: &[&str]| -> BTreeSet<String> {
        common.iter().chain(more).map(ToString::to_string).collect()
    };
    assert_eq!(
        names(&modern),
        with(&[
            "mcp-method",
            "mcp-name",
            "mcp-param-region",
            "mcp-param-city"
        ])
    );
    assert_eq!(names(&legacy), with(&["mcp-session-id"]));
    for (name, value) in [
        ("mcp-protocol-version", "2026-07-28"),
        ("mcp-method", "tools/call"),
        ("mcp-name", "=?base64?dsO9cm9iYQ==?="),
        ("mcp-param-region", "eu west"),
        ("mcp-param-city", "=?base64?5ZCN5YmN?="),
        ("accept-encoding", "gzip"),
    ] {
        assert_eq!(modern.header(name), Some(value));
    }
    assert!(
        modern
            .header("user-agent")
            .unwrap()
            .starts_with("mcp-toolsearch-proxy/")
    );
}

#[tokio::test]
async fn of_the_meta_only_a_whitelist_goes_on() {
    let meta = r#"{"progressToken": 1.0e+2,"secret":1,"traceparent":"t","tracestate":"s","baggage":"b",
        "io.modelcontextprotocol/logLevel":"info",
        "io.modelcontextprotocol/protocolVersion":"2027-01-01",
        "io.modelcontextprotocol/clientInfo":{"name":"theirs","version":"1"},
        "io.modelcontextprotocol/clientCapabilities":{"elicitation":{},"extensions":{
            "io.modelcontextprotocol/ui":{},"a/b":{"n":1.50},"io.modelcontextprotocol/tasks":{}}}}"#;
    let modern = sent(wire::Era::Modern, Some(meta)).await;
    let version = env!("CARGO_PKG_VERSION");
    assert_eq!(
        modern.body["params"],
        json!({"name": "výroba", "arguments": {"n": 100.0}, "_meta": {
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientInfo": {"name": "mcp-toolsearch-proxy", "version": version},
            "io.modelcontextprotocol/clientCapabilities":
                {"elicitation": {}, "extensions": {"a/b": {"n": 1.50}}},
            "io.modelcontextprotocol/logLevel": "info",
            "progressToken": 100.0, "traceparent": "t", "tracestate": "s", "baggage": "b"}})
    );
    for verbatim in [
        "{ \"n\":1.0e+2 }",
        "\"progressToken\":1.0e+2",
        "{\"n\":1.50}",
    ] {
        assert!(modern.text.contains(verbatim), "{}", modern.text);
    }
    let legacy = sent(wire::Era::Legacy, Some(meta)).await;
    assert_eq!(
        legacy.body["params"]["_meta"],
        json!({"progressToken": 100.0, "traceparent": "t", "tracestate": "s", "baggage": "b"})
    );
}

#[tokio::test]
async fn without_meta_there_are_no_capabilities() {
    for meta in [
        None,
        Some("{}"),
        Some("[]"),
        Some(r#"{"progressToken":null}"#),
    ] {
        let modern = sent(wire::Era::Modern, meta).await;
        let found = &modern.body["params"]["_meta"]["io.modelcontextprotocol/clientCapabilities"];
        assert_eq!(*found, json!({}));
    }
    let legacy = sent(wire::Era::Legacy, None).await;
    assert!(legacy.body["params"].get("_meta").is_none());
}

#[tokio::test]
async fn a_caller_without_authorization_sends_none() {
    let upstream = Scripted::start(|seen| seen.modern().unwrap()).await;
    let keys = upstream::CallerKeys::new([1; 32]);
    upstream.client().list(&keys.caller(None)).await.unwrap();
    assert!(
        upstream
            .seen()
            .iter()
            .all(|seen| seen.header("authorization").is_none())
    );
}

#[tokio::test]
async fn metadata_is_asked_for_without_authorization() {
    type Script = fn(&Seen) -> axum::response::Response;
    const OWN: &str = "/.well-known/oauth-protected-resource/mcp";
    const ROOT: &str = "/.well-known/oauth-protected-resource";
    let cases: [(Script, Option<&str>, &[&str]); 6] = [
        (
            |_| typed(200, "application/json", "{ \"a\":1.0e2 }"),
            Some("{ \"a\":1.0e2 }"),
            &[OWN],
        ),
        (
            |seen| match seen.path.as_str() {
                ROOT => typed(200, "text/plain", "{\"root\":1}"),
                _ => empty(404),
            },
            Some("{\"root\":1}"),
            &[OWN, ROOT],
        ),
        (|_| empty(404), None, &[OWN, ROOT]),
        (|_| empty(401), None, &[OWN, ROOT]),
        (|_| typed(200, "text/html", "<html>"), None, &[OWN, ROOT]),
        (
            |_| typed(200, "application/json", "[1]"),
            None,
            &[OWN, ROOT],
        ),
    ];
    for (script, expected, paths) in cases {
        let upstream = Scripted::start(script).await;
        let found = upstream.client().resource_metadata().await.unwrap();
        assert_eq!(found.as_deref().map(RawValue::get), expected);
        let seen = upstream.seen();
        let asked: Vec<_> = seen.iter().map(|seen| seen.path.as_str()).collect();
        assert_eq!(asked, paths);
        assert!(
            seen.iter()
                .all(|seen| seen.header("authorization").is_none())
        );
    }
}

#[tokio::test]
async fn metadata_that_can_t_be_had_is_an_error() {
    let upstream = Scripted::start(|_| empty(503)).await;
    let error = upstream.client().resource_metadata().await.unwrap_err();
    assert!(
        matches!(error, UpstreamError::Status { status: 503 }),
        "{error:?}"
    );

    let upstream = Scripted::start(|_| typed(200, "application/json", " ".repeat(300_000))).await;
    let error = upstream.client().resource_metadata().await.unwrap_err();
    assert!(matches!(error, UpstreamError::TooLarge { .. }), "{error:?}");
}

#[test]
fn unusable_settings_are_refused_with_a_reason() {
    for (url, pem, expected) in [
        ("ftp://a.test/mcp", None, "http:// or https://"),
        ("https://user:canary@a.test/mcp", None, "credentials"),
        ("https://a.test/mcp", Some("no pem"), "CA file"),
        (
            "https://a.test/mcp",
            Some("-----BEGIN CERTIFICATE-----\ncanary\n-----END CERTIFICATE-----"),
            "root certificate",
        ),
    ] {
        let mut config = config(url);
        config.extra_roots_pem = pem.map(Into::into);
        let error = Upstream::new(config).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
        assert!(!error.contains("canary"), "{error}");
    }
}

/// Keeps the text of every event and span, of libraries too.
#[derive(Clone, Default)]
struct Everything(Arc<Mutex<String>>);

impl Visit for Everything {
    fn record_debug(&mut self, field: &Field, value: &dyn std::fmt::Debug) {
        let line = format!("{}={value:?}\n", field.name());
        self.0.lock().unwrap().push_str(&line);
    }
}

impl Subscriber for Everything {
    fn enabled(&self, _: &Metadata<'_>) -> bool {
        true
    }
    fn new_span(&self, span: &Attributes<'_>) -> Id {
        span.record(&mut self.clone());
        Id::from_u64(1)
    }
    fn record(&self, _: &Id, values: &Record<'_>) {
        values.record(&mut self.clone());
    }
    fn record_follows_from(&self, _: &Id, _: &Id) {}
    fn event(&self, event: &Event<'_>) {
        event.record(&mut self.clone());
    }
    fn enter(&self, _: &Id) {}
    fn exit(&self, _: &Id) {}
}

#[tokio::test]
async fn nothing_secret_is_logged() {
    let told = Everything::default();
    let _recording = tracing::subscriber::set_default(told.clone());
    for era in [wire::Era::Modern, wire::Era::Legacy] {
        let upstream = Scripted::start(move |seen| {
            let answered = match era {
                wire::Era::Modern => seen.modern(),
                wire::Era::Legacy => seen.legacy(Some("canary-session")),
            };
            answered.unwrap_or_else(|| match seen.body["params"]["name"].as_str() {
                Some("t") => seen.error(404, -32000, "canary-error"),
                _ => seen.result("\"canary-result\""),
            })
        })
        .await;
        let client = upstream.client();
        let caller = caller("Bearer canary-token");
        let argument = raw("{\"canary-key\":\"canary-value\"}");
        let request = Forward {
            method: "tools/call",
            params: vec![("arguments", &argument)],
            meta: None,
            name: Some("tool"),
            param_headers: vec![("X".to_owned(), "canary-param".to_owned())],
            effect: Effect::Read,
        };
        let reply = client.forward(&caller, request).await.unwrap();
        assert_eq!(text(&reply), "\"canary-result\"");
        call(&client, Effect::Read).await.unwrap();
        client.list(&caller).await.unwrap();
    }
    let told = told.0.lock().unwrap();
    for expected in [
        "method=\"tools/call\"",
        "status=200",
        "bytes=",
        "milliseconds=",
    ] {
        assert!(told.contains(expected), "{told}");
    }
    assert!(!told.contains("canary"), "{told}");
}
