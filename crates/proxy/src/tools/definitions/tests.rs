use serde_json::{Map, Value, json};

use super::*;

fn listed() -> Vec<Value> {
    serde_json::from_str(definitions().get()).unwrap()
}

fn tokens(text: &str) -> usize {
    tiktoken_rs::o200k_base()
        .unwrap()
        .encode_ordinary(text)
        .len()
}

#[test]
fn the_definitions_read_as_written() {
    let definitions: Value = serde_json::from_str(definitions().get()).unwrap();
    insta::assert_snapshot!(serde_json::to_string_pretty(&definitions).unwrap());
}

#[test]
fn what_a_model_is_shown_fits_900_tokens() {
    let shown: Vec<Value> = listed()
        .iter()
        .map(|tool| {
            json!({
                "name": tool["name"],
                "description": tool["description"],
                "inputSchema": tool["inputSchema"],
            })
        })
        .collect();
    let count = tokens(&serde_json::to_string(&shown).unwrap());
    println!("five tools as shown to a model: {count} tokens");
    assert!(count <= 900, "{count} tokens");
}

#[test]
fn every_schema_passes_the_strictest_client() {
    for tool in listed() {
        for key in ["inputSchema", "outputSchema"] {
            if let Some(schema) = tool.get(key) {
                lint_root(schema.as_object().unwrap());
                lint(schema);
            }
        }
    }
}

fn lint_root(schema: &Map<String, Value>) {
    assert_eq!(schema["type"], "object");
    assert!(schema["properties"].is_object());
    for combinator in ["anyOf", "oneOf", "allOf", "not", "enum"] {
        assert!(!schema.contains_key(combinator), "{combinator}");
    }
}

fn lint(schema: &Value) {
    let Some(schema) = schema.as_object() else {
        return;
    };
    for key in schema.keys() {
        assert!(!key.starts_with('$'), "{key}");
    }
    if schema.get("type") == Some(&json!("object")) {
        assert!(schema["properties"].is_object(), "{schema:?}");
    }
    for (name, property) in schema
        .get("properties")
        .and_then(Value::as_object)
        .into_iter()
        .flatten()
    {
        assert!((1..=64).contains(&name.len()), "{name}");
        assert!(
            name.bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || b"_.-".contains(&byte))
        );
        lint(property);
    }
    if let Some(items) = schema.get("items") {
        lint(items);
    }
}

#[test]
fn free_form_arguments_have_the_form_that_every_client_takes() {
    let tools = listed();
    for (tool, pointer) in [
        (MetaTool::CallRead, "/inputSchema/properties/arguments"),
        (MetaTool::CallWrite, "/inputSchema/properties/arguments"),
        (
            MetaTool::CallReadMany,
            "/inputSchema/properties/calls/items/properties/arguments",
        ),
    ] {
        let listed = tools
            .iter()
            .find(|listed| listed["name"] == tool.name())
            .unwrap();
        let arguments = listed.pointer(pointer).unwrap();
        assert_eq!(arguments["type"], "object", "{}", tool.name());
        assert_eq!(arguments["properties"], json!({}), "{}", tool.name());
        assert_eq!(arguments["additionalProperties"], true, "{}", tool.name());
    }
}

#[test]
fn every_parameter_says_where_its_value_comes_from() {
    let described = |schema: &Value| {
        for (name, property) in schema["properties"].as_object().unwrap() {
            assert!(property["description"].is_string(), "{name}");
        }
    };
    for tool in listed() {
        described(&tool["inputSchema"]);
        if let Some(call) = tool.pointer("/inputSchema/properties/calls/items") {
            described(call);
        }
    }
}

#[test]
fn names_and_texts_stay_below_the_limits_of_clients() {
    for tool in listed() {
        assert!(tool["name"].as_str().unwrap().len() <= 16);
        assert!(tool["description"].as_str().unwrap().chars().count() < 2_048);
        for hint in [
            "readOnlyHint",
            "destructiveHint",
            "idempotentHint",
            "openWorldHint",
        ] {
            assert!(tool["annotations"][hint].is_boolean(), "{hint}");
        }
        assert_eq!(tool["title"], tool["annotations"]["title"]);
    }
}

#[test]
fn only_answers_of_our_own_making_declare_an_output_schema() {
    let declaring: Vec<String> = listed()
        .iter()
        .filter(|tool| tool.get("outputSchema").is_some())
        .map(|tool| tool["name"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(declaring, ["search_tools", "describe_tool"]);
}
