//! What is kept of searches: the audit log, what became of them, and repetitions.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use demo_gateway::{DemoCaller, DemoGateway, DemoSettings, company_tools};
use proxy::{App, Listeners};
use serde_json::{Value, json};
use tokio::sync::oneshot;

use crate::proxied::{Answer, Proxied, Proxy, config, message, until};

fn search(query: &str) -> Value {
    json!({"name": "search_tools", "arguments": {"query": query, "limit": 3}})
}

fn two_callers() -> DemoSettings {
    let caller = |token: &str| DemoCaller {
        token: token.to_owned(),
        tools: company_tools(),
    };
    DemoSettings {
        callers: vec![caller("alice"), caller("bob")],
        ..DemoSettings::default()
    }
}

async fn ask(proxy: &Proxy, token: &str, params: Value) -> Answer {
    let authorization = format!("Bearer {token}");
    let headers = [("authorization", authorization.as_str())];
    proxy.post(&headers, message("tools/call", params)).await
}

async fn found(proxy: &Proxy, token: &str, params: Value) -> Value {
    let mut result = ask(proxy, token, params).await.result();
    result["structuredContent"].take()
}

fn names(found: &Value) -> Vec<&str> {
    let tools = found["tools"].as_array().unwrap().iter();
    tools.map(|tool| tool["name"].as_str().unwrap()).collect()
}

/// Serves `requests`, each a token, a path and a body, with an audit log at `path`, then stops; answers
/// what the requests were called.
async fn audited(path: &Path, requests: [(&str, &str, String); 3]) -> Vec<String> {
    let gateway = DemoGateway::start(two_callers()).await.unwrap();
    let flag = format!("--audit-log={}", path.display());
    let config = config(&gateway.url(), &["--listen=127.0.0.1:0", &flag]);
    let listeners = Listeners::bind(&config).await.unwrap();
    let address = listeners.main.local_addr().unwrap();
    let (stop, stopped) = oneshot::channel::<()>();
    let app = App::build(config).unwrap();
    let serving = tokio::spawn(app.serve(listeners, async {
        stopped.await.unwrap_or_default();
    }));
    let client = reqwest::Client::builder().build().unwrap();
    let mut ids = Vec::new();
    for (token, path, body) in requests {
        let request = client.post(format!("http://{address}{path}"));
        let response = request.bearer_auth(token).body(body).send().await.unwrap();
        assert_eq!(response.status(), 200);
        let id = &response.headers()["x-request-id"];
        ids.push(id.to_str().unwrap().to_owned());
    }
    stop.send(()).unwrap();
    serving.await.unwrap();
    ids
}

#[tokio::test]
async fn the_audit_log_has_a_line_for_each_query() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("audit.jsonl");
    let several = json!({"queries": ["late invoices", "🫠🫠"], "limit": 2});
    let several = json!({"name": "search_tools", "arguments": several});
    let long = format!("weather {}", "x".repeat(1 << 20));
    let plain = json!({"query": long, "limit": 1}).to_string();
    let ids = audited(
        &path,
        [
            ("alice", "/mcp", message("tools/call", several)),
            ("bob", "/mcp/tool-search", plain),
            ("bob", "/mcp", message("tools/list", Value::Null)),
        ],
    )
    .await;
    let text = fs_err::read_to_string(&path).unwrap();
    let lines: Vec<Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let cut = format!("weather {}…", "x".repeat(1_991));
    let asked: Vec<(&Value, &Value)> = lines
        .iter()
        .map(|line| (&line["request_id"], &line["query"]))
        .collect();
    assert_eq!(
        asked,
        [
            (&json!(ids[0]), &json!("late invoices")),
            (&json!(ids[0]), &json!("🫠🫠")),
            (&json!(ids[1]), &json!(cut)),
        ]
    );
    assert_eq!(lines[0]["tools"].as_array().unwrap().len(), 2);
    assert!(lines[0]["tools"][0]["score"].as_f64().unwrap() > 0.0);
    assert_eq!(
        (&lines[0]["mode"], &lines[1]["mode"]),
        (&json!("hybrid"), &json!("words"))
    );
    assert_eq!(lines[1]["tools"], json!([]));
    let caller = |line: &Value| line["caller"].as_str().unwrap().to_owned();
    assert_eq!(caller(&lines[0]).len(), 8);
    assert_eq!(caller(&lines[0]), caller(&lines[1]));
    assert_ne!(caller(&lines[0]), caller(&lines[2]));
    let members: Vec<&String> = lines[0].as_object().unwrap().keys().collect();
    let expected = [
        "time",
        "request_id",
        "caller",
        "query",
        "tools",
        "mode",
        "ms",
    ];
    assert_eq!(members, expected);
    let mode = fs_err::metadata(&path).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
}

#[tokio::test]
async fn without_an_audit_log_there_is_none() {
    let proxied = Proxied::start(DemoSettings::default(), &[]).await;
    let status = proxied.proxy.get("/mcp/tool-search/status").await.json();
    assert_eq!(status["audit_log"], Value::Null);
    let folder = tempfile::tempdir().unwrap();
    let flag = format!("--audit-log={}", folder.path().join("a").display());
    let proxied = Proxied::start(DemoSettings::default(), &[&flag]).await;
    proxied
        .proxy
        .legacy("tools/call", search("late invoices"))
        .await
        .result();
    let dropped = async || {
        let status = proxied.proxy.get("/mcp/tool-search/status").await.json();
        let audit = &status["audit_log"];
        assert_eq!(audit["lines_dropped"], 0);
        audit["lines_written"].as_u64().unwrap()
    };
    until(async || dropped().await > 0).await;
}

#[tokio::test]
async fn a_repeated_search_gets_a_short_answer_that_says_so() {
    let proxied = Proxied::start(two_callers(), &[]).await;
    let proxy = &proxied.proxy;
    let first = found(proxy, "alice", search("which invoices are overdue")).await;
    assert_eq!(first.get("note"), None);
    let lost = found(proxy, "alice", search("which invoices are overdue")).await;
    assert_eq!(lost, first, "the first answer may have been lost");
    let second = found(proxy, "alice", search("which invoices are overdue")).await;
    assert_eq!(names(&first), names(&second));
    let note = second["note"].as_str().unwrap();
    assert!(
        note.starts_with("The same search had the same answer"),
        "{note}"
    );
    assert!(note.contains("describe_tool"), "{note}");
    for (one, other) in first["tools"]
        .as_array()
        .unwrap()
        .iter()
        .zip(second["tools"].as_array().unwrap())
    {
        assert_eq!(
            (&one["call"], &one["readOnly"]),
            (&other["call"], &other["readOnly"])
        );
        assert!(other["signature"].is_string(), "{other}");
        assert_eq!(
            (other.get("inputSchema"), other.get("description")),
            (None, None)
        );
    }
    assert!(second.to_string().len() * 2 < first.to_string().len());
    // What differs in anything isn't the same.
    let mut more = search("which invoices are overdue");
    more["arguments"]["limit"] = json!(4);
    for (token, params) in [
        ("bob", search("which invoices are overdue")),
        ("alice", more),
        ("alice", search("overdue invoices")),
    ] {
        let answer = found(proxy, token, params).await;
        assert_eq!(answer.get("note"), None, "{token}");
    }
}

#[tokio::test]
async fn callers_without_a_token_learn_nothing_of_each_other() {
    let proxied = Proxied::start(DemoSettings::default(), &[]).await;
    let ask = async || {
        let answer = proxied
            .proxy
            .legacy("tools/call", search("late invoices"))
            .await;
        answer.result()["structuredContent"].take()
    };
    let (first, second) = (ask().await, ask().await);
    assert_eq!(first, second);
    // Programs ask again and again, and need all of it each time.
    let plain = async || {
        let body = json!({"query": "late invoices"}).to_string();
        let headers = [("authorization", "Bearer any")];
        let answer = proxied
            .proxy
            .post_to("/mcp/tool-search", &headers, body)
            .await;
        answer.json()["tools"].clone()
    };
    assert_eq!(plain().await, plain().await);
}

#[tokio::test]
async fn the_rank_of_a_called_tool_is_counted() {
    let proxied = Proxied::start(two_callers(), &[]).await;
    let proxy = &proxied.proxy;
    let answer = found(proxy, "alice", search("which invoices are overdue")).await;
    let called = "invoices__search_invoices";
    let rank = 1 + names(&answer)
        .iter()
        .position(|&name| name == called)
        .unwrap();
    assert!(rank > 1, "{answer}");
    let refused = json!({"name": "call_read_tool", "arguments": {"name": called, "arguments": 7}});
    ask(proxy, "alice", refused).await.result();
    let call = json!({"name": "call_write_tool", "arguments": {"name": called, "arguments": {"limit": 1}}});
    ask(proxy, "bob", call.clone()).await.result();
    let count = async |series: &str| {
        let text = proxy.get("/metrics").await;
        let text = String::from_utf8_lossy(&text.body).into_owned();
        let line = text.lines().find(|line| line.starts_with(series));
        let value = line.and_then(|line| line.rsplit_once(' '));
        value
            .unwrap_or_else(|| panic!("no {series}: {text}"))
            .1
            .to_owned()
    };
    assert_eq!(count("toolsearch_called_rank_count").await, "0");
    ask(proxy, "alice", call).await.result();
    for (series, expected) in [
        ("toolsearch_called_rank_count", "1"),
        ("toolsearch_called_rank_sum", &format!("{rank}.0")),
        ("toolsearch_called_rank_bucket{le=\"1.0\"}", "0"),
        ("toolsearch_called_rank_bucket{le=\"+Inf\"}", "1"),
        (
            "toolsearch_search_ends_total{answer=\"hits\",then=\"call\"}",
            "0",
        ),
    ] {
        assert_eq!(count(series).await, expected, "{series}");
    }
}
