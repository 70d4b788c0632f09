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
            "b": {"type": "STRING", "nullable": true, "description": "Only null."},
            "c": {"type": "BOOLEAN"}}}),
    );
}

/// What is made of a parameter, and what is said of it.
#[track_caller]
fn check(property: &Value, expected: &Value, changes: &[&str]) {
    let (definition, told, _) = made(Format::Gemini, &with(property));
    let schema = &definition["functionDeclarations"][0]["parameters"]["properties"]["a"];
    assert_eq!(schema, expected, "{property}");
    let changes: Vec<String> = changes
        .iter()
        .map(|text| format!("schema at /properties/a: {text}"))
        .collect();
    assert_eq!(told, changes, "{property}");
}

#[test]
fn values_are_asked_for_as_the_tool_takes_them() {
    let described = "its values stand in its description";
    let mistyped = "values that its type doesn't take are left out";
    check(
        &json!({"type": "integer", "enum": [1, "2", 3.0]}),
        &json!({"type": "INTEGER", "description": "One of 1, 3.0."}),
        &[mistyped, described],
    );
    check(
        &json!({"type": "integer", "enum": ["1", "2"]}),
        &json!({"type": "STRING", "description": "Leave out: no value fits."}),
        &[mistyped, "it takes no value, and asks for none in words"],
    );
    check(
        &json!({"enum": ["a", 1, true, 2.5, null, {"b": 1}]}),
        &json!({"anyOf": [
            {"type": "STRING", "enum": ["a"], "nullable": true},
            {"type": "BOOLEAN", "description": "One of true.", "nullable": true},
            {"type": "NUMBER", "description": "One of 1, 2.5.", "nullable": true}]}),
        &[described, "values that are lists or objects are left out"],
    );
    check(
        &json!({"const": {"b": [1]}, "description": "Which."}),
        &json!({"type": "STRING", "description": "Which. Write JSON as text. One of {\"b\":[1]}."}),
        &["it has lists or objects as values, and is asked for as JSON text"],
    );
    check(
        &json!({"type": "string", "enum": ["a"], "nullable": true}),
        &json!({"type": "STRING", "enum": ["a"], "nullable": true}),
        &[],
    );
    check(
        &json!({"type": ["string", "null"], "enum": ["a"]}),
        &json!({"type": "STRING", "enum": ["a"]}),
        &[],
    );
    check(
        &json!({"enum": ["", "a"]}),
        &json!({"type": "STRING", "description": "One of \"\", \"a\"."}),
        &[described],
    );
    let many: Vec<u32> = (0..60).collect();
    let (definition, ..) = made(Format::Gemini, &with(&json!({"enum": many})));
    let text = definition.to_string();
    assert!(text.contains("48, 49 and 10 more."), "{text}");
    let none = "it takes no value, and asks for none in words";
    let nothing = json!({"type": "STRING", "description": "Leave out: no value fits."});
    check(&json!({"enum": []}), &nothing, &[none]);
    check(&json!(false), &nothing, &[none]);
    check(
        &json!({"anyOf": [{"type": "integer"}, false]}),
        &json!({"type": "INTEGER"}),
        &[],
    );
}

#[test]
fn what_the_subset_lacks_is_told() {
    check(
        &json!({"type": "string", "minLength": 2.0, "maxLength": 18_446_744_073_709_551_615_u64}),
        &json!({"type": "STRING", "minLength": 2}),
        &["`maxLength` is left out"],
    );
    check(
        &json!({"type": "integer", "not": {"const": 3}, "multipleOf": 2, "if": {}, "then": {"minimum": 1}}),
        &json!({"type": "INTEGER"}),
        &[
            "`if` is left out",
            "`not` is left out",
            "`then` is left out",
            "`multipleOf` is left out",
        ],
    );
    check(
        &json!({"allOf": [{"type": "string", "minLength": 1}, {"type": "integer"}]}),
        &json!({"type": "STRING", "minLength": 1}),
        &["`type` of a branch is left out"],
    );
    check(
        &json!({"type": "object", "properties": {"b": {"type": "boolean"}},
            "dependentSchemas": {"b": {}}, "additionalProperties": {"type": "string"}}),
        &json!({"type": "OBJECT", "properties": {"b": {"type": "BOOLEAN"}}}),
        &[
            "`additionalProperties` is left out",
            "`dependentSchemas` is left out",
        ],
    );
}

#[test]
fn what_is_required_is_asked_for() {
    check(
        &json!({"type": "object", "properties": {"b": {"type": "boolean"}}, "required": ["b", "c"],
            "additionalProperties": {"type": "string"}}),
        &json!({"type": "OBJECT", "required": ["b", "c"],
            "properties": {"b": {"type": "BOOLEAN"}, "c": {"type": "STRING"}}}),
        &["`additionalProperties` is left out"],
    );
    check(
        &json!({"properties": {"b": {"type": "boolean"}}, "required": ["c"], "additionalProperties": false}),
        &json!({"type": "OBJECT", "properties": {"b": {"type": "BOOLEAN"}}}),
        &["`required` names members that it doesn't take"],
    );
    let root =
        json!({"type": "object", "required": ["x y"], "additionalProperties": {"type": "string"}});
    let (definition, _, renamed) = made(Format::Gemini, &root);
    assert_eq!(
        definition["functionDeclarations"][0]["parameters"],
        json!({"type": "OBJECT", "required": ["x_y"], "properties": {"x_y": {"type": "STRING"}}})
    );
    assert_eq!(renamed, json!({"x_y": "x y"}));
}

#[test]
fn a_function_without_parameters_says_what_it_might_have_had() {
    let map =
        json!({"type": "object", "additionalProperties": {"type": "string"}, "minProperties": 1});
    let (definition, changes, _) = made(Format::Gemini, &map);
    assert_eq!(
        definition["functionDeclarations"][0].get("parameters"),
        None
    );
    assert_eq!(
        changes,
        [
            "schema: `minProperties` is left out",
            "schema: `additionalProperties` is left out"
        ]
    );
    let closed = json!({"type": "object", "properties": {}, "additionalProperties": false});
    assert_eq!(made(Format::Gemini, &closed).1, [""; 0]);
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
