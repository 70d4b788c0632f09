use std::fmt::Write as _;

use super::*;

const ISSUE: &str = r#"{"type":"object","required":["owner","repo","title"],
    "additionalProperties":false,"properties":{"owner":{"type":"string"},
    "repo":{"type":"string"},"title":{"type":"string"},"progress":{"type":"integer"}}}"#;

const NOTHING: &str = r#"{"type":"object","additionalProperties":false}"#;

const SHAPE: &str = r#"{"type":"object","properties":{"shape":{"oneOf":[
    {"type":"object","required":["kind","radius"],
        "properties":{"kind":{"const":"circle"},"radius":{"type":"number"}}},
    {"type":"object","required":["kind","side"],
        "properties":{"kind":{"const":"square"},"side":{"type":"number"}}}]}}}"#;

const BOUNDS: &str = r#"{"type":"object","properties":{
    "low":{"minimum":1},"high":{"exclusiveMaximum":10},"step":{"multipleOf":5},
    "short":{"minLength":3},"long":{"maxLength":1},"none":{"minItems":1},
    "twice":{"uniqueItems":true}}}"#;

const UNION: &str = r#"{"type":"object","properties":{
    "x":{"anyOf":[{"type":"string","enum":["open","closed"]},{"type":"null"}]},
    "y":{"anyOf":[{"type":"array"},{"type":"integer"}]},"z":{"const":"all"},
    "code":{"type":"string","pattern":"^[A-Z]{3}$"},"not":{"not":{"type":"string"}}},
    "propertyNames":{"maxLength":5}}"#;

/// What the caller reads, one problem a line.
fn refusal(schema: &str, arguments: &str) -> String {
    let Arguments::Refuse(problems) = examined(schema, arguments) else {
        panic!("{arguments} passes");
    };
    let mut text = format!("{arguments}\n");
    for ArgumentProblem { pointer, message } in problems {
        writeln!(text, "    {pointer:9} {message}").unwrap();
    }
    text
}

#[test]
fn refusals_say_what_to_send() {
    let refusals = [
        refusal(ISSUE, "[]"),
        refusal(ISSUE, "{}"),
        refusal(ISSUE, r#"{"owner":"o","repo":"r"}"#),
        refusal(ISSUE, r#"{"owner":"o","repo":"r","title":null}"#),
        refusal(
            ISSUE,
            r#"{"owner":"o","repo":"r","title":"t","task_progress":1}"#,
        ),
        refusal(ISSUE, r#"{"owner":"o","repo":"r","title":"t","zzz":1}"#),
        refusal(
            ISSUE,
            r#"{"owner":1,"repo":["r"],"title":{},"progress":"5"}"#,
        ),
        refusal(
            ISSUE,
            r#"{"owner":"o","repo":"r","title":"t","progress":"099"}"#,
        ),
        refusal(
            ISSUE,
            r#"{"owner":"o","repo":"r","title":"t","progress":0.5}"#,
        ),
        refusal(NOTHING, r#"{"a":1,"b":2}"#),
        refusal(
            r#"{"properties":{},"additionalProperties":false}"#,
            r#"{"a":1}"#,
        ),
        refusal(SHAPE, r#"{"shape":{"kind":"square","side":"2"}}"#),
        refusal(SHAPE, r#"{"shape":"square"}"#),
        refusal(
            BOUNDS,
            r#"{"low":0,"high":10,"step":7,"short":"ab","long":"ąč","none":[],"twice":[1,1]}"#,
        ),
        refusal(
            UNION,
            r#"{"x":"opened","y":"[x","z":"some","code":"ab","not":"x","longer":1}"#,
        ),
        refusal(UNION, r#"{"x":1,"y":"7"}"#),
    ];
    insta::assert_snapshot!("refusals", refusals.concat());
}

#[test]
fn of_a_huge_enum_only_the_closest_values_are_told() {
    let many: Vec<String> = (0..2_000).map(|n| format!(r#""region-{n}""#)).collect();
    let schema = object(&format!(r#"{{"x":{{"enum":[{}]}}}}"#, many.join(",")));
    let refusals = [
        refusal(&schema, r#"{"x":"region-19x"}"#),
        refusal(
            &schema,
            r#"{"x":"elsewhere, far away from all the places known here, sorry"}"#,
        ),
    ];
    insta::assert_snapshot!("refusals_of_a_huge_enum", refusals.concat());
}

#[test]
fn many_problems_are_cut_to_a_few() {
    let members: Vec<String> = (0..20).map(|n| format!(r#""p{n}":"x""#)).collect();
    let schema = r#"{"type":"object","additionalProperties":{"type":"integer"}}"#;
    let Arguments::Refuse(problems) = examined(schema, &format!("{{{}}}", members.join(",")))
    else {
        panic!("passes");
    };
    assert_eq!(problems.len(), 8);
    assert_eq!(problems[7].message, "and 13 more problems");
}
