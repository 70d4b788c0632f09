//! What is served in which era, and what is politely not.

use axum::body::Body;
use demo_gateway::DemoSettings;
use http::Request;
use serde_json::{Value, json};

use crate::proxied::{Proxied, message};

async fn proxied() -> Proxied {
    Proxied::start(DemoSettings::default(), &[]).await
}

#[tokio::test]
async fn ping_is_answered_in_the_legacy_era_alone() {
    let proxied = proxied().await;
    assert_eq!(
        proxied.proxy.legacy("ping", Value::Null).await.result(),
        json!({})
    );
    assert_eq!(
        proxied.proxy.modern("ping", Value::Null).await.error(),
        (404, -32601)
    );
}

#[tokio::test]
async fn methods_that_are_not_offered() {
    let proxied = proxied().await;
    for method in [
        "logging/setLevel",
        "resources/subscribe",
        "tasks/list",
        "foo/bar",
        "",
    ] {
        let answer = proxied.proxy.legacy(method, Value::Null).await;
        assert_eq!(answer.error(), (200, -32601), "{method}");
        assert_eq!(answer.json()["id"], 7);
    }
    for method in [
        "initialize",
        "logging/setLevel",
        "subscriptions/listen",
        "foo/bar",
    ] {
        let answer = proxied.proxy.modern(method, Value::Null).await;
        assert_eq!(answer.error(), (404, -32601), "{method}");
    }
    assert_eq!(
        proxied
            .proxy
            .legacy("server/discover", Value::Null)
            .await
            .error(),
        (200, -32601)
    );
    assert_eq!(proxied.gateway.activity().received, 0);
}

#[tokio::test]
async fn the_whole_list_fits_1400_tokens() {
    let answer = proxied()
        .await
        .proxy
        .modern("tools/list", Value::Null)
        .await;
    let body = String::from_utf8(answer.body.to_vec()).unwrap();
    let tokenizer = tiktoken_rs::o200k_base().unwrap();
    let count = tokenizer.encode_ordinary(&body).len();
    println!("whole answer to a modern tools/list: {count} tokens");
    assert!(count <= 1_400, "{count} tokens");
}

#[tokio::test]
async fn what_wants_no_answer_gets_none() {
    let proxied = proxied().await;
    for body in [
        r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#,
        r#"{"jsonrpc":"2.0","method":"made/up","params":{}}"#,
        r#"{"jsonrpc":"2.0","id":1,"result":{}}"#,
        r#"{"jsonrpc":"2.0","id":"x","error":{"code":1,"message":"m"}}"#,
    ] {
        for version in ["2025-11-25", "2026-07-28"] {
            let answer = proxied
                .proxy
                .post(&[("mcp-protocol-version", version)], body)
                .await;
            assert_eq!(
                (answer.status.as_u16(), answer.body.len()),
                (202, 0),
                "{body}"
            );
        }
    }
    assert_eq!(proxied.gateway.activity().received, 0);
}

#[tokio::test]
async fn what_is_no_message_is_refused_whole() {
    let proxied = proxied().await;
    let deep = "[".repeat(10_000);
    let deep_params = format!(
        r#"{{"jsonrpc":"2.0","id":1,"method":"x","params":{{"a":{}}}}}"#,
        nested(10_000)
    );
    for (body, expected) in [
        ("", (400, -32700)),
        ("{", (400, -32700)),
        (&deep, (400, -32700)),
        ("[]", (400, -32600)),
        (
            r#"[{"jsonrpc":"2.0","id":1,"method":"tools/list"}]"#,
            (400, -32600),
        ),
        ("3", (400, -32600)),
        ("{}", (400, -32600)),
        (r#"{"jsonrpc":"1.0","id":1,"method":"ping"}"#, (400, -32600)),
        (
            r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#,
            (400, -32600),
        ),
        (
            r#"{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}"#,
            (400, -32600),
        ),
        (&deep_params, (400, -32600)),
        (TWO_NAMES, (400, -32600)),
        (TWO_TOKENS, (400, -32600)),
    ] {
        let answer = proxied.proxy.post(&[], body.to_owned()).await;
        assert_eq!(answer.error(), expected, "{body:.60}");
        if expected.0 == 400 {
            assert_eq!(answer.json()["id"], Value::Null, "{body:.60}");
        }
    }
    assert_eq!(proxied.gateway.activity().received, 0);
}

const TWO_NAMES: &str = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call",
    "params":{"name":"call_write_tool","name":"search_tools","arguments":{"query":"x"}}}"#;
const TWO_TOKENS: &str = r#"{"jsonrpc":"2.0","id":1,"method":"prompts/list",
    "params":{"_meta":{"progressToken":1,"progressToken":2}}}"#;

fn nested(depth: usize) -> String {
    "[".repeat(depth) + &"]".repeat(depth)
}

#[tokio::test]
async fn a_call_needs_the_name_of_one_of_the_five() {
    let proxied = proxied().await;
    for params in [
        Value::Null,
        json!({}),
        json!({"name": 3}),
        json!({"name": "create_ticket"}),
    ] {
        let answer = proxied.proxy.legacy("tools/call", params.clone()).await;
        assert_eq!(answer.error(), (200, -32602), "{params}");
    }
    let answer = proxied
        .proxy
        .modern("tools/call", json!({"name": "create_ticket"}))
        .await;
    assert_eq!(answer.error(), (200, -32602));
    let message = answer.json()["error"]["message"].to_string();
    assert!(
        message.contains("call_read_tool, call_read_tools or call_write_tool"),
        "{message}"
    );
    assert_eq!(proxied.gateway.activity().received, 0);
}

#[tokio::test]
async fn only_post_is_allowed_on_the_endpoint() {
    let proxied = proxied().await;
    for method in ["GET", "DELETE", "HEAD", "PUT", "OPTIONS"] {
        for path in ["/mcp", "/mcp/"] {
            let request = Request::builder()
                .method(method)
                .uri(path)
                .header("host", "localhost")
                .header("mcp-session-id", "x")
                .header("authorization", "Bearer x")
                .body(Body::empty());
            let answer = proxied.proxy.send(request.unwrap()).await;
            assert_eq!(answer.status, 405, "{method} {path}");
            assert_eq!(answer.header("allow"), Some("POST"), "{method} {path}");
        }
    }
}

#[tokio::test]
async fn both_spellings_of_the_endpoint_serve_and_nothing_else_does() {
    let proxied = proxied().await;
    for (path, status) in [("/mcp", 200), ("/mcp/", 200), ("/", 404), ("/mcp/x", 404)] {
        let body = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
        let request = Request::post(path)
            .header("host", "localhost")
            .body(Body::from(body));
        let answer = proxied.proxy.send(request.unwrap()).await;
        assert_eq!(answer.status, status, "{path}");
        assert_eq!(
            answer.header("content-type"),
            Some("application/json"),
            "{path}"
        );
        assert_eq!(answer.header("cache-control"), Some("no-store"), "{path}");
    }
}

#[tokio::test]
async fn what_nobody_knows_is_named_in_part() {
    let proxied = proxied().await;
    let long = format!("a\nb{}", "x".repeat(100_000));
    let answers = [
        proxied.proxy.legacy(&long, Value::Null).await,
        proxied
            .proxy
            .legacy("tools/call", json!({"name": long}))
            .await,
        proxied
            .proxy
            .post(&[("mcp-protocol-version", "2026-07-29")], {
                let params = json!({"_meta": {"io.modelcontextprotocol/protocolVersion": long}});
                message("tools/list", params)
            })
            .await,
    ];
    for answer in answers {
        let said = answer.json()["error"].to_string();
        assert!(said.len() < 500, "{said:.500}");
    }
    let answer = proxied.proxy.legacy(&long, Value::Null).await;
    let message = answer.json()["error"]["message"].to_string();
    assert!(
        message.starts_with("\"there is no method `a\u{fffd}bx"),
        "{message}"
    );
}
