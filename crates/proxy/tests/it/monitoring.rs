//! The alert rules and the dashboard speak of metrics that there are.

use std::collections::BTreeSet;
use std::path::PathBuf;

use demo_gateway::{DemoEra, DemoSettings};
use serde_json::{Value, json};

use crate::proxied::Proxied;

fn file(name: &str) -> String {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../monitoring");
    fs_err::read_to_string(folder.join(name)).unwrap()
}

/// Every metric of ours that `text` names.
fn named(text: &str) -> BTreeSet<String> {
    let is_part = |char: char| char.is_ascii_alphanumeric() || char == '_';
    let words = text.split(|char| !is_part(char));
    words
        .filter(|word| word.starts_with("toolsearch_"))
        .map(ToOwned::to_owned)
        .collect()
}

/// The samples of `/metrics` after something of everything.
async fn served() -> BTreeSet<String> {
    let settings = DemoSettings {
        tools: vec![wire::to_raw(&json!({
            "name": "look",
            "inputSchema": {"type": "object", "$ref": "https://example.com/schema"},
            "annotations": {"readOnlyHint": true},
        }))],
        era: DemoEra::Dual,
        ..DemoSettings::default()
    };
    let proxied = Proxied::start(settings, &[]).await;
    for (tool, arguments) in [
        ("search_tools", json!({"query": "look"})),
        ("call_read_tool", json!({"name": "look", "arguments": {}})),
    ] {
        let call = json!({"name": tool, "arguments": arguments});
        proxied.proxy.legacy("tools/call", call).await.result();
    }
    proxied.proxy.get("/healthz").await;
    let text = proxied.proxy.get("/metrics").await;
    let text = String::from_utf8_lossy(&text.body).into_owned();
    let samples = text.lines().filter(|line| !line.starts_with('#'));
    samples.flat_map(named).collect()
}

#[tokio::test]
async fn every_metric_in_the_rules_and_the_dashboard_is_served() {
    let served = served().await;
    for name in ["alerts.yml", "alerts.test.yml", "dashboard.json"] {
        let named = named(&file(name));
        assert!(named.len() > 5, "{name}: {named:?}");
        let unknown: Vec<_> = named.difference(&served).collect();
        assert_eq!(unknown, [""; 0], "{name}");
    }
    // And every metric has its place on the dashboard.
    let shown = named(&file("dashboard.json"));
    let base = |name: &String| {
        let suffixes = ["_bucket", "_count", "_sum"];
        let suffix = suffixes.iter().find_map(|suffix| name.strip_suffix(suffix));
        suffix.unwrap_or(name).to_owned()
    };
    let shown: BTreeSet<String> = shown.iter().map(base).collect();
    let served: BTreeSet<String> = served.iter().map(base).collect();
    assert_eq!(served.difference(&shown).collect::<Vec<_>>(), [""; 0]);
}

#[test]
fn the_panels_of_the_dashboard_lie_beside_each_other() {
    let dashboard: Value = serde_json::from_str(&file("dashboard.json")).unwrap();
    let panels = dashboard["panels"].as_array().unwrap();
    let mut taken = BTreeSet::new();
    let mut ids = BTreeSet::new();
    for panel in panels {
        assert!(ids.insert(panel["id"].as_u64().unwrap()), "{panel}");
        let place = |key: &str| panel["gridPos"][key].as_u64().unwrap();
        assert!(place("x") + place("w") <= 24, "{panel}");
        for x in place("x")..place("x") + place("w") {
            for y in place("y")..place("y") + place("h") {
                assert!(taken.insert((x, y)), "{panel}");
            }
        }
        if panel["type"] != "row" {
            assert!(!panel["targets"].as_array().unwrap().is_empty(), "{panel}");
        }
    }
}
