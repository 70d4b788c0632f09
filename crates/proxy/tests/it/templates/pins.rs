//! Tools that every search shows.

use serde_json::json;

use super::{gateway, names, search};
use crate::proxied::Proxied;

#[tokio::test]
async fn pinned_tools_follow_the_hits_of_every_search() {
    let settings = gateway(&["open_invoices", "jobs_b", "jobs_a", "credits"]);
    let proxied = Proxied::start(settings, &["--pin=credits,jobs_*,open_invoices,gone"]).await;
    let found = search(
        &proxied.proxy,
        json!({"query": "open invoices", "limit": 1}),
    )
    .await;
    assert_eq!(
        names(&found["tools"]),
        ["open_invoices", "credits", "jobs_a", "jobs_b"]
    );
    let marks: Vec<_> = found["tools"]
        .as_array()
        .unwrap()
        .iter()
        .map(|tool| tool["pinned"] == true)
        .collect();
    assert_eq!(marks, [false, true, true, true]);
    let several = json!({"queries": ["open invoices", "credits"], "limit": 1});
    let several = search(&proxied.proxy, several).await;
    assert_eq!(names(&several["results"][1]["tools"]), ["credits"]);
    assert_eq!(names(&several["tools"]), ["jobs_a", "jobs_b"]);
    let nothing = search(&proxied.proxy, json!({"query": "🫠🫠"})).await;
    assert_eq!(names(&nothing["tools"]).len(), 4);
    let note = nothing["note"].as_str().unwrap();
    assert!(note.contains("`pinned` tools are shown whatever"), "{note}");
}

#[tokio::test]
async fn too_many_pins_are_counted() {
    let tools: Vec<String> = (0..40).map(|number| format!("tool_{number:02}")).collect();
    let tools: Vec<&str> = tools.iter().map(String::as_str).collect();
    let proxied = Proxied::start(gateway(&tools), &["--pin=*"]).await;
    let found = search(&proxied.proxy, json!({"query": "tool_07", "limit": 1})).await;
    assert_eq!(names(&found["tools"]).len(), 26);
    let note = found["note"].as_str().unwrap();
    assert!(note.contains("14 more pinned tools"), "{note}");
}
