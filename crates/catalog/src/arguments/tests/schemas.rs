use super::*;

#[test]
fn faults_of_the_schema_never_block_a_call() {
    for schema in [
        r#"{"type":"float"}"#,
        r#"{"type":"object","properties":{"a":{"type":"String"}}}"#,
        r#"{"type":"object","properties":{"a":{"type":"string","pattern":"^(a"}}}"#,
        r#"{"type":"object","properties":{"a":{"type":"string","pattern":"^(?!tmp_).+$"}}}"#,
        r#"{"$schema":"http://example.com/own","type":"object"}"#,
        r#"{"$schema":7,"type":"object"}"#,
        r#"{"type":"object","properties":{"a":{"type":"string","required":true}}}"#,
        r#"{"type":"object","properties":{"a":{"pattern":"(((a{1,1000}){1,1000}){1,1000})"}}}"#,
        r#"{"type":"object","properties":{"a":{"enum":[]}}}"#,
        r#"{"type":"object","properties":{"a":{"enum":[],"nullable":true}}}"#,
    ] {
        check_unchecked(schema, r#"{"a": 1}"#, UncheckedReason::SchemaInvalid);
    }
}

#[test]
fn a_schema_that_no_object_fits_blocks_no_call() {
    for schema in [
        r#"{"type":"array"}"#,
        r#"{"type":"null"}"#,
        r#"{"type":["string","null"]}"#,
        r#"{"enum":[]}"#,
        r#"{"enum":["a",1]}"#,
        r#"{"const":1}"#,
        r#"{"allOf":[false]}"#,
        r##"{"$ref":"#/$defs/list","$defs":{"list":{"type":"array"}}}"##,
        r#"{"anyOf":[{"type":"array"},{"type":"null"}]}"#,
    ] {
        check_unchecked(schema, r#"{"a": 1}"#, UncheckedReason::SchemaInvalid);
    }
    let either = r#"{"type":["object","null"],"anyOf":[{"type":"array"},{"required":["b"]}]}"#;
    check_passes(either, r#"{"b":1}"#);
    check_refused(either, r#"{"a":1}"#, "");
    check_refused(r#"{"enum":[{},{"b":1}]}"#, r#"{"a":1}"#, "");
}

#[test]
fn what_a_pattern_may_mean_elsewhere_is_not_asserted() {
    for pattern in [
        r"^\\bAB\\b",
        r"^a\\Bb$",
        r"^[a-z]+\\z",
        "^a{,3}$",
        "^[[:alpha:]]+$",
    ] {
        for properties in [
            format!(r#"{{"x":{{"type":"string","pattern":"{pattern}"}}}}"#),
            format!(r#"{{"x":{{"patternProperties":{{"{pattern}":false}}}}}}"#),
            format!(r#"{{"x":{{"not":{{"pattern":"{pattern}"}}}}}}"#),
        ] {
            check_unchecked(
                &object(&properties),
                r#"{"x":"?"}"#,
                UncheckedReason::SchemaInvalid,
            );
        }
    }
}

#[test]
fn references_lead_nowhere_else() {
    for reference in [
        "#/$defs/Gone",
        "#gone",
        "http://127.0.0.1:9/x",
        "file:///etc/hostname",
        "//host/y",
        "other.json",
        "http://json-schema.org/draft-07/schema#",
        "#/title",
    ] {
        let schema = format!(
            r#"{{"type":"object","title":{{}},"properties":{{"x":{{"$ref":"{reference}"}}}}}}"#
        );
        check_unchecked(&schema, r#"{"x": 1}"#, UncheckedReason::Reference);
    }
    check_unchecked(
        &object(r#"{"x":{"$id":"http://127.0.0.1:9/x","$ref":"y"}}"#),
        r#"{"x": 1}"#,
        UncheckedReason::Reference,
    );
}

#[test]
fn references_within_the_schema_are_followed() {
    for (reference, definitions) in [
        ("#/$defs/a", r#""$defs":{"a":{"type":"integer"}}"#),
        (
            "#/definitions/a",
            r#""definitions":{"a":{"type":"integer"}}"#,
        ),
        ("#/$defs/a%20b", r#""$defs":{"a b":{"type":"integer"}}"#),
        ("#/$defs/a~1b", r#""$defs":{"a/b":{"type":"integer"}}"#),
        ("#a", r#""$defs":{"x":{"$anchor":"a","type":"integer"}}"#),
        ("#/properties/y", r#""title":"t""#),
    ] {
        let schema = format!(
            r#"{{"$id":"http://127.0.0.1:9/root","type":"object",{definitions},
            "properties":{{"x":{{"$ref":"{reference}"}},"y":{{"type":"integer"}}}}}}"#
        );
        check_passes(&schema, r#"{"x":1}"#);
        check_refused(&schema, r#"{"x":"a"}"#, "/x");
    }
}

#[test]
fn patterns_mean_what_javascript_means() {
    for (pattern, text, matches) in [
        (r"^[\\w\\-\\.\\+]+$", "CC-BY-4.0", true),
        (r"^\\d+$", "42", true),
        (r"^\\d+$", "٤٢", false),
        (r"^\\w+$", "ą", false),
        (r"^\\cA$", r"\u0001", true),
        (r"^a\\/b\\-c$", "a/b-c", true),
        (r"^[^\\s@]+@[^\\s@]+$", "a@b", true),
        ("^[a-z-_]+$", "a-_", true),
        (r"^\\u0041\\x42$", "AB", true),
        ("^(?<year>[0-9]{4})$", "2026", true),
        (r"^\\<.*\\>$", "<b>", true),
        (r"^\\<.*\\>$", "b", false),
    ] {
        let schema = object(&format!(
            r#"{{"x":{{"type":"string","pattern":"{pattern}"}}}}"#
        ));
        let arguments = format!(r#"{{"x":"{text}"}}"#);
        if matches {
            check_passes(&schema, &arguments);
        } else {
            check_refused(&schema, &arguments, "/x");
        }
    }
}

#[test]
fn formats_and_unknown_keywords_never_refuse() {
    for dialect in [
        "http://json-schema.org/draft-04/schema#",
        "http://json-schema.org/draft-07/schema#",
        "https://json-schema.org/draft/2020-12/schema",
    ] {
        for keywords in [
            r#""format":"date-time""#,
            r#""format":"uri""#,
            r#""format":"email""#,
            r#""format":"uuid""#,
            r#""format":"int64""#,
            r#""format":"byte","contentEncoding":"base64""#,
            r#""contentMediaType":"application/json""#,
            r#""format":"x-custom","x-order":1,"example":2,"discriminator":{"propertyName":"a"}"#,
        ] {
            let schema = format!(
                r#"{{"$schema":"{dialect}","type":"object","properties":{{"x":{{"type":"string",{keywords}}}}}}}"#
            );
            check_passes(&schema, r#"{"x":"not {{ that"}"#);
        }
    }
}

#[test]
fn keywords_of_another_dialect_never_refuse() {
    for (uri, keywords, value) in [
        (
            "http://json-schema.org/draft-04/schema#",
            r#""const":1"#,
            "2",
        ),
        (
            "http://json-schema.org/draft-04/schema#",
            r#""contains":false,"propertyNames":false"#,
            r#"{"a":[1]}"#,
        ),
        (
            "http://json-schema.org/draft-04/schema#",
            r#""maximum":5,"exclusiveMaximum":false"#,
            "5",
        ),
        (
            "http://json-schema.org/draft-06/schema#",
            r#""if":true,"then":false"#,
            "1",
        ),
        (
            "http://json-schema.org/draft-07/schema#",
            r#""dependentRequired":{"a":["b"]},"prefixItems":[false],"unevaluatedProperties":false"#,
            r#"{"a":1}"#,
        ),
        (
            "https://json-schema.org/draft/2019-09/schema",
            r#""dependencies":{"a":["b"]}"#,
            r#"{"a":1}"#,
        ),
        (
            "https://json-schema.org/draft/2020-12/schema",
            r#""dependencies":{"a":["b"]}"#,
            r#"{"a":1}"#,
        ),
        (
            "https://json-schema.org/draft/2020-12/schema",
            r#""prefixItems":[{}],"additionalItems":false"#,
            "[1,2]",
        ),
    ] {
        let schema =
            format!(r#"{{"$schema":"{uri}","type":"object","properties":{{"x":{{{keywords}}}}}}}"#);
        check_passes(&schema, &format!(r#"{{"x":{value}}}"#));
    }
    check_passes(
        r#"{"type":"object","dependencies":{"a":["b"]}}"#,
        r#"{"a":1}"#,
    );
    check_refused(
        r#"{"$schema":"http://json-schema.org/draft-07/schema#","dependencies":{"a":["b"]}}"#,
        r#"{"a":1}"#,
        "",
    );
}

#[test]
fn a_whole_number_is_an_integer_in_every_dialect() {
    for dialect in [
        "http://json-schema.org/draft-04/schema#",
        "http://json-schema.org/draft-06/schema#",
        "http://json-schema.org/draft-07/schema#",
        "https://json-schema.org/draft/2019-09/schema",
        "https://json-schema.org/draft/2020-12/schema",
    ] {
        let schema = format!(
            r#"{{"$schema":"{dialect}","type":"object","properties":{{"x":{{"type":"integer"}}}}}}"#
        );
        check_passes(&schema, r#"{"x":5.0}"#);
        check_refused(&schema, r#"{"x":5.5}"#, "/x");
    }
}

#[test]
fn each_dialect_is_read_by_its_own_rules() {
    let draft = |uri: &str, property: &str| {
        format!(r#"{{"$schema":"{uri}","type":"object","properties":{{"x":{property}}}}}"#)
    };
    for (uri, property, good, bad) in [
        (
            "http://json-schema.org/draft-04/schema#",
            r#"{"minimum":1,"exclusiveMinimum":true}"#,
            "2",
            "1",
        ),
        (
            "http://json-schema.org/draft-06/schema#",
            r#"{"exclusiveMinimum":1}"#,
            "2",
            "1",
        ),
        (
            "https://json-schema.org/draft-07/schema",
            r#"{"items":[{"type":"string"}]}"#,
            r#"["a"]"#,
            "[1]",
        ),
        (
            "https://json-schema.org/draft/2019-09/schema",
            r#"{"items":[{"type":"string"}]}"#,
            r#"["a"]"#,
            "[1]",
        ),
        (
            "https://json-schema.org/draft/2020-12/schema",
            r#"{"prefixItems":[{"type":"string"}]}"#,
            r#"["a"]"#,
            "[1]",
        ),
        (
            "http://json-schema.org/schema#",
            r#"{"prefixItems":[{"type":"string"}]}"#,
            r#"["a"]"#,
            "[1]",
        ),
    ] {
        let schema = draft(uri, property);
        check_passes(&schema, &format!(r#"{{"x":{good}}}"#));
        let arguments = format!(r#"{{"x":{bad}}}"#);
        assert!(
            matches!(examined(&schema, &arguments), Arguments::Refuse(_)),
            "{schema} {arguments}"
        );
    }
    let booleans =
        r#"{"type":"object","properties":{"yes":true,"no":false},"additionalProperties":{}}"#;
    check_passes(booleans, r#"{"yes":1,"other":2}"#);
    check_refused(booleans, r#"{"no":1}"#, "/no");
    let either =
        r#"{"anyOf":[{"type":"object","required":["a"]},{"type":"object","required":["b"]}]}"#;
    check_passes(either, r#"{"b":1}"#);
    check_refused(either, r#"{"c":1}"#, "");
}

#[test]
fn nothing_is_fetched_for_a_schema() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let address = listener.local_addr().unwrap();
    for keyword in ["$ref", "$schema", "$id", "$dynamicRef"] {
        let schema = format!(r#"{{"{keyword}":"http://{address}/x"}}"#);
        let sent = examined(&schema, r#"{"a":1}"#);
        assert!(matches!(sent, Arguments::Forward { .. }), "{keyword}");
    }
    assert!(listener.accept().is_err(), "a connection was made");
    // A connection that had been made would have been seen.
    let _connection = std::net::TcpStream::connect(address).unwrap();
    listener.accept().unwrap();
}
