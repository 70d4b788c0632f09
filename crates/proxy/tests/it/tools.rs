//! The five tools, each asked through the router as a client would.

mod batch;
mod call;
mod callers;
mod describe;
mod failure;
mod real;
mod search;
mod shape;

use std::time::Duration;

use demo_gateway::{DemoGateway, DemoSettings, Fault};
use serde_json::value::RawValue;
use serde_json::{Value, json};

use crate::proxied::{Answer, Proxied, Proxy};

/// A proxy before the company.
async fn company() -> Proxied {
    Proxied::start(DemoSettings::default(), &[]).await
}

/// A proxy before the company, which misbehaves as scripted.
async fn faulty(faults: Vec<Fault>, flags: &[&str]) -> Proxied {
    Proxied::start(
        DemoSettings {
            faults,
            ..DemoSettings::default()
        },
        flags,
    )
    .await
}

/// A proxy before a gateway with exactly these tools, which echoes what it is called with.
async fn with_tools(tools: Vec<Box<RawValue>>) -> Proxied {
    Proxied::start(
        DemoSettings {
            tools,
            ..DemoSettings::default()
        },
        &[],
    )
    .await
}

/// A tool as listed, byte for byte.
fn tool(text: impl Into<String>) -> Box<RawValue> {
    RawValue::from_string(text.into()).unwrap()
}

/// A reading tool of this name and schema.
fn reading(name: &str, schema: &str) -> Box<RawValue> {
    tool(format!(
        r#"{{"name":"{name}","description":"Reads {name}.","inputSchema":{schema},"annotations":{{"readOnlyHint":true}}}}"#
    ))
}

async fn ask(proxy: &Proxy, tool: &str, arguments: Value) -> Answer {
    proxy
        .modern("tools/call", json!({"name": tool, "arguments": arguments}))
        .await
}

/// The structured half of a successful answer of our own, after a look at the other half.
async fn structured(proxy: &Proxy, tool: &str, arguments: Value) -> Value {
    let result = ask(proxy, tool, arguments).await.result();
    assert_ne!(result["isError"], true, "{result}");
    let text = result["content"][0]["text"].as_str().unwrap();
    assert_eq!(
        serde_json::from_str::<Value>(text).unwrap(),
        result["structuredContent"]
    );
    result["structuredContent"].clone()
}

/// The text of an `isError` answer, with `ID` where it names its request.
async fn refusal(proxy: &Proxy, tool: &str, arguments: Value) -> String {
    let answer = ask(proxy, tool, arguments).await;
    let result = answer.result();
    assert_eq!(result["isError"], true, "{result}");
    assert!(result.get("structuredContent").is_none(), "{result}");
    let text = result["content"][0]["text"].as_str().unwrap();
    text.replace(answer.header("x-request-id").unwrap(), "ID")
}

/// Lets so much time pass that an unknown name is worth another listing.
async fn pass_some_time() {
    pass(Duration::from_secs(10)).await;
}

/// Lets `time` pass at once.
async fn pass(time: Duration) {
    tokio::time::pause();
    tokio::time::advance(time).await;
    tokio::time::resume();
}

/// How often the gateway was asked to run anything.
fn calls(gateway: &DemoGateway) -> usize {
    gateway.count("tools/call")
}

/// What the last call that arrived was given.
fn last_arguments(gateway: &DemoGateway) -> String {
    let requests = gateway.requests();
    let call = requests
        .iter()
        .rfind(|request| request.method() == "tools/call")
        .unwrap();
    call.param("arguments").unwrap()
}

fn names(tools: &Value) -> Vec<&str> {
    tools
        .as_array()
        .unwrap()
        .iter()
        .map(|tool| tool["name"].as_str().unwrap())
        .collect()
}
