use demo_gateway::{Effect, Fault, RawReply, Target};
use http::StatusCode;
use serde_json::{Value, json};

use super::{ask, calls, company, faulty, refusal};

async fn content(proxied: &crate::proxied::Proxied, calls: Value) -> (Vec<Value>, Value) {
    let answer = ask(&proxied.proxy, "call_read_tools", json!({"calls": calls})).await;
    let mut result = answer.result();
    assert!(result.get("structuredContent").is_none(), "{result}");
    let tag = answer.header("x-request-id").unwrap();
    for block in result["content"].as_array_mut().unwrap() {
        if let Some(text) = block.get("text").and_then(Value::as_str) {
            block["text"] = text.replace(tag, "ID").into();
        }
    }
    (
        result["content"].as_array().unwrap().clone(),
        result["isError"].clone(),
    )
}

/// Texts of text blocks, types of others; `{…}` for what the company answers.
fn outline(content: &[Value]) -> String {
    let line = |block: &Value| match block["text"].as_str() {
        Some(text) if text.starts_with('{') => "{…}".to_owned(),
        Some(text) => text
            .lines()
            .next()
            .unwrap_or_default()
            .chars()
            .take(150)
            .collect(),
        None => format!("[{}]", block["type"].as_str().unwrap()),
    };
    content.iter().map(line).collect::<Vec<_>>().join("\n")
}

#[tokio::test]
async fn ten_calls_get_ten_answers_in_their_places() {
    let faults = vec![
        Fault::new(
            Target::tool("shifts__list_shifts"),
            Effect::Reply(RawReply::html(StatusCode::INTERNAL_SERVER_ERROR)),
        ),
        Fault::new(
            Target::tool("people__list_team_members"),
            Effect::CutAfter(20),
        ),
        Fault::new(
            Target::tool("files__read_file"),
            Effect::HugeText(2_000_000),
        ),
        Fault::new(Target::tool("mail__list_mail_folders"), Effect::AskFirst),
    ];
    let proxied = faulty(faults, &["--max-result", "1MiB"]).await;
    let overdue = json!({"name": "invoices__list_overdue_invoices", "arguments": {"limit": 1}});
    let calls = json!([
        overdue,
        {"name": "invoices__get_invoic"},
        {"name": "devices__restart_device", "arguments": {"device_id": "D-12"}},
        {"name": "invoices__get_invoice", "arguments": {"invoice_number": 20417}},
        {"name": "shifts__list_shifts", "arguments": {"from": "2026-12-01", "until": "2026-12-02"}},
        {"name": "people__list_team_members", "arguments": {"team": "Workshop"}},
        {"name": "invoices__get_invoice", "arguments": {"invoice_number": "INV-0"}},
        {"name": "files__read_file", "arguments": {"file_id": "F-1"}},
        {"name": "mail__list_mail_folders", "arguments": {}},
        overdue,
    ]);
    let (content, is_error) = content(&proxied, calls).await;
    assert_ne!(is_error, true);
    insta::assert_snapshot!(outline(&content));
}

#[tokio::test]
async fn the_calls_of_a_batch_share_what_an_answer_may_hold() {
    let read = "invoices__list_overdue_invoices";
    let quotes = format!(
        r#"{{"content":[],"structuredContent":"{}"}}"#,
        r#"\""#.repeat(10_000)
    );
    for (effect, calls, fits) in [
        (Effect::HugeText(30_000), 1, true),
        (Effect::HugeText(30_000), 2, true),
        (Effect::HugeText(30_000), 3, false),
        // Twice as long where it is written as text.
        (Effect::Result(super::tool(quotes.clone())), 1, true),
        (Effect::Result(super::tool(quotes)), 2, false),
    ] {
        let faults = vec![Fault::new(Target::tool(read), effect)];
        let proxied = faulty(faults, &["--max-result", "64KiB"]).await;
        let (content, is_error) =
            content(&proxied, json!(vec![json!({"name": read}); calls])).await;
        assert_eq!(is_error, !fits);
        for answer in content.chunks(2) {
            let [label, text] = answer else {
                panic!("{answer:?}")
            };
            let state = if fits { ": ok" } else { ": failed" };
            assert!(label["text"].as_str().unwrap().ends_with(state), "{label}");
            let advice = "Call it alone with call_read_tool, or narrow the request. (request ID)";
            let refused = text["text"].as_str().unwrap().ends_with(advice);
            assert_eq!(refused, !fits, "{calls}");
        }
    }
}

#[tokio::test]
async fn images_stay_images() {
    let proxied = company().await;
    let (content, _) = content(
        &proxied,
        json!([
            {"name": "people__get_badge_photo", "arguments": {"employee_id": "E-1042"}},
            {"name": "files__get_download_link", "arguments": {"file_id": "F-1"}},
        ]),
    )
    .await;
    let kinds: Vec<_> = content
        .iter()
        .map(|block| block["type"].as_str().unwrap())
        .collect();
    assert_eq!(kinds, ["text", "image", "text", "text", "resource_link"]);
    assert_eq!(content[1]["annotations"], json!({"audience": ["user"]}));
}

#[tokio::test]
async fn one_refused_token_makes_the_whole_answer_that_refusal() {
    let fault = Fault::new(
        Target::tool("tickets__list_overdue_tickets"),
        Effect::Unauthorized,
    );
    let hang = Fault::new(
        Target::tool("invoices__list_overdue_invoices"),
        Effect::Hang,
    );
    let proxied = faulty(vec![fault, hang], &[]).await;
    let calls = json!([
        {"name": "invoices__list_overdue_invoices"},
        {"name": "tickets__list_overdue_tickets"},
    ]);
    let answer = ask(&proxied.proxy, "call_read_tools", json!({"calls": calls})).await;
    assert_eq!(answer.status, StatusCode::UNAUTHORIZED);
    assert!(answer.header("www-authenticate").is_some());
}

#[tokio::test]
async fn a_progress_token_is_not_shared_among_calls() {
    let proxied = company().await;
    let overdue = json!({"name": "invoices__list_overdue_invoices"});
    let params = json!({
        "name": "call_read_tools",
        "arguments": {"calls": [overdue, overdue]},
        "_meta": {"progressToken": 3, "traceparent": "00-1-2-01"},
    });
    proxied.proxy.modern("tools/call", params).await.result();
    for request in proxied.gateway.requests() {
        if request.method() == "tools/call" {
            let meta = request.param("_meta").unwrap();
            assert!(!meta.contains("progressToken"), "{meta}");
            assert!(meta.contains("traceparent"), "{meta}");
        }
    }
}

#[tokio::test]
async fn what_cannot_be_a_batch_is_refused() {
    let proxied = company().await;
    let mut refusals = Vec::new();
    for arguments in [
        json!({}),
        json!({"calls": []}),
        json!({"calls": vec![json!({"name": "a"}); 11]}),
        json!({"name": "invoices__list_overdue_invoices", "arguments": {}}),
        json!({"calls": [{"name": "a"}], "name": "b"}),
    ] {
        refusals.push(refusal(&proxied.proxy, "call_read_tools", arguments).await);
    }
    assert_eq!(calls(&proxied.gateway), 0);
    insta::assert_snapshot!(refusals.join("\n"));
}
