//! A template and the upstream's prompt of its name, where the upstream's list of prompts can't be
//! had or is long.

use demo_gateway::{DemoSettings, Effect, Fault, Target};
use serde_json::value::RawValue;
use serde_json::{Value, json};
use wire::RpcError;

use crate::proxied::{Answer, Proxied, Proxy};
use crate::templates::{CLOSING, File, check_prompts, gateway};

const PAGE: &str = "/mcp/prompts/close_month";

fn on(method: &str, effect: Effect) -> Fault {
    Fault::new(Target::method(method), effect)
}

fn result(text: &str) -> Effect {
    Effect::Result(RawValue::from_string(text.to_owned()).unwrap())
}

fn refusal() -> Effect {
    Effect::Error(RpcError::new(-32603, "out of order"))
}

async fn get(proxy: &Proxy, name: &str) -> Answer {
    proxy.legacy("prompts/get", json!({"name": name})).await
}

/// What an error says, without the request that it names.
fn said(answer: &Answer) -> String {
    let json = answer.json();
    let text = json["error"]["message"].as_str().unwrap();
    let end = text.find(" (request ").unwrap_or(text.len());
    text.get(..end).unwrap().to_owned()
}

/// The upstream's list as it came, where not all of it can be read.
async fn check_left_out(effect: Effect, listed: &str, reason: &str) {
    let file = File::new(CLOSING);
    let proxied = Proxied::start(gateway(&["mail"]), &[&file.flag()]).await;
    let proxy = &proxied.proxy;
    proxied.gateway.set_faults(vec![on("prompts/list", effect)]);
    let answer = get(proxy, "close_month").await;
    assert_eq!(answer.error(), (200, -32603));
    assert!(said(&answer).contains(reason), "{}", said(&answer));
    let page = proxy.get(PAGE).await;
    assert_eq!(page.error(), (502, -32603));
    assert_eq!(said(&page), said(&answer));
    let answer = proxy.legacy("prompts/list", Value::Null).await;
    let body = String::from_utf8_lossy(&answer.body).into_owned();
    assert!(body.contains(listed), "{body}");
    assert!(!body.contains("close_month"), "{body}");
}

#[tokio::test]
async fn a_template_never_stands_for_a_prompt_that_there_may_be() {
    check_left_out(refusal(), "out of order", "out of order").await;
    for list in ["{}", r#"{"prompts":7}"#, r#"{"prompts":null, "x":1.0}"#] {
        check_left_out(result(list), list, "is no array").await;
    }
    let endless = r#"{"prompts":[{"name":"a"}],"nextCursor":"more"}"#;
    check_left_out(result(endless), endless, "more than 20 pages").await;
}

#[tokio::test]
async fn twenty_pages_are_read_for_a_prompt() {
    let file = File::new(&CLOSING.replace("close_month", "hand_over_shift"));
    let proxied = Proxied::start(gateway(&["mail"]), &[&file.flag()]).await;
    let more = r#"{"prompts":[],"nextCursor":"more"}"#;
    for (more_pages, status) in [(19, 200), (20, 502)] {
        let more = on("prompts/list", result(more)).times(more_pages);
        proxied.gateway.set_faults(vec![more]);
        let page = "/mcp/prompts/hand_over_shift?shop=station";
        let answer = proxied.proxy.get(page).await;
        assert_eq!(answer.status, status, "{:?}", answer.json());
        assert!(status != 200 || answer.json()["prompt"].is_object());
    }
}

#[tokio::test]
async fn names_of_prompts_are_kept_beside_the_list_of_tools() {
    let file = File::new(CLOSING);
    let flags = [&*file.flag(), "--admin-token=sixteen-or-more!"];
    let proxied = Proxied::start(gateway(&["mail"]), &flags).await;
    let (proxy, listed) = (&proxied.proxy, || proxied.gateway.count("prompts/list"));
    let search = json!({"name": "search_tools", "arguments": {"query": "mail"}});
    proxy.legacy("tools/call", search).await.result();
    for _ in 0..3 {
        get(proxy, "close_month").await.result();
        proxy.get(PAGE).await.json();
    }
    assert_eq!(listed(), 1);
    // The first page is the client's own, and tells of a new prompt.
    let taken = r#"{"prompts":[{"name":"close_month"}]}"#;
    proxied
        .gateway
        .set_faults(vec![on("prompts/list", result(taken))]);
    let answer = proxy.legacy("prompts/list", json!({})).await;
    check_prompts(&answer, &["close_month"], &[]);
    assert_eq!(listed(), 2);
    assert_eq!(get(proxy, "close_month").await.error(), (200, -32602));
    assert_eq!(listed(), 2);
}

#[tokio::test]
async fn a_list_that_goes_on_is_read_once_for_each_list_of_tools() {
    let file = File::new(CLOSING);
    let proxied = Proxied::start(gateway(&["mail"]), &[&file.flag()]).await;
    let (proxy, listed) = (&proxied.proxy, || proxied.gateway.count("prompts/list"));
    let search = json!({"name": "search_tools", "arguments": {"query": "mail"}});
    proxy.legacy("tools/call", search).await.result();
    let endless = r#"{"prompts":[{"name":"a"}],"nextCursor":"more"}"#;
    proxied
        .gateway
        .set_faults(vec![on("prompts/list", result(endless))]);
    for _ in 0..3 {
        assert_eq!(get(proxy, "close_month").await.error(), (200, -32603));
    }
    assert_eq!(listed(), 20);
    for pages in 1..=3 {
        let answer = proxy.legacy("prompts/list", json!({})).await;
        check_prompts(&answer, &["a"], &[]);
        assert_eq!(listed(), 20 + pages, "the client's own");
    }
    // One page alone tells all of its names.
    proxied
        .gateway
        .set_faults(vec![on("prompts/list", result(r#"{"prompts":[]}"#))]);
    let answer = proxy.legacy("prompts/list", json!({})).await;
    check_prompts(&answer, &[], &["close_month"]);
    get(proxy, "close_month").await.result();
}

#[tokio::test]
async fn a_prompt_of_the_upstreams_needs_no_list_of_tools() {
    let file = File::new(&CLOSING.replace("close_month", "hand_over_shift"));
    let settings = DemoSettings {
        faults: vec![on("tools/list", refusal())],
        ..gateway(&["mail"])
    };
    let proxied = Proxied::start(settings, &[&file.flag()]).await;
    let proxy = &proxied.proxy;
    let shift = json!({"name": "hand_over_shift", "arguments": {"shop": "station"}});
    proxy.legacy("prompts/get", shift).await.result();
    let theirs = proxy.get("/mcp/prompts/chase_late_invoices").await.json();
    assert!(theirs["prompt"].is_object(), "{theirs}");
    // The template's tools are half of this page.
    assert_eq!(proxy.get("/mcp/prompts/hand_over_shift").await.status, 502);
}

#[tokio::test]
async fn a_list_of_tools_that_fails_is_told_in_the_same_words_everywhere() {
    let file = File::new(CLOSING);
    let settings = DemoSettings {
        faults: vec![on("tools/list", refusal())],
        ..gateway(&["mail"])
    };
    let proxied = Proxied::start(settings, &[&file.flag()]).await;
    let proxy = &proxied.proxy;
    let search = proxy
        .post_to("/mcp/tool-search", &[], r#"{"query":"a"}"#)
        .await;
    assert_eq!(search.status, 502);
    let page = proxy.get(PAGE).await;
    assert_eq!((page.status.as_u16(), said(&page)), (502, said(&search)));
    let prompt = get(proxy, "close_month").await;
    assert_eq!(
        (prompt.status.as_u16(), said(&prompt)),
        (200, said(&search))
    );
}

#[tokio::test]
async fn pages_are_counted_as_searches_are() {
    let file = File::new(CLOSING);
    let proxied = Proxied::start(gateway(&["mail"]), &[&file.flag()]).await;
    let proxy = &proxied.proxy;
    proxy.get(PAGE).await.json();
    assert_eq!(proxy.get("/mcp/prompts/none").await.status, 404);
    let unknown = r#"{"prompt":"none"}"#;
    let unknown = proxy.post_to("/mcp/tool-search", &[], unknown).await;
    assert_eq!(unknown.status, 404);
    let metrics = proxy.get("/metrics").await;
    let metrics = String::from_utf8_lossy(&metrics.body).into_owned();
    for line in [
        r#"toolsearch_requests_total{route="prompts",method="none",outcome="ok"} 1"#,
        r#"toolsearch_requests_total{route="prompts",method="none",outcome="refused"} 1"#,
        r#"toolsearch_requests_total{route="search",method="none",outcome="refused"} 1"#,
        // Each page asked for the names, and the first kept none: its tools weren't listed yet.
        "toolsearch_upstream_duration_seconds_count 2",
    ] {
        assert!(
            metrics.lines().any(|have| have == line),
            "{line}\n{metrics}"
        );
    }
}
