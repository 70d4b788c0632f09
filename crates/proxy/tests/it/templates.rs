//! Pins, templates and write lists of the operator's.

mod pages;
mod pins;
mod plain;

use std::path::PathBuf;

use demo_gateway::{DemoEra, DemoGateway, DemoSettings, Effect, Fault, Target};
use proxy::App;
use serde_json::value::RawValue;
use serde_json::{Value, json};
use tempfile::TempDir;
use wire::RpcError;

use crate::proxied::{Answer, Proxied, Proxy, config};

/// A file of templates.
pub(crate) struct File {
    folder: TempDir,
}

impl File {
    pub(crate) fn new(text: &str) -> Self {
        let folder = TempDir::new().unwrap();
        let file = Self { folder };
        file.write(text);
        file
    }

    fn write(&self, text: &str) {
        fs_err::write(self.path(), text).unwrap();
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join("templates.toml")
    }

    pub(crate) fn flag(&self) -> String {
        format!("--templates={}", self.path().display())
    }
}

fn tool(name: &str) -> Box<RawValue> {
    wire::to_raw(&json!({
        "name": name,
        "description": format!("What {name} does"),
        "inputSchema": {"type": "object", "properties": {"a": {"type": "string"}}},
        "annotations": {"readOnlyHint": true},
    }))
}

pub(crate) fn gateway(names: &[&str]) -> DemoSettings {
    DemoSettings {
        tools: names.iter().copied().map(tool).collect(),
        ..DemoSettings::default()
    }
}

pub(crate) const CLOSING: &str = "
[templates.close_month]
title = 'Close the month'
description = 'Finds what is open, then reminds.'
tools = ['invoices_*', 'mail', 'secret_ledger']
";

fn names(tools: &Value) -> Vec<&str> {
    let tools = tools.as_array().unwrap().iter();
    tools.map(|tool| tool["name"].as_str().unwrap()).collect()
}

async fn search(proxy: &Proxy, arguments: Value) -> Value {
    let call = json!({"name": "search_tools", "arguments": arguments});
    let mut result = proxy.legacy("tools/call", call).await.result();
    result["structuredContent"].take()
}

pub(crate) fn check_prompts(answer: &Answer, upstream: &[&str], ours: &[&str]) {
    let listed = answer.result();
    assert_eq!(
        names(&listed["prompts"]),
        [upstream, ours].concat(),
        "{listed}"
    );
}

#[tokio::test]
async fn templates_are_prompts_after_the_upstreams_own() {
    let file = File::new(CLOSING);
    for era in [DemoEra::Dual, DemoEra::LegacyStateful, DemoEra::ModernOnly] {
        let settings = DemoSettings {
            era,
            ..gateway(&["invoices_open", "invoices_due", "mail", "other"])
        };
        let proxied = Proxied::start(settings, &[&file.flag()]).await;
        let proxy = &proxied.proxy;
        let upstream = ["hand_over_shift", "chase_late_invoices"];
        for answer in [
            proxy.legacy("prompts/list", json!({})).await,
            proxy.modern("prompts/list", json!({})).await,
        ] {
            check_prompts(&answer, &upstream, &["close_month"]);
        }
        let get = json!({"name": "close_month"});
        for answer in [
            proxy.legacy("prompts/get", get.clone()).await,
            proxy.modern("prompts/get", get.clone()).await,
        ] {
            let prompt = answer.result();
            let text = prompt["messages"][0]["content"]["text"].as_str().unwrap();
            let listed: Vec<Value> = text
                .lines()
                .filter(|line| line.starts_with('{'))
                .map(|line| serde_json::from_str(line).unwrap())
                .collect();
            assert_eq!(
                names(&json!(listed)),
                ["invoices_due", "invoices_open", "mail"]
            );
            assert!(!text.contains("secret_ledger"), "{text}");
        }
        let other = json!({"name": "chase_late_invoices"});
        proxy.legacy("prompts/get", other).await.result();
    }
}

#[tokio::test]
async fn what_the_upstream_lists_keeps_its_bytes() {
    let file = File::new(CLOSING);
    let proxied = Proxied::start(gateway(&["mail"]), &[&file.flag()]).await;
    let list = |text: &str| {
        let result = RawValue::from_string(text.to_owned()).unwrap();
        Fault::new(Target::method("prompts/list"), Effect::Result(result))
    };
    let one = r#"{ "name":"p\u0031", "x":1.0e2 }"#;
    let prompts = format!(r#"{{"resultType":"complete","_meta":{{"a":1.50}},"prompts":[{one}]}}"#);
    proxied.gateway.set_faults(vec![list(&prompts)]);
    let answer = proxied.proxy.legacy("prompts/list", Value::Null).await;
    let body = String::from_utf8_lossy(&answer.body).into_owned();
    for kept in [one, r#""_meta":{"a":1.50}"#, "close_month"] {
        assert!(body.contains(kept), "{body}");
    }
    // Taken names change nothing at all.
    let taken = r#"{"prompts":[ {"name":"close_month"} ], "y":2.0}"#;
    proxied.gateway.set_faults(vec![list(taken)]);
    let answer = proxied.proxy.legacy("prompts/list", Value::Null).await;
    let body = String::from_utf8_lossy(&answer.body).into_owned();
    assert!(body.ends_with(&format!(r#""result":{taken}}}"#)), "{body}");
}

#[tokio::test]
async fn the_upstreams_prompt_wins_on_whatever_page_it_is() {
    let file = File::new(&CLOSING.replace("close_month", "hand_over_shift"));
    let proxied = Proxied::start(gateway(&["mail"]), &[&file.flag()]).await;
    let proxy = &proxied.proxy;
    let both = ["hand_over_shift", "chase_late_invoices"];
    check_prompts(&proxy.legacy("prompts/list", json!({})).await, &both, &[]);
    let get = json!({"name": "hand_over_shift", "arguments": {"shop": "station"}});
    let prompt = proxy.legacy("prompts/get", get).await.result();
    let text = prompt["messages"][0]["content"]["text"].as_str().unwrap();
    assert!(text.starts_with("Sum up"), "{text}");
    // An error of the upstream's own prompt isn't covered by the template.
    let get = json!({"name": "hand_over_shift"});
    assert_eq!(
        proxy.legacy("prompts/get", get).await.error(),
        (200, -32602)
    );

    let first = r#"{"prompts":[{"name":"a"}],"nextCursor":"c\u0021"}"#;
    let first = RawValue::from_string(first.to_owned()).unwrap();
    let first = Fault::new(Target::method("prompts/list"), Effect::Result(first)).times(1);
    proxied.gateway.set_faults(vec![first]);
    let answer = proxy.legacy("prompts/list", json!({})).await;
    check_prompts(&answer, &["a"], &[]);
    let body = String::from_utf8_lossy(&answer.body).into_owned();
    assert!(body.contains(r#""nextCursor":"c\u0021""#), "{body}");
    let sent = proxied.gateway.requests().pop().unwrap();
    assert_eq!(sent.param("cursor").as_deref(), Some(r#""c!""#));
    let later = proxy.legacy("prompts/list", json!({"cursor": "c!"})).await;
    check_prompts(&later, &both, &[]);
}

#[tokio::test]
async fn templates_need_no_prompts_of_the_upstream() {
    let file = File::new(CLOSING);
    let refusal = RpcError::new(-32601, "Method not found");
    let settings = DemoSettings {
        faults: vec![Fault::new(
            Target::method("prompts/list"),
            Effect::Error(refusal),
        )],
        ..gateway(&["mail"])
    };
    let proxied = Proxied::start(settings, &[&file.flag()]).await;
    let proxy = &proxied.proxy;
    let answer = proxy.modern("prompts/list", json!({})).await;
    check_prompts(&answer, &[], &["close_month"]);
    assert_eq!(answer.result()["cacheScope"], "private");
    let get = json!({"name": "close_month"});
    proxy.modern("prompts/get", get).await.result();
    let gone = Proxy::before("http://127.0.0.1:1/mcp", &[&file.flag()]);
    let found = gone.modern("server/discover", Value::Null).await.result();
    assert!(found["capabilities"]["prompts"].is_object(), "{found}");
    let get = json!({"name": "close_month"});
    assert_eq!(gone.legacy("prompts/get", get).await.error(), (200, -32603));
}

#[tokio::test]
async fn the_file_is_read_again_and_a_bad_one_changes_nothing() {
    let file = File::new("pin = ['a']\nwrite_tools = ['gone_*']");
    let gateway = DemoGateway::start(gateway(&["a", "b"])).await.unwrap();
    let config = config(&gateway.url(), &[&file.flag(), "--write-tools=b"]);
    let app = App::build(config).unwrap();
    let (reload, proxy) = (app.reload(), Proxy::of(&app));
    let first = json!({"query": "what b does", "limit": 1});
    let shown = async || {
        let found = search(&proxy, first.clone()).await;
        let call = |tool: &Value| tool["call"].as_str().unwrap().to_owned();
        let tools: Vec<Value> = found["tools"].as_array().unwrap().clone();
        (
            names(&json!(tools)).join(" "),
            tools.iter().map(call).collect::<Vec<_>>(),
        )
    };
    let (read, write) = ("call_read_tool".to_owned(), "call_write_tool".to_owned());
    let before = ("b a".to_owned(), vec![write.clone(), read]);
    assert_eq!(shown().await, before);
    for bad in ["pin = 7", "[templates.x]\ntools = []", "pin = ['", "", "\n"] {
        file.write(bad);
        reload.run();
        assert_eq!(shown().await, before);
        let status = proxy.get("/mcp/tool-search/status").await.json();
        let error = &status["named_tools"]["last_error"];
        let message = error["message"].as_str().unwrap();
        assert!(message.ends_with("the log says why"), "{message}");
    }
    file.write("# nothing for now");
    reload.run();
    let nothing = ("b".to_owned(), vec![write.clone()]);
    assert_eq!(shown().await, nothing);
    file.write("pin = ['b', 'a']\nwrite_tools = ['a']\n[templates.x]\ntools = ['a']");
    reload.run();
    assert_eq!(
        shown().await,
        ("b a".to_owned(), vec![write.clone(), write])
    );
    let status = proxy.get("/mcp/tool-search/status").await.json();
    assert_eq!(status["named_tools"]["last_error"], Value::Null);
    assert_eq!(status["named_tools"]["templates"], 1);
    check_prompts(
        &proxy.legacy("prompts/list", json!({})).await,
        &["hand_over_shift", "chase_late_invoices"],
        &["x"],
    );
    assert_eq!(gateway.count("tools/list"), 1);
}
