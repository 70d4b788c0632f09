use serde_json::json;

use super::{company, names, pass_some_time, reading, refusal, structured, tool, with_tools};

#[tokio::test]
async fn everything_about_a_tool_is_shown() {
    let listed = tool(
        r#"{"name":"a/b.c:d","title":"T","description":"Long text.","inputSchema":{"type":"object","properties":{}},
        "outputSchema":{"type":"object","x":1.0},"annotations":{"readOnlyHint":true,"vendor":{"k":1e2}},"icons":[]}"#,
    );
    let proxied = with_tools(vec![listed]).await;
    let answer = structured(
        &proxied.proxy,
        "describe_tool",
        json!({"names": ["a/b.c:d"]}),
    )
    .await;
    insta::assert_snapshot!(serde_json::to_string_pretty(&answer).unwrap());
}

#[tokio::test]
async fn unknown_names_come_with_close_ones() {
    let proxied = company().await;
    let asked = json!({"names": [
        "invoices__get_invoice", "invoices__get_invoic", "mcp__x__mail__send_message", "zzz",
    ]});
    let answer = structured(&proxied.proxy, "describe_tool", asked).await;
    assert_eq!(names(&answer["tools"]), ["invoices__get_invoice"]);
    assert_eq!(
        answer["unknown"],
        json!(["invoices__get_invoic", "mcp__x__mail__send_message", "zzz"])
    );
    assert_eq!(
        answer["similar"]["invoices__get_invoic"][0],
        "invoices__get_invoice"
    );
    assert_eq!(
        answer["similar"]["mcp__x__mail__send_message"][0],
        "mail__send_message"
    );
    assert!(answer["similar"].get("zzz").is_none());
}

#[tokio::test]
async fn names_are_repeated_within_reason() {
    let long = |last: &str| format!("{}{last}", "tool_of_length_".repeat(1_000));
    let names = ["a", "b", "c", "d", "e"].map(|last| reading(&long(last), "{}"));
    let proxied = with_tools(names.to_vec()).await;
    let unknown: Vec<String> = (0..10).map(|last| long(&last.to_string())).collect();
    let asked = json!({"names": unknown});
    let answer = structured(&proxied.proxy, "describe_tool", asked).await;
    assert_eq!(answer["unknown"].as_array().unwrap().len(), 10);
    let shown = answer["unknown"][0].as_str().unwrap();
    assert!(
        shown.ends_with('…') && shown.chars().count() == 160,
        "{shown}"
    );
    assert!(answer.to_string().len() < 10_000);
    let asked = json!({"queries": vec![long("x"); 5]});
    let answer = structured(&proxied.proxy, "search_tools", asked).await;
    assert!(answer.to_string().len() < 40_000);
}

#[tokio::test]
async fn a_single_name_may_stand_without_its_list() {
    let proxied = company().await;
    let asked = json!({"names": "invoices__get_invoice"});
    let answer = structured(&proxied.proxy, "describe_tool", asked).await;
    assert_eq!(names(&answer["tools"]), ["invoices__get_invoice"]);
}

#[tokio::test]
async fn a_tool_that_is_new_upstream_is_found() {
    let proxied = with_tools(vec![reading("old_tool", "{}")]).await;
    structured(&proxied.proxy, "search_tools", json!({"query": "tool"})).await;
    pass_some_time().await;
    proxied.gateway.set_tools(vec![reading("new_tool", "{}")]);
    let answer = structured(
        &proxied.proxy,
        "describe_tool",
        json!({"names": ["new_tool"]}),
    )
    .await;
    assert_eq!(names(&answer["tools"]), ["new_tool"]);
}

#[tokio::test]
async fn what_does_not_fit_is_listed_and_the_first_comes_whole() {
    let large = |name: &str, bytes: usize| {
        reading(
            name,
            &format!(r#"{{"type":"object","$comment":"{}"}}"#, "x".repeat(bytes)),
        )
    };
    let proxied = with_tools(vec![
        large("huge", 300_000),
        large("big", 200_000),
        large("small", 100),
    ])
    .await;
    let asked = |names: &[&str]| json!({"names": names});
    let answer = structured(
        &proxied.proxy,
        "describe_tool",
        asked(&["huge", "big", "small"]),
    )
    .await;
    assert_eq!(names(&answer["tools"]), ["huge"]);
    assert_eq!(answer["omitted"], json!(["big", "small"]));
    let answer = structured(
        &proxied.proxy,
        "describe_tool",
        asked(&["big", "huge", "small"]),
    )
    .await;
    assert_eq!(names(&answer["tools"]), ["big", "small"]);
    assert_eq!(answer["omitted"], json!(["huge"]));
}

#[tokio::test]
async fn what_cannot_be_described_is_refused_with_the_fix() {
    let proxied = company().await;
    let many: Vec<String> = (0..11).map(|number| number.to_string()).collect();
    let mut refusals = Vec::new();
    for arguments in [
        json!({}),
        json!({"names": []}),
        json!({"names": 3}),
        json!({"names": many}),
    ] {
        refusals.push(refusal(&proxied.proxy, "describe_tool", arguments).await);
    }
    insta::assert_snapshot!(refusals.join("\n"));
}
