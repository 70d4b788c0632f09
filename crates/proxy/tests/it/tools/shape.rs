//! A call's two levels mixed up (field case 22).

use serde_json::{Value, json};

use super::{ask, calls, last_arguments, reading, refusal, with_tools};
use crate::proxied::Proxied;

/// Where an argument that gets lost does harm.
const CLEANUP: &str =
    r#"{"type":"object","properties":{"dry_run":{"type":"boolean"},"path":{"type":"string"}}}"#;

/// `get_page` needs an id, `list_pages` and `cleanup`, a write, need nothing, `anything` says nothing
/// of what it takes.
async fn pages() -> Proxied {
    let get = r#"{"type":"object","properties":{"id":{"type":"string"}},"required":["id"]}"#;
    let list = r#"{"type":"object","properties":{"space":{"type":"string"}}}"#;
    with_tools(vec![
        reading("get_page", get),
        reading("list_pages", list),
        reading("anything", r#"{"type":"object"}"#),
        reading("no_input", r#"{"type":"object","properties":{}}"#),
        super::tool(format!(
            r#"{{"name":"cleanup","description":"Deletes.","inputSchema":{CLEANUP}}}"#
        )),
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
            json!({"name": "get_page", "arguments": {"id": "1"}, "task_progress": "- [ ] 1"}),
            r#"{"id":"1"}"#,
        ),
        (
            json!({"name": "get_page", "arguments": {"id": "1"}, "_meta": {"by": "a client"}}),
            r#"{"id":"1"}"#,
        ),
        (
            json!({"name": "list_pages", "args": {}, "tags": [], "note": ""}),
            "{}",
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

/// What `call_write_tool` says to this dispatcher's arguments, of which nothing may run.
async fn write_refused(proxied: &Proxied, arguments: &str) -> String {
    let body = format!(
        r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"call_write_tool","arguments":{arguments}}}}}"#
    );
    let headers = [("mcp-protocol-version", "2025-11-25")];
    let result = proxied.proxy.post(&headers, body).await.result();
    assert_eq!(result["isError"], true, "{arguments}: {result}");
    assert_eq!(calls(&proxied.gateway), 0, "{arguments}");
    result["content"][0]["text"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn a_call_never_runs_with_less_than_was_asked_for() {
    let proxied = pages().await;
    let path_and_dry_run = r#"{"path":"/","dry_run":true}"#;
    let dry_run = r#"{"dry_run":true}"#;
    for (arguments, meant) in [
        (r#"{"name":"cleanup","dry_run":true}"#, dry_run),
        (r#"{"name":"cleanup","dryRun":true}"#, dry_run),
        (
            r#"{"name":"cleanup","dry-run":true,"task_progress":1}"#,
            dry_run,
        ),
        (
            r#"{"name":"cleanup","dry_run":true,"task_progress":"1/2"}"#,
            dry_run,
        ),
        (
            r#"{"name":"cleanup","dry_run":true,"arguments":{"path":"/"}}"#,
            path_and_dry_run,
        ),
        (
            r#"{"arguments":{"name":"cleanup","path":"/"},"dry_run":true}"#,
            path_and_dry_run,
        ),
        (
            r#"{"arguments":{"name":"cleanup","arguments":{"path":"/"},"dry_run":true}}"#,
            path_and_dry_run,
        ),
        (r#"{"name":"cleanup","args":{"dry_run":true}}"#, dry_run),
        (
            r#"{"name":"cleanup","params":{"dry_run":true},"arguments":{}}"#,
            dry_run,
        ),
        (
            r#"{"name":"cleanup","parameters":{"dry_run":true},"arguments":null}"#,
            dry_run,
        ),
        (
            r#"{"name":"cleanup","input":"{\"dry_run\":true}"}"#,
            dry_run,
        ),
        (
            r#"{"name":"cleanup","Arguments":{"dry_run":true}}"#,
            dry_run,
        ),
        (
            r#"{"name":"cleanup","arguments":{"path":"/"},"args":{"dry_run":true}}"#,
            path_and_dry_run,
        ),
        (
            r#"{"name":"cleanup","arguments":{"path":"/","arguments":{"dry_run":true}}}"#,
            path_and_dry_run,
        ),
    ] {
        let text = write_refused(&proxied, arguments).await;
        let call = format!(r#"send: {{"name":"cleanup","arguments":{meant}}}"#);
        assert!(text.contains(&call), "{arguments}: {text}");
    }
}

#[tokio::test]
async fn what_contradicts_itself_is_refused() {
    let proxied = pages().await;
    let mut texts = Vec::new();
    for arguments in [
        r#"{"name":"cleanup","arguments":{"path":"/a"},"path":"/b"}"#,
        r#"{"name":"cleanup","path":"/a","path":"/b"}"#,
        r#"{"name":"cleanup","args":["/a"]}"#,
        r#"{"name":"cleanup","arguments":{"name":"get_page","arguments":{"dry_run":true}}}"#,
        r#"{"name":"cleanup","arguments":{"arguments":{"dry_run":true},"arguments":{}}}"#,
        r#"{"name":"cleanup","arguments":{"arguments":{"dry_run":"yes"}}}"#,
        r#"{"name":"cleanup","arguments":{"dry_run":true},"arguments":{}}"#,
        r#"{"name":"get_page","name":"cleanup","arguments":{}}"#,
        r#"{"arguments":{"name":"cleanup","arguments":{"dry_run":true},"arguments":{}}}"#,
    ] {
        let text = write_refused(&proxied, arguments).await;
        texts.push(format!("{arguments}\n{text}\n"));
    }
    insta::assert_snapshot!(texts.join("\n"));
}

#[tokio::test]
async fn a_second_wrapper_is_taken_off() {
    let proxied = pages().await;
    for (arguments, sent) in [
        (
            json!({"name": "cleanup", "arguments": {"arguments": {"dry_run": true}}}),
            r#"{"dry_run":true}"#,
        ),
        (
            json!({"name": "cleanup", "arguments": {"name": "cleanup", "arguments": {"path": "/"}}}),
            r#"{"path":"/"}"#,
        ),
        (
            json!({"name": "cleanup", "arguments": {"arguments": "{\"path\":\"/\"}"}}),
            r#"{"path":"/"}"#,
        ),
        (
            json!({"name": "anything", "arguments": {"arguments": {"a": 1}}}),
            r#"{"a":1}"#,
        ),
        (
            json!({"name": "anything", "arguments": {"arguments": "a"}}),
            r#"{"arguments":"a"}"#,
        ),
        (
            json!({"name": "anything", "arguments": {"arguments": {"a": 1}, "b": 2}}),
            r#"{"arguments":{"a":1},"b":2}"#,
        ),
    ] {
        let result = ask(&proxied.proxy, "call_write_tool", arguments.clone())
            .await
            .result();
        assert_ne!(result["isError"], true, "{arguments}: {result}");
        assert_eq!(last_arguments(&proxied.gateway), sent, "{arguments}");
    }
}

#[tokio::test]
async fn a_batch_reads_its_calls_alike() {
    let proxied = pages().await;
    let entries = json!({"calls": [
        {"name": "list_pages", "space": "ops"},
        {"name": "list_pages", "args": {"space": "ops"}},
        {"name": "list_pages", "arguments": {"arguments": {"space": 1}}},
    ]});
    let text = ask(&proxied.proxy, "call_read_tools", entries)
        .await
        .result()
        .to_string();
    assert_eq!(text.matches("`list_pages` wasn't run").count(), 3, "{text}");
    assert_eq!(calls(&proxied.gateway), 0);
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
