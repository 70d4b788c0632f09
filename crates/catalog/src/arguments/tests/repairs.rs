use super::*;

#[test]
fn no_arguments_are_an_empty_object() {
    for nothing in [None, Some("null"), Some(r#""""#), Some(r#"" ""#)] {
        let object = meant_object(nothing.map(raw).as_deref()).unwrap();
        assert_eq!(object.get(), "{}", "{nothing:?}");
    }
    let needed = r#"{"type":"object","required":["a"]}"#;
    check_refused(needed, "null", "");
    for malformed in ["3", "[1]", "true", r#""text""#, r#""[1]""#, r#""\ud800""#] {
        check_refused(&object("{}"), malformed, "");
    }
}

#[test]
fn an_object_as_text_is_the_object() {
    check_becomes(
        &object(r#"{"id":{"type":"string"}}"#),
        r#""{\"id\": \"42\"}""#,
        r#"{"id": "42"}"#,
    );
}

#[test]
fn optional_nulls_are_dropped_where_null_is_not_allowed() {
    let schema = r##"{"type":"object","required":["repo"],"properties":{
        "repo":{"type":"string"},"branch":{"type":"string"},"limit":{"enum":[1,2]},
        "either":{"anyOf":[{"type":"string"},{"type":"array"}]},
        "list":{"type":["string","null"]},"any":{"anyOf":[{"type":"string"},{"type":"null"}]},
        "open":{"type":"string","nullable":true},"named":{"enum":["a",null]},
        "of":{"$ref":"#/$defs/name"},"nested":{"type":"object","properties":{"x":{"type":"string"}}}},
        "$defs":{"name":{"type":"string"}}}"##;
    check_becomes(
        schema,
        r#"{"repo":"demo", "branch":null,"limit":null ,"either":null,"of":null}"#,
        r#"{"repo":"demo"}"#,
    );
    check_passes(
        schema,
        r#"{"repo":"demo","list":null,"any":null,"open":null,"named":null,"unknown":null}"#,
    );
    check_refused(schema, r#"{"repo":null}"#, "/repo");
    check_refused(
        schema,
        r#"{"repo":"demo","nested":{"x":null}}"#,
        "/nested/x",
    );
    for kept in [r#""""#, "0", "false", "[]"] {
        check_refused(
            &object(r#"{"a":{"type":"object"}}"#),
            &format!(r#"{{"a":{kept}}}"#),
            "/a",
        );
    }
}

#[test]
fn openapi_nullable_allows_null_whatever_stands_beside_it() {
    for property in [
        r#"{"type":"string","nullable":true}"#,
        r#"{"type":["string","null"],"nullable":true}"#,
        r#"{"enum":["a"],"nullable":true}"#,
        r#"{"type":"string","enum":["a"],"nullable":true}"#,
        r#"{"nullable":true,"allOf":[{"type":"string"}]}"#,
        r##"{"nullable":true,"$ref":"#/$defs/a"}"##,
    ] {
        let schema = format!(
            r#"{{"type":"object","required":["x"],"properties":{{"x":{property}}},"$defs":{{"a":{{"type":"string"}}}}}}"#
        );
        check_passes(&schema, r#"{"x":null}"#);
        check_refused(&schema, r#"{"x":1}"#, "/x");
    }
    check_refused(
        &object(r#"{"nullable":{"type":"integer"}}"#),
        r#"{"nullable":"x"}"#,
        "/nullable",
    );
}

#[test]
fn text_becomes_the_array_or_object_it_spells() {
    let schema = object(
        r#"{"id":{"type":"integer"},"tags":{"type":"array","items":{"type":"string"}},
        "maybe":{"anyOf":[{"type":"array"},{"type":"null"}]},
        "deep":{"type":"array","items":{"type":"object","properties":{"at":{"type":"object"}}}}}"#,
    );
    check_becomes(
        &schema,
        r#"{"id": 7.0 , "tags":"[\"bug\" ,\"ui\"]"}"#,
        r#"{"id": 7.0 , "tags":["bug" ,"ui"]}"#,
    );
    check_becomes(&schema, r#"{"maybe":"[1e2]"}"#, r#"{"maybe":[1e2]}"#);
    check_becomes(
        &schema,
        r#"{"deep":"[{\"at\":\"{}\"},{\"at\":{}}]"}"#,
        r#"{"deep":[{"at":{}},{"at":{}}]}"#,
    );
    check_becomes(
        &schema,
        r#"{"deep":[{"at":"{\"x\":1}"}],"id":null}"#,
        r#"{"deep":[{"at":{"x":1}}]}"#,
    );
    for wrong in [r#""[1]""#, r#""{}""#, r#""bug""#, r#""[\"bug\"""#] {
        check_refused(&schema, &format!(r#"{{"tags":{wrong}}}"#), "/tags");
    }
}

#[test]
fn text_becomes_the_value_among_those_that_it_spells() {
    let schema =
        object(r#"{"x":{"const":{"b":[1]}},"y":{"enum":[[1],[2]]},"z":{"enum":["{}",{"b":1}]}}"#);
    check_becomes(
        &schema,
        r#"{"x":"{\"b\": [1]}","y":"[2]","z":"{}"}"#,
        r#"{"x":{"b": [1]},"y":[2],"z":"{}"}"#,
    );
    check_refused(&schema, r#"{"y":"[3]"}"#, "/y");
    check_refused(&schema, r#"{"z":"{\"b\":1}"}"#, "/z");
}

#[test]
fn a_union_with_string_is_left_alone() {
    for property in [
        r#"{"anyOf":[{"type":"array"},{"type":"string"},{"type":"null"}]}"#,
        r#"{"type":["array","string"]}"#,
        "{}",
    ] {
        let schema = object(&format!(r#"{{"x":{property}}}"#));
        check_passes(&schema, r#"{"x":["Top","Child"]}"#);
        check_passes(&schema, r#"{"x":"[\"x\"]"}"#);
    }
    let minds = object(r#"{"x":{"anyOf":[{"type":"array"},{"type":"string","maxLength":2}]}}"#);
    check_refused(&minds, r#"{"x":"[\"x\"]"}"#, "/x");
}

#[test]
fn numbers_keep_their_spelling_and_are_never_made_of_text() {
    let schema =
        object(r#"{"limit":{"type":"integer"},"share":{"type":"number"},"on":{"type":"boolean"}}"#);
    check_passes(&schema, r#"{"limit":30.0,"share":1E-7}"#);
    check_passes(&schema, r#"{"limit":123456789012345678901234567890}"#);
    for (arguments, pointer) in [
        (r#"{"limit":0.5}"#, "/limit"),
        (r#"{"limit":true}"#, "/limit"),
        (r#"{"limit":"5"}"#, "/limit"),
        (r#"{"limit":"099"}"#, "/limit"),
        (r#"{"share":"+3"}"#, "/share"),
        (r#"{"share":"1e3"}"#, "/share"),
        (r#"{"on":"yes"}"#, "/on"),
        (r#"{"on":"true"}"#, "/on"),
    ] {
        check_refused(&schema, arguments, pointer);
    }
}
