use ranking::Embedder;
use serde_json::json;

use super::*;

fn tools() -> Vec<Box<RawValue>> {
    let tools = [
        ("send_mail", "Sends a mail"),
        ("search_mail", "Searches the mailbox"),
        ("create_invoice", "Creates an invoice"),
    ];
    let tool = |(name, description): &(&str, &str)| {
        wire::to_raw(&json!({"name": name, "description": description, "inputSchema": {}}))
    };
    tools.iter().map(tool).collect()
}

fn question(query: &str, wanted: &[(&str, &[&str])]) -> Question {
    Question {
        id: query.to_owned(),
        query: query.to_owned(),
        labels: Labels {
            lang: "en".to_owned(),
            kind: "single".to_owned(),
            style: None,
            subset: None,
        },
        wanted: wanted
            .iter()
            .map(|(tool, alternatives)| Wanted {
                tool: (*tool).to_owned(),
                alternatives: alternatives.iter().copied().map(str::to_owned).collect(),
            })
            .collect(),
    }
}

fn run(embedder: Embedder, questions: &[Question], asked: impl FnMut()) -> Run {
    let catalog = index(tools(), &VectorCache::new(embedder));
    Run::new(&catalog, questions, &QueryVectors::default(), asked)
}

fn check(query: &str, wanted: &[(&str, &[&str])], ranks: &[Option<usize>], weak: bool) {
    let question = question(query, wanted);
    let run = run(Embedder::None, &[question], || ());
    let answer = &run.answers[0];
    assert_eq!(
        (answer.ranks.as_slice(), answer.weak),
        (ranks, weak),
        "{query}"
    );
}

#[test]
fn a_wanted_tool_is_found_by_itself_or_an_alternative() {
    check("send mail", &[("send_mail", &[])], &[Some(1)], false);
    check("send mail", &[("search_mail", &[])], &[Some(2)], false);
    check("send mail", &[("create_invoice", &[])], &[None], false);
    check(
        "send mail",
        &[("create_invoice", &["search_mail", "send_mail"])],
        &[Some(1)],
        false,
    );
    check(
        "send mail",
        &[("search_mail", &[]), ("send_mail", &[])],
        &[Some(2), Some(1)],
        false,
    );
}

#[test]
fn an_answer_without_a_firm_hit_is_weak() {
    check("zebra", &[], &[], true);
    check("zebra", &[("send_mail", &[])], &[None], true);
    let mostly_strange = "mail zebra giraffe antelope rhinoceros hippopotamus crocodile";
    check(mostly_strange, &[], &[], true);
    check("invoice", &[], &[], false);
}

#[test]
fn what_cannot_be_found_is_named() {
    let questions = [
        question("a", &[("send_mail", &[]), ("gone", &[])]),
        question("b", &[("gone", &["gone_too"]), ("renamed", &["send_mail"])]),
    ];
    let mut asked = 0;
    let run = run(Embedder::None, &questions, || asked += 1);
    assert_eq!(run.absent, BTreeSet::from(["gone".to_owned()]));
    assert_eq!((run.tools, asked), (3, 2));
}

#[test]
fn what_the_model_knows_nothing_of_is_named() {
    let questions = [question("𓀀", &[]), question("mail", &[])];
    let by_words = |embedder| run(embedder, &questions, || ()).by_words;
    let expected = BTreeSet::from(["𓀀".to_owned()]);
    assert_eq!(by_words(Embedder::Builtin), expected);
    assert_eq!(by_words(Embedder::None), BTreeSet::new());
}

#[test]
fn what_a_proxy_answers_is_measured_alike() {
    let questions = [
        question("a", &[("send_mail", &["search_mail"]), ("gone", &[])]),
        question("b", &[]),
        question("c", &[("create_invoice", &[])]),
    ];
    let hit = |(name, weak): (&str, bool)| Hit {
        name: name.to_owned(),
        weak,
    };
    let mut many: Vec<Hit> = (0..DEPTH).map(|_| hit(("send_mail", true))).collect();
    many.push(hit(("create_invoice", false)));
    let hits = [
        [("x", true), ("search_mail", false)].map(hit).to_vec(),
        Vec::new(),
        many,
    ];
    let run = Run::of_proxy(3, &questions, &hits, |name| name != "gone");
    let answers: Vec<_> = run
        .answers
        .iter()
        .map(|answer| (answer.ranks.as_slice(), answer.weak))
        .collect();
    assert_eq!(
        answers,
        [(&[Some(2), None][..], false), (&[], true), (&[None], true)]
    );
    assert_eq!(run.absent, BTreeSet::from(["gone".to_owned()]));
}
