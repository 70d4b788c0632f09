//! Pins, templates and write lists of the operator's.

use std::path::PathBuf;

use axum::body::Body;
use demo_gateway::{
    DemoCaller, DemoEra, DemoGateway, DemoSettings, Effect, Fault, RawReply, Target,
};
use http::{Request, StatusCode};
use proxy::App;
use serde_json::value::RawValue;
use serde_json::{Value, json};
use tempfile::TempDir;
use wire::RpcError;

use crate::proxied::{Answer, Proxied, Proxy, config, message, until};

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

#[tokio::test]
async fn pinned_tools_follow_the_hits_of_every_search() {
    let settings = gateway(&["open_invoices", "jobs_b", "jobs_a", "credits"]);
    let proxied = Proxied::start(settings, &["--pin=credits,jobs_*,open_invoices,gone"]).await;
    let found = search(
        &proxied.proxy,
        json!({"query": "open invoices", "limit": 1}),
    )
    .await;
    assert_eq!(
        names(&found["tools"]),
        ["open_invoices", "credits", "jobs_a", "jobs_b"]
    );
    let marks: Vec<_> = found["tools"]
        .as_array()
        .unwrap()
        .iter()
        .map(|tool| tool["pinned"] == true)
        .collect();
    assert_eq!(marks, [false, true, true, true]);
    let several = json!({"queries": ["open invoices", "credits"], "limit": 1});
    let several = search(&proxied.proxy, several).await;
    assert_eq!(names(&several["results"][1]["tools"]), ["credits"]);
    assert_eq!(names(&several["tools"]), ["jobs_a", "jobs_b"]);
    let nothing = search(&proxied.proxy, json!({"query": "🫠🫠"})).await;
    assert_eq!(names(&nothing["tools"]).len(), 4);
    let note = nothing["note"].as_str().unwrap();
    assert!(note.contains("`pinned` tools are shown whatever"), "{note}");
}

#[tokio::test]
async fn too_many_pins_are_counted() {
    let tools: Vec<String> = (0..40).map(|number| format!("tool_{number:02}")).collect();
    let tools: Vec<&str> = tools.iter().map(String::as_str).collect();
    let proxied = Proxied::start(gateway(&tools), &["--pin=*"]).await;
    let found = search(&proxied.proxy, json!({"query": "tool_07", "limit": 1})).await;
    assert_eq!(names(&found["tools"]).len(), 26);
    let note = found["note"].as_str().unwrap();
    assert!(note.contains("14 more pinned tools"), "{note}");
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

fn callers() -> DemoSettings {
    let caller = |token: &str, names: &[&str]| DemoCaller {
        token: token.to_owned(),
        tools: names.iter().copied().map(tool).collect(),
    };
    DemoSettings {
        callers: vec![
            caller("clerk", &["invoices_open", "mail"]),
            caller("chief", &["invoices_open", "mail", "secret_ledger"]),
        ],
        ..DemoSettings::default()
    }
}

async fn get(proxy: &Proxy, path: &str, token: &str) -> Answer {
    let request = Request::get(path)
        .header("host", "localhost")
        .header("authorization", format!("Bearer {token}"));
    proxy.send(request.body(Body::empty()).unwrap()).await
}

#[tokio::test]
async fn a_missing_tool_is_told_without_its_name_and_whether_others_have_it() {
    let page = "/mcp/prompts/close_month";
    let hidden = File::new(CLOSING);
    let nowhere = File::new(&CLOSING.replace("secret_ledger", "no_such_tool"));
    let mut seen_by_clerk = Vec::new();
    for file in [&hidden, &nowhere] {
        let proxied = Proxied::start(callers(), &[&file.flag()]).await;
        let proxy = &proxied.proxy;
        let chief = get(proxy, page, "chief").await.json();
        let has_all = std::ptr::eq(file, &raw const hidden);
        assert_eq!(chief["missing"], i32::from(!has_all), "{chief}");
        let answer = get(proxy, page, "clerk").await;
        assert_eq!(names(&answer.json()["tools"]), ["invoices_open", "mail"]);
        assert_eq!(answer.json()["missing"], 1);
        let status = get(proxy, "/mcp/tool-search/status", "clerk").await.json();
        assert_eq!(status["caller"]["missing_from_templates"], 1);
        assert_eq!(status["named_tools"]["templates"], 1);
        let named = status["named_tools"].as_object().unwrap();
        assert!(!named.contains_key("unmatched"), "{status}");
        let prompt = message("prompts/get", json!({"name": "close_month"}));
        let headers = [("authorization", "Bearer clerk")];
        let prompt = proxy.post(&headers, prompt).await;
        let all = [&answer.body[..], &prompt.body].concat();
        seen_by_clerk.push(String::from_utf8_lossy(&all).into_owned());
    }
    assert_eq!(seen_by_clerk[0], seen_by_clerk[1]);
}

#[tokio::test]
async fn a_page_has_the_template_and_the_upstreams_prompt() {
    let file =
        File::new(&(CLOSING.to_owned() + &CLOSING.replace("close_month", "hand_over_shift")));
    let proxied = Proxied::start(gateway(&["mail"]), &[&file.flag()]).await;
    let proxy = &proxied.proxy;
    let ours = proxy.get("/mcp/prompts/close%5Fmonth").await.json();
    assert_eq!(ours["title"], "Close the month");
    assert_eq!(ours["tools"][0]["inputSchema"]["type"], "object");
    assert_eq!(ours["tools"][0]["call"], "call_read_tool");
    assert_eq!(ours.get("prompt"), None);
    let both = proxy.get("/mcp/prompts/hand_over_shift?shop=station").await;
    let both = both.json();
    assert_eq!(names(&both["tools"]), ["mail"]);
    let text = both["prompt"]["messages"][0]["content"]["text"].as_str();
    assert!(text.unwrap().contains("station shop"), "{both}");
    let unfilled = proxy.get("/mcp/prompts/hand_over_shift").await.json();
    assert_eq!(unfilled["promptError"]["code"], -32602);
    let theirs = proxy.get("/mcp/prompts/chase_late_invoices").await.json();
    assert_eq!(
        (theirs.get("tools"), theirs["prompt"].is_object()),
        (None, true)
    );
    for (path, status) in [
        ("/mcp/prompts/none", 404),
        ("/mcp/prompts/", 404),
        ("/mcp/prompts/%ff", 400),
    ] {
        let answer = proxy.get(path).await;
        assert_eq!(answer.status, status, "{path}");
        assert!(answer.json()["error"]["message"].is_string(), "{path}");
    }
}

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

#[tokio::test]
async fn a_page_has_the_status_of_what_went_wrong() {
    let file = File::new(CLOSING);
    let flag = file.flag();
    let page = "/mcp/prompts/close_month";
    let gone = Proxy::before("http://127.0.0.1:1/mcp", &[&flag]);
    assert_eq!(gone.get(page).await.status, StatusCode::BAD_GATEWAY);
    let proxied = Proxied::start(callers(), &[&flag]).await;
    let refused = get(&proxied.proxy, page, "stranger").await;
    assert_eq!(refused.status, StatusCode::UNAUTHORIZED);
    assert!(refused.header("www-authenticate").is_some());
    let proxied = Proxied::start(gateway(&["mail"]), &[&flag]).await;
    let broken = RawReply::new(StatusCode::BAD_GATEWAY, "text/html", "<p>");
    let fault = Fault::new(Target::method("prompts/list"), Effect::Reply(broken));
    proxied.gateway.set_faults(vec![fault]);
    let answer = proxied.proxy.get(page).await;
    assert_eq!(answer.status, StatusCode::BAD_GATEWAY);
    let list = proxied.proxy.legacy("prompts/list", json!({})).await;
    assert_eq!(list.error(), (200, -32603));
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
