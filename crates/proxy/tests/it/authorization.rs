//! Who calls: their challenge reaches them, their credentials reach the upstream, nobody else's.

use axum::body::Body;
use demo_gateway::{DemoCaller, DemoSettings, Effect, Fault, RawReply, Target, company_tools};
use http::{Request, StatusCode};
use serde_json::value::RawValue;
use serde_json::{Value, json};

use crate::proxied::{Answer, Proxied, message};

fn guarded() -> DemoSettings {
    DemoSettings {
        callers: vec![DemoCaller {
            token: "good".to_owned(),
            tools: company_tools(),
        }],
        ..DemoSettings::default()
    }
}

fn search() -> Value {
    json!({"name": "search_tools", "arguments": {"query": "open tickets"}})
}

async fn ask(proxied: &Proxied, token: Option<&str>, method: &str, params: Value) -> Answer {
    let bearer = token.map(|token| format!("Bearer {token}"));
    let headers: Vec<_> = bearer
        .iter()
        .map(|value| ("authorization", value.as_str()))
        .collect();
    proxied.proxy.post(&headers, message(method, params)).await
}

fn challenges(answer: &Answer) -> Vec<String> {
    let values = answer.headers.get_all("www-authenticate").iter();
    values
        .map(|value| value.to_str().unwrap().to_owned())
        .collect()
}

#[tokio::test]
async fn a_challenge_met_while_listing_reaches_the_caller_as_it_is() {
    let proxied = Proxied::start(guarded(), &["--oauth-metadata", "passthrough"]).await;
    let origin = proxied.gateway.url().replace("/mcp", "");
    for (token, error) in [(None, ""), (Some("bad"), "error=\"invalid_token\", ")] {
        for (method, params) in [
            ("initialize", json!({"protocolVersion": "2025-11-25"})),
            ("tools/call", search()),
            ("prompts/list", Value::Null),
        ] {
            let answer = ask(&proxied, token, method, params).await;
            assert_eq!(answer.status, 401, "{method}");
            let [challenge] = &challenges(&answer)[..] else {
                panic!("{method}: {answer:?}");
            };
            let start = format!("Bearer {error}resource_metadata=\"{origin}/.well-known/");
            assert!(challenge.starts_with(&start), "{challenge}");
            assert_eq!(answer.json()["id"], 7);
            assert_eq!(answer.json()["error"]["code"], 401);
        }
    }
    assert_eq!(
        ask(&proxied, Some("good"), "tools/call", search())
            .await
            .status,
        200
    );
    assert_eq!(
        ask(&proxied, None, "tools/list", Value::Null).await.status,
        200
    );
}

#[tokio::test]
async fn every_value_of_a_challenge_is_kept() {
    let values = [
        "Bearer scope=\"a b\", error=\"insufficient_scope\"",
        "Basic realm=\"x\"",
    ];
    let mut reply = RawReply::new(StatusCode::FORBIDDEN, "text/plain", "no");
    for value in values {
        reply
            .headers
            .push(("www-authenticate".to_owned(), value.to_owned()));
    }
    let tool = r#"{"name":"act","inputSchema":{"type":"object"}}"#;
    let settings = DemoSettings {
        tools: vec![RawValue::from_string(tool.to_owned()).unwrap()],
        faults: vec![Fault::new(
            Target::method("tools/call"),
            Effect::Reply(reply),
        )],
        ..DemoSettings::default()
    };
    let proxied = Proxied::start(settings, &["--public-url", "https://us.example/mcp"]).await;
    let call = json!({"name": "call_write_tool", "arguments": {"name": "act"}});
    let answer = proxied.proxy.legacy("tools/call", call).await;
    assert_eq!(answer.status, 403);
    assert_eq!(challenges(&answer), values);
}

#[tokio::test]
async fn with_a_public_url_metadata_and_challenge_name_it() {
    let flags = ["--public-url", "https://us.example/tools/mcp"];
    let proxied = Proxied::start(guarded(), &flags).await;
    let challenge = challenges(&ask(&proxied, None, "tools/call", search()).await).remove(0);
    let ours =
        "resource_metadata=\"https://us.example/.well-known/oauth-protected-resource/tools/mcp\"";
    assert!(challenge.contains(ours), "{challenge}");
    assert!(challenge.contains("scope="), "{challenge}");
    for path in ["", "/mcp", "/tools/mcp"] {
        let path = format!("/.well-known/oauth-protected-resource{path}");
        let document = proxied.proxy.get(&path).await.json();
        assert_eq!(document["resource"], "https://us.example/tools/mcp");
        assert_eq!(
            document["authorization_servers"],
            json!(["https://login.brightwater.example"])
        );
    }
}

#[tokio::test]
async fn without_a_public_url_metadata_and_challenge_name_the_host_that_was_asked() {
    let proxied = Proxied::start(guarded(), &[]).await;
    let challenge = challenges(&ask(&proxied, None, "tools/call", search()).await).remove(0);
    let ours =
        "resource_metadata=\"http://localhost:8080/.well-known/oauth-protected-resource/mcp\"";
    assert!(challenge.contains(ours), "{challenge}");
    for (path, resource) in [
        ("", json!("http://localhost:8080/mcp")),
        ("/mcp", json!("http://localhost:8080/mcp")),
        ("/mcp/other", Value::Null),
        ("/other", Value::Null),
    ] {
        let path = format!("/.well-known/oauth-protected-resource{path}");
        let answer = proxied.proxy.get(&path).await;
        assert_eq!(answer.json()["resource"], resource, "{path}");
        let status = if resource.is_null() { 404 } else { 200 };
        assert_eq!(answer.status, status, "{path}");
    }
}

#[tokio::test]
async fn metadata_can_pass_as_it_is_or_not_at_all() {
    let path = "/.well-known/oauth-protected-resource/mcp";
    let public = ["--public-url", "https://us.example/mcp", "--oauth-metadata"];
    let proxied = Proxied::start(guarded(), &[&public[..], &["passthrough"]].concat()).await;
    let document = proxied.proxy.get(path).await.json();
    assert_eq!(document["resource"], proxied.gateway.url());
    let off = Proxied::start(guarded(), &[&public[..], &["off"]].concat()).await;
    let none = Proxied::start(DemoSettings::default(), &[]).await;
    for proxied in [off, none] {
        let answer = proxied.proxy.get(path).await;
        assert_eq!(answer.status, 404);
        assert_eq!(answer.header("content-type"), Some("application/json"));
    }
}

#[tokio::test]
async fn of_the_callers_headers_only_the_authorization_goes_upstream() {
    let proxied = Proxied::start(guarded(), &[]).await;
    let headers = [
        ("authorization", "Bearer good"),
        ("cookie", "canary"),
        ("x-forwarded-user", "canary"),
        ("x-api-key", "canary"),
        ("proxy-authorization", "canary"),
        ("mcp-session-id", "canary"),
        ("traceparent", "canary"),
        ("te", "canary"),
        ("referer", "canary"),
    ];
    assert_eq!(
        proxied
            .proxy
            .post(&headers, message("tools/call", search()))
            .await
            .status,
        200
    );
    assert_eq!(
        proxied
            .proxy
            .post(&headers, message("prompts/list", Value::Null))
            .await
            .status,
        200
    );
    let requests = proxied.gateway.requests();
    assert!(!requests.is_empty());
    for request in requests {
        assert_eq!(request.header("authorization"), Some("Bearer good"));
        let foreign: Vec<_> = request
            .headers
            .iter()
            .filter(|(_, value)| *value == "canary")
            .collect();
        assert!(foreign.is_empty(), "{foreign:?}");
    }
}

#[tokio::test]
async fn an_unusable_authorization_is_refused_and_nothing_is_sent() {
    let proxied = Proxied::start(DemoSettings::default(), &[]).await;
    let long = format!("Bearer {}", "x".repeat(100_000));
    for values in [&["Bearer a", "Bearer b"][..], &["Bearer ą"], &[&long]] {
        let mut request = Request::post("/mcp").header("host", "localhost");
        for value in values {
            request = request.header("authorization", value.as_bytes());
        }
        let request = request.body(Body::from(message("tools/call", search())));
        let answer = proxied.proxy.send(request.unwrap()).await;
        assert_eq!(answer.error(), (400, -32600));
    }
    assert_eq!(proxied.gateway.activity().received, 0);
}

#[tokio::test]
async fn a_challenge_to_anything_drops_the_callers_catalog() {
    for (method, params) in [
        ("prompts/get", json!({"name": "chase_late_invoices"})),
        ("resources/list", Value::Null),
        (
            "tools/call",
            json!({"name": "call_read_tool", "arguments": {"name": "mail__list_mail_folders"}}),
        ),
    ] {
        for effect in [
            Effect::Unauthorized,
            Effect::InsufficientScope("all".to_owned()),
        ] {
            let target = match method {
                "tools/call" => Target::tool("mail__list_mail_folders"),
                _ => Target::method(method),
            };
            let settings = DemoSettings {
                faults: vec![Fault::new(target, effect)],
                ..DemoSettings::default()
            };
            let proxied = Proxied::start(settings, &[]).await;
            for _ in 0..2 {
                ask(&proxied, None, "tools/call", search()).await.result();
                assert_eq!(proxied.gateway.count("tools/list"), 1);
            }
            let answer = ask(&proxied, None, method, params.clone()).await;
            assert!([401, 403].contains(&answer.status.as_u16()), "{method}");
            ask(&proxied, None, "tools/call", search()).await.result();
            assert_eq!(proxied.gateway.count("tools/list"), 2, "{method}");
        }
    }
}
