mod bounds;
mod gemini;
mod mended;
mod names;
mod properties;
mod roots;
mod rules;

use catalog::{Catalog, WriteTools};
use ranking::{Confidence, Embedder, VectorCache};
use serde_json::{Map, Value, json};
use upstream::Handshake;

use super::*;

fn catalog(tools: &[Value]) -> Catalog {
    Catalog::build(
        tools.iter().map(to_raw).collect(),
        Handshake::default(),
        &WriteTools::default(),
        &VectorCache::new(Embedder::None),
    )
}

fn all(catalog: &Catalog) -> Vec<Listed> {
    listed(catalog.tools(), Role::Pinned)
}

fn listed(tools: &[Arc<Tool>], role: Role) -> Vec<Listed> {
    let listed = |tool: &Arc<Tool>| Listed {
        tool: Arc::clone(tool),
        role,
    };
    tools.iter().map(listed).collect()
}

/// What becomes of one tool with this input schema: definition, changes and renamed arguments.
fn made(format: Format, schema: &Value) -> (Value, Vec<String>, Value) {
    let catalog =
        catalog(&[json!({"name": "tool", "description": "Does.", "inputSchema": schema})]);
    let found = all(&catalog);
    let definitions = Definitions::new(format, &found, &catalog);
    let json: Value = serde_json::from_str(definitions.json().get()).unwrap();
    let tool = &definitions.tools()[0];
    (
        json[0].clone(),
        tool.changes.clone(),
        json!(tool.renamed_arguments),
    )
}

/// The parameters of that definition, in the member where the format has them.
fn parameters(format: Format, schema: &Value) -> Value {
    let (definition, ..) = made(format, schema);
    let pointer = match format {
        Format::Mcp => "/inputSchema",
        Format::OpenAi => "/function/parameters",
        Format::Anthropic => "/input_schema",
        Format::Gemini => "/functionDeclarations/0/parameters",
    };
    definition.pointer(pointer).cloned().unwrap_or_default()
}

fn with(property: &Value) -> Value {
    json!({"type": "object", "properties": {"a": property}})
}

#[test]
fn what_every_api_takes_stays_byte_for_byte() {
    let schema = r#"{ "properties":{"b":{"type":"number","maximum":1e2}, "a":{"type":"string"}},"type":"object" }"#;
    let tool = format!(r#"{{"name":"t","inputSchema":{schema}}}"#);
    let catalog = Catalog::build(
        vec![RawValue::from_string(tool).unwrap()],
        Handshake::default(),
        &WriteTools::default(),
        &VectorCache::new(Embedder::None),
    );
    let found = all(&catalog);
    for format in [Format::Mcp, Format::OpenAi, Format::Anthropic] {
        let definitions = Definitions::new(format, &found, &catalog);
        assert!(definitions.json().get().contains(schema), "{format:?}");
        assert!(definitions.tools()[0].changes.is_empty());
    }
}

#[test]
fn each_api_gets_its_form() {
    let schema =
        json!({"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]});
    assert_eq!(
        made(Format::OpenAi, &schema).0,
        json!({"type": "function",
            "function": {"name": "tool", "description": "Does.", "parameters": schema}})
    );
    assert_eq!(
        made(Format::Anthropic, &schema).0,
        json!({"name": "tool", "description": "Does.", "input_schema": schema})
    );
    assert_eq!(
        made(Format::Gemini, &schema).0,
        json!({"functionDeclarations": [{"name": "tool", "description": "Does.", "parameters":
            {"type": "OBJECT", "required": ["a"], "properties": {"a": {"type": "INTEGER"}}}}]})
    );
    let nothing = made(Format::Gemini, &json!({"type": "object"})).0;
    assert_eq!(nothing["functionDeclarations"][0].get("parameters"), None);
}

#[test]
fn a_long_description_is_cut_for_openai_alone() {
    let tool = json!({"name": "t", "description": "word ".repeat(400), "inputSchema": {}});
    let catalog = catalog(&[tool]);
    let found = all(&catalog);
    for (format, is_cut) in [(Format::OpenAi, true), (Format::Anthropic, false)] {
        let definitions = Definitions::new(format, &found, &catalog);
        let is_told = !definitions.tools()[0].changes.is_empty();
        assert_eq!(
            (definitions.json().get().contains('…'), is_told),
            (is_cut, is_cut)
        );
    }
}

#[test]
fn each_tool_says_why_it_is_there() {
    let tools = ["a", "b", "c"].map(|name| json!({"name": name, "inputSchema": {}}));
    let catalog = catalog(&tools);
    let hit = Role::Hit {
        scored: None,
        confidence: Confidence::Weak,
    };
    let roles = [Role::Template, hit, Role::Pinned];
    let listed: Vec<Listed> = catalog
        .tools()
        .iter()
        .zip(roles)
        .map(|(tool, role)| Listed {
            tool: Arc::clone(tool),
            role,
        })
        .collect();
    let definitions = Definitions::new(Format::Mcp, &listed, &catalog);
    let told = serde_json::to_value(definitions.tools()).unwrap();
    for (place, mark) in ["template", "weak", "pinned"].into_iter().enumerate() {
        let marks = ["template", "weak", "pinned"].map(|mark| told[place].get(mark).is_some());
        assert_eq!(told[place][mark], true);
        assert_eq!(marks.iter().filter(|is| **is).count(), 1);
    }
}

#[test]
fn no_more_than_a_mebibyte_is_sent_but_for_the_first() {
    let check = |count: usize, bytes: usize, sent: usize| {
        let entry = |n: usize| json!({"name": format!("t{n}"), "description": "x".repeat(bytes), "inputSchema": {}});
        let catalog = catalog(&(0..count).map(entry).collect::<Vec<_>>());
        let listed = listed(catalog.tools(), Role::Template);
        let definitions = Definitions::new(Format::Mcp, &listed, &catalog);
        assert_eq!(definitions.tools().len(), sent);
        let omitted: Vec<String> = (sent..count).map(|n| format!("t{n}")).collect();
        assert_eq!(definitions.omitted().names(), omitted);
    };
    check(4, 500_000, 2);
    check(3, 1_500_000, 1);
    check(1, 1_500_000, 1);
    check(3, 100, 3);
}

#[test]
fn an_empty_list_of_declarations_is_not_sent() {
    let catalog = catalog(&[]);
    let definitions = Definitions::new(Format::Gemini, &[], &catalog);
    assert_eq!(definitions.json().get(), "[]");
}

#[test]
fn what_is_told_of_changes_counts_and_is_short() {
    let long = "x".repeat(50_000);
    let schema = json!({"properties": {(long.clone()): {"type": long}, "b": {"type": [long]}}});
    for format in [Format::OpenAi, Format::Anthropic, Format::Gemini] {
        let (.., changes, _) = made(format, &schema);
        assert!(!changes.is_empty());
        for text in changes {
            assert!(text.chars().count() <= 300, "{}", text.len());
        }
    }
    // The names that arguments are renamed back to can't be cut, so they count.
    let tool = |n: usize| json!({"name": format!("t{n}"), "inputSchema": {"properties": {(format!("{n}!").repeat(200_000)): {}}}});
    let catalog = catalog(&(0..4).map(tool).collect::<Vec<_>>());
    let definitions = Definitions::new(Format::Anthropic, &all(&catalog), &catalog);
    assert_eq!(definitions.tools().len(), 2);
}
