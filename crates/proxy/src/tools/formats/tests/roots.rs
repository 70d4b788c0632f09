//! One object at the root, and references that lead into it.

use super::*;

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

/// Where arguments are renamed back, deeper ones are not: what is inside is called as upstream.
#[test]
fn a_reference_to_the_root_leads_to_the_names_upstream() {
    let schema = json!({"type": "object", "properties": {
        "x[y]": {"type": "integer"}, "inner": {"$ref": "#"}}, "required": ["x[y]"]});
    let made = parameters(Format::Anthropic, &schema);
    assert_eq!(made["required"], json!(["x_y_"]));
    let to = made["properties"]["inner"]["$ref"].as_str().unwrap();
    let found = made.pointer(to.strip_prefix('#').unwrap()).unwrap();
    assert_eq!(found["required"], json!(["x[y]"]));
    assert_eq!(found["properties"]["x[y]"], json!({"type": "integer"}));
    assert_eq!(found["properties"]["inner"]["$ref"], to);
    // Where none is renamed, it leads to the root.
    assert_eq!(parameters(Format::OpenAi, &schema), schema);
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
