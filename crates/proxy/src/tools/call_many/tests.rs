use super::*;

fn raw(text: &str) -> Box<RawValue> {
    RawValue::from_string(text.to_owned()).unwrap()
}

fn blocks(result: &str) -> Vec<String> {
    blocks_of(&raw(result))
        .iter()
        .map(|block| block.get().to_owned())
        .collect()
}

#[test]
fn blocks_are_copied_byte_for_byte_and_in_order() {
    let image =
        r#"{"type":"image", "data":"AAAA","mimeType":"image/png","annotations":{"priority":1.0}}"#;
    let future = r#"{"type":"x-future","n":1e2}"#;
    let result = format!(r#"{{"content":[{image},{future},{{"type":"text","text":"a"}}]}}"#);
    assert_eq!(
        blocks(&result),
        [image, future, r#"{"type":"text","text":"a"}"#]
    );
}

#[test]
fn structured_content_comes_as_text_where_no_text_does() {
    let structured = r#"{"content":[],"structuredContent":{"b":1,"a":2.0}}"#;
    assert_eq!(
        blocks(structured),
        [r#"{"type":"text","text":"{\"b\":1,\"a\":2.0}"}"#]
    );
    let both = r#"{"content":[{"type":"text","text":"t"}],"structuredContent":{"a":1}}"#;
    assert_eq!(blocks(both), [r#"{"type":"text","text":"t"}"#]);
    assert!(blocks(r#"{"content":[]}"#).is_empty());
}

#[test]
fn a_result_of_another_form_comes_whole_as_text() {
    for result in [
        r#"{"toolResult":{"a":1.0}}"#,
        r#"{"content":"text","isError":false}"#,
        r#"{"content":null,"structuredContent":{"a":1}}"#,
        r#"{"content":{"type":"text","text":"a"}}"#,
        "[1,2]",
        "{}",
    ] {
        assert_eq!(blocks_of(&raw(result))[0].get(), text_block(result).get());
        assert_eq!(blocks_of(&raw(result)).len(), 1, "{result}");
    }
}

fn entry(name: &str, outcome: Outcome, blocks: &[&str]) -> Entry {
    Entry {
        name: quoted(name),
        outcome,
        blocks: blocks.iter().map(|text| text_block(text)).collect(),
    }
}

fn texts(reply: &ToolReply) -> (Vec<String>, bool) {
    let ReplyBody::Own(result) = &reply.body else {
        panic!("own")
    };
    let result: serde_json::Value = serde_json::from_str(result.get()).unwrap();
    let content = result["content"].as_array().unwrap();
    let texts = content
        .iter()
        .map(|block| block["text"].as_str().unwrap().to_owned());
    (texts.collect(), result["isError"] == true)
}

#[test]
fn every_answer_follows_its_label() {
    let entries = [
        entry("a", Outcome::Ok, &["one", "two"]),
        entry("b", Outcome::UnknownTool, &["no such tool"]),
        entry("c", Outcome::Ok, &[]),
    ];
    let reply = answer(entries.into_iter());
    let expected = [
        "1. `a`: ok",
        "one",
        "two",
        "2. `b`: failed",
        "no such tool",
        "3. `c`: ok",
    ];
    assert_eq!(texts(&reply), (expected.map(str::to_owned).to_vec(), false));
}

#[test]
fn a_batch_is_an_error_only_if_every_call_failed() {
    let failed = || entry("a", Outcome::ToolError, &["x"]);
    assert!(texts(&answer([failed(), failed()].into_iter())).1);
    let one_of_two = [failed(), entry("b", Outcome::Ok, &[])];
    assert!(!texts(&answer(one_of_two.into_iter())).1);
}

#[test]
fn calls_are_counted_before_any_runs() {
    let read = |text: &str| {
        calls(Some(&raw(text)))
            .map(|calls| calls.len())
            .map_err(|refusal| refusal.0)
    };
    assert_eq!(read(r#"{"calls":[{"name":"a"},7]}"#), Ok(2));
    assert_eq!(read(r#"{"calls":"[{\"name\":\"a\"}]"}"#), Ok(1));
    let many = format!(r#"{{"calls":[{}]}}"#, ["{}"; 11].join(","));
    let refusals: Vec<_> = [
        "{}",
        r#"{"calls":[]}"#,
        r#"{"calls":{"name":"a"}}"#,
        r#"{"calls":"a"}"#,
        &many,
    ]
    .into_iter()
    .map(|text| read(text).unwrap_err())
    .collect();
    insta::assert_snapshot!(refusals.join("\n"));
}
