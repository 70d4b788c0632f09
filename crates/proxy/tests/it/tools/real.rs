//! Real tools, from folders and files that aren't part of the repository.

use std::path::PathBuf;

use catalog::read_dump;
use demo_gateway::{DemoSettings, Recording};
use serde_json::value::RawValue;
use serde_json::{Value, json};
use wire::RawObject;

use super::{ask, structured};
use crate::proxied::Proxied;

/// The path in an environment variable; says so where there is none.
fn path(variable: &str) -> Option<PathBuf> {
    let path = std::env::var_os(variable).map(PathBuf::from);
    if path.is_none() {
        println!("skipped: {variable} isn't set");
    }
    path
}

async fn before(tools: Vec<Box<RawValue>>) -> Proxied {
    let settings = DemoSettings {
        tools,
        recording: Recording::Off,
        ..DemoSettings::default()
    };
    // A debug build takes its time over thousands of tools.
    Proxied::start(settings, &["--first-listing-wait", "5m"]).await
}

/// Tokens of what a model is shown of each tool.
fn shown_tokens<'a>(tools: impl Iterator<Item = &'a Value>) -> usize {
    let shown: Vec<Value> = tools
        .map(|tool| {
            json!({
                "name": tool["name"],
                "description": tool["description"],
                "inputSchema": tool["inputSchema"],
            })
        })
        .collect();
    let text = serde_json::to_string(&shown).unwrap();
    tiktoken_rs::o200k_base()
        .unwrap()
        .encode_ordinary(&text)
        .len()
}

#[tokio::test]
async fn five_hundred_real_tools_cost_a_hundredth() {
    let Some(path) = path("TOOLSEARCH_TEST_REAL500") else {
        return;
    };
    let tools = read_dump(&path).unwrap();
    let listed: Vec<Value> = tools
        .iter()
        .map(|tool| serde_json::from_str(tool.get()).unwrap())
        .collect();
    let proxied = before(tools).await;
    let five = proxied.proxy.modern("tools/list", json!({})).await;
    let body = String::from_utf8(five.body.to_vec()).unwrap();
    let body_tokens = tiktoken_rs::o200k_base()
        .unwrap()
        .encode_ordinary(&body)
        .len();
    let five = five.result();
    let (all, shown) = (
        shown_tokens(listed.iter()),
        shown_tokens(five["tools"].as_array().unwrap().iter()),
    );
    let saved = 100.0 * (1.0 - shown as f64 / all as f64);
    println!(
        "{} tools: {all} tokens shown; five: {shown}, whole tools/list body {body_tokens}; {saved:.2} % fewer",
        listed.len()
    );
    assert!(shown <= 900 && body_tokens <= 1_400);
    assert!(saved >= 99.0, "{saved}");
}

#[tokio::test]
async fn real_tools_are_described_byte_for_byte_and_found_by_name() {
    let Some(path) = path("TOOLSEARCH_TEST_DUMPS") else {
        return;
    };
    let tools = read_dump(&path).unwrap();
    let proxied = before(tools.clone()).await;
    let mut shown = Vec::new();
    for tool in &tools {
        let listed = RawObject::read(tool).unwrap();
        let name = listed.get_str("name").unwrap();
        let described = ask(&proxied.proxy, "describe_tool", json!({"names": [name]})).await;
        let body = String::from_utf8(described.body.to_vec()).unwrap();
        let (_, structured) = body.split_once(r#""structuredContent":"#).unwrap();
        // Made for a host's user interface alone.
        if structured.contains(r#""unknown":["#) {
            continue;
        }
        let schema = listed.get("inputSchema").unwrap().get();
        assert!(
            structured.contains(&format!(r#""inputSchema":{schema}"#)),
            "{name}"
        );
        shown.push(name.into_owned());
    }
    println!(
        "{} of {} tools described with their schema byte for byte",
        shown.len(),
        tools.len()
    );
    assert!(shown.len() * 100 >= tools.len() * 99);
    for name in shown.iter().step_by(50) {
        let answer = structured(&proxied.proxy, "search_tools", json!({"query": name})).await;
        assert_eq!(answer["tools"][0]["name"], *name);
    }
}
