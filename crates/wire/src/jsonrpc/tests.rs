use super::*;

fn error_code(body: &[u8]) -> i64 {
    Message::parse(body).unwrap_err().rpc_error().code
}

#[test]
fn requests_keep_the_spelling_of_their_id() {
    for id in ["1", "-7", "\"a\\u0062\"", "90071992547409931234"] {
        let body = format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"ping"}}"#);
        let Message::Request(request) = Message::parse(body.as_bytes()).unwrap() else {
            panic!("{body} is a request");
        };
        assert_eq!(request.id.get(), id);
        let answer = String::from_utf8(request.id.result(&to_raw(&1))).unwrap();
        assert_eq!(
            answer,
            format!(r#"{{"jsonrpc":"2.0","id":{id},"result":1}}"#)
        );
    }
}

#[test]
fn faults_have_the_code_of_their_kind() {
    for (body, expected) in [
        (&b"{"[..], code::PARSE_ERROR),
        (b"", code::PARSE_ERROR),
        (b"\xff", code::PARSE_ERROR),
        (b"[]", code::INVALID_REQUEST),
        (
            br#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#,
            code::INVALID_REQUEST,
        ),
        (b"7", code::INVALID_REQUEST),
        (br#"{"id":1,"method":"ping"}"#, code::INVALID_REQUEST),
        (
            br#"{"jsonrpc":"1.0","id":1,"method":"ping"}"#,
            code::INVALID_REQUEST,
        ),
        (
            br#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#,
            code::INVALID_REQUEST,
        ),
        (
            br#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#,
            code::INVALID_REQUEST,
        ),
        (
            br#"{"jsonrpc":"2.0","id":1,"method":4}"#,
            code::INVALID_REQUEST,
        ),
        (
            br#"{"jsonrpc":"2.0","id":1,"method":"a","params":[]}"#,
            code::INVALID_REQUEST,
        ),
        (
            br#"{"jsonrpc":"2.0","id":1,"id":2,"method":"a"}"#,
            code::INVALID_REQUEST,
        ),
        (br#"{"jsonrpc":"2.0","id":1}"#, code::INVALID_REQUEST),
    ] {
        assert_eq!(
            error_code(body),
            expected,
            "{}",
            String::from_utf8_lossy(body)
        );
    }
}

#[test]
fn a_null_result_is_a_result() {
    let body = br#"{"jsonrpc":"2.0","id":1,"result":null}"#;
    let Message::Response(response) = Message::parse(body).unwrap() else {
        panic!("it is a response");
    };
    assert_eq!(response.outcome.unwrap().get(), "null");
}

#[test]
fn the_other_outcome_may_be_null() {
    for (outcomes, expected) in [
        (r#""result":null,"error":{"code":1}"#, Err(r#"{"code":1}"#)),
        (r#""error":null,"result":{"a":1}"#, Ok(r#"{"a":1}"#)),
    ] {
        let body = format!(r#"{{"jsonrpc":"2.0","id":1,{outcomes}}}"#);
        let Message::Response(response) = Message::parse(body.as_bytes()).unwrap() else {
            panic!("{body} is a response");
        };
        assert_eq!(
            response.outcome.map(RawValue::get).map_err(RawValue::get),
            expected
        );
    }
}

#[test]
fn deep_nesting_is_read_without_recursion() {
    let deep = format!(
        r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"a":{}{}}}}}"#,
        "[".repeat(10_000),
        "]".repeat(10_000)
    );
    assert!(matches!(
        Message::parse(deep.as_bytes()).unwrap(),
        Message::Request(_)
    ));
}

#[test]
fn string_ids_match_by_value() {
    let id =
        |text: &str| RequestId::read(&RawValue::from_string(text.to_owned()).unwrap()).unwrap();
    for (one, other, expected) in [
        (r#""a""#, r#""\u0061""#, true),
        (r#""1""#, "1", false),
        (r#""a""#, r#""b""#, false),
        ("77", "77", true),
    ] {
        let (one, other) = (id(one), id(other));
        assert_eq!(one.matches(&other), expected, "{one:?} {other:?}");
        assert_eq!(one.key() == other.key(), expected, "{one:?} {other:?}");
    }
}

#[test]
fn a_foreign_error_is_read_leniently() {
    let raw = RawValue::from_string(r#"{"code":"x","data":{"a":1}}"#.to_owned()).unwrap();
    let view = ErrorView::read(&raw);
    assert_eq!(
        (view.code, view.message.as_ref(), view.data.unwrap().get()),
        (0, "", r#"{"a":1}"#)
    );
}
