//! JSON Schema that is none.

use super::*;

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
fn openai_gets_patterns_that_python_reads() {
    let schema = with(&json!({
        "pattern": r"^\p{L}+$",
        "patternProperties": {r"^x-": {"pattern": "(?<a>b)"}, r"^\p{L}": {}},
        "propertyNames": {"pattern": r"^[\w-.]+$"},
        "items": {"pattern": "^[a-z]+$"},
    }));
    let (definition, changes, _) = made(Format::OpenAi, &schema);
    assert_eq!(
        definition["function"]["parameters"]["properties"]["a"],
        json!({"patternProperties": {"^x-": {}}, "propertyNames": {}, "items": {"pattern": "^[a-z]+$"}})
    );
    let expected = [
        "schema at /properties/a: `pattern` can't be read and is left out",
        r"schema at /properties/a: members by the pattern `^\p{L}` are left out",
        "schema at /properties/a/patternProperties/^x-: `pattern` can't be read and is left out",
        "schema at /properties/a/propertyNames: `pattern` can't be read and is left out",
    ];
    assert_eq!(changes, expected);
    assert_eq!(parameters(Format::Anthropic, &schema), schema);
}
