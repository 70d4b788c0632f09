//! What an operator sees: health, status and metrics.

mod rebuild;
mod status;

use demo_gateway::{DemoSettings, Effect, Fault, Target};
use serde_json::{Value, json};
use wire::RpcError;

use crate::proxied::{Proxied, Proxy};

fn search(query: &str) -> Value {
    json!({"name": "search_tools", "arguments": {"query": query}})
}

#[tokio::test]
async fn probes_need_no_upstream_no_token_and_no_host_name() {
    let proxy = Proxy::before("http://127.0.0.1:1/mcp", &[]);
    for path in ["/healthz", "/readyz", "/metrics"] {
        let request = http::Request::get(path).header("host", "10.1.2.3:8080");
        let answer = proxy
            .send(request.body(axum::body::Body::empty()).unwrap())
            .await;
        assert_eq!(answer.status, 200, "{path}");
        assert_eq!(answer.header("cache-control"), Some("no-store"), "{path}");
    }
}

#[tokio::test]
async fn with_an_admin_address_probes_leave_the_first() {
    let proxy = Proxy::before("http://127.0.0.1:1/mcp", &["--admin-listen", "127.0.0.1:0"]);
    for (path, status) in [
        ("/healthz", 404),
        ("/readyz", 404),
        ("/metrics", 404),
        ("/mcp/tool-search/status", 200),
    ] {
        assert_eq!(proxy.get(path).await.status, status, "{path}");
    }
}

#[tokio::test]
async fn metrics_text() {
    let error = RpcError::new(-32000, "made up");
    let settings = DemoSettings {
        faults: vec![Fault::new(
            Target::method("prompts/list"),
            Effect::Error(error),
        )],
        ..DemoSettings::default()
    };
    let proxied = Proxied::start(settings, &[]).await;
    let proxy = &proxied.proxy;
    let queries = json!({"queries": ["open tickets", "unpaid bills", "🫠🫠"]});
    let search = json!({"name": "search_tools", "arguments": queries});
    proxy.legacy("tools/call", search).await.result();
    proxy
        .legacy(
            "tools/call",
            json!({"name": "call_read_tool", "arguments": {"name": "no_such_tool"}}),
        )
        .await;
    // One call, since of several it is chance which is the first after a search.
    let call = json!({"name": "call_read_tools", "arguments": {"calls": [
        {"name": "tickets__list_overdue_tickets"},
    ]}});
    proxy.legacy("tools/call", call).await.result();
    for method in [
        "made/up",
        "made/up/too",
        "prompts/list",
        "tools/list",
        "notifications/x",
    ] {
        proxy.legacy(method, Value::Null).await;
    }
    proxy.post(&[], "[]").await;
    proxy.get("/nowhere").await;
    let text = proxy.get("/metrics").await;
    let text = String::from_utf8_lossy(&text.body);
    insta::assert_snapshot!(timeless(&text));
}

/// The text without what differs from run to run: times, sizes and the order within a family.
fn timeless(text: &str) -> String {
    let mut families: Vec<Vec<String>> = Vec::new();
    let is_kept = |line: &&str| !line.contains("_bucket{") && *line != "# EOF";
    for line in text.lines().filter(is_kept) {
        let is_measured = line.contains("seconds_sum") || line.contains("catalog_bytes ");
        let line = match line.rsplit_once(' ') {
            Some((series, _value)) if is_measured && !line.starts_with('#') => {
                format!("{series} [value]")
            }
            _ => line.to_owned(),
        };
        match families.last_mut() {
            Some(family) if !line.starts_with("# HELP") => family.push(line),
            _ => families.push(vec![line]),
        }
    }
    for family in &mut families {
        family.sort();
    }
    families.concat().join("\n")
}

#[tokio::test]
async fn names_that_callers_make_up_make_no_series() {
    let proxied = Proxied::start(DemoSettings::default(), &[]).await;
    let series = |text: &str| text.lines().count();
    let mut before = None;
    for number in 0..50 {
        let name = format!("made_up_{number}");
        let call = json!({"name": "call_write_tool", "arguments": {"name": name}});
        proxied.proxy.legacy("tools/call", call).await;
        proxied.proxy.legacy(&name, Value::Null).await;
        proxied.proxy.get(&format!("/{name}")).await;
        let text = proxied.proxy.get("/metrics").await;
        let text = String::from_utf8_lossy(&text.body).into_owned();
        assert!(!text.contains("made_up"), "{text}");
        let now = series(&text);
        // The first answer of /metrics is counted by the second.
        if number > 0 {
            assert_eq!(*before.get_or_insert(now), now);
        }
    }
}
