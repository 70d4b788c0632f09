//! What bounds the work, and what is said beyond it.

use super::rules::{APIS, make};
use super::*;

#[test]
fn schemas_that_unfold_without_end_are_cut_and_say_so() {
    let level = |key: &str, n: usize| {
        let next = json!({"$ref": format!("#/$defs/L{}", n + 1)});
        let level = match key {
            "properties" => json!({"properties": {"a": next, "b": next}}),
            key => json!({ key: [next, next, {"properties": {(format!("p{n}")): {}}}] }),
        };
        (format!("L{n}"), level)
    };
    let cases = [
        ("properties", 40),
        ("allOf", 40),
        ("oneOf", 40),
        ("allOf", 3_000),
        ("properties", 3_000),
    ];
    for (key, depth) in cases {
        let levels: Map<String, Value> = (0..depth).map(|n| level(key, n)).collect();
        let start = json!({"$ref": "#/$defs/L0"});
        for format in [Format::OpenAi, Format::Gemini] {
            let root = match format {
                Format::OpenAi => json!({"allOf": [start], "$defs": levels}),
                _ => json!({"properties": {"a": start}, "$defs": levels}),
            };
            let made = make(format, &root);
            assert!(made.work <= 200_000, "{key} {format:?}");
            assert!(made.schema.to_string().len() < 2_000_000);
            let is_told = made.changes.iter().any(|text| text.contains("too large"));
            let folds = key != "properties" || format == Format::Gemini;
            assert!(
                is_told || !folds,
                "{key} {depth} {format:?}: {:?}",
                made.changes
            );
        }
    }
}

#[test]
fn a_schema_too_large_keeps_its_parameters() {
    let branch = |n: usize| json!({"properties": {"kind": {"const": format!("k{n}")}}});
    let large: Vec<Value> = (0..20_000).map(branch).collect();
    let schema = json!({
        "type": "object",
        "properties": {"small": {"type": "integer"}, "large": {"oneOf": large}},
        "required": ["small"],
        "oneOf": large,
    });
    for format in APIS {
        let made = make(format, &schema);
        let properties = &made.schema["properties"];
        assert!(properties["small"]["type"].is_string(), "{format:?}");
        let text = properties["large"].to_string();
        assert!(text.contains("Write JSON as text."), "{format:?}: {text}");
        assert_eq!(made.schema["required"], json!(["small"]));
        let told = "schema: `oneOf` is too large and is left out";
        assert!(
            made.changes.iter().any(|text| text == told),
            "{:?}",
            made.changes
        );
        assert!(made.work <= 20_000, "{}", made.work);
    }
}

/// They are told apart by their hashes: comparing each with all others took seconds.
#[test]
fn of_thousands_of_branches_each_is_said_once() {
    let check = |different: usize| {
        let branch =
            |n: usize| json!({"properties": {"kind": {"const": format!("k{}", n % different)}}});
        let schema = json!({"oneOf": (0..4_000).map(branch).collect::<Vec<_>>()});
        let made = make(Format::OpenAi, &schema);
        let kinds = &made.schema["properties"]["kind"]["anyOf"];
        assert_eq!(kinds.as_array().unwrap().len(), different);
        assert!(made.work <= 100_000, "{}", made.work);
    };
    check(2);
    check(100);
    check(4_000);
}

/// On far less stack than a thread of the proxy's has.
#[test]
fn the_deepest_schemas_take_little_stack() {
    let refer = |n: usize| json!({"$ref": format!("#/$defs/L{n}")});
    let chain = |level: &dyn Fn(Value) -> Value| {
        let levels = (0..5_000).map(|n| (format!("L{n}"), level(refer(n + 1))));
        let levels: Map<String, Value> = levels.collect();
        json!({"properties": {"a": refer(0)}, "allOf": [refer(0)], "$defs": levels})
    };
    let levels: [&dyn Fn(Value) -> Value; 6] = [
        &|next| next,
        &|next| json!({"properties": {"a b": next}}),
        &|next| json!({"type": "array", "items": next}),
        &|next| json!({"anyOf": [next, {"type": "string"}]}),
        &|next| json!({"allOf": [next, {"properties": {"b": {}}}]}),
        &|next| json!({"oneOf": [{"allOf": [next]}], "properties": {"a": {"anyOf": [next]}}}),
    ];
    let mut schemas: Vec<Value> = levels.iter().map(|level| chain(level)).collect();
    // As deep as JSON is read at all.
    schemas.extend(levels.iter().take(5).map(|level| {
        let deep = (0..20).fold(json!({"type": "string"}), |inner, _| level(inner));
        json!({"properties": {"a": deep}, "allOf": [deep]})
    }));
    let convert = move || {
        for schema in &schemas {
            for format in APIS {
                make(format, schema);
            }
        }
    };
    let small = std::thread::Builder::new().stack_size(STACK_BYTES);
    small.spawn(convert).unwrap().join().unwrap();
}

const STACK_BYTES: usize = 1 << 20;
