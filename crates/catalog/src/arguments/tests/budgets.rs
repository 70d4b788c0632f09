use super::*;

#[test]
fn a_recursive_schema_checks_a_deep_value() {
    let schema = r##"{"type":"object","properties":{"root":{"$ref":"#/$defs/Node"}},
        "$defs":{"Node":{"type":"object","properties":{"value":{"type":"string"},
        "children":{"type":"array","items":{"$ref":"#/$defs/Node"}}}}}}"##;
    let nested = |leaf: &str| {
        let mut value = leaf.to_owned();
        for _ in 0..50 {
            value = format!(r#"{{"children":[{value}]}}"#);
        }
        format!(r#"{{"root":{value}}}"#)
    };
    check_passes(schema, &nested(r#"{"value":"x"}"#));
    check_refused(
        schema,
        &nested(r#"{"value":1}"#),
        &format!("/root{}/value", "/children/0".repeat(50)),
    );
}

#[test]
fn what_is_too_large_goes_unchecked() {
    let deep = format!(r#"{{"a":{}{}}}"#, "[".repeat(200), "]".repeat(200));
    check_unchecked(&object("{}"), &deep, UncheckedReason::TooLarge);
    check_unchecked(&object("{}"), r#"{"a":1e999}"#, UncheckedReason::TooLarge);
    let mut nested = "{}".to_owned();
    for _ in 0..200 {
        nested = format!(r#"{{"allOf":[{nested}]}}"#);
    }
    check_unchecked(&nested, "{}", UncheckedReason::TooLarge);
    let huge = object(&format!(
        r#"{{"a":{{"description":"{}"}}}}"#,
        "x".repeat(5_000_000)
    ));
    check_unchecked(&huge, "{}", UncheckedReason::TooLarge);
    let levels: Vec<String> = (0..12)
        .map(|level| {
            let next = format!(r##"{{"$ref":"#/$defs/l{}"}}"##, level + 1);
            format!(r#""l{level}":{{"allOf":[{next},{next},{next},{next}]}}"#)
        })
        .collect();
    let exploding = format!(
        r##"{{"$ref":"#/$defs/l0","$defs":{{{},"l12":{{"type":"object"}}}}}}"##,
        levels.join(",")
    );
    check_unchecked(&exploding, "{}", UncheckedReason::TooLarge);
}

#[test]
fn a_check_that_takes_too_long_stops() {
    // Each level of the value is checked by both branches: 2^100 errors.
    let schema = r##"{"$ref":"#/$defs/n","$defs":{"n":{"allOf":[
        {"properties":{"a":{"$ref":"#/$defs/n"}}},{"properties":{"a":{"$ref":"#/$defs/n"}}}],
        "additionalProperties":{"type":"string"}}}}"##;
    let value = format!("{}{{\"b\":1}}{}", r#"{"a":"#.repeat(100), "}".repeat(100));
    let stopped = examine(&tool(schema), raw(&value), Duration::from_millis(20));
    assert!(
        matches!(
            stopped,
            Arguments::Forward {
                unchecked: Some(UncheckedReason::Timeout),
                ..
            }
        ),
        "{stopped:?}"
    );
}

#[test]
fn hostile_patterns_end_soon() {
    let schema = object(r#"{"x":{"type":"string","pattern":"^(a+)+$"}}"#);
    check_refused(&schema, &format!(r#"{{"x":"{}!"}}"#, "a".repeat(40)), "/x");
}

#[tokio::test]
async fn a_check_without_a_place_goes_unchecked() {
    let tool = Arc::new(tool(r#"{"required":["a"]}"#));
    let limits = CheckLimits::new(Duration::from_millis(1));
    let _all = limits.places.try_acquire_many(16).unwrap();
    assert!(matches!(
        prepare(&tool, None, &limits).await,
        Arguments::Forward {
            unchecked: Some(UncheckedReason::Timeout),
            ..
        }
    ));
    let others = CheckLimits::new(AMPLE);
    assert!(matches!(
        prepare(&tool, None, &others).await,
        Arguments::Refuse(_)
    ));
}

#[tokio::test]
async fn twins_with_different_schemas_go_unchecked() {
    let entries = vec![
        raw(r#"{"name":"t","inputSchema":{"required":["a"]}}"#),
        raw(r#"{"name":"t","inputSchema":{"required":["b"]}}"#),
    ];
    let tool = Arc::new(read_tools(entries, &WriteTools::default()).pop().unwrap());
    assert!(matches!(
        prepare(&tool, None, &CheckLimits::default()).await,
        Arguments::Forward {
            unchecked: Some(UncheckedReason::Ambiguous),
            ..
        }
    ));
}
