//! `eval --lint`.

use demo_gateway::DemoSettings;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::servers::before;
use super::{Library, report, text, tools};
use crate::command_line::Running;

/// The library's tools with two descriptions that can't stay, and what is found.
fn faulty() -> (Library, Value) {
    let library = Library::new();
    let mut tools = tools();
    tools[1]["description"] = json!("");
    tools[2]["description"] = tools[0]["description"].clone();
    library.write("faulty.json", &json!({"tools": tools}).to_string());
    let findings = json!([["lend_book", "no-description"], ["return_book", "copied"],]);
    (library, findings)
}

#[test]
fn descriptions_without_a_fault_pass() {
    let said = report(&Library::new().eval("--tools tools.json --lint"));
    assert_eq!(
        said,
        "6 tools, words only\nfound by their own first sentence: 6 of 6\nfindings: 0\n"
    );
    let said = report(&Library::new().eval_with("builtin", "--demo --lint"));
    assert_eq!(
        said,
        "500 tools, words and meaning\nfound by their own first sentence: 500 of 500\nfindings: 0\n"
    );
}

#[test]
fn a_fault_fails_the_command_and_is_told() {
    let (library, expected) = faulty();
    let output = library.eval("--tools faulty.json --lint");
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(text(&output.stderr), "");
    insta::assert_snapshot!(text(&output.stdout));

    let output = library.eval("--tools faulty.json --lint --json");
    assert_eq!(output.status.code(), Some(1));
    let lint: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(kinds(&lint), expected);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_tools_of_an_upstream_are_checked_but_not_those_of_a_proxy() {
    let settings = DemoSettings {
        tools: vec![RawValue::from_string(r#"{"name":"a"}"#.to_owned()).unwrap()],
        ..DemoSettings::default()
    };
    before(settings, |url| {
        let library = Library::new();
        let output = library.eval(&format!("--upstream {url} --lint --json"));
        assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
        let lint: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(kinds(&lint), json!([["a", "no-description"]]));

        let proxy = Running::before(&url, &[]);
        let output = library.eval(&format!("--upstream {} --lint", proxy.url()));
        assert_eq!(output.status.code(), Some(2));
        let error = text(&output.stderr);
        let refused = "error: these are the tools of a mcp-toolsearch-proxy: ";
        assert!(error.starts_with(refused), "{error}");
    })
    .await;
}

/// Each finding's tool and problem.
fn kinds(lint: &Value) -> Value {
    let findings = lint["findings"].as_array().unwrap().iter();
    findings
        .map(|finding| json!([finding["tool"], finding["problem"]]))
        .collect()
}
