use super::*;

fn read(schema: &str) -> Result<Vec<ParamHeader>, InvalidParamHeader> {
    ParamHeader::read(&serde_json::from_str(schema).unwrap())
}

#[test]
fn annotated_arguments_are_mirrored() {
    let headers = read(
        r#"{"properties":{"region":{"type":"string","x-mcp-header":"Region"},
        "limit":{"type":["integer","null"],"x-mcp-header":"Limit"},
        "on":{"type":"boolean","x-mcp-header":"On"},
        "where":{"type":"object","properties":{"zone":{"type":"string","x-mcp-header":"Zone"}}}}}"#,
    )
    .unwrap();
    let mirrored = |arguments: &str| -> Vec<(String, String)> {
        let arguments = RawValue::from_string(arguments.to_owned()).unwrap();
        headers
            .iter()
            .filter_map(|header| header.mirrored(&arguments))
            .collect()
    };
    let pair = |suffix: &str, text: &str| (suffix.to_owned(), text.to_owned());
    assert_eq!(
        mirrored(r#"{"region":"vilnius\u0105","limit":42.0,"on":false,"where":{"zone":"a b"}}"#),
        [
            pair("Region", "vilniusą"),
            pair("Limit", "42.0"),
            pair("On", "false"),
            pair("Zone", "a b"),
        ]
    );
    assert_eq!(mirrored(r#"{"region":null,"limit":[1],"where":7}"#), []);
    assert_eq!(mirrored("{}"), []);
}

#[test]
fn schemas_without_annotations_mirror_nothing() {
    for schema in [
        "{}",
        "true",
        r#"{"properties":{"x-mcp-header":{"type":"string"}}}"#,
        r#"{"properties":{"x":{"default":{"x-mcp-header":"A"}}}}"#,
    ] {
        assert_eq!(read(schema), Ok(vec![]), "{schema}");
    }
}

#[test]
fn invalid_annotations_are_recognised() {
    for property in [
        r#""x":{"type":"string","x-mcp-header":""}"#,
        r#""x":{"type":"string","x-mcp-header":"a b"}"#,
        r#""x":{"type":"string","x-mcp-header":"ą"}"#,
        r#""x":{"type":"string","x-mcp-header":7}"#,
        r#""x":{"type":"array","x-mcp-header":"A"}"#,
        r#""x":{"x-mcp-header":"A"}"#,
        r#""x":{"type":"string","x-mcp-header":"A"},"y":{"type":"string","x-mcp-header":"a"}"#,
        r#""x":{"type":"array","items":{"type":"string","x-mcp-header":"A"}}"#,
        r#""x":{"anyOf":[{"type":"string","x-mcp-header":"A"}]}"#,
    ] {
        let schema = format!(r#"{{"properties":{{{property}}}}}"#);
        assert_eq!(read(&schema), Err(InvalidParamHeader), "{schema}");
    }
}
