//! Plain searches that name a template.

use demo_gateway::DemoSettings;
use http::StatusCode;
use serde_json::{Value, json};
use tempfile::TempDir;

use super::{CLOSING, File, gateway, names};
use crate::proxied::{Proxied, Proxy, until};

async fn plain(proxy: &Proxy, body: Value) -> Value {
    let answer = proxy.post_to("/mcp/tool-search", &[], body.to_string());
    let answer = answer.await;
    assert_eq!(answer.status, StatusCode::OK, "{:?}", answer.json());
    answer.json()
}

#[tokio::test]
async fn a_plain_search_that_names_a_template_gets_its_set_whole_first() {
    let file = File::new(&("pin = ['jobs', 'mail']".to_owned() + CLOSING));
    let settings = gateway(&["invoices_open", "mail", "weather", "jobs"]);
    let proxied = Proxied::start(settings, &[&file.flag()]).await;
    let proxy = &proxied.proxy;
    let alone = plain(proxy, json!({"prompt": "close_month"})).await;
    assert_eq!(names(&alone["tools"]), ["invoices_open", "mail", "jobs"]);
    let expected = json!({"name": "close_month", "tools": 2, "missing": 1});
    assert_eq!(alone["template"], expected);
    let note = alone["note"].as_str().unwrap();
    assert!(note.starts_with("One entry of this template"), "{note}");
    let first = &alone["tools"][0];
    assert_eq!(
        (&first["template"], first.get("score")),
        (&json!(true), None)
    );
    assert_eq!(first["inputSchema"]["type"], "object");
    let query = json!({"prompt": "close_month", "query": "weather or open invoices", "limit": 3});
    let both = plain(proxy, query.clone()).await;
    assert_eq!(
        names(&both["tools"])[..3],
        ["invoices_open", "mail", "weather"]
    );
    assert!(both["tools"][2]["score"].as_f64().unwrap() > 0.0);
    for format in ["mcp", "openai", "anthropic", "gemini"] {
        let mut query = query.clone();
        query["format"] = json!(format);
        let defined = plain(proxy, query).await;
        assert_eq!(names(&defined["tools"]), names(&both["tools"]), "{format}");
        assert_eq!(defined["tools"][1]["template"], true);
    }
    let unknown = json!({"prompt": "hand_over_shift", "query": "x"}).to_string();
    let unknown = proxy.post_to("/mcp/tool-search", &[], unknown).await;
    assert_eq!(unknown.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn what_a_query_adds_to_a_template_is_counted_and_doubted_without_the_set() {
    let file = File::new("[templates.close]\ntools = ['invoices_*']");
    let names_of = [
        "invoices_open",
        "invoices_due",
        "bananas",
        "weather",
        "mail",
    ];
    let proxied = Proxied::start(gateway(&names_of), &[&file.flag()]).await;
    for limit in [1, 2] {
        let asked = json!({"prompt": "close", "query": "open invoices", "limit": limit});
        let found = plain(&proxied.proxy, asked).await;
        let tools = found["tools"].as_array().unwrap();
        let hits = tools.iter().filter(|tool| tool["score"].is_f64()).count();
        assert_eq!((tools.len(), hits), (2 + limit, limit), "{found}");
    }
    let asked = json!({"prompt": "close", "query": "invoices_open", "limit": 5});
    let found = plain(&proxied.proxy, asked).await;
    let tools = found["tools"].as_array().unwrap();
    let mut hits = tools.iter().filter(|tool| tool["score"].is_f64());
    assert!(hits.all(|tool| tool["weak"] == true), "{found}");
    let note = found["note"].as_str().unwrap_or_default();
    assert!(note.contains("all tools are `weak`"), "{note}");
}

#[tokio::test]
async fn the_audit_log_has_what_fits_though_the_set_has_it_too() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("audit.jsonl");
    let audit = format!("--audit-log={}", path.display());
    let file = File::new("[templates.close]\ntools = ['invoices_*']");
    let settings = gateway(&["invoices_open", "invoices_due", "invoice_mail", "weather"]);
    let proxied = Proxied::start(settings, &[&file.flag(), &audit]).await;
    plain(&proxied.proxy, json!({"prompt": "close"})).await;
    let asked = json!({"prompt": "close", "query": "open invoices", "limit": 1});
    let found = plain(&proxied.proxy, asked).await;
    assert_eq!(
        names(&found["tools"]),
        ["invoices_due", "invoices_open", "invoice_mail"]
    );
    let text = || fs_err::read_to_string(&path).unwrap();
    until(async || text().ends_with('\n')).await;
    let lines: Vec<Value> = text()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    // A template's name alone searches nothing.
    assert_eq!(lines.len(), 1, "{lines:?}");
    let mut audited = names(&lines[0]["tools"]);
    assert_eq!(audited[0], "invoices_open");
    audited.sort_unstable();
    assert_eq!(audited, ["invoice_mail", "invoices_due", "invoices_open"]);
}

#[tokio::test]
async fn names_close_to_a_query_are_none_of_the_set() {
    let file = File::new("[templates.close]\ntools = ['mail']");
    let flag = file.flag();
    let settings = gateway(&["mail", "mall"]);
    let proxied = Proxied::start(settings, &[&flag, "--embedder=none"]).await;
    let found = plain(&proxied.proxy, json!({"prompt": "close", "query": "maill"})).await;
    assert_eq!(found["closest"], json!(["mall"]), "{found}");
}

/// A gateway whose tools make more than an answer takes.
fn large() -> DemoSettings {
    let tool = |number: usize| {
        wire::to_raw(&json!({
            "name": format!("invoices_{number:03}"),
            "description": "x".repeat(5_000),
            "inputSchema": {"type": "object"},
            "annotations": {"readOnlyHint": true},
        }))
    };
    DemoSettings {
        tools: (0..400).map(tool).collect(),
        ..DemoSettings::default()
    }
}

#[tokio::test]
async fn a_set_is_as_large_as_an_answer_may_be_wherever_it_stands() {
    let file = File::new("[templates.all]\ntools = ['*']");
    let proxied = Proxied::start(large(), &[&file.flag()]).await;
    let proxy = &proxied.proxy;
    let omitted = |answer: &Value| {
        let note = answer["note"].as_str().unwrap();
        let (count, _) = note.split_once(" tools are left out").unwrap();
        assert!(note.ends_with("`omitted` has the names of 100."), "{note}");
        assert_eq!(answer["omitted"].as_array().unwrap().len(), 100);
        count.parse::<usize>().unwrap()
    };
    let mut shown = Vec::new();
    for format in [None, Some("mcp"), Some("gemini"), Some("openai")] {
        let mut body = json!({"prompt": "all"});
        if let Some(format) = format {
            body["format"] = json!(format);
        }
        let answer = plain(proxy, body).await;
        let count = answer["tools"].as_array().unwrap().len();
        assert!(answer.to_string().len() < 1_100_000, "{format:?}");
        assert_eq!(omitted(&answer), 400 - count);
        assert_eq!(answer["omitted"][0], format!("invoices_{count:03}"));
        assert_eq!(answer["template"]["tools"], count, "{format:?}");
        shown.push(count);
    }
    assert_eq!(shown[3], 128, "OpenAI takes no more");
    let page = proxy.get("/mcp/prompts/all").await.json();
    assert_eq!(page["tools"].as_array().unwrap().len(), shown[0]);
    assert_eq!(omitted(&page), 400 - shown[0]);
    let prompt = proxy.legacy("prompts/get", json!({"name": "all"})).await;
    let prompt = prompt.result();
    let text = prompt["messages"][0]["content"]["text"].as_str().unwrap();
    let lines = text.lines().filter(|line| line.starts_with('{'));
    assert_eq!(lines.count(), shown[0]);
    let note = format!("{} more tools have no room here", 400 - shown[0]);
    assert!(text.contains(&note));
}
