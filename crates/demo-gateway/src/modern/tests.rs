use http::Method;
use serde_json::Value;

use super::*;
use crate::probe::{Probe, body, modern_body};
use crate::settings::{DemoEra, DemoSettings};

fn probe() -> Probe {
    Probe::new(DemoSettings::default())
}

#[tokio::test]
async fn discovery_lists_one_revision_and_may_be_kept() {
    let result = probe().modern("server/discover", json!({})).await.result();
    assert_eq!(result["supportedVersions"], json!(["2026-07-28"]));
    assert_eq!(result["resultType"], "complete");
    assert_eq!(result["cacheScope"], "private");
    assert!(result["ttlMs"].is_u64());
    assert_eq!(
        result["_meta"][meta_key::SERVER_INFO]["name"],
        "demo-gateway"
    );
    assert!(
        result["instructions"]
            .as_str()
            .unwrap()
            .contains("Brightwater")
    );
}

#[tokio::test]
async fn listings_say_how_long_they_may_be_kept_and_calls_do_not() {
    let probe = probe();
    for method in methods::CACHEABLE {
        let answer = probe
            .modern(method, json!({"uri": "brightwater://handbook/returns"}))
            .await;
        assert!(answer.result()["ttlMs"].is_u64(), "{method}");
    }
    let params = json!({"name": "mail__list_mail_folders", "arguments": {}});
    let result = probe.modern("tools/call", params).await.result();
    assert_eq!(result["resultType"], "complete");
    assert_eq!(result.get("ttlMs"), None);
}

#[tokio::test]
async fn headers_must_say_what_the_body_says() {
    let right = [
        ("mcp-protocol-version", "2026-07-28"),
        ("mcp-method", "tools/call"),
        ("mcp-name", "mail__list_mail_folders"),
    ];
    let wrong = ("", "other");
    let body = modern_body("tools/call", json!({"name": "mail__list_mail_folders"}));
    let probe = probe();
    assert_eq!(
        probe.post(&right, body.clone()).await.status,
        StatusCode::OK
    );
    for position in 0..right.len() {
        let mut missing = right.to_vec();
        let (name, _) = missing.remove(position);
        let mut mismatched = right.to_vec();
        mismatched[position] = (name, wrong.1);
        for headers in [missing, mismatched] {
            let answer = probe.post(&headers, body.clone()).await;
            assert_eq!(
                answer.refusal(),
                (400, code::HEADER_MISMATCH),
                "{headers:?}"
            );
        }
    }
}

#[tokio::test]
async fn an_encoded_name_is_decoded_before_it_is_compared() {
    let tool = r#"{"name":"名前","inputSchema":{"type":"object"}}"#;
    let probe = Probe::new(DemoSettings {
        tools: vec![RawValue::from_string(tool.to_owned()).unwrap()],
        ..DemoSettings::default()
    });
    let headers = [
        ("mcp-protocol-version", "2026-07-28"),
        ("mcp-method", "tools/call"),
        ("mcp-name", "=?base64?5ZCN5YmN?="),
    ];
    let answer = probe
        .post(&headers, modern_body("tools/call", json!({"name": "名前"})))
        .await;
    assert_eq!(answer.status, StatusCode::OK);
}

#[tokio::test]
async fn what_is_no_request_of_this_era_is_refused() {
    let probe = probe();
    let announced = [
        ("mcp-protocol-version", "2026-07-28"),
        ("mcp-method", "tools/list"),
    ];
    let without_meta = probe.post(&announced, body("tools/list", json!({}))).await;
    assert_eq!(without_meta.refusal(), (400, code::INVALID_PARAMS));
    for method in ["ping", "initialize", "foo/bar", "completion/complete"] {
        let answer = probe.modern(method, json!({})).await;
        assert_eq!(answer.refusal(), (404, code::METHOD_NOT_FOUND), "{method}");
    }
    let mut future = modern_body("tools/list", json!({}));
    future["params"]["_meta"][meta_key::PROTOCOL_VERSION] = json!("2027-01-01");
    let answer = probe
        .post(&[("mcp-protocol-version", "2027-01-01")], future)
        .await;
    assert_eq!(answer.refusal(), (400, code::UNSUPPORTED_VERSION));
    let data = &answer.json()["error"]["data"];
    assert_eq!(data["requested"], "2027-01-01");
    assert!(
        data["supported"]
            .as_array()
            .unwrap()
            .contains(&json!("2025-11-25"))
    );
}

#[tokio::test]
async fn a_modern_only_gateway_refuses_the_handshake() {
    let probe = Probe::new(DemoSettings {
        era: DemoEra::ModernOnly,
        ..DemoSettings::default()
    });
    let answer = probe
        .post(
            &[],
            body("initialize", json!({"protocolVersion": "2025-11-25"})),
        )
        .await;
    assert_eq!(answer.refusal(), (400, code::UNSUPPORTED_VERSION));
    assert_eq!(
        answer.json()["error"]["data"]["supported"],
        json!(["2026-07-28"])
    );
    let found = probe.modern("server/discover", json!({})).await;
    assert_eq!(found.status, StatusCode::OK);
}

#[tokio::test]
async fn other_http_methods_are_refused() {
    for method in [Method::GET, Method::DELETE, Method::PUT] {
        for path in ["/mcp", "/mcp/"] {
            let answer = probe()
                .send(method.clone(), path, &[], String::new())
                .await
                .unwrap();
            assert_eq!(
                answer.status,
                StatusCode::METHOD_NOT_ALLOWED,
                "{method} {path}"
            );
            assert_eq!(answer.header("allow"), "POST");
        }
    }
}

#[tokio::test]
async fn what_is_no_message_is_refused() {
    for (text, code) in [
        ("{", code::PARSE_ERROR),
        ("[]", code::INVALID_REQUEST),
        ("{}", code::INVALID_REQUEST),
    ] {
        let answer = probe()
            .send(Method::POST, "/mcp", &[], text.to_owned())
            .await
            .unwrap();
        assert_eq!(answer.refusal(), (400, code), "{text}");
        assert_eq!(answer.json()["id"], Value::Null);
    }
}
