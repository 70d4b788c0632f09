mod properties;
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

/// What tools of these names are called.
fn called(format: Format, names: &[&str]) -> Vec<String> {
    let tools: Vec<Value> = names
        .iter()
        .map(|name| json!({"name": name, "inputSchema": {}}))
        .collect();
    let catalog = catalog(&tools);
    let found = all(&catalog);
    let definitions = Definitions::new(format, &found, &catalog);
    definitions
        .tools()
        .iter()
        .map(|tool| tool.called_as.clone())
        .collect()
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
fn names_are_within_the_rules_and_never_two_alike() {
    let check = |format, names: &[&str], expected: &[&str]| {
        assert_eq!(called(format, names), expected, "{format:?}");
    };
    for format in [Format::OpenAi, Format::Anthropic, Format::Gemini] {
        check(
            format,
            &["list_files", "get-page"],
            &["list_files", "get-page"],
        );
        check(format, &["files.read", "č"], &["files_read", "_"]);
        // Whose name can stay keeps it; the others are marked.
        check(
            format,
            &["files.read", "files_read"],
            &["files_read_39cc8cb1", "files_read"],
        );
        check(
            format,
            &["files.read", "files/read"],
            &["files_read_39cc8cb1", "files_read_499b8415"],
        );
    }
    check(Format::Mcp, &["files.read", "č"], &["files.read", "č"]);
    check(Format::OpenAi, &["3d_print"], &["3d_print"]);
    check(Format::Gemini, &["3d_print", "-x"], &["_3d_print", "_-x"]);
}

#[test]
fn long_names_end_in_a_mark_of_the_whole() {
    for (format, max) in [
        (Format::OpenAi, 64),
        (Format::Anthropic, 128),
        (Format::Gemini, 64),
    ] {
        let fits = "a".repeat(max);
        let (one, other) = (format!("{fits}1"), format!("{fits}2"));
        let called = called(format, &[&fits, &one, &other]);
        assert_eq!(called[0], fits);
        assert!(called.iter().all(|name| name.len() == max), "{called:?}");
        assert_ne!(called[1], called[2]);
    }
}

#[test]
fn a_tool_is_called_the_same_whatever_else_is_found() {
    let tools: Vec<Value> = ["files.read", "files/read", "x"]
        .iter()
        .map(|name| json!({"name": name, "inputSchema": {}}))
        .collect();
    let catalog = catalog(&tools);
    let found = all(&catalog);
    let together = Definitions::new(Format::OpenAi, &found, &catalog);
    for (place, hit) in found.iter().enumerate() {
        let alone = Definitions::new(Format::OpenAi, std::slice::from_ref(hit), &catalog);
        assert_eq!(
            alone.tools()[0].called_as,
            together.tools()[place].called_as
        );
    }
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
fn the_root_is_one_object() {
    let check = |schema: Value, expected: Value| {
        for format in [Format::OpenAi, Format::Anthropic] {
            assert_eq!(parameters(format, &schema), expected, "{schema}");
        }
    };
    let any = json!({"type": "object", "properties": {}});
    check(json!({}), any.clone());
    check(json!({"type": "object"}), any.clone());
    check(json!({"type": ["object", "null"]}), any.clone());
    check(
        json!({"type": "object", "not": {"required": ["a"]}, "const": {}}),
        any,
    );
    let a = json!({"a": {"type": "string"}});
    let object = json!({"type": "object", "properties": a, "required": ["a"]});
    check(json!({"$ref": "#/$defs/A", "$defs": {"A": object}}), {
        let mut object = object.clone();
        object["$defs"] = json!({"A": object});
        object
    });
    check(json!({"allOf": [object]}), object.clone());
    check(
        json!({"type": "object", "oneOf": [object, {"properties": {"b": {}}, "required": ["a", "b"]}]}),
        json!({"type": "object", "properties": {"a": {"type": "string"}, "b": {}}, "required": ["a"]}),
    );
    check(
        json!({"type": "object", "properties": a, "anyOf": [{"required": ["a"]}, {"required": ["b"]}]}),
        json!({"type": "object", "properties": a}),
    );
    let kinds = |kind: &str| json!({"properties": {"kind": {"const": kind}}, "required": ["kind"]});
    check(
        json!({"oneOf": [kinds("a"), kinds("b"), kinds("c")]}),
        json!({"type": "object", "required": ["kind"], "properties":
            {"kind": {"anyOf": [{"const": "a"}, {"const": "b"}, {"const": "c"}]}}}),
    );
}

#[test]
fn combinators_inside_combinators_are_folded_too() {
    let check = |schema: Value, expected: Value| {
        for format in [Format::OpenAi, Format::Anthropic] {
            let mut made = parameters(format, &schema);
            made.as_object_mut().unwrap().shift_remove("$defs");
            assert_eq!(made, expected, "{schema}");
        }
    };
    let named =
        |name: &str| json!({"properties": {(name): {"type": "string"}}, "required": [name]});
    let both = json!({"type": "object", "required": ["a", "b"], "properties":
        {"a": {"type": "string"}, "b": {"type": "string"}}});
    let either = json!({"type": "object", "properties": both["properties"]});
    let base = json!({"Base": {"allOf": [named("a"), named("b")]}});
    check(
        json!({"allOf": [{"$ref": "#/$defs/Base"}], "$defs": base}),
        both.clone(),
    );
    check(
        json!({"oneOf": [{"allOf": [named("a"), named("b")]}]}),
        both,
    );
    check(
        json!({"oneOf": [{"allOf": [named("a")]}, {"anyOf": [named("b")]}]}),
        either,
    );
    // What stands beside a reference adds to it.
    let mut beside = named("b");
    beside["$ref"] = json!("#/$defs/A");
    beside["$defs"] = json!({"A": named("a")});
    check(
        beside,
        json!({"type": "object", "required": ["b", "a"], "properties":
        {"b": {"type": "string"}, "a": {"type": "string"}}}),
    );
    // A branch that takes anything requires nothing.
    check(
        json!({"anyOf": [true, named("a")]}),
        json!({"type": "object", "properties": {"a": {"type": "string"}}}),
    );
}

#[test]
fn references_lead_where_they_led() {
    let check = |schema: &Value, pointer: &str, expected: Value| {
        let made = parameters(Format::Anthropic, schema);
        assert_eq!(made.pointer(pointer), Some(&expected), "{made}");
    };
    let refer = |to: &str| json!({"$ref": to});
    let defs = json!({"List<string>": {"type": "array"}, "B": {"$anchor": "b", "type": "string"}});
    let schema = json!({"properties": {
        "encoded": refer("#/$defs/List%3Cstring%3E"), "plain": refer("#/$defs/List<string>"),
        "anchor": refer("#b"), "gone": refer("#c"), "elsewhere": refer("https://example.com/x#/a"),
    }, "$defs": defs});
    for (name, to) in [
        ("encoded", "#/$defs/List%3Cstring%3E"),
        ("plain", "#/$defs/List<string>"),
        ("anchor", "#b"),
    ] {
        check(&schema, &format!("/properties/{name}"), refer(to));
    }
    for name in ["gone", "elsewhere"] {
        check(&schema, &format!("/properties/{name}"), json!({}));
    }
    // References are relative to the schema's own `$id`, and to those inside it.
    let schema = json!({"$id": "https://example.com/own", "properties": {
        "own": refer("https://example.com/own#/$defs/B"), "part": refer("part#/x")},
        "$defs": {"B": {}, "P": {"$id": "part"}}});
    check(
        &schema,
        "/properties/own",
        refer("https://example.com/own#/$defs/B"),
    );
    check(&schema, "/properties/part", refer("part#/x"));
    // What moves is found where it is now.
    let schema = json!({"properties": {
        "x[y]": {"type": "integer"}, "z": refer("#/properties/x[y]"),
        "w": refer("#/allOf/0/properties/v")},
        "allOf": [{"properties": {"v": {"type": "boolean"}}}]});
    let made = parameters(Format::Anthropic, &schema);
    for (name, kind) in [("z", "integer"), ("w", "boolean")] {
        let to = made["properties"][name]["$ref"].as_str().unwrap();
        let found = made.pointer(to.strip_prefix('#').unwrap()).unwrap();
        assert_eq!(found["type"], kind, "{made}");
    }
}

#[test]
fn parameters_are_renamed_wherever_they_are_named() {
    let schema = json!({"properties": {"a b": {}, "c": {}},
        "required": ["a b"], "dependentRequired": {"a b": ["c"], "c": ["a b"]},
        "dependentSchemas": {"a b": {"required": ["a b"]}},
        "if": {"required": ["a b"]}, "then": {"properties": {"a b": {"const": 1}}}});
    let made = parameters(Format::Anthropic, &schema).to_string();
    assert!(!made.contains("a b"), "{made}");
    assert_eq!(made.matches("a_b").count(), 8);
}

#[test]
fn what_is_mended_names_no_other_draft() {
    let draft = "http://json-schema.org/draft-07/schema#";
    for (items, kept) in [(json!([{"type": "string"}]), false), (json!({}), true)] {
        let mut schema = with(&json!({"type": "array", "items": items}));
        schema["$schema"] = json!(draft);
        let made = parameters(Format::Anthropic, &schema);
        assert_eq!(made.get("$schema").is_some(), kept, "{made}");
    }
}

#[test]
fn what_is_no_json_schema_is_mended() {
    let check = |property: Value, expected: Value| {
        let mended = parameters(Format::Anthropic, &with(&property));
        assert_eq!(mended["properties"]["a"], expected, "{property}");
    };
    check(json!({"type": "String"}), json!({"type": "string"}));
    check(json!({"type": "float"}), json!({"type": "number"}));
    check(
        json!({"type": ["int", "None"]}),
        json!({"type": ["integer", "null"]}),
    );
    check(json!({"type": "file"}), json!({}));
    check(
        json!({"type": "string", "required": true}),
        json!({"type": "string"}),
    );
    check(json!({"required": ["a", "a"]}), json!({}));
    check(json!({"minimum": "1", "maximum": 2}), json!({"maximum": 2}));
    check(
        json!({"minimum": 1, "exclusiveMinimum": true}),
        json!({"exclusiveMinimum": 1}),
    );
    check(
        json!({"minimum": 1, "exclusiveMinimum": false}),
        json!({"minimum": 1}),
    );
    check(json!({"anyOf": []}), json!({}));
    check(json!({"$ref": "#/$defs/Gone"}), json!({}));
    check(json!({"$ref": "https://example.com/schema"}), json!({}));
    check(json!({"enum": "a"}), json!({}));
    check(json!(7), json!({}));
    check(json!(true), json!(true));
    check(
        json!({"x-any": [1], "nullable": true}),
        json!({"x-any": [1], "nullable": true}),
    );
    check(
        json!({"type": "array", "items": [{"type": "str"}], "additionalItems": false}),
        json!({"type": "array", "items": false, "prefixItems": [{"type": "string"}]}),
    );
    check(json!({"type": "array"}), json!({"type": "array"}));
    let array = parameters(Format::OpenAi, &with(&json!({"type": "array"})));
    assert_eq!(
        array["properties"]["a"],
        json!({"type": "array", "items": {}})
    );
}

#[test]
fn changes_say_where_and_what() {
    let schema = json!({"properties": {
        "filter[id]": {"type": "String"}, "filter_id_": {"$ref": "#/gone"}},
        "required": ["filter[id]"]});
    let (definition, changes, renamed) = made(Format::Anthropic, &schema);
    assert_eq!(renamed, json!({"filter_id__2": "filter[id]"}));
    assert_eq!(
        definition["input_schema"]["required"],
        json!(["filter_id__2"])
    );
    assert_eq!(
        changes,
        [
            "parameter `filter[id]` is called `filter_id__2`",
            "schema at /properties/filter_id__2: `type` \"String\" is \"string\"",
            "schema at /properties/filter_id_: `$ref` can't be read and is left out",
        ]
    );
    let many: Map<String, Value> = (0..20).map(|n| (format!("p{n}"), json!(n))).collect();
    let (.., changes, _) = made(Format::OpenAi, &json!({"properties": many}));
    assert_eq!(changes.len(), 13);
    assert_eq!(changes[12], "8 more changes");
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
fn gemini_gets_its_subset() {
    let check = |property: Value, expected: Value| {
        let schema = parameters(Format::Gemini, &with(&property));
        assert_eq!(schema["properties"]["a"], expected, "{property}");
    };
    check(
        json!({"type": "string", "title": "A", "default": "x", "format": "uri", "maxLength": 3}),
        json!({"type": "STRING", "description": "A Default: \"x\".", "maxLength": 3}),
    );
    check(
        json!({"type": "string", "format": "date-time"}),
        json!({"type": "STRING", "format": "date-time"}),
    );
    check(
        json!({"type": ["integer", "null"], "minimum": 0}),
        json!({"type": "INTEGER", "minimum": 0, "nullable": true}),
    );
    check(
        json!({"type": ["string", "integer"], "description": "Which."}),
        json!({"anyOf": [{"type": "STRING", "description": "Which."}, {"type": "INTEGER", "description": "Which."}]}),
    );
    check(
        json!({"anyOf": [{"type": "string"}, {"type": "null"}], "description": "Which."}),
        json!({"type": "STRING", "description": "Which.", "nullable": true}),
    );
    check(
        json!({"oneOf": [{"const": "a"}, {"const": "b"}]}),
        json!({"type": "STRING", "enum": ["a", "b"]}),
    );
    check(
        json!({"enum": ["a", null]}),
        json!({"type": "STRING", "enum": ["a"], "nullable": true}),
    );
    check(
        json!({"enum": [1, 2]}),
        json!({"type": "INTEGER", "description": "One of 1, 2."}),
    );
    check(
        json!({"type": "array"}),
        json!({"type": "ARRAY", "items": {"anyOf": [{"type": "STRING"}, {"type": "NUMBER"}, {"type": "BOOLEAN"}]}}),
    );
    check(
        json!({"type": "array", "items": [{"type": "string"}, {"type": "string"}]}),
        json!({"type": "ARRAY", "items": {"type": "STRING"}}),
    );
    check(
        json!({"type": "object", "description": "Labels.", "additionalProperties": {"type": "string"}}),
        json!({"type": "STRING", "description": "Labels. Write JSON as text."}),
    );
    check(
        json!({"properties": {"b": {"type": "boolean"}}, "required": ["b", "gone"], "additionalProperties": false}),
        json!({"type": "OBJECT", "required": ["b"], "properties": {"b": {"type": "BOOLEAN"}}}),
    );
    check(
        json!({"allOf": [{"properties": {"b": {"type": "null"}}}, {"properties": {"c": {"type": "boolean"}}}]}),
        json!({"type": "OBJECT", "properties": {
            "b": {"anyOf": [{"type": "STRING", "nullable": true}, {"type": "NUMBER", "nullable": true}, {"type": "BOOLEAN", "nullable": true}]},
            "c": {"type": "BOOLEAN"}}}),
    );
}

#[test]
fn gemini_gets_no_references() {
    let schema = json!({
        "properties": {"a": {"$ref": "#/$defs/Node"}},
        "$defs": {"Node": {"properties": {"name": {"type": "string"}, "next": {"$ref": "#/$defs/Node"}}}},
    });
    let (_, changes, _) = made(Format::Gemini, &schema);
    assert_eq!(
        parameters(Format::Gemini, &schema)["properties"]["a"],
        json!({"type": "OBJECT", "properties": {
            "name": {"type": "STRING"},
            "next": {"type": "STRING", "description": "Write JSON as text."}}})
    );
    let told = "schema at /properties/a/properties/next: it refers to itself or to nothing, and is asked for as JSON text";
    assert_eq!(changes, [told]);
}

#[test]
fn a_schema_that_unfolds_without_end_is_cut() {
    // Each level has two of the next: 2^40 in all.
    let level = |n: u32| {
        let next = json!({"$ref": format!("#/$defs/L{}", n + 1)});
        (
            format!("L{n}"),
            json!({"properties": {"a": next, "b": next}}),
        )
    };
    let defs: Map<String, Value> = (0..40)
        .map(level)
        .chain([("L40".to_owned(), json!({"type": "string"}))])
        .collect();
    let schema = json!({"properties": {"a": {"$ref": "#/$defs/L0"}}, "$defs": defs});
    let text = parameters(Format::Gemini, &schema).to_string();
    assert!(text.len() < 400_000, "{}", text.len());
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
        assert_eq!(definitions.omitted(), omitted);
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
