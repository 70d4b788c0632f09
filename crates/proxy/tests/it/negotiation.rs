//! Which era a request is served in, and which requests are refused for saying two things.

use demo_gateway::DemoSettings;
use serde_json::{Value, json};

use crate::proxied::{Proxied, envelope, message, modern};

async fn proxied() -> Proxied {
    Proxied::start(DemoSettings::default(), &[]).await
}

#[tokio::test]
async fn initialize_offers_a_version_whatever_is_asked_for() {
    let proxied = proxied().await;
    for (asked, offered) in [
        (json!("2024-11-05"), "2024-11-05"),
        (json!("2025-03-26"), "2025-03-26"),
        (json!("2025-06-18"), "2025-06-18"),
        (json!("2025-11-25"), "2025-11-25"),
        (json!("2026-07-28"), "2025-11-25"),
        (json!("2027-01-01"), "2025-11-25"),
        (json!(null), "2025-11-25"),
    ] {
        let body = message(
            "initialize",
            json!({"protocolVersion": asked, "capabilities": {}}),
        );
        for header in ["2025-06-18", "2027-01-01", "nonsense"] {
            let headers = [("mcp-protocol-version", header)];
            let answer = proxied.proxy.post(&headers, body.clone()).await;
            assert_eq!(
                answer.result()["protocolVersion"],
                offered,
                "{asked} {header}"
            );
            assert_eq!(answer.header("mcp-session-id"), None);
        }
    }
}

#[tokio::test]
async fn legacy_requests_need_no_handshake_and_no_header() {
    let proxied = proxied().await;
    for headers in [
        &[][..],
        &[("mcp-protocol-version", "2025-03-26")],
        &[
            ("mcp-protocol-version", "2025-11-25"),
            ("mcp-session-id", "somebody-elses"),
        ],
    ] {
        let answer = proxied
            .proxy
            .post(headers, message("tools/list", Value::Null))
            .await;
        let result = answer.result();
        assert_eq!(result["tools"].as_array().unwrap().len(), 5);
        assert_eq!(result.as_object().unwrap().len(), 1, "{headers:?}");
    }
}

#[tokio::test]
async fn modern_results_say_what_they_are() {
    let result = proxied()
        .await
        .proxy
        .modern("tools/list", json!({"cursor": "x"}))
        .await
        .result();
    assert_eq!(result["resultType"], "complete");
    assert_eq!(result["ttlMs"], 60_000);
    assert_eq!(result["cacheScope"], "private");
    let server = &result["_meta"]["io.modelcontextprotocol/serverInfo"];
    assert_eq!(server["name"], "mcp-toolsearch-proxy");
    assert_eq!(result["tools"].as_array().unwrap().len(), 5);
}

#[tokio::test]
async fn versions_that_are_not_spoken_are_answered_with_those_that_are() {
    let proxied = proxied().await;
    let mut meta = envelope();
    meta["io.modelcontextprotocol/protocolVersion"] = json!("2027-01-01");
    let newer = message("tools/list", json!({"_meta": meta}));
    let bare = message("tools/list", Value::Null);
    for body in [newer, bare] {
        let headers = [
            ("mcp-protocol-version", "2027-01-01"),
            ("mcp-method", "tools/list"),
        ];
        let answer = proxied.proxy.post(&headers, body).await;
        assert_eq!(answer.error(), (400, -32022));
        assert_eq!(
            answer.json()["error"]["data"],
            json!({"supported": ["2026-07-28"], "requested": "2027-01-01"})
        );
    }
}

#[tokio::test]
async fn requests_that_say_two_things_run_nothing() {
    let proxied = proxied().await;
    let call = json!({"name": "call_write_tool", "arguments": {"name": "x", "arguments": {}}});
    let version = ("mcp-protocol-version", "2026-07-28");
    let method = ("mcp-method", "tools/call");
    let name = ("mcp-name", "call_write_tool");
    let (_, body) = modern("tools/call", call);
    for headers in [
        &[method, name][..],
        &[version, name],
        &[version, method],
        &[("mcp-protocol-version", "2025-11-25"), method, name],
        &[version, ("mcp-method", "tools/list"), name],
        &[version, ("mcp-method", "Tools/Call"), name],
        &[version, method, ("mcp-name", "search_tools")],
        &[version, method, ("mcp-name", "=?base64?!?=")],
    ] {
        let answer = proxied.proxy.post(headers, body.clone()).await;
        assert_eq!(answer.error(), (400, -32020), "{headers:?}");
    }
    assert_eq!(proxied.gateway.activity().received, 0);
}

#[tokio::test]
async fn an_encoded_name_is_decoded_before_it_is_compared() {
    let proxied = proxied().await;
    let (mut headers, body) = modern("tools/call", json!({"name": "search_tools"}));
    headers.retain(|(name, _)| *name != "mcp-name");
    headers.push(("mcp-name", "=?base64?c2VhcmNoX3Rvb2xz?=".to_owned()));
    let headers: Vec<_> = headers
        .iter()
        .map(|(name, value)| (*name, value.as_str()))
        .collect();
    assert_eq!(proxied.proxy.post(&headers, body).await.status, 200);
}

#[tokio::test]
async fn a_modern_request_without_its_envelope_is_refused() {
    let proxied = proxied().await;
    let headers = [
        ("mcp-protocol-version", "2026-07-28"),
        ("mcp-method", "tools/list"),
    ];
    let mut without_capabilities = envelope();
    let members = without_capabilities.as_object_mut().unwrap();
    members.remove("io.modelcontextprotocol/clientCapabilities");
    for params in [
        Value::Null,
        json!({"_meta": {}}),
        json!({"_meta": without_capabilities}),
    ] {
        let answer = proxied
            .proxy
            .post(&headers, message("tools/list", params.clone()))
            .await;
        assert_eq!(answer.error(), (400, -32602), "{params}");
    }
}

#[tokio::test]
async fn a_malformed_version_header_is_refused() {
    let proxied = proxied().await;
    for headers in [
        &[("mcp-protocol-version", "latest")][..],
        &[
            ("mcp-protocol-version", "2025-11-25"),
            ("mcp-protocol-version", "2025-06-18"),
        ],
    ] {
        let answer = proxied
            .proxy
            .post(headers, message("tools/list", Value::Null))
            .await;
        assert_eq!(answer.error(), (400, -32600), "{headers:?}");
    }
}
