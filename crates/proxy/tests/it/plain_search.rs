//! The search of programs that speak no MCP: the same tools as `search_tools`, by the same rules.

use std::time::Duration;

use demo_gateway::{
    DemoCaller, DemoGateway, DemoSettings, Effect, Fault, RawReply, Target, company_tools,
};
use http::{Method, Request, StatusCode};
use serde_json::{Value, json};

use crate::proxied::{Answer, Proxied, Proxy};

const PATH: &str = "/mcp/tool-search";

async fn search(proxy: &Proxy, body: Value) -> Answer {
    proxy.post_to(PATH, &[], body.to_string()).await
}

async fn found(proxy: &Proxy, body: Value) -> Value {
    let answer = search(proxy, body).await;
    assert_eq!(answer.status, 200, "{:?}", answer.json());
    assert_eq!(answer.header("content-type"), Some("application/json"));
    answer.json()
}

fn message(answer: &Answer) -> String {
    answer.json()["error"]["message"]
        .as_str()
        .unwrap()
        .to_owned()
}

#[tokio::test]
async fn a_plain_search_finds_what_search_tools_finds() {
    let proxied = Proxied::start(DemoSettings::default(), &[]).await;
    let proxy = &proxied.proxy;
    for (query, limit) in [
        ("which invoices are overdue", 5),
        ("laiku neapmokėtos sąskaitos", 25),
        ("list search find get the an of", 100),
        ("🫠🫠", 3),
    ] {
        for schemas in [true, false] {
            let asked = json!({"query": query, "limit": limit, "schemas": schemas});
            let mut plain = found(proxy, asked.clone()).await;
            let call = json!({"name": "search_tools", "arguments": asked});
            let mut told = proxy.modern("tools/call", call).await.result();
            for tool in plain["tools"].as_array_mut().unwrap() {
                let tool = tool.as_object_mut().unwrap();
                assert!(tool.remove("score").unwrap().as_f64().unwrap() > 0.0);
                let similarity = tool.remove("similarity").unwrap().as_f64().unwrap();
                assert!((-1.0..=1.0).contains(&similarity), "{similarity}");
            }
            let plain = plain.as_object_mut().unwrap();
            let mode = plain.remove("mode").unwrap();
            assert_eq!(mode == "hybrid", query != "🫠🫠", "{mode}");
            assert_eq!(plain.remove("catalogFresh"), Some(json!(true)));
            assert!(plain.remove("catalogAgeSeconds").unwrap().is_u64());
            assert_eq!(
                Value::Object(plain.clone()),
                told["structuredContent"].take(),
                "{query}"
            );
        }
    }
}

#[tokio::test]
async fn scores_fall() {
    let proxied = Proxied::start(DemoSettings::default(), &[]).await;
    let answer = found(
        &proxied.proxy,
        json!({"query": "overdue invoices", "limit": 25}),
    )
    .await;
    let scores: Vec<f64> = answer["tools"]
        .as_array()
        .unwrap()
        .iter()
        .map(|tool| tool["score"].as_f64().unwrap())
        .collect();
    assert_eq!(scores.len(), 25);
    assert!(scores.is_sorted_by(|a, b| a >= b), "{scores:?}");
}

#[tokio::test]
async fn only_a_search_by_meaning_tells_similarities() {
    for (embedder, is_told) in [("builtin", true), ("none", false)] {
        let proxied = Proxied::start(DemoSettings::default(), &["--embedder", embedder]).await;
        // Also of a tool that the query names, which no similarity puts first.
        for format in [Value::Null, json!("mcp")] {
            let query = "invoices__list_overdue_invoices";
            let answer = found(&proxied.proxy, json!({"query": query, "format": format})).await;
            for tool in answer["tools"].as_array().unwrap() {
                assert_eq!(tool.get("similarity").is_some(), is_told, "{tool}");
            }
        }
    }
}

#[tokio::test]
async fn mcp_definitions_are_the_tools_as_they_were_listed() {
    let listed = company_tools();
    let proxied = Proxied::start(DemoSettings::default(), &[]).await;
    let asked = json!({"query": "overdue invoices", "format": "mcp", "limit": 4});
    let answer = found(&proxied.proxy, asked).await;
    assert_eq!(answer["format"], "mcp");
    let tools = answer["tools"].as_array().unwrap();
    let definitions = answer["definitions"].as_array().unwrap();
    assert_eq!((tools.len(), definitions.len()), (4, 4));
    for (tool, definition) in tools.iter().zip(definitions) {
        assert_eq!(tool["name"], definition["name"]);
        assert!(tool["call"].as_str().unwrap().starts_with("call_"));
        let listed = listed.iter().find_map(|listed| {
            let listed: Value = serde_json::from_str(listed.get()).unwrap();
            (listed["name"] == definition["name"]).then_some(listed)
        });
        let listed = listed.unwrap();
        for (key, value) in definition.as_object().unwrap() {
            assert_eq!(value, &listed[key], "{key}");
        }
        assert!(definition["inputSchema"].is_object());
    }
}

#[tokio::test]
async fn a_definition_leads_back_to_its_tool() {
    let tool = json!({"name": "files.read", "description": "Reads a file.", "inputSchema": {
        "type": "object", "properties": {"file[name]": {"type": "string"}, "options": {"type": "object"}}},
        "annotations": {"readOnlyHint": true}});
    let settings = DemoSettings {
        tools: vec![wire::to_raw(&tool)],
        ..DemoSettings::default()
    };
    let proxied = Proxied::start(settings, &[]).await;
    for (format, name, name_at) in [
        ("openai", "files_read", "/definitions/0/function/name"),
        ("anthropic", "files_read", "/definitions/0/name"),
        (
            "gemini",
            "files_read",
            "/definitions/0/functionDeclarations/0/name",
        ),
        ("mcp", "files.read", "/definitions/0/name"),
    ] {
        let answer = found(
            &proxied.proxy,
            json!({"query": "read a file", "format": format}),
        )
        .await;
        let tool = &answer["tools"][0];
        assert_eq!(tool["name"], "files.read");
        assert_eq!(tool["calledAs"], name);
        assert_eq!(answer.pointer(name_at), Some(&json!(name)), "{answer}");
        let renamed = tool.get("renamedArguments").cloned();
        let expected = match format {
            "anthropic" | "gemini" => Some(json!({"file_name_": "file[name]"})),
            _ => None,
        };
        assert_eq!(renamed, expected, "{format}");
        assert_eq!(tool.get("changes").is_some(), format != "mcp");
    }
    // What a definition asks for as JSON text arrives as what it says.
    let call = json!({"name": "call_read_tool", "arguments": {"name": "files.read",
        "arguments": {"options": "{\"depth\": 1}"}}});
    proxied.proxy.modern("tools/call", call).await.result();
    let requests = proxied.gateway.requests();
    let sent = requests
        .iter()
        .rfind(|request| request.method() == "tools/call")
        .unwrap();
    assert_eq!(
        sent.param("arguments").unwrap(),
        r#"{"options":{"depth": 1}}"#
    );
}

#[tokio::test]
async fn what_cannot_be_searched_is_refused_as_on_other_routes() {
    let proxied = Proxied::start(DemoSettings::default(), &["--max-body", "1KiB"]).await;
    let proxy = &proxied.proxy;
    for body in [
        "",
        "[]",
        "{}",
        r#"{"query":" "}"#,
        r#"{"query":"a","format":"x"}"#,
    ] {
        let answer = proxy.post_to(PATH, &[], body).await;
        assert_eq!(answer.error(), (400, -32602), "{body}");
        let message = message(&answer);
        assert!(message.starts_with("nothing was searched: "), "{message}");
    }
    let long = json!({"query": "a".repeat(2000)});
    assert_eq!(
        search(proxy, long).await.status,
        StatusCode::PAYLOAD_TOO_LARGE
    );
    let request = Request::post(PATH)
        .header("host", "localhost")
        .header("content-type", "text/plain");
    let body = json!({"query": "a"}).to_string();
    let answer = proxy.send(request.body(body.into()).unwrap()).await;
    assert_eq!(answer.status, StatusCode::UNSUPPORTED_MEDIA_TYPE);
    let foreign = [("origin", "https://example.com")];
    let body = json!({"query": "a"}).to_string();
    assert_eq!(proxy.post_to(PATH, &foreign, body).await.status, 403);
    assert_eq!(proxied.gateway.count("tools/list"), 0);
}

#[tokio::test]
async fn other_methods_are_not_allowed() {
    let proxied = Proxied::start(DemoSettings::default(), &[]).await;
    for (method, path, allowed) in [
        (Method::GET, PATH, "POST"),
        (Method::PUT, PATH, "POST"),
        (Method::POST, "/mcp/tool-search/status", "GET,HEAD"),
    ] {
        let request = Request::builder().method(method).uri(path);
        let request = request.header("host", "localhost");
        let answer = proxied
            .proxy
            .send(request.body(axum::body::Body::empty()).unwrap())
            .await;
        assert_eq!(answer.status, 405);
        assert_eq!(answer.header("allow"), Some(allowed));
        assert!(message(&answer).contains("method"));
    }
}

#[tokio::test]
async fn each_caller_searches_their_own_tools() {
    let caller = |token: &str, tools| DemoCaller {
        token: token.to_owned(),
        tools,
    };
    let few = company_tools().into_iter().take(3).collect();
    let settings = DemoSettings {
        callers: vec![caller("all", company_tools()), caller("few", few)],
        ..DemoSettings::default()
    };
    let proxied = Proxied::start(settings, &[]).await;
    let body = json!({"query": "tickets"}).to_string();
    for (token, total) in [("Bearer all", 500), ("Bearer few", 3)] {
        let headers = [("authorization", token)];
        let answer = proxied.proxy.post_to(PATH, &headers, body.clone()).await;
        assert_eq!(answer.json()["total"], total);
    }
    for headers in [&[][..], &[("authorization", "Bearer bad")]] {
        let answer = proxied.proxy.post_to(PATH, headers, body.clone()).await;
        assert_eq!(answer.error(), (401, 401));
        let challenge = answer.header("www-authenticate").unwrap();
        assert!(
            challenge.contains("resource_metadata=\"http://localhost:8080/"),
            "{challenge}"
        );
    }
}

#[tokio::test]
async fn an_upstream_that_gives_no_list_is_no_fault_of_the_caller() {
    let broken = RawReply::new(StatusCode::BAD_GATEWAY, "text/html", "<p>no</p>");
    let settings = |effect| DemoSettings {
        faults: vec![Fault::new(Target::method("tools/list"), effect)],
        ..DemoSettings::default()
    };
    let proxied = Proxied::start(settings(Effect::Reply(broken)), &[]).await;
    let answer = search(&proxied.proxy, json!({"query": "a"})).await;
    assert_eq!(answer.error(), (502, -32603));
    let message = message(&answer);
    assert!(
        message.starts_with("The tools can't be listed: "),
        "{message}"
    );
    assert!(message.contains(answer.header("x-request-id").unwrap()));

    let slow = Effect::Delay(Duration::from_mins(1));
    let proxied = Proxied::start(settings(slow), &["--first-listing-wait", "1ms"]).await;
    let answer = search(&proxied.proxy, json!({"query": "a"})).await;
    assert_eq!(answer.error(), (503, -32603));
    assert_eq!(answer.header("retry-after"), Some("1"));
}

#[tokio::test]
async fn a_plain_search_counts_as_a_search() {
    let gateway = DemoGateway::start(DemoSettings::default()).await.unwrap();
    let proxy = Proxy::before(&gateway.url(), &[]);
    search(&proxy, json!({"query": "overdue invoices"})).await;
    search(&proxy, json!({})).await;
    let text = proxy.get("/metrics").await;
    let text = String::from_utf8_lossy(&text.body);
    for line in [
        r#"toolsearch_requests_total{route="search",method="none",outcome="ok"} 1"#,
        r#"toolsearch_requests_total{route="search",method="none",outcome="refused"} 1"#,
        r#"toolsearch_tool_calls_total{tool="search_tools",outcome="ok"} 1"#,
        r#"toolsearch_searches_total{mode="hybrid"} 1"#,
    ] {
        assert!(text.lines().any(|found| found == line), "{line}\n{text}");
    }
}
