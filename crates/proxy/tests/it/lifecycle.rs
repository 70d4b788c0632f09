//! What a client learns first: capabilities and instructions.

use std::time::Duration;

use demo_gateway::{DemoEra, DemoSettings, Effect, Fault, RawReply, Target};
use http::StatusCode;
use serde_json::{Value, json};

use crate::proxied::{Proxied, Proxy};

fn initialize() -> Value {
    json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}})
}

fn eras() -> [DemoSettings; 3] {
    [DemoEra::Dual, DemoEra::LegacyStateful, DemoEra::ModernOnly].map(|era| DemoSettings {
        era,
        ..DemoSettings::default()
    })
}

#[tokio::test]
async fn the_upstreams_prompts_and_resources_are_declared_beside_our_tools() {
    for settings in eras() {
        let proxied = Proxied::start(settings, &[]).await;
        let legacy = proxied
            .proxy
            .legacy("initialize", initialize())
            .await
            .result();
        let modern = proxied
            .proxy
            .modern("server/discover", Value::Null)
            .await
            .result();
        for result in [&legacy, &modern] {
            assert_eq!(
                result["capabilities"],
                json!({"tools": {}, "prompts": {}, "resources": {}})
            );
            let instructions = result["instructions"].as_str().unwrap();
            assert!(instructions.contains("search_tools"), "{instructions}");
            assert!(
                instructions.contains("Brightwater Bicycles"),
                "{instructions}"
            );
        }
        assert_eq!(legacy["serverInfo"]["name"], "mcp-toolsearch-proxy");
        assert_eq!(modern["supportedVersions"], json!(["2026-07-28"]));
        assert_eq!(
            (&modern["ttlMs"], &modern["cacheScope"]),
            (&json!(60_000), &json!("private"))
        );
        assert_eq!(modern["resultType"], "complete");
    }
}

#[tokio::test]
async fn an_upstream_that_is_down_doesnt_keep_a_client_from_connecting() {
    let nobody = Proxy::before("http://127.0.0.1:1/mcp", &[]);
    for result in [
        nobody.legacy("initialize", initialize()).await.result(),
        nobody.modern("server/discover", Value::Null).await.result(),
    ] {
        assert_eq!(result["capabilities"], json!({"tools": {}}));
        assert!(
            result["instructions"]
                .as_str()
                .unwrap()
                .contains("search_tools")
        );
    }
    assert_eq!(nobody.legacy("tools/list", Value::Null).await.status, 200);
}

#[tokio::test(start_paused = true)]
async fn a_slow_listing_isnt_waited_for() {
    let settings = DemoSettings {
        faults: vec![Fault::new(Target::method("tools/list"), Effect::Hang)],
        ..DemoSettings::default()
    };
    let proxied = Proxied::start(settings, &[]).await;
    let started = tokio::time::Instant::now();
    let result = proxied
        .proxy
        .legacy("initialize", initialize())
        .await
        .result();
    assert_eq!(result["capabilities"], json!({"tools": {}}));
    assert_eq!(started.elapsed().as_secs(), 2);
    let list = tokio::time::timeout(
        Duration::from_millis(1),
        proxied.proxy.legacy("tools/list", Value::Null),
    );
    assert_eq!(list.await.unwrap().status, 200);
}

#[tokio::test]
async fn a_fault_of_the_upstream_is_never_a_challenge() {
    for reply in [
        StatusCode::INTERNAL_SERVER_ERROR,
        StatusCode::NOT_FOUND,
        StatusCode::BAD_GATEWAY,
    ] {
        let settings = DemoSettings {
            faults: vec![Fault::new(
                Target::Every,
                Effect::Reply(RawReply::html(reply)),
            )],
            ..DemoSettings::default()
        };
        let proxied = Proxied::start(settings, &[]).await;
        let call = json!({"name": "search_tools", "arguments": {"query": "x"}});
        for answer in [
            proxied.proxy.legacy("initialize", initialize()).await,
            proxied.proxy.legacy("tools/call", call.clone()).await,
            proxied.proxy.modern("tools/call", call).await,
            proxied.proxy.legacy("prompts/list", Value::Null).await,
        ] {
            assert_eq!(answer.status, 200, "{reply}");
            assert!(!answer.headers.contains_key("www-authenticate"), "{reply}");
        }
    }
}
