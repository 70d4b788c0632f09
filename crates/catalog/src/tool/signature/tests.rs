use super::*;

fn check(schema: &str, expected: &str) {
    let schema = RawValue::from_string(schema.to_owned()).unwrap();
    assert_eq!(signature("t", &schema), expected, "{}", schema.get());
}

fn check_property(property: &str, expected: &str) {
    let schema = format!(
        r##"{{"properties":{{"x":{property}}},"$defs":{{"name":{{"type":"string"}},
        "loop":{{"$ref":"#/$defs/loop"}},"pet":{{"type":"object","properties":{{}}}}}}}}"##
    );
    check(&schema, &format!("t(x?: {expected})"));
}

#[test]
fn required_parameters_come_first_in_the_schemas_order() {
    check(
        r#"{"type":"object","properties":{"labels":{"type":"array","items":{"type":"string"}},
        "owner":{"type":"string"},"page":{"type":"integer"},"repo":{"type":"string"}},
        "required":["repo","owner"]}"#,
        "t(owner: string, repo: string, labels?: string[], page?: integer)",
    );
    for nothing in ["{}", r#"{"type":"object","properties":{}}"#, "true"] {
        check(nothing, "t()");
    }
}

#[test]
fn types_are_told_in_a_word() {
    for (property, expected) in [
        (r#"{"type":"string"}"#, "string"),
        (r#"{"type":["string","null"]}"#, "string|null"),
        (r#"{"enum":["open","closed"]}"#, r#""open"|"closed""#),
        (r#"{"enum":[1,2,3,4,5,6,7]}"#, "1|2|3|4|5|…+2"),
        (r#"{"const":"all"}"#, r#""all""#),
        (r#"{"type":"array"}"#, "any[]"),
        (
            r#"{"type":"array","items":{"enum":["a","b"]}}"#,
            r#"("a"|"b")[]"#,
        ),
        (r#"{"type":"array","items":{"type":"object"}}"#, "object[]"),
        (r#"{"type":"object","properties":{"deep":{}}}"#, "object"),
        (r#"{"properties":{}}"#, "object"),
        (r#"{"items":{"type":"integer"}}"#, "integer[]"),
        (
            r#"{"anyOf":[{"type":"string"},{"type":"number"},{"type":"string"}]}"#,
            "string|number",
        ),
        (
            r#"{"oneOf":[{"const":"a"},{"type":"null"}]}"#,
            r#""a"|null"#,
        ),
        (r#"{"anyOf":[{"type":"string"},{}]}"#, "any"),
        (r##"{"$ref":"#/$defs/name"}"##, "string"),
        (
            r##"{"type":"array","items":{"$ref":"#/$defs/name"}}"##,
            "string[]",
        ),
        (
            r##"{"anyOf":[{"$ref":"#/$defs/pet"},{"type":"null"}]}"##,
            "object|null",
        ),
        (r##"{"$ref":"#/$defs/loop"}"##, "any"),
        (r##"{"$ref":"#/$defs/gone"}"##, "any"),
        (r#"{"$ref":"http://127.0.0.1:9/x"}"#, "any"),
        ("{}", "any"),
        ("true", "any"),
    ] {
        check_property(property, expected);
    }
}

#[test]
fn a_line_is_cut_between_parameters() {
    let properties: Vec<String> = (0..100)
        .map(|n| format!(r#""parameter_{n}":{{"type":"string"}}"#))
        .collect();
    let schema = format!(r#"{{"properties":{{{}}}}}"#, properties.join(","));
    let line = signature("t", &RawValue::from_string(schema).unwrap());
    assert!(line.chars().count() <= LINE_CHARS + 5, "{line}");
    assert!(line.ends_with(": string, …)"), "{line}");
}
