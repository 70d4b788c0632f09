//! Gemini's subset.

use super::*;

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
