use std::time::Duration;

use demo_gateway::{Effect, Fault, RawReply, Target};
use http::StatusCode;
use serde_json::json;
use serde_json::value::RawValue;
use wire::{RawObject, RpcError};

use super::{
    ask, calls, company, faulty, last_arguments, pass_some_time, reading, refusal, structured,
    with_tools,
};
use crate::proxied::Answer;

/// The result's own bytes.
fn result_bytes(answer: &Answer) -> String {
    let body = RawValue::from_string(String::from_utf8(answer.body.to_vec()).unwrap()).unwrap();
    RawObject::read(&body)
        .unwrap()
        .get("result")
        .unwrap()
        .get()
        .to_owned()
}

#[tokio::test]
async fn a_result_comes_byte_for_byte() {
    let odd = r#"{"content":[{"type":"x-future","n":1.50},{"text":"é","type":"text"}],"structuredContent":[1e3,null],"_meta":{"k":12345678901234567890},"isError":false,"resultType":"complete"}"#;
    let effect = Effect::Result(super::tool(odd));
    let proxied = faulty(
        vec![Fault::new(Target::tool("people__get_employee"), effect)],
        &[],
    )
    .await;
    let call = json!({"name": "people__get_employee", "arguments": {"employee_id": "E-1042"}});
    for dispatcher in ["call_read_tool", "call_write_tool"] {
        let answer = ask(&proxied.proxy, dispatcher, call.clone()).await;
        assert_eq!(result_bytes(&answer), odd, "{dispatcher}");
    }
}

#[tokio::test]
async fn arguments_go_up_byte_for_byte_under_the_tools_own_name() {
    let proxied = with_tools(vec![reading("名前", r#"{"type":"object"}"#)]).await;
    let arguments = r#"{"z":1.0,"a":12345678901234567890,"é":null}"#;
    let body = format!(
        r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"call_read_tool","arguments":{{"name":"名前","arguments":{arguments}}}}}}}"#
    );
    let answer = proxied
        .proxy
        .post(&[("mcp-protocol-version", "2025-11-25")], body)
        .await;
    answer.result();
    assert_eq!(last_arguments(&proxied.gateway), arguments);
    let requests = proxied.gateway.requests();
    let call = requests
        .iter()
        .find(|request| request.method() == "tools/call")
        .unwrap();
    assert_eq!(call.param("name").unwrap(), "\"名前\"");
    assert_eq!(call.header("mcp-name"), Some("=?base64?5ZCN5YmN?="));
}

#[tokio::test]
async fn a_write_runs_only_through_the_writing_dispatcher() {
    let proxied = company().await;
    let call = json!({"name": "devices__restart_device", "arguments": {"device_id": "D-12"}});
    let text = refusal(&proxied.proxy, "call_read_tool", call.clone()).await;
    insta::assert_snapshot!(text);
    assert_eq!(calls(&proxied.gateway), 0);
    let result = ask(&proxied.proxy, "call_write_tool", call).await.result();
    assert_ne!(result["isError"], true, "{result}");
    assert_eq!(calls(&proxied.gateway), 1);
}

#[tokio::test]
async fn the_operator_decides_what_is_a_write() {
    let settings = demo_gateway::DemoSettings::default();
    let flags = ["--write-tools", "invoices__get_*"];
    let proxied = crate::proxied::Proxied::start(settings, &flags).await;
    let call = json!({"name": "invoices__get_invoice", "arguments": {"invoice_number": "INV-1"}});
    refusal(&proxied.proxy, "call_read_tool", call).await;
    assert_eq!(calls(&proxied.gateway), 0);
}

#[tokio::test]
async fn an_unknown_name_runs_nothing_and_names_the_closest() {
    let proxied = company().await;
    let mut texts = Vec::new();
    for name in [
        "invoices__get_invoic",
        "mcp__gw__invoices__get-invoice",
        "zzz",
        "",
    ] {
        for dispatcher in ["call_read_tool", "call_write_tool"] {
            let call = json!({"name": name, "arguments": {"invoice_number": "INV-1"}});
            texts.push(refusal(&proxied.proxy, dispatcher, call).await);
        }
    }
    assert_eq!(calls(&proxied.gateway), 0);
    assert!(
        texts[0].contains("inputSchema of `invoices__get_invoice`: {"),
        "{}",
        texts[0]
    );
    let starts: Vec<String> = texts
        .iter()
        .map(|text| text.lines().take(2).collect::<Vec<_>>().join("\n"))
        .collect();
    insta::assert_snapshot!(starts.join("\n"));
}

#[tokio::test]
async fn an_unknown_name_is_unknown_to_a_list_of_some_age() {
    let proxied = with_tools(vec![reading("old_tool", "{}")]).await;
    structured(&proxied.proxy, "search_tools", json!({"query": "tool"})).await;
    super::pass(Duration::from_secs(3)).await;
    proxied.gateway.set_tools(vec![reading("new_tool", "{}")]);
    let call = json!({"name": "new_tool"});
    let text = refusal(&proxied.proxy, "call_read_tool", call).await;
    let start = "Nothing was run: there is no tool called `new_tool`, as listed ";
    assert!(text.starts_with(start), "{text}");
    assert_eq!(proxied.gateway.count("tools/list"), 1);
}

#[tokio::test]
async fn a_tool_that_is_called_like_one_of_the_five_runs() {
    let schema = r#"{"type":"object","properties":{"query":{"type":"string"}}}"#;
    let proxied = with_tools(vec![reading("search_tools", schema)]).await;
    let call = json!({"name": "search_tools", "arguments": {"query": "a"}});
    let result = ask(&proxied.proxy, "call_read_tool", call).await.result();
    assert_ne!(result["isError"], true, "{result}");
    assert_eq!(last_arguments(&proxied.gateway), r#"{"query":"a"}"#);
}

#[tokio::test]
async fn a_name_that_is_new_upstream_is_looked_for_once_more() {
    let proxied = with_tools(vec![reading("old_tool", "{}")]).await;
    structured(&proxied.proxy, "search_tools", json!({"query": "tool"})).await;
    pass_some_time().await;
    proxied.gateway.set_tools(vec![reading("new_tool", "{}")]);
    let result = ask(
        &proxied.proxy,
        "call_read_tool",
        json!({"name": "new_tool"}),
    )
    .await
    .result();
    assert_ne!(result["isError"], true, "{result}");
    assert_eq!(proxied.gateway.count("tools/list"), 2);
}

#[tokio::test]
async fn arguments_that_do_not_fit_are_refused_with_place_reason_and_schema() {
    let proxied = company().await;
    let call = json!({"name": "invoices__list_overdue_invoices", "arguments": {"days_late": "9"}});
    insta::assert_snapshot!(refusal(&proxied.proxy, "call_read_tool", call).await);
    let call = json!({"name": "invoices__get_invoice"});
    insta::assert_snapshot!(refusal(&proxied.proxy, "call_read_tool", call).await);
    assert_eq!(calls(&proxied.gateway), 0);
}

#[tokio::test]
async fn arguments_written_as_text_are_nested_no_deeper_either() {
    let look = super::tool(r#"{"name":"look","inputSchema":{"type":"object"}}"#);
    let proxied = with_tools(vec![look]).await;
    let call = |arrays: usize| {
        let deep = format!(r#"{{"a":{}{}}}"#, "[".repeat(arrays), "]".repeat(arrays));
        json!({"name": "look", "arguments": deep})
    };
    ask(&proxied.proxy, "call_write_tool", call(511)).await;
    assert_eq!(calls(&proxied.gateway), 1);
    let text = refusal(&proxied.proxy, "call_write_tool", call(512)).await;
    assert_eq!(
        text,
        "`look` wasn't run: its arguments are nested deeper than 512 levels."
    );
    assert_eq!(calls(&proxied.gateway), 1);
}

#[tokio::test]
async fn a_schema_too_long_for_a_refusal_is_pointed_to() {
    let comment = "x".repeat(20_000);
    let schema = format!(
        r#"{{"type":"object","properties":{{"id":{{"type":"string"}}}},"required":["id"],"$comment":"{comment}"}}"#
    );
    let proxied = with_tools(vec![reading("large_tool", &schema)]).await;
    insta::assert_snapshot!(
        refusal(
            &proxied.proxy,
            "call_read_tool",
            json!({"name": "large_tool"})
        )
        .await
    );
}

#[tokio::test]
async fn a_schema_that_cannot_be_used_blocks_nothing_and_is_counted() {
    let broken = r#"{"type":"object","properties":{"x":{"type":"float"}}}"#;
    let dangling = r##"{"type":"object","properties":{"x":{"$ref":"#/$defs/Gone"}}}"##;
    let proxied = with_tools(vec![
        reading("broken", broken),
        reading("dangling", dangling),
    ])
    .await;
    let call = |name: &str| json!({"name": name, "arguments": {"x": 1.5}});
    let one = ask(&proxied.proxy, "call_read_tool", call("broken"))
        .await
        .result();
    assert_ne!(one["isError"], true, "{one}");
    let both = json!({"calls": [call("broken"), call("dangling")]});
    ask(&proxied.proxy, "call_read_tools", both).await.result();
    assert_eq!(calls(&proxied.gateway), 3);
    let metrics = String::from_utf8(proxied.proxy.get("/metrics").await.body.to_vec()).unwrap();
    for (reason, count) in [("schema_invalid", 2), ("reference", 1)] {
        let line = format!("toolsearch_unchecked_calls_total{{reason=\"{reason}\"}} {count}\n");
        assert!(metrics.contains(&line), "{metrics}");
    }
    let status = proxied.proxy.get("/mcp/tool-search/status").await.json();
    assert_eq!(
        status["unchecked_tools"],
        json!({"schema_invalid": 1, "reference": 1})
    );
}

#[tokio::test]
async fn invalid_params_keep_the_upstreams_words_and_gain_the_schema() {
    let mut error = RpcError::new(-32602, "days_late: must be odd");
    error.data = Some(super::tool(r#"{"path":["days_late"]}"#));
    let fault = Fault::new(
        Target::tool("invoices__list_overdue_invoices"),
        Effect::Error(error),
    );
    let proxied = faulty(vec![fault], &[]).await;
    let call = json!({"name": "invoices__list_overdue_invoices", "arguments": {"days_late": 2}});
    insta::assert_snapshot!(refusal(&proxied.proxy, "call_read_tool", call).await);
}

#[tokio::test]
async fn other_errors_reach_the_caller_unchanged() {
    let call = json!({"name": "invoices__list_overdue_invoices", "arguments": {}});
    for (code, data) in [
        (-32603, None),
        (-32000, Some(r#"{"retry":1.0}"#)),
        (-32042, Some("{}")),
    ] {
        let mut error = RpcError::new(code, "upstream words");
        error.data = data.map(super::tool);
        let target = Target::tool("invoices__list_overdue_invoices");
        let proxied = faulty(vec![Fault::new(target, Effect::Error(error))], &[]).await;
        let answer = ask(&proxied.proxy, "call_read_tool", call.clone())
            .await
            .json();
        assert_eq!(answer["error"]["code"], code);
        assert_eq!(answer["error"]["message"], "upstream words");
        assert_eq!(
            answer["error"].get("data").cloned(),
            data.map(|data| serde_json::from_str(data).unwrap())
        );
    }
}

#[tokio::test]
async fn a_tools_own_error_stays_as_it_is() {
    let proxied = company().await;
    let call = json!({"name": "invoices__get_invoice", "arguments": {"invoice_number": "INV-0"}});
    let result = ask(&proxied.proxy, "call_read_tool", call).await.result();
    assert_eq!(result["isError"], true);
    assert_eq!(
        result["content"],
        json!([{"type": "text", "text": "There is no INV-0."}])
    );
}

#[tokio::test]
async fn a_challenge_reaches_the_caller_and_the_catalog_is_forgotten() {
    let target = Target::tool("invoices__list_overdue_invoices");
    let fault = Fault::new(target, Effect::Unauthorized).times(1);
    let proxied = faulty(vec![fault], &[]).await;
    let call = json!({"name": "invoices__list_overdue_invoices", "arguments": {}});
    let answer = ask(&proxied.proxy, "call_read_tool", call.clone()).await;
    assert_eq!(answer.status, StatusCode::UNAUTHORIZED);
    assert!(answer.header("www-authenticate").is_some());
    let listings = proxied.gateway.count("tools/list");
    ask(&proxied.proxy, "call_read_tool", call).await.result();
    assert_eq!(proxied.gateway.count("tools/list"), listings + 1);
}

#[tokio::test]
async fn a_challenge_to_the_listing_reaches_the_caller() {
    for effect in [
        Effect::Unauthorized,
        Effect::InsufficientScope("tools".to_owned()),
    ] {
        let proxied = faulty(vec![Fault::new(Target::Every, effect)], &[]).await;
        for (tool, arguments) in [
            ("search_tools", json!({"query": "invoices"})),
            ("describe_tool", json!({"names": ["a"]})),
            ("call_read_tool", json!({"name": "a"})),
            ("call_read_tools", json!({"calls": [{"name": "a"}]})),
            ("call_write_tool", json!({"name": "a"})),
        ] {
            let answer = ask(&proxied.proxy, tool, arguments).await;
            assert!(
                [401, 403].contains(&answer.status.as_u16()),
                "{tool}: {}",
                answer.status
            );
        }
    }
}

#[tokio::test]
async fn a_tool_that_asks_first_gets_its_answer() {
    let fault = Fault::new(Target::tool("devices__restart_device"), Effect::AskFirst);
    let proxied = faulty(vec![fault], &[]).await;
    let call = json!({"name": "devices__restart_device", "arguments": {"device_id": "D-12"}});
    let asked = ask(&proxied.proxy, "call_write_tool", call.clone())
        .await
        .result();
    assert_eq!(asked["resultType"], "input_required");
    let state = asked["requestState"].clone();
    let responses = json!({"confirm": {"action": "accept", "content": {"sure": true}}});
    let params = json!({
        "name": "call_write_tool", "arguments": call, "inputResponses": responses, "requestState": state,
    });
    let result = proxied.proxy.modern("tools/call", params).await.result();
    assert_eq!(result["resultType"], "complete", "{result}");
    let requests = proxied.gateway.requests();
    let last = requests
        .iter()
        .rfind(|request| request.method() == "tools/call")
        .unwrap();
    assert_eq!(last.param("requestState"), Some(state.to_string()));
    assert_eq!(last.param("inputResponses"), Some(responses.to_string()));
}

#[tokio::test]
async fn an_html_page_is_no_answer() {
    let page = RawReply::html(StatusCode::OK);
    let fault = Fault::new(Target::tool("devices__restart_device"), Effect::Reply(page));
    let proxied = faulty(vec![fault], &[]).await;
    let call = json!({"name": "devices__restart_device", "arguments": {"device_id": "D-12"}});
    let text = refusal(&proxied.proxy, "call_write_tool", call).await;
    assert!(
        text.contains("outcome unknown, verify before repeating"),
        "{text}"
    );
}
