//! A call's two levels mixed up (field case 22).

use serde_json::{Value, json};

use super::{ask, calls, last_arguments, reading, refusal, with_tools};
use crate::proxied::Proxied;

/// `get_page` needs an id, `list_pages` needs nothing, `anything` says nothing of what it takes.
async fn pages() -> Proxied {
    let get = r#"{"type":"object","properties":{"id":{"type":"string"}},"required":["id"]}"#;
    let list = r#"{"type":"object","properties":{"space":{"type":"string"}}}"#;
    with_tools(vec![
        reading("get_page", get),
        reading("list_pages", list),
        reading("anything", r#"{"type":"object"}"#),
        reading("no_input", r#"{"type":"object","properties":{}}"#),
    ])
    .await
}

#[tokio::test]
async fn what_can_only_be_meant_one_way_is_run() {
    let proxied = pages().await;
    let id = json!({"id": "42"});
    for arguments in [
        json!({"name": "get_page", "arguments": id}),
        json!({"name": "get_page", "id": "42"}),
        json!({"name": "get_page", "arguments": {}, "id": "42"}),
        json!({"name": "get_page", "arguments": null, "id": "42"}),
        json!({"arguments": {"name": "get_page", "id": "42"}}),
        json!({"arguments": {"name": "get_page", "arguments": {"id": "42"}}}),
        json!({"name": "get_page", "arguments": {"arguments": {"id": "42"}}}),
        json!({"name": "get_page", "arguments": {"name": "get_page", "arguments": {"id": "42"}}}),
        json!({"name": "get_page", "arguments": "{\"id\":\"42\"}"}),
        json!("{\"name\":\"get_page\",\"arguments\":{\"id\":\"42\"}}"),
    ] {
        let before = calls(&proxied.gateway);
        let result = ask(&proxied.proxy, "call_read_tool", arguments.clone())
            .await
            .result();
        assert_ne!(result["isError"], true, "{arguments}: {result}");
        assert_eq!(calls(&proxied.gateway), before + 1, "{arguments}");
        assert_eq!(
            last_arguments(&proxied.gateway),
            id.to_string(),
            "{arguments}"
        );
    }
}

#[tokio::test]
async fn members_that_a_client_adds_change_nothing() {
    let proxied = pages().await;
    for (arguments, sent) in [
        (json!({"name": "list_pages", "task_progress": "1/2"}), "{}"),
        (json!({"name": "no_input", "task_progress": "1/2"}), "{}"),
        (
            json!({"name": "get_page", "arguments": {"id": "1"}, "id": "2"}),
            r#"{"id":"1"}"#,
        ),
        (json!({"name": "list_pages", "arguments": ""}), "{}"),
        (json!({"name": "list_pages", "arguments": null}), "{}"),
        (json!({"name": "list_pages"}), "{}"),
    ] {
        let result = ask(&proxied.proxy, "call_read_tool", arguments.clone())
            .await
            .result();
        assert_ne!(result["isError"], true, "{arguments}: {result}");
        assert_eq!(last_arguments(&proxied.gateway), sent, "{arguments}");
    }
}

#[tokio::test]
async fn what_could_be_meant_two_ways_is_asked_back_with_one_correct_call() {
    let proxied = pages().await;
    let mut texts = Vec::new();
    for arguments in [
        json!({"name": "list_pages", "space": "ops"}),
        json!({"name": "anything", "space": "ops"}),
        json!({"name": "get_page", "id": 42}),
        json!({"name": "get_page", "arguments": [1]}),
        json!({"name": "get_page", "arguments": "id=42"}),
        json!({"name": "get_page"}),
        json!({"arguments": {"id": "42"}}),
        json!({"name": 7, "arguments": {}}),
        json!({}),
        json!([]),
        Value::Null,
    ] {
        let text = refusal(&proxied.proxy, "call_read_tool", arguments.clone()).await;
        texts.push(format!("{arguments}\n{text}\n"));
    }
    assert_eq!(calls(&proxied.gateway), 0);
    insta::assert_snapshot!(texts.join("\n"));
}

#[tokio::test]
async fn a_parameter_called_arguments_is_that_parameter() {
    let schema = r#"{"type":"object","properties":{"id":{"type":"string"},"arguments":{"type":"array"}},"required":["id"]}"#;
    let proxied = with_tools(vec![reading("run", schema)]).await;
    let nested = json!({"name": "run", "arguments": {"arguments": {"id": "42"}}});
    refusal(&proxied.proxy, "call_read_tool", nested).await;
    assert_eq!(calls(&proxied.gateway), 0);
    let own = json!({"id": "42", "arguments": ["-v"]});
    let call = json!({"name": "run", "arguments": own});
    ask(&proxied.proxy, "call_read_tool", call).await.result();
    let sent: Value = serde_json::from_str(&last_arguments(&proxied.gateway)).unwrap();
    assert_eq!(sent, own);
}

#[tokio::test]
async fn a_dispatcher_is_not_called_through_a_dispatcher() {
    let proxied = pages().await;
    let inner = json!({"name": "get_page", "arguments": {"id": "42"}});
    let mut texts = Vec::new();
    for name in [
        "call_read_tool",
        "search_tools",
        "mcp__proxy__call_write_tool",
    ] {
        let call = json!({"name": name, "arguments": inner});
        texts.push(refusal(&proxied.proxy, "call_read_tool", call).await);
    }
    assert_eq!(calls(&proxied.gateway), 0);
    assert_eq!(proxied.gateway.count("tools/list"), 1);
    insta::assert_snapshot!(texts.join("\n"));
}
