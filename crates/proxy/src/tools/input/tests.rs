use super::*;

fn raw(text: &str) -> Box<RawValue> {
    RawValue::from_string(text.to_owned()).unwrap()
}

#[test]
fn absent_and_null_are_the_same() {
    for text in ["{}", r#"{"limit":null}"#, "null"] {
        let raw = raw(text);
        let input = Input::read(Some(&raw)).unwrap();
        assert_eq!(input.integer("limit"), Ok(None), "{text}");
    }
    assert_eq!(Input::read(None).unwrap().flag("schemas"), Ok(None));
}

#[test]
fn numbers_are_read_by_value_and_never_from_text() {
    let check = |json: &str, expected: Result<Option<i64>, &str>| {
        let raw = raw(&format!(r#"{{"limit":{json}}}"#));
        let read = Input::read(Some(&raw)).unwrap().integer("limit");
        assert_eq!(
            read,
            expected.map_err(|text| Refusal(text.to_owned())),
            "{json}"
        );
    };
    check("5", Ok(Some(5)));
    check("5.0", Ok(Some(5)));
    check("-1", Ok(Some(-1)));
    check("1e300", Ok(Some(i64::MAX)));
    check("0.5", Err("`limit` must be an integer, not 0.5"));
    check(
        r#""5""#,
        Err("`limit` must be an integer, not a string: send `\"limit\": 5`"),
    );
    check(r#""few""#, Err("`limit` must be an integer, not a string"));
    check("true", Err("`limit` must be an integer, not a boolean"));
}

#[test]
fn one_string_stands_for_an_array_of_one() {
    let check = |json: &str, expected: &[&str]| {
        let raw = raw(&format!(r#"{{"names":{json}}}"#));
        let read = Input::read(Some(&raw))
            .unwrap()
            .strings("names")
            .unwrap()
            .unwrap();
        assert_eq!(read, expected, "{json}");
    };
    check(r#"["a","b"]"#, &["a", "b"]);
    check(r#""a""#, &["a"]);
    check(r#""[\"a\",\"b\"]""#, &["a", "b"]);
    check(r#""[a]""#, &["[a]"]);
    check("[]", &[]);
}

#[test]
fn what_stands_twice_is_refused() {
    let raw = raw(r#"{"query":"a","limit":1,"qu\u0065ry":"b"}"#);
    let refusal = Input::read(Some(&raw)).unwrap_err();
    assert_eq!(refusal.0, "`query` stands twice: send it once");
}

#[test]
fn other_kinds_are_named() {
    let raw = raw(r#"{"names":["a",7],"list":{},"schemas":"false","query":{}}"#);
    let input = Input::read(Some(&raw)).unwrap();
    let texts = [
        input.strings("names").unwrap_err(),
        input.strings("list").unwrap_err(),
        input.flag("schemas").unwrap_err(),
        input.string("query").unwrap_err(),
    ];
    assert_eq!(
        texts.map(|refusal| refusal.0),
        [
            "`names[1]` must be a string, not 7",
            r#"`list` must be an array of strings, such as ["a", "b"], not an object"#,
            "`schemas` must be true or false, not a string: send `\"schemas\": false`",
            "`query` must be a string, not an object",
        ]
    );
}

#[test]
fn half_a_character_is_called_so() {
    const HALF: &str = "a string with half a character in it (a lone \\ud800 to \\udfff)";
    let raw = raw(r#"{"query":"a\ud83d","queries":["\udc00"],"limit":"\ud83d"}"#);
    let input = Input::read(Some(&raw)).unwrap();
    let texts = [
        (
            input.string("query").unwrap_err(),
            "`query` must be a string",
        ),
        (
            input.strings("queries").unwrap_err(),
            "`queries[0]` must be a string",
        ),
        (
            input.integer("limit").unwrap_err(),
            "`limit` must be an integer",
        ),
    ];
    for (refusal, expected) in texts {
        assert_eq!(refusal.0, format!("{expected}, not {HALF}"));
    }
    let raw = self::raw(r#"{"\ud83d":1}"#);
    assert_eq!(
        Input::read(Some(&raw)).unwrap_err().0,
        "the arguments must be an object, not an object with half a character in a name \
         (a lone \\ud800 to \\udfff)"
    );
}
