//! New lists of tools at the operator's word.

use demo_gateway::DemoSettings;
use serde_json::{Value, json};

use super::search;
use crate::proxied::{Proxied, until};

const REBUILD: &str = "/mcp/tool-search/rebuild";

#[tokio::test]
async fn with_the_admin_token_every_list_is_renewed_with_its_next_request() {
    let flags = ["--admin-token", "sixteen-or-more!"];
    let proxied = Proxied::start(DemoSettings::default(), &flags).await;
    let proxy = &proxied.proxy;
    proxy.legacy("tools/call", search("x")).await.result();
    let status = async || proxy.get("/mcp/tool-search/status").await.json();
    assert_eq!(status().await["rebuild_asked_at"], Value::Null);
    for headers in [
        &[][..],
        &[("x-admin-token", "sixteen-or-more?")],
        &[("authorization", "Bearer sixteen-or-more!")],
    ] {
        let answer = proxy.post_to(REBUILD, headers, "").await;
        assert_eq!(answer.error(), (403, -32600));
        assert_eq!(answer.header("www-authenticate"), None);
    }
    assert_eq!(status().await["caller"]["fresh"], true);
    let token = [("x-admin-token", "sixteen-or-more!")];
    let answer = proxy.post_to(REBUILD, &token, "").await;
    assert_eq!(
        (answer.status, answer.json()),
        (http::StatusCode::OK, json!({"callers": 1}))
    );
    let due = status().await;
    assert_eq!(due["caller"]["fresh"], false);
    assert!(due["rebuild_asked_at"].is_string());
    assert_eq!(proxied.gateway.count("tools/list"), 1);
    proxy.legacy("tools/call", search("x")).await.result();
    until(async || {
        let status = status().await;
        status["build_attempts"] == 2 && status["builds_running"] == 0
    })
    .await;
    assert_eq!(status().await["caller"]["fresh"], true);
    assert_eq!(proxied.gateway.count("tools/list"), 2);
}

#[tokio::test]
async fn without_an_admin_token_nobody_renews() {
    let proxied = Proxied::start(DemoSettings::default(), &[]).await;
    for headers in [&[][..], &[("x-admin-token", "")]] {
        let answer = proxied.proxy.post_to(REBUILD, headers, "").await;
        assert_eq!(answer.error(), (403, -32600));
    }
}
