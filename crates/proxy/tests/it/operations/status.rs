//! What the status tells, and whom.

use std::future::IntoFuture;

use axum::response::Redirect;
use demo_gateway::{DemoCaller, DemoEra, DemoGateway, DemoSettings, company_tools};
use proxy::{App, Listeners};
use serde_json::{Value, json};
use tokio::net::TcpListener;

use super::search;
use crate::proxied::{Proxied, Proxy, config};

#[tokio::test]
async fn the_status_has_every_field_before_the_first_success() {
    let proxy = Proxy::before("http://127.0.0.1:1/mcp", &[]);
    let before = proxy.get("/mcp/tool-search/status").await.json();
    assert_eq!(
        (&before["build_attempts"], &before["last_error"]),
        (&json!(0), &Value::Null)
    );
    let failed = proxy.legacy("tools/call", search("x")).await.result();
    assert_eq!(failed["isError"], true);
    let after = proxy.get("/mcp/tool-search/status").await.json();
    assert_eq!(
        (&after["ready"], &after["mode"]),
        (&json!(true), &json!("hybrid"))
    );
    assert_eq!(after["build_failures"], 1);
    let message = after["last_error"]["message"].as_str().unwrap();
    assert!(message.contains("can't be reached"), "{message}");
    let at = after["last_error"]["at"].as_str().unwrap();
    assert!(at.ends_with('Z') && at.contains('T'), "{at}");
    let names = |status: &Value| {
        status
            .as_object()
            .unwrap()
            .keys()
            .cloned()
            .collect::<Vec<_>>()
    };
    assert_eq!(names(&before), names(&after));
}

/// Where a gateway leads that nobody but its operator should know of.
#[tokio::test]
async fn where_the_upstream_redirects_to_only_the_operator_reads() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/mcp", listener.local_addr().unwrap());
    let moved = || async { Redirect::temporary("https://hidden.example/tenant-9/mcp") };
    let gateway = axum::Router::new().fallback(moved);
    tokio::spawn(axum::serve(listener, gateway).into_future());
    let proxy = Proxy::before(&url, &[]);
    let failed = proxy.legacy("tools/call", search("x")).await.result();
    assert_eq!(failed["isError"], true);
    let found = proxy.get("/mcp/tool-search/status").await.json();
    let message = found["last_error"]["message"].as_str().unwrap();
    assert!(message.starts_with("the upstream redirects"), "{message}");
    for text in [failed.to_string(), message.to_owned()] {
        assert!(!text.contains("hidden"), "{text}");
    }
}

#[tokio::test]
async fn the_status_says_what_it_is_configured_with_and_nothing_secret() {
    let flags = [
        "--admin-token",
        "secret-admin-token",
        "--catalog-ttl",
        "90s",
        "--max-body",
        "1536",
        "--public-url",
        "https://me:secret@tools.example.com/mcp",
        "--embedder",
        "none",
    ];
    let proxy = Proxy::before("http://127.0.0.1:1/mcp/secret-path", &flags);
    let answer = proxy.get("/mcp/tool-search/status").await;
    assert!(!String::from_utf8_lossy(&answer.body).contains("secret"));
    let configured = &answer.json()["configured"];
    let expected = json!({
        "upstream_era": "auto",
        "upstream_ca": false,
        "public_url": "https://tools.example.com/mcp",
        "oauth_metadata": "rewrite",
        "allowed_hosts": 1,
        "allowed_origins": 0,
        "admin_listen": false,
        "admin_token": true,
        "templates": false,
        "audit_log": false,
        "embedder": "none",
        "embeddings_key": false,
        "embeddings_ca": false,
        "search_schemas": 3,
        "max_instructions": 10000,
        "catalog_ttl": "1m 30s",
        "catalog_memory": "256MiB",
        "first_listing_wait": "1m",
        "connect_timeout": "5s",
        "call_timeout": "5m",
        "list_timeout": "1m",
        "max_body": "1536B",
        "max_result": "64MiB",
        "max_in_flight": 1024,
        "max_in_flight_per_caller": 64,
    });
    assert_eq!(configured, &expected);
}

#[tokio::test]
async fn the_status_counts_queries_by_how_they_were_searched() {
    let proxied = Proxied::start(DemoSettings::default(), &[]).await;
    let body = json!({"query": "overdue invoices"}).to_string();
    proxied.proxy.post_to("/mcp/tool-search", &[], body).await;
    proxied
        .proxy
        .legacy("tools/call", search("🫠🫠"))
        .await
        .result();
    let status = proxied.proxy.get("/mcp/tool-search/status").await.json();
    assert_eq!(status["searches"], json!({"hybrid": 1, "words": 1}));
    assert_eq!(
        (&status["build_attempts"], &status["builds_running"]),
        (&json!(1), &json!(0))
    );
}

#[tokio::test]
async fn the_admin_address_names_the_upstream_and_the_tools_that_something_is_wrong_with() {
    let settings = DemoSettings {
        tools: doubtful_tools(),
        ..DemoSettings::default()
    };
    let gateway = DemoGateway::start(settings).await.unwrap();
    let flags = ["--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0"];
    let config = config(&gateway.url(), &flags);
    let listeners = Listeners::bind(&config).await.unwrap();
    let main = format!("http://{}/mcp", listeners.main.local_addr().unwrap());
    let admin = listeners.admin.as_ref().unwrap().local_addr().unwrap();
    let admin = format!("http://{admin}/mcp");
    let serving = tokio::spawn(
        App::build(config)
            .unwrap()
            .serve(listeners, std::future::pending()),
    );
    let client = reqwest::Client::builder().build().unwrap();
    let search = json!({"query": "voice"}).to_string();
    let searched = client.post(format!("{main}/tool-search")).body(search);
    assert_eq!(searched.send().await.unwrap().status(), 200);
    let status = async |base: &str| -> Value {
        let answer = client
            .get(format!("{base}/tool-search/status"))
            .send()
            .await;
        serde_json::from_str(&answer.unwrap().text().await.unwrap()).unwrap()
    };
    let told = status(&admin).await;
    let expected = json!({
        "repaired": {"input_schema_missing": ["bare"]},
        "unchecked": {},
        "hidden_characters": ["hidden"],
    });
    assert_eq!(told["doubtful_tools"], expected);
    assert_eq!(told["configured"]["upstream"], gateway.url());
    let public = status(&main).await;
    assert_eq!(public.get("doubtful_tools"), None);
    assert_eq!(public["configured"].get("upstream"), None);
    serving.abort();
}

#[tokio::test]
async fn the_status_tells_a_caller_about_their_own_catalog() {
    let one = |token: &str, tools| DemoCaller {
        token: token.to_owned(),
        tools,
    };
    let few = company_tools().into_iter().take(3).collect();
    let settings = DemoSettings {
        callers: vec![
            one("all", company_tools()),
            one("few", few),
            one("new", Vec::new()),
        ],
        ..DemoSettings::default()
    };
    let proxied = Proxied::start(settings, &[]).await;
    for token in ["Bearer all", "Bearer few"] {
        let body = crate::proxied::message("tools/call", search("tickets"));
        proxied
            .proxy
            .post(&[("authorization", token)], body)
            .await
            .result();
    }
    for (token, tools) in [
        ("Bearer all", json!(company_tools().len())),
        ("Bearer few", json!(3)),
        ("Bearer new", Value::Null),
    ] {
        let request = http::Request::get("/mcp/tool-search/status")
            .header("host", "localhost")
            .header("authorization", token);
        let answer = proxied
            .proxy
            .send(request.body(axum::body::Body::empty()).unwrap())
            .await;
        let status = answer.json();
        assert_eq!(status["caller"]["tools"], tools, "{token}");
        assert_eq!(status["callers"], 2);
        if let Some(count) = tools.as_u64() {
            let caller = &status["caller"];
            let (reads, writes) = (
                caller["reads"].as_u64().unwrap(),
                caller["writes"].as_u64().unwrap(),
            );
            assert_eq!(reads + writes, count);
            assert_eq!(caller["fresh"], true);
        }
        assert!(
            !String::from_utf8_lossy(&answer.body).contains("__"),
            "{status}"
        );
    }
    assert_eq!(proxied.gateway.count("tools/list"), 2);
    let public = proxied.proxy.get("/mcp/tool-search/status").await.json();
    assert_eq!(public.get("caller"), None);
    assert_eq!(public["upstream_era"], "modern");
}

#[tokio::test]
async fn the_status_tells_whoever_comes_without_a_token_about_the_public_catalog() {
    let proxied = Proxied::start(DemoSettings::default(), &[]).await;
    let status = async || proxied.proxy.get("/mcp/tool-search/status").await.json();
    assert_eq!(status().await.get("caller"), None);
    proxied
        .proxy
        .legacy("tools/call", search("x"))
        .await
        .result();
    assert_eq!(status().await["caller"]["tools"], company_tools().len());
}

/// One tool for each note, but those that only the operator's list and a broken listing make.
fn doubtful_tools() -> Vec<Box<serde_json::value::RawValue>> {
    [
        json!(7),
        json!({"inputSchema": {}}),
        json!({"name": "bare"}),
        json!({"name": "app", "inputSchema": {}, "_meta": {"ui": {"visibility": ["app"]}}}),
        json!({"name": "twin", "inputSchema": {}}),
        json!({"name": "twin", "inputSchema": {}, "title": "Other"}),
        json!({"name": "both", "inputSchema": {},
            "annotations": {"readOnlyHint": true, "destructiveHint": true}}),
        json!({"name": "headers", "inputSchema": {"properties": {
            "region": {"type": "array", "x-mcp-header": "Region"}}}}),
        json!({"name": "hidden", "inputSchema": {}, "description": "in\u{200B}voice"}),
    ]
    .map(|tool| wire::to_raw(&tool))
    .to_vec()
}

#[tokio::test]
async fn the_status_counts_what_was_skipped_repaired_or_doubtful() {
    for (era, invalid_param_headers) in [(DemoEra::ModernOnly, 1), (DemoEra::LegacyStateless, 0)] {
        let settings = DemoSettings {
            tools: doubtful_tools(),
            era,
            ..DemoSettings::default()
        };
        let proxied = Proxied::start(settings, &["--write-tools=gone_*"]).await;
        proxied
            .proxy
            .legacy("tools/call", search("x"))
            .await
            .result();
        let status = proxied.proxy.get("/mcp/tool-search/status").await.json();
        let expected = json!({
            "skipped": {"not_an_object": 1, "no_name": 1},
            "repaired": {"input_schema_missing": 1},
            "app_only": 1,
            "conflicting_names": 1,
            "contradictory_hints": 1,
            "invalid_param_headers": invalid_param_headers,
            "hidden_characters": 1,
            "unmatched_write_patterns": 1,
            "cut_short": null,
        });
        assert_eq!(status["notes"], expected, "{era:?}");
    }
}
