use serde_json::value::to_raw_value;
use wire::ToolView;

use super::*;
use crate::catalog::company;
use crate::fault::Fault;
use crate::fault::Target;
use crate::probe::{Answer as HttpAnswer, Probe};
use crate::settings::DemoSettings;

async fn call(name: &str, arguments: Value) -> HttpAnswer {
    call_at(&Probe::new(DemoSettings::default()), name, arguments).await
}

async fn call_at(probe: &Probe, name: &str, arguments: Value) -> HttpAnswer {
    probe
        .legacy("tools/call", json!({"name": name, "arguments": arguments}))
        .await
}

/// Arguments that a tool's schema takes: its required members, as their schemas say.
fn arguments(schema: &Value) -> Value {
    let required = schema["required"].as_array().into_iter().flatten();
    let members = required.filter_map(Value::as_str).map(|key| {
        let property = &schema["properties"][key];
        let value = match property["type"].as_str() {
            Some("integer" | "number") => json!(5200),
            Some("array") => json!([]),
            Some("object") => json!({}),
            _ => json!("value"),
        };
        (
            key.to_owned(),
            property["enum"].get(0).cloned().unwrap_or(value),
        )
    });
    Value::Object(members.collect())
}

#[tokio::test]
async fn every_tool_answers_what_its_output_schema_says() {
    let probe = Probe::new(DemoSettings::default());
    for tool in &company().tools {
        let (view, _) = ToolView::read(tool).unwrap();
        let input: Value = serde_json::from_str(view.input_schema.unwrap().get()).unwrap();
        let answer = call_at(&probe, &view.name, arguments(&input)).await;
        let result = answer.result();
        assert!(
            !result["content"].as_array().unwrap().is_empty(),
            "{}",
            view.name
        );
        let Some(output) = view.output_schema else {
            continue;
        };
        let output: Value = serde_json::from_str(output.get()).unwrap();
        let structured = &result["structuredContent"];
        jsonschema::validate(&output, structured).unwrap();
        let text = result["content"][0]["text"].as_str().unwrap();
        assert_eq!(serde_json::from_str::<Value>(text).unwrap(), *structured);
    }
}

#[tokio::test]
async fn answers_follow_the_arguments() {
    let arguments = json!({"employee_id": "E-1077"});
    let first = call("people__get_employee", arguments.clone()).await;
    let employee = first.result()["structuredContent"].clone();
    assert_eq!(employee["employee_id"], "E-1077");
    assert_eq!(
        (&employee["name"], &employee["team"]),
        (&json!("Mark Lewis"), &json!("Retail"))
    );
    assert_eq!(
        call("people__get_employee", arguments).await.body,
        first.body
    );
    let limited = call("people__find_employee", json!({"query": "ona", "limit": 1})).await;
    let items = limited.result()["structuredContent"]["items"].clone();
    assert_eq!(items.as_array().unwrap().len(), 1);
    assert_eq!(items[0]["name"], "Ona Petraitė");
    let ticket = json!({"subject": "The till is stuck", "queue": "it"});
    let ticket = call("tickets__create_ticket", ticket).await.result()["structuredContent"].clone();
    assert_eq!(ticket["subject"], "The till is stuck");
    assert_eq!(ticket["state"], "open");
}

/// The invoices that a listing shows, and how many it says there are.
async fn invoices(tool: &str, arguments: Value) -> (Vec<Value>, usize) {
    let answer = call(&format!("invoices__{tool}"), arguments).await;
    let result = answer.result();
    let listed: Value =
        serde_json::from_str(result["content"][0]["text"].as_str().unwrap()).unwrap();
    let total = usize::try_from(listed["total"].as_u64().unwrap()).unwrap();
    (listed["items"].as_array().unwrap().clone(), total)
}

#[tokio::test]
async fn a_record_is_the_same_wherever_it_is_shown() {
    let (overdue, _) = invoices("list_overdue_invoices", json!({})).await;
    let (all, _) = invoices("search_invoices", json!({})).await;
    let (found, _) = invoices(
        "search_invoices",
        json!({"customer": "harbour", "limit": 1}),
    )
    .await;
    assert_eq!((overdue.len(), all.len(), found.len()), (3, 5, 1));
    for invoice in overdue.iter().chain(&found) {
        assert!(all.contains(invoice), "{invoice}");
    }
    let unlisted = json!({"invoice_number": "INV-2", "customer": "Velo Club Nida"});
    for invoice in all.iter().chain([&unlisted]) {
        let arguments = json!({"invoice_number": invoice["invoice_number"]});
        let got = call("invoices__get_invoice", arguments).await.result();
        let got = &got["structuredContent"];
        assert_eq!(got["invoice_number"], invoice["invoice_number"]);
        assert!(all.contains(got) != (invoice == &unlisted), "{got}");
    }
}

#[tokio::test]
async fn a_limit_cuts_the_items_and_not_the_total() {
    let (all, total) = invoices("list_overdue_invoices", json!({})).await;
    assert_eq!((all.len(), total), (3, 3));
    for limit in [1, 2, 3, 20] {
        let (items, total) = invoices("list_overdue_invoices", json!({"limit": limit})).await;
        assert_eq!((items.as_slice(), total), (&all[..limit.min(3)], 3));
    }
}

#[tokio::test]
async fn what_the_arguments_name_shows_in_every_item() {
    for (arguments, member, shown, total) in [
        (json!({"state": "paid"}), "state", "paid", 1),
        (
            json!({"customer": "harbour"}),
            "customer",
            "Harbour Hotel",
            2,
        ),
        // No invoice has these, so all are given them.
        (json!({"state": "void"}), "state", "void", 5),
        (json!({"customer": "Bakery"}), "customer", "Bakery", 5),
    ] {
        let (items, counted) = invoices("search_invoices", arguments.clone()).await;
        assert_eq!((items.len(), counted), (total, total), "{arguments}");
        for item in items {
            assert_eq!(item[member], shown, "{arguments}");
        }
    }
    let tickets = call("tickets__search_tickets", json!({"queue": "finance"})).await;
    for ticket in tickets.result()["structuredContent"]["items"]
        .as_array()
        .unwrap()
    {
        assert_eq!(ticket["queue"], "finance");
    }
}

#[tokio::test]
async fn what_does_not_exist_is_an_error_result() {
    let answer = call("people__get_employee", json!({"employee_id": "E-0000"})).await;
    let result = answer.result();
    assert_eq!(result["isError"], true);
    assert_eq!(result["content"][0]["text"], "There is no E-0000.");
}

#[test]
fn only_an_id_of_zeros_is_nobody() {
    for (argument, expected) in [
        (json!("E-0000"), Some("E-0000")),
        (json!("IT-0"), Some("IT-0")),
        (json!("E-1000"), None),
        (json!("e-0"), None),
        (json!("-0"), None),
        (json!("E-"), None),
        (json!(0), None),
    ] {
        assert_eq!(nobody(&argument), expected, "{argument}");
    }
}

#[tokio::test]
async fn bad_calls_are_invalid_params() {
    for (name, arguments, mentioned) in [
        (
            "people__get_employee",
            json!({}),
            "`employee_id` is required",
        ),
        ("people__get_employee", json!([]), "wanted an object"),
        (
            "people__get_robot",
            json!({}),
            "Unknown tool: people__get_robot",
        ),
    ] {
        let answer = call(name, arguments).await;
        assert_eq!(answer.refusal(), (200, code::INVALID_PARAMS), "{name}");
        let message = answer.json()["error"]["message"].clone();
        assert!(message.as_str().unwrap().contains(mentioned), "{message}");
    }
}

#[tokio::test]
async fn an_unknown_catalogs_tools_echo_their_arguments_as_spelt() {
    let tool = json!({"name": "foreign", "inputSchema": {"type": "object"}});
    let probe = Probe::new(DemoSettings {
        tools: vec![to_raw_value(&tool).unwrap()],
        ..DemoSettings::default()
    });
    let request = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"foreign","arguments":{"b":1.0e+2, "a":null}}}"#;
    let answer = probe
        .send(http::Method::POST, "/mcp", &[], request.to_owned())
        .await
        .unwrap();
    let text = answer.result()["content"][0]["text"].clone();
    let text = text.as_str().unwrap();
    assert!(text.contains("foreign was called"), "{text}");
    assert!(text.ends_with(r#"{"b":1.0e+2, "a":null}"#), "{text}");
}

#[tokio::test]
async fn rich_content_has_the_kinds_of_the_protocol() {
    for (name, arguments, kind) in [
        (
            "people__get_badge_photo",
            json!({"employee_id": "E-1042"}),
            "image",
        ),
        (
            "files__get_download_link",
            json!({"file_id": "F-301"}),
            "text resource_link",
        ),
        ("files__read_file", json!({"file_id": "F-301"}), "resource"),
        (
            "devices__get_raw_reading",
            json!({"device_id": "D-11"}),
            "text x-waveform",
        ),
    ] {
        let result = call(name, arguments).await.result();
        let kinds: Vec<_> = result["content"]
            .as_array()
            .unwrap()
            .iter()
            .map(|block| block["type"].as_str().unwrap())
            .collect();
        assert_eq!(kinds.join(" "), kind, "{name}");
    }
}

#[tokio::test]
async fn the_odd_reading_leaves_as_it_is_spelt() {
    let answer = call("devices__get_raw_reading", json!({"device_id": "D-11"})).await;
    let text = answer.text();
    for spelling in [
        "1.0e+2",
        "0.10",
        "2E3",
        "9007199254740993",
        "12345678901234567890",
        "x-vendor",
    ] {
        assert!(text.contains(spelling), "{spelling}");
    }
}

#[tokio::test]
async fn a_question_comes_before_the_answer_where_the_script_asks() {
    let probe = Probe::new(DemoSettings {
        faults: vec![Fault::new(
            Target::tool("mail__list_mail_folders"),
            Effect::AskFirst,
        )],
        ..DemoSettings::default()
    });
    let asked = probe
        .modern("tools/call", json!({"name": "mail__list_mail_folders"}))
        .await
        .result();
    assert_eq!(asked["resultType"], "input_required");
    let retry = json!({
        "name": "mail__list_mail_folders",
        "inputResponses": {"confirm": {"action": "accept", "content": {"sure": true}}},
        "requestState": asked["requestState"],
    });
    let answered = probe.modern("tools/call", retry).await.result();
    assert_eq!(answered["resultType"], "complete");
    let forged = json!({
        "name": "mail__list_mail_folders",
        "inputResponses": {},
        "requestState": "other",
    });
    let refused = probe.modern("tools/call", forged).await;
    assert_eq!(refused.refusal(), (200, code::INVALID_PARAMS));
}
