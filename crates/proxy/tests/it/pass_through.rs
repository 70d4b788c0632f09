//! What belongs to the upstream leaves as it came.

use demo_gateway::{DemoEra, DemoSettings, Effect, Fault, Target};
use proptest::prelude::*;
use serde_json::value::RawValue;
use serde_json::{Value, json};
use wire::RpcError;

use crate::proxied::Proxied;

fn raw(text: &str) -> Box<RawValue> {
    RawValue::from_string(text.to_owned()).unwrap()
}

fn gateway(era: DemoEra) -> DemoSettings {
    DemoSettings {
        era,
        tools: vec![raw(
            r#"{"name":"look","inputSchema":{"type":"object"},"annotations":{"readOnlyHint":true}}"#,
        )],
        ..DemoSettings::default()
    }
}

#[tokio::test]
async fn prompts_and_resources_are_the_upstreams_own() {
    for era in [DemoEra::Dual, DemoEra::LegacyStateful] {
        let proxied = Proxied::start(gateway(era), &[]).await;
        for (method, params, member) in [
            ("prompts/list", json!({}), "prompts"),
            (
                "prompts/get",
                json!({"name": "chase_late_invoices"}),
                "messages",
            ),
            ("resources/list", json!({}), "resources"),
            ("resources/templates/list", json!({}), "resourceTemplates"),
            (
                "resources/read",
                json!({"uri": "brightwater://handbook/returns"}),
                "contents",
            ),
        ] {
            let legacy = proxied.proxy.legacy(method, params.clone()).await.result();
            let modern = proxied.proxy.modern(method, params).await.result();
            assert!(
                !legacy[member].as_array().unwrap().is_empty(),
                "{method}: {legacy}"
            );
            assert_eq!(legacy[member], modern[member], "{method}");
            assert_eq!(legacy.get("resultType"), None, "{method}");
            assert_eq!(modern["resultType"], "complete", "{method}");
            let has_hints = method != "prompts/get";
            assert_eq!(modern.get("ttlMs").is_some(), has_hints, "{method}");
            assert_eq!(modern.get("cacheScope").is_some(), has_hints, "{method}");
            assert_eq!(legacy.get("ttlMs"), None, "{method}");
        }
    }
}

#[tokio::test]
async fn params_and_errors_pass_unchanged() {
    let proxied = Proxied::start(gateway(DemoEra::Dual), &[]).await;
    let error = RpcError {
        data: Some(raw(r#"{"b":1.50,"a":[ ]}"#)),
        ..RpcError::new(-32042, "made up")
    };
    let fault = Fault::new(Target::method("prompts/get"), Effect::Error(error));
    proxied.gateway.set_faults(vec![fault]);
    let body = r#"{"jsonrpc":"2.0","id":"x\u0041","method":"prompts/get","params":{"z":1e2,"name":"p","a":{ }}}"#;
    let answer = proxied.proxy.post(&[], body).await;
    assert_eq!(
        String::from_utf8_lossy(&answer.body),
        r#"{"jsonrpc":"2.0","id":"x\u0041","error":{"code":-32042,"message":"made up","data":{"b":1.50,"a":[ ]}}}"#
    );
    let sent = proxied.gateway.requests().pop().unwrap();
    assert_eq!(sent.param("z").as_deref(), Some("1e2"));
    assert_eq!(sent.param("a").as_deref(), Some("{ }"));
    assert_eq!(sent.header("mcp-name"), Some("p"));
}

#[tokio::test]
async fn what_the_upstream_doesnt_offer_isnt_asked_for() {
    let proxied = Proxied::start(gateway(DemoEra::Dual), &[]).await;
    proxied
        .proxy
        .modern("server/discover", Value::Null)
        .await
        .result();
    let before = proxied.gateway.activity().received;
    let complete = json!({"ref": {"type": "ref/prompt", "name": "p"}});
    let legacy = proxied
        .proxy
        .legacy("completion/complete", complete.clone())
        .await;
    assert_eq!(legacy.error(), (200, -32601));
    let modern = proxied.proxy.modern("completion/complete", complete).await;
    assert_eq!(modern.error(), (404, -32601));
    assert_eq!(proxied.gateway.activity().received, before);
}

#[tokio::test]
async fn a_method_that_the_upstream_lacks_is_404_in_the_modern_era() {
    let proxied = Proxied::start(gateway(DemoEra::Dual), &[]).await;
    let complete = json!({"ref": {"type": "ref/prompt", "name": "p"}});
    let answer = proxied.proxy.modern("completion/complete", complete).await;
    assert_eq!(answer.error(), (404, -32601));
    assert_eq!(proxied.gateway.count("completion/complete"), 1);
}

/// JSON of any kind, in any spelling.
fn json_text() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        Just("null".to_owned()),
        Just("true".to_owned()),
        "-?(0|[1-9][0-9]{0,24})(\\.[0-9]{1,20})?([eE][+-]?[0-9]{1,2})?",
        string_text(),
    ];
    leaf.prop_recursive(4, 24, 5, |inner| {
        prop_oneof![
            (proptest::collection::vec(inner.clone(), 0..5), blank())
                .prop_map(|(items, blank)| format!("[{blank}{}]", items.join(","))),
            object_text(inner),
        ]
    })
}

fn object_text(value: impl Strategy<Value = String>) -> impl Strategy<Value = String> {
    (members(value), blank())
        .prop_map(|(members, blank)| format!("{{{blank}{}{blank}}}", members.join(",")))
}

fn members(value: impl Strategy<Value = String>) -> impl Strategy<Value = Vec<String>> {
    let member = (string_text(), blank(), value)
        .prop_map(|(key, blank, value)| format!("{key}:{blank}{value}"));
    proptest::collection::vec(member, 0..5)
}

fn string_text() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-z_]{0,8}".prop_map(|text| format!("\"{text}\"")),
        ".{0,8}".prop_map(|text| serde_json::to_string(&text).unwrap()),
        "\\\\u00[0-7][0-9a-f]".prop_map(|text| format!("\"{text}\"")),
    ]
}

fn blank() -> impl Strategy<Value = &'static str> {
    prop_oneof![Just(""), Just(" "), Just("\n\t")]
}

#[test]
fn any_result_keeps_its_bytes() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let [legacy, modern] = [DemoEra::LegacyStateless, DemoEra::ModernOnly]
        .map(|era| runtime.block_on(Proxied::start(gateway(era), &[])));
    proptest!(ProptestConfig::with_cases(128), |(members in members(json_text()))| {
        let result = format!("{{{}}}", members.join(","));
        let mut with_type = vec![r#""resultType":"complete""#.to_owned()];
        with_type.extend(members);
        let with_type = format!("{{{}}}", with_type.join(","));
        runtime.block_on(async {
            // An upstream of the later era may leave `resultType` out; it means the same.
            for proxied in [&legacy, &modern] {
                let fault = Fault::new(Target::tool("look"), Effect::Result(raw(&result)));
                proxied.gateway.set_faults(vec![fault]);
                let answer = proxied.proxy.legacy("tools/call", look()).await;
                assert_eq!(result_text(&answer.body), result);
                let answer = proxied.proxy.modern("tools/call", look()).await;
                assert_eq!(result_text(&answer.body), with_type);
            }
        });
    });
}

#[tokio::test]
async fn a_result_that_says_what_it_is_keeps_its_bytes_for_a_modern_caller() {
    let proxied = Proxied::start(gateway(DemoEra::ModernOnly), &[]).await;
    let result =
        r#"{"content":[],"resultType":"input_required","requestState":"\u0041","_meta":{"a":1.0}}"#;
    let fault = Fault::new(Target::tool("look"), Effect::Result(raw(result)));
    proxied.gateway.set_faults(vec![fault]);
    let answer = proxied.proxy.modern("tools/call", look()).await;
    assert_eq!(result_text(&answer.body), result);
}

#[tokio::test]
async fn a_legacy_caller_gets_nothing_of_the_later_era() {
    let proxied = Proxied::start(gateway(DemoEra::ModernOnly), &[]).await;
    let result =
        r#"{"resultType":"complete", "content":[ ],"ttlMs":5,"x":1,"cacheScope":"public"}"#;
    let fault = Fault::new(Target::tool("look"), Effect::Result(raw(result)));
    proxied.gateway.set_faults(vec![fault]);
    let answer = proxied.proxy.legacy("tools/call", look()).await;
    assert_eq!(result_text(&answer.body), r#"{"content":[ ],"x":1}"#);
}

#[tokio::test]
async fn what_a_legacy_caller_cant_carry_is_an_error() {
    let asks = ["asks back", "nothing ran to completion"];
    let is_task = ["type `task`", "may still be running"];
    for (result, words) in [
        (
            r#"{"resultType":"input_required","requestState":"abc"}"#,
            asks,
        ),
        (r#"{"resultType":"task","task":{"taskId":"1"}}"#, is_task),
        (
            r#"{"resultType":7,"content":[]}"#,
            ["type `7`", "may still be running"],
        ),
    ] {
        for (method, params) in [
            ("tools/call", look()),
            ("prompts/get", json!({"name": "chase_late_invoices"})),
            (
                "resources/read",
                json!({"uri": "brightwater://handbook/returns"}),
            ),
        ] {
            let target = match method {
                "tools/call" => Target::tool("look"),
                _ => Target::method(method),
            };
            let settings = DemoSettings {
                faults: vec![Fault::new(target, Effect::Result(raw(result)))],
                ..gateway(DemoEra::ModernOnly)
            };
            let proxied = Proxied::start(settings, &[]).await;
            let legacy = proxied.proxy.legacy(method, params.clone()).await;
            let said = if method == "tools/call" {
                let result = legacy.result();
                assert_eq!(result["isError"], true, "{result}");
                result["content"][0]["text"].to_string()
            } else {
                assert_eq!(legacy.error(), (200, -32603), "{method}");
                legacy.json()["error"]["message"].to_string()
            };
            for word in words {
                assert!(said.contains(word), "{said}");
            }
            let modern = proxied.proxy.modern(method, params).await;
            assert!(
                String::from_utf8_lossy(&modern.body).contains(result),
                "{method}"
            );
        }
    }
}

fn look() -> Value {
    json!({"name": "call_read_tool", "arguments": {"name": "look", "arguments": {}}})
}

fn result_text(body: &[u8]) -> &str {
    let text = std::str::from_utf8(body).unwrap();
    let text = text.strip_prefix(r#"{"jsonrpc":"2.0","id":7,"result":"#);
    text.and_then(|text| text.strip_suffix('}')).unwrap()
}
