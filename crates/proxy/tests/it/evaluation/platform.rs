//! A platform of 62 tools, four of the company's services; docs/evaluation.md tells what is asked of it.

use demo_gateway::company_tools;
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::{Library, report};

/// The gates leave room for two questions of all and one of a kind: a change of the ranking is noticed.
#[test]
fn a_platform_of_62_tools_is_found_as_well_as_ever() {
    let library = Library::new();
    library.write("platform.json", &json!({"tools": platform()}).to_string());
    let measure = |more: &str| {
        let arguments = format!("--tools platform.json --queries {QUESTIONS} {more}");
        report(&library.eval_with("builtin", &arguments))
    };
    println!("{}", measure("--by kind"));
    let gates: Vec<String> = GATES.iter().map(|gate| format!("--gate {gate}")).collect();
    let measured: Value =
        serde_json::from_str(&measure(&format!("--json {}", gates.join(" ")))).unwrap();
    assert_eq!(measured["absent"], json!([]), "every right tool exists");
    assert_eq!(
        (&measured["questions"], &measured["tools"]),
        (&json!(50), &json!(62))
    );
}

/// Of the company's tools those that are named.
fn platform() -> Vec<Box<RawValue>> {
    #[derive(Deserialize)]
    struct Named {
        name: String,
    }
    let mut tools = company_tools();
    tools.retain(|tool| {
        let Named { name } = serde_json::from_str(tool.get()).unwrap();
        NAMES.lines().any(|line| line == name)
    });
    tools
}

const GATES: &[&str] = &[
    "recall@10=0.88,doubted=0.19,warned=0.66",
    "kind=stage:recall@10=0.79",
    "kind=compute:recall@10=0.87",
    "kind=goods:recall@10=0.89",
    "kind=ambiguous:recall@10=0.74",
    "kind=paraphrase:recall@10=0.74",
];
const QUESTIONS: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../eval/data/platform-questions.jsonl"
);
const NAMES: &str = include_str!("../../../../eval/data/platform-tools.txt");
