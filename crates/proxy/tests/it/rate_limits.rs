//! What becomes of an upstream's 429: whoever asked is told, and when to ask again.

use demo_gateway::{DemoSettings, Effect, Fault, RawReply, Target};
use serde_json::{Value, json};

use crate::proxied::{Answer, Proxied};

async fn limited(target: Target, retry_after: Option<&str>) -> Proxied {
    let reply = RawReply::too_many_requests(retry_after.unwrap_or("soon"));
    Proxied::start(
        DemoSettings {
            faults: vec![Fault::new(target, Effect::Reply(reply))],
            ..DemoSettings::default()
        },
        &[],
    )
    .await
}

/// Status, header, and whether the text names the time.
fn told(answer: &Answer) -> (u16, Option<&str>, bool) {
    let text = String::from_utf8_lossy(&answer.body).to_lowercase();
    assert!(text.contains("limits the rate of requests"), "{text}");
    let names_time = text.contains("retry after 7 s");
    let names_none = text.contains("try again later");
    assert!(names_time != names_none, "{text}");
    let status = answer.status.as_u16();
    (status, answer.header("retry-after"), names_time)
}

#[tokio::test]
async fn programs_are_told_by_status_header_and_text() {
    for (retry_after, expected) in [
        (Some("7"), (429, Some("7"), true)),
        (None, (429, None, false)),
    ] {
        let proxied = limited(Target::method("tools/list"), retry_after).await;
        let body = json!({"query": "invoices"}).to_string();
        let answer = proxied.proxy.post_to("/mcp/tool-search", &[], body).await;
        assert_eq!(told(&answer), expected);
        assert_eq!(answer.error().1, -32603);
        let proxied = limited(Target::method("prompts/list"), retry_after).await;
        let answer = proxied.proxy.get("/mcp/prompts/hand_over_shift").await;
        assert_eq!(told(&answer), expected);
    }
}

#[tokio::test]
async fn mcp_clients_are_told_by_header_and_text() {
    const READ: &str = "invoices__list_overdue_invoices";
    let call = |tool: &str, arguments: Value| json!({"name": tool, "arguments": arguments});
    for (target, method, params) in [
        (Target::method("prompts/list"), "prompts/list", json!({})),
        (
            Target::method("resources/list"),
            "resources/list",
            json!({}),
        ),
        (
            Target::method("tools/list"),
            "tools/call",
            call("search_tools", json!({"query": "a"})),
        ),
        (
            Target::method("tools/list"),
            "tools/call",
            call("describe_tool", json!({"names": [READ]})),
        ),
        (
            Target::tool(READ),
            "tools/call",
            call("call_read_tool", json!({"name": READ, "arguments": {}})),
        ),
        (
            Target::tool(READ),
            "tools/call",
            call(
                "call_read_tools",
                json!({"calls": [{"name": READ, "arguments": {}}]}),
            ),
        ),
    ] {
        for (retry_after, expected) in [
            (Some("7"), (200, Some("7"), true)),
            (None, (200, None, false)),
        ] {
            let proxied = limited(target.clone(), retry_after).await;
            for answer in [
                proxied.proxy.legacy(method, params.clone()).await,
                proxied.proxy.modern(method, params.clone()).await,
            ] {
                assert_eq!(told(&answer), expected, "{method} {params}");
            }
        }
    }
}
