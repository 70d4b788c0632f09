use std::time::Duration;

use demo_gateway::{Effect, Fault, RawReply, Target};
use http::StatusCode;
use serde_json::json;

use super::{ask, calls, faulty, pass, refusal};
use crate::proxied::until;

const READ: &str = "invoices__list_overdue_invoices";
const WRITE: &str = "devices__restart_device";

/// What a read and a write say when this happens to them.
async fn texts(effect: Effect, flags: &[&str]) -> String {
    let faults = [READ, WRITE].map(|name| Fault::new(Target::tool(name), effect.clone()));
    let proxied = faulty(faults.to_vec(), flags).await;
    let read = json!({"name": READ, "arguments": {}});
    let write = json!({"name": WRITE, "arguments": {"device_id": "D-12"}});
    let read = refusal(&proxied.proxy, "call_read_tool", read).await;
    let before = calls(&proxied.gateway);
    let write = refusal(&proxied.proxy, "call_write_tool", write).await;
    assert_eq!(calls(&proxied.gateway), before + 1, "a write is sent once");
    format!("{read}\n{write}")
}

#[tokio::test]
async fn a_rate_limit_says_how_long_to_wait() {
    let reply = Effect::Reply(RawReply::too_many_requests("7"));
    insta::assert_snapshot!(texts(reply, &[]).await);
}

#[tokio::test]
async fn a_server_error_is_named() {
    let reply = Effect::Reply(RawReply::html(StatusCode::BAD_GATEWAY));
    insta::assert_snapshot!(texts(reply, &[]).await);
}

#[tokio::test]
async fn an_upstream_at_another_path_is_the_operators_to_correct() {
    let mut all = Vec::new();
    for status in [
        StatusCode::NOT_FOUND,
        StatusCode::METHOD_NOT_ALLOWED,
        StatusCode::OK,
    ] {
        all.push(texts(Effect::Reply(RawReply::html(status)), &[]).await);
    }
    insta::assert_snapshot!(all.join("\n"));
}

#[tokio::test]
async fn silence_ends_with_the_limit() {
    let mut texts = Vec::new();
    for (dispatcher, call) in [
        ("call_read_tool", json!({"name": READ, "arguments": {}})),
        (
            "call_write_tool",
            json!({"name": WRITE, "arguments": {"device_id": "D-12"}}),
        ),
    ] {
        let fault = Fault::new(Target::method("tools/call"), Effect::Hang);
        let proxied = faulty(vec![fault], &[]).await;
        let limit_passes = async {
            until(async || calls(&proxied.gateway) > 0).await;
            pass(Duration::from_mins(5)).await;
        };
        let (text, ()) = tokio::join!(refusal(&proxied.proxy, dispatcher, call), limit_passes);
        texts.push(text);
    }
    insta::assert_snapshot!(texts.join("\n"));
}

#[tokio::test]
async fn a_connection_that_breaks_leaves_a_write_unknown() {
    insta::assert_snapshot!(texts(Effect::CutAfter(20), &[]).await);
}

#[tokio::test]
async fn a_result_that_is_too_large_says_so() {
    let flags = ["--max-result", "64KiB"];
    insta::assert_snapshot!(texts(Effect::HugeText(100_000), &flags).await);
}

#[tokio::test]
async fn a_result_below_the_limit_comes_whole() {
    let fault = Fault::new(Target::tool(READ), Effect::HugeText(1_000_000));
    let proxied = faulty(vec![fault], &[]).await;
    let result = ask(
        &proxied.proxy,
        "call_read_tool",
        json!({"name": READ, "arguments": {}}),
    )
    .await
    .result();
    assert_eq!(
        result["content"][0]["text"].as_str().unwrap().len(),
        1_000_000
    );
}

#[tokio::test]
async fn an_upstream_that_is_gone_is_named() {
    let proxied = super::company().await;
    ask(&proxied.proxy, "search_tools", json!({"query": "invoices"}))
        .await
        .result();
    let proxy = proxied.proxy.clone();
    drop(proxied);
    let write = json!({"name": WRITE, "arguments": {"device_id": "D-12"}});
    let text = refusal(&proxy, "call_write_tool", write).await;
    assert!(text.starts_with("`devices__restart_device`"), "{text}");
}
