//! Nothing that callers and upstreams say is recorded, and nothing of one caller reaches another.
//!
//! One run of everything, at the finest log level of every library, with marked words wherever
//! somebody's content goes. None may turn up where it has no business, in whatever spelling. A
//! process of its own, since the log is the whole process's and slows everything down.
#![cfg(test)]

mod log;
#[path = "../it/proxied.rs"]
#[expect(dead_code, reason = "the other tests need more of it")]
mod proxied;
mod spellings;

use std::path::Path;

use axum::body::Body;
use demo_gateway::{DemoCaller, DemoEra, DemoSettings, Effect, Fault, RawReply, Target};
use http::{Request, StatusCode};
use proxy::{App, Listeners};
use serde_json::value::RawValue;
use serde_json::{Value, json};
use tempfile::NamedTempFile;
use tracing::level_filters::LevelFilter;
use wire::RpcError;

use self::log::Log;
use self::spellings::check_absent;
use crate::proxied::{Answer, Proxied, config, message, modern, until};

const TOKEN: &str = "tokencanary7Qx2mZ";
const QUERY: &str = "querycanary4Rk9wB";
const ARGUMENT: &str = "argumentcanary8Tn3c";
const RESULT: &str = "resultcanary5Vb6yH";
const DESCRIPTION: &str = "descriptioncanary2Lp";
const COOKIE: &str = "cookiecanary9Ds4gJ";
const ERROR: &str = "errorcanary3Fh8kN";
const TEMPLATE: &str = "closing";
const TOOL: &str = "toolcanary1Gc5vM";
const SEARCH: &str = "/mcp/tool-search";
const REBUILD: &str = "/mcp/tool-search/rebuild";
const EVERYTHING: [&str; 7] = [TOKEN, QUERY, ARGUMENT, RESULT, DESCRIPTION, COOKIE, ERROR];

fn tool(name: &str, description: &str, hints: &str) -> Box<RawValue> {
    let tool = format!(
        r#"{{"name":"{name}","description":"{description}","inputSchema":{{"type":"object",
        "properties":{{"text":{{"type":"string"}}}}}},"annotations":{hints}}}"#
    );
    RawValue::from_string(tool).unwrap()
}

fn gateway(era: DemoEra) -> DemoSettings {
    let own = vec![
        tool(TOOL, DESCRIPTION, r#"{"readOnlyHint":true}"#),
        tool("act", DESCRIPTION, "{}"),
        tool("fail", DESCRIPTION, "{}"),
        tool("break", DESCRIPTION, "{}"),
        wire::to_raw(&json!({"description": DESCRIPTION})),
    ];
    let result = format!(r#"{{"content":[{{"type":"text","text":"{RESULT}"}}]}}"#);
    let html = RawReply::new(
        StatusCode::BAD_GATEWAY,
        "text/html",
        format!("<p>{RESULT}</p>"),
    );
    DemoSettings {
        era,
        callers: vec![
            DemoCaller {
                token: TOKEN.to_owned(),
                tools: own,
            },
            DemoCaller {
                token: "other".to_owned(),
                tools: vec![tool(
                    "look",
                    "Shows the weather",
                    r#"{"readOnlyHint":true}"#,
                )],
            },
        ],
        faults: vec![
            Fault::new(
                Target::tool(TOOL),
                Effect::Result(RawValue::from_string(result).unwrap()),
            ),
            Fault::new(
                Target::tool("fail"),
                Effect::Error(RpcError::new(-32000, ERROR)),
            ),
            Fault::new(Target::tool("break"), Effect::Reply(html)),
            Fault::new(
                Target::method("prompts/get"),
                Effect::Error(RpcError::new(-32000, ERROR)),
            ),
        ],
        ..DemoSettings::default()
    }
}

/// What the caller does whose words are marked.
fn requests() -> Vec<(&'static str, Value)> {
    let call = |tool: &str, name: &str, text: Value| {
        let arguments = json!({"name": name, "arguments": {"text": text}});
        ("tools/call", json!({"name": tool, "arguments": arguments}))
    };
    let one = json!({"name": TOOL, "arguments": {"text": ARGUMENT}});
    vec![
        ("initialize", json!({"protocolVersion": "2025-11-25"})),
        ("server/discover", json!({})),
        (
            "tools/call",
            json!({"name": "search_tools", "arguments": {"query": QUERY}}),
        ),
        (
            "tools/call",
            json!({"name": "search_tools", "arguments": {"queries": [QUERY], "limit": QUERY}}),
        ),
        (
            "tools/call",
            json!({"name": "describe_tool", "arguments": {"names": [TOOL, QUERY]}}),
        ),
        (
            "tools/call",
            json!({"name": "call_read_tools", "arguments": {"calls": [one.clone(), one]}}),
        ),
        ("tools/call", json!({"name": QUERY, "arguments": {}})),
        call("call_read_tool", TOOL, json!(ARGUMENT)),
        call("call_read_tool", TOOL, json!({ARGUMENT: 1})),
        call("call_read_tool", "act", json!(ARGUMENT)),
        call("call_write_tool", "act", json!(ARGUMENT)),
        call("call_write_tool", "fail", json!(ARGUMENT)),
        call("call_write_tool", "break", json!(ARGUMENT)),
        call("call_write_tool", QUERY, json!(ARGUMENT)),
        (
            "prompts/get",
            json!({"name": QUERY, "arguments": {"x": ARGUMENT}}),
        ),
        (
            "resources/read",
            json!({"uri": format!("made-up://{QUERY}")}),
        ),
        ("completion/complete", json!({"argument": {"value": QUERY}})),
        (QUERY, json!({"x": ARGUMENT})),
    ]
}

async fn run(proxied: &Proxied, token: &str) -> Vec<Answer> {
    let authorization = format!("Bearer {token}");
    let own = [
        ("authorization", authorization.as_str()),
        ("cookie", COOKIE),
        ("x-api-key", COOKIE),
    ];
    let mut answers = Vec::new();
    for (method, params) in requests() {
        answers.push(
            proxied
                .proxy
                .post(&own, message(method, params.clone()))
                .await,
        );
        let (headers, body) = modern(method, params);
        let headers: Vec<_> = headers
            .iter()
            .map(|(name, value)| (*name, value.as_str()))
            .collect();
        answers.push(
            proxied
                .proxy
                .post(&[&own[..], &headers].concat(), body)
                .await,
        );
    }
    for odd in [
        QUERY.to_owned(),
        format!("[{QUERY}"),
        format!(r#"[{{"x":"{QUERY}"}}]"#),
    ] {
        answers.push(proxied.proxy.post(&own, odd.clone()).await);
        answers.push(proxied.proxy.post_to(SEARCH, &own, odd).await);
    }
    for format in ["openai", QUERY] {
        let body = json!({"query": QUERY, "format": format}).to_string();
        answers.push(proxied.proxy.post_to(SEARCH, &own, body).await);
    }
    let admin = [("x-admin-token", TOKEN)];
    answers.push(proxied.proxy.post_to(REBUILD, &admin, QUERY).await);
    for body in [
        json!({"query": QUERY, "prompt": QUERY, "format": QUERY}),
        json!({"query": [QUERY]}),
    ] {
        let body = body.to_string();
        answers.push(proxied.proxy.post_to(SEARCH, &own, body).await);
    }
    for name in [TEMPLATE, QUERY] {
        answers.push(prompt_page(proxied, name, token).await);
    }
    answers
}

async fn prompt_page(proxied: &Proxied, name: &str, token: &str) -> Answer {
    let request = Request::get(format!("/mcp/prompts/{name}?text={ARGUMENT}"))
        .header("host", "localhost")
        .header("authorization", format!("Bearer {token}"));
    proxied
        .proxy
        .send(request.body(Body::empty()).unwrap())
        .await
}

#[tokio::test]
async fn nothing_that_is_said_is_recorded_or_reaches_another_caller() {
    let log = Log::default();
    let subscriber = tracing_subscriber::fmt()
        .with_max_level(LevelFilter::TRACE)
        .with_ansi(false)
        .with_writer(log.clone());
    // Also takes what libraries log through the `log` crate.
    subscriber.init();
    for era in [DemoEra::Dual, DemoEra::LegacyStateful] {
        let (proxied, audit, _templates) = audited(era).await;
        let mut own = String::new();
        for answer in run(&proxied, TOKEN).await {
            own.push_str(&String::from_utf8_lossy(&answer.body));
        }
        for heard in [RESULT, DESCRIPTION, ERROR] {
            assert!(
                own.contains(heard),
                "the caller got no {heard}, so nothing is tested"
            );
        }
        check_audit_log(&proxied, audit.path()).await;
        let stranger = run(&proxied, "stranger").await;
        assert!(stranger.iter().any(|answer| answer.status == 401));
        for words in [json!("weather"), json!([TOKEN.len().to_string(), "act"])] {
            let key = if words.is_array() { "queries" } else { "query" };
            let search = json!({"name": "search_tools", "arguments": {key: words}});
            let body = message("tools/call", search);
            let answer = proxied
                .proxy
                .post(&[("authorization", "Bearer other")], body)
                .await;
            let text = String::from_utf8_lossy(&answer.body).into_owned();
            for word in EVERYTHING.into_iter().chain([TOOL]) {
                check_absent("another caller's answer", &text, word);
            }
        }
        check_template(&proxied).await;
        for page in ["/metrics", "/mcp/tool-search/status"] {
            let text = String::from_utf8_lossy(&proxied.proxy.get(page).await.body).into_owned();
            for word in EVERYTHING.into_iter().chain([TOOL]) {
                check_absent(page, &text, word);
            }
        }
    }
    over_a_socket().await;
    let text = log.text();
    assert!(
        text.contains("tool=\"call_read_tool\""),
        "no request was logged"
    );
    for listing in [
        "the tools are listed tools=4 pages=1",
        "the tools are listed tools=1 pages=1",
        "a listing can't be used whole no_tools={NoName: 1}",
        "a setting names a tool that no list of tools has so far place=write tools pattern=gone_*",
    ] {
        assert!(text.contains(listing), "not logged: {listing}");
    }
    assert!(text.contains("TRACE"), "the finest level is missing");
    for word in EVERYTHING {
        check_absent("the log", &text, word);
    }
}

/// A proxy that writes an audit log, its file, and that of a template that names a hidden tool.
async fn audited(era: DemoEra) -> (Proxied, NamedTempFile, NamedTempFile) {
    let [audit, templates] = [(); 2].map(|()| NamedTempFile::new().unwrap());
    let text = format!("[templates.{TEMPLATE}]\ntools = ['{TOOL}']");
    fs_err::write(templates.path(), text).unwrap();
    let audit_flag = format!("--audit-log={}", audit.path().display());
    let templates_flag = format!("--templates={}", templates.path().display());
    let flags = ["--write-tools=gone_*", &audit_flag, &templates_flag];
    let proxied = Proxied::start(gateway(era), &flags).await;
    (proxied, audit, templates)
}

/// Another caller learns of a template, and not of the tool in it that is hidden from them.
async fn check_template(proxied: &Proxied) {
    let page = prompt_page(proxied, TEMPLATE, "other").await;
    let text = String::from_utf8_lossy(&page.body).into_owned();
    assert!(text.contains(TEMPLATE), "{text}");
    check_absent("another caller's template", &text, TOOL);
}

/// The one file that holds queries holds nothing else that was said.
async fn check_audit_log(proxied: &Proxied, path: &Path) {
    let written = async || {
        let status = proxied.proxy.get("/mcp/tool-search/status").await.json();
        status["audit_log"]["lines_written"].as_u64().unwrap()
    };
    // One search in each era, and one by plain HTTP.
    until(async || written().await >= 3).await;
    let text = fs_err::read_to_string(path).unwrap();
    assert!(text.contains(QUERY), "{text}");
    for word in EVERYTHING.into_iter().filter(|word| *word != QUERY) {
        check_absent("the audit log", &text, word);
    }
}

/// The server's own libraries log as well.
async fn over_a_socket() {
    let config = config("http://127.0.0.1:1/mcp", &["--listen", "127.0.0.1:0"]);
    let listeners = Listeners::bind(&config).await.unwrap();
    let url = format!(
        "http://{}/mcp?q={QUERY}",
        listeners.main.local_addr().unwrap()
    );
    let serving = tokio::spawn(
        App::build(config)
            .unwrap()
            .serve(listeners, std::future::pending()),
    );
    let search = json!({"name": "search_tools", "arguments": {"query": QUERY}});
    let body = message("tools/call", search);
    let client = reqwest::Client::builder().build().unwrap();
    let response = client
        .post(url)
        .bearer_auth(TOKEN)
        .header("cookie", COOKIE)
        .body(body);
    assert_eq!(response.send().await.unwrap().status(), 200);
    serving.abort();
}
