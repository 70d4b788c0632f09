//! Nobody learns of tools that aren't theirs (field case 47).

use demo_gateway::{DemoCaller, DemoSettings};
use serde_json::{Value, json};

use super::reading;
use crate::proxied::{Proxied, modern};

/// Two callers with one tool each, of nearly the same name.
async fn two() -> Proxied {
    let caller = |token: &str, name: &str| DemoCaller {
        token: token.to_owned(),
        tools: vec![reading(name, r#"{"type":"object","properties":{}}"#)],
    };
    let settings = DemoSettings {
        callers: vec![caller("a", "report_alpha"), caller("b", "report_alphabet")],
        ..DemoSettings::default()
    };
    Proxied::start(settings, &[]).await
}

async fn ask(proxied: &Proxied, token: &str, tool: &str, arguments: Value) -> String {
    let (mut headers, body) = modern("tools/call", json!({"name": tool, "arguments": arguments}));
    headers.push(("authorization", format!("Bearer {token}")));
    let headers: Vec<_> = headers
        .iter()
        .map(|(name, value)| (*name, value.as_str()))
        .collect();
    let answer = proxied.proxy.post(&headers, body).await;
    assert_eq!(answer.status, 200);
    String::from_utf8(answer.body.to_vec()).unwrap()
}

#[tokio::test]
async fn names_never_cross_from_one_caller_to_another() {
    let proxied = two().await;
    let requests = [
        ("search_tools", json!({"query": "report"})),
        ("search_tools", json!({"query": "zebra"})),
        (
            "describe_tool",
            json!({"names": ["report_alph", "report_beta"]}),
        ),
        ("call_read_tool", json!({"name": "report_alph"})),
        ("call_write_tool", json!({"name": "report_alph"})),
        (
            "call_read_tools",
            json!({"calls": [{"name": "report_alph"}]}),
        ),
    ];
    for (tool, arguments) in requests {
        let a = ask(&proxied, "a", tool, arguments.clone()).await;
        let b = ask(&proxied, "b", tool, arguments.clone()).await;
        assert!(!a.contains("report_alphabet"), "{tool} {arguments}: {a}");
        let b = b.replace("report_alphabet", "");
        assert!(!b.contains("report_alpha"), "{tool} {arguments}: {b}");
        if tool == "search_tools" {
            assert!(a.contains(r#""total":1"#) && b.contains(r#""total":1"#));
        }
    }
}

#[tokio::test]
async fn each_caller_runs_only_their_own_tools() {
    let proxied = two().await;
    let call = json!({"name": "report_alphabet"});
    ask(&proxied, "b", "call_read_tool", call.clone()).await;
    let refused = ask(&proxied, "a", "call_read_tool", call).await;
    assert!(refused.contains("there is no tool called"), "{refused}");
    assert_eq!(proxied.gateway.count("tools/call"), 1);
}

#[tokio::test]
async fn a_handshake_names_only_the_callers_areas() {
    let tools = |prefix: &str| {
        let names = ["list", "get", "find"].map(|verb| format!("{prefix}__{verb}"));
        names
            .iter()
            .map(|name| reading(name, "{}"))
            .collect::<Vec<_>>()
    };
    let caller = |token: &str, prefix: &str| DemoCaller {
        token: token.to_owned(),
        tools: tools(prefix),
    };
    let settings = DemoSettings {
        callers: vec![caller("a", "payroll"), caller("b", "garden")],
        ..DemoSettings::default()
    };
    let proxied = Proxied::start(settings, &[]).await;
    for (token, own, other) in [
        ("a", "payroll (3)", "garden"),
        ("b", "garden (3)", "payroll"),
    ] {
        // A handshake doesn't wait long for a listing.
        ask(&proxied, token, "search_tools", json!({"query": "get"})).await;
        let (mut headers, body) = modern("server/discover", json!({}));
        headers.push(("authorization", format!("Bearer {token}")));
        let headers: Vec<_> = headers
            .iter()
            .map(|(name, value)| (*name, value.as_str()))
            .collect();
        let answer = proxied.proxy.post(&headers, body).await.result();
        let instructions = answer["instructions"].as_str().unwrap();
        assert!(instructions.contains(own), "{instructions}");
        assert!(!instructions.contains(other), "{instructions}");
    }
}
