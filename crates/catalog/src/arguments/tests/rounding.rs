use super::*;

#[test]
fn a_number_that_rounds_is_never_refused() {
    for (property, value) in [
        (
            r#"{"exclusiveMaximum":18446744073709551999}"#,
            "18446744073709551998",
        ),
        (
            r#"{"exclusiveMaximum":9007199254740993.0}"#,
            "9007199254740992",
        ),
        (r#"{"exclusiveMinimum":0}"#, "1e-400"),
        (
            r#"{"uniqueItems":true}"#,
            "[12345678901234567890123,12345678901234567890124]",
        ),
        (r#"{"multipleOf":5}"#, "18446744073709551620"),
        (r#"{"multipleOf":3}"#, "300000000000000000000003"),
        (r#"{"multipleOf":1.5}"#, "9007199254740993"),
        (r#"{"not":{"maximum":0.3}}"#, "0.30000000000000001"),
        (
            r#"{"if":{"maximum":0.3},"then":false}"#,
            "0.30000000000000001",
        ),
    ] {
        let schema = object(&format!(r#"{{"x":{property}}}"#));
        let arguments = format!(r#"{{"x":{value}}}"#);
        match examined(&schema, &arguments) {
            Arguments::Forward {
                arguments: sent,
                unchecked: None | Some(UncheckedReason::Numbers),
            } => assert_eq!(sent.get(), arguments, "{schema}"),
            other => panic!("{schema} {arguments}: {other:?}"),
        }
    }
    check_unchecked(
        &object(r#"{"x":{"exclusiveMinimum":0}}"#),
        r#"{"x":1e-400}"#,
        UncheckedReason::Numbers,
    );
}

#[test]
fn a_number_that_does_not_round_is_compared() {
    for (property, good, bad) in [
        (
            r#"{"maximum":18446744073709551614}"#,
            "18446744073709551614",
            "18446744073709551615",
        ),
        (
            r#"{"minimum":-9223372036854775807}"#,
            "-9223372036854775807",
            "-9223372036854775808",
        ),
        (r#"{"maximum":0.3}"#, "0.3", "0.30000000000000004"),
        (r#"{"multipleOf":0.1}"#, "1000000.7", "0.25"),
        (r#"{"multipleOf":5}"#, "1e22", "7.0"),
        (r#"{"uniqueItems":true}"#, "[1,1.5]", "[1,1.0]"),
        (r#"{"enum":[10,0.1]}"#, "1e1", "0.2"),
    ] {
        let schema = object(&format!(r#"{{"x":{property}}}"#));
        check_passes(&schema, &format!(r#"{{"x":{good}}}"#));
        check_refused(&schema, &format!(r#"{{"x":{bad}}}"#), "/x");
    }
}
