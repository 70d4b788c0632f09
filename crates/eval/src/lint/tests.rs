use serde_json::{Value, json};

use super::*;

fn lint(tools: &[(&str, &str)]) -> Lint {
    lint_with(Embedder::Builtin, tools)
}

fn lint_with(embedder: Embedder, tools: &[(&str, &str)]) -> Lint {
    let tool = |(name, description): &(&str, &str)| {
        wire::to_raw(&json!({"name": name, "description": description, "inputSchema": {}}))
    };
    Lint::new(embedder, tools.iter().map(tool).collect(), || ())
}

#[track_caller]
fn check(tools: &[(&str, &str)], expected: &[(&str, Problem)]) {
    let findings: Vec<_> = lint(tools)
        .findings
        .into_iter()
        .map(|finding| (finding.tool, finding.problem))
        .collect();
    let expected: Vec<_> = expected
        .iter()
        .map(|(tool, problem)| ((*tool).to_owned(), problem.clone()))
        .collect();
    assert_eq!(findings, expected);
}

fn copied(sentence: &str, from: &str) -> Problem {
    Problem::Copied {
        sentence: sentence.to_owned(),
        from: from.to_owned(),
    }
}

fn collides(with: &str) -> Problem {
    Problem::Collides {
        with: with.to_owned(),
    }
}

const LIBRARY: [(&str, &str); 3] = [
    ("find_book", "Finds a book by its title or author."),
    ("lend_book", "Lends a copy to a reader. Two weeks at most."),
    ("reserve_room", "Reserves a reading room for an hour."),
];

#[test]
fn descriptions_that_say_what_each_tool_does_pass() {
    check(&LIBRARY, &[]);
    check(&[], &[]);
}

#[test]
fn a_description_is_there_and_is_not_cut_by_clients() {
    let fits = format!("Finds a book. {}", "é".repeat(2_048 - 14));
    let long = format!("Lends a copy. {}", "é".repeat(2_048 - 13));
    check(
        &[
            ("blank", " \n\u{200B}"),
            ("fits", &fits),
            ("long", &long),
            ("none", ""),
        ],
        &[
            ("blank", Problem::NoDescription),
            ("none", Problem::NoDescription),
            ("long", Problem::TooLong { characters: 2_049 }),
        ],
    );
}

#[test]
fn a_first_sentence_belongs_to_one_tool() {
    let long = format!("Says {}", "much ".repeat(20));
    check(
        &[
            ("a", "Lists loans. By reader."),
            ("b", "Lists  LOANS"),
            ("c", "Lists loans of rooms."),
            ("d", "Lists loans!\nBy room."),
            ("e", &long),
            ("f", &long),
        ],
        &[
            ("b", copied("Lists  LOANS", "a")),
            ("d", copied("Lists loans!", "a")),
            ("f", copied(&format!("Says {}…", "much ".repeat(15)), "e")),
        ],
    );
}

#[test]
fn a_tool_is_found_by_its_own_first_sentence() {
    let mut tools = vec![("empty_words", "?! It is what it is.")];
    tools.extend(LIBRARY);
    check(
        &tools,
        &[(
            "empty_words",
            Problem::NotFound {
                sentence: "?!".to_owned(),
                rank: None,
                instead: None,
            },
        )],
    );
    let Lint {
        tools,
        sentences,
        found,
        ..
    } = lint(&tools);
    assert_eq!((tools, sentences, found), (4, 4, 3));
}

#[test]
fn a_sentence_that_others_say_better_does_not_find_its_tool() {
    let say = ["Opens", "Sends", "Prints", "Moves", "Copies", "Sorts"];
    let others = say.map(|say| (format!("{say}_mail"), format!("{say} mail.")));
    let mut tools: Vec<_> = others
        .iter()
        .map(|(name, description)| (name.as_str(), description.as_str()))
        .collect();
    let person = "Mail:\nLooks a person up by name, team, telephone number or the place of work.";
    tools.push(("person", person));
    let lint = lint_with(Embedder::None, &tools);
    assert_eq!((lint.sentences, lint.found), (7, 6));
    let [Finding { tool, problem }] = lint.findings.as_slice() else {
        panic!("{:?}", lint.findings);
    };
    assert_eq!(tool, "person");
    assert!(
        matches!(
            problem,
            Problem::NotFound {
                rank: Some(7),
                instead: Some(_),
                ..
            }
        ),
        "{problem:?}"
    );
}

/// Ten tools with one sentence: whichever five come first, all are found.
#[test]
fn a_tool_with_the_same_sentence_counts_as_found() {
    let names: Vec<String> = (0..10).map(|number| format!("tool_{number}")).collect();
    let mut tools: Vec<_> = names
        .iter()
        .map(|name| (name.as_str(), "Lists loans."))
        .collect();
    tools.push(("unsaid", ""));
    let lint = lint(&tools);
    assert_eq!((lint.tools, lint.sentences, lint.found), (11, 10, 10));
    let copies = lint.findings.iter().skip(1);
    let expected = copied("Lists loans.", "tool_0");
    assert!(copies.clone().all(|copy| copy.problem == expected));
    assert_eq!(copies.count(), 9);
}

#[test]
fn siblings_that_the_search_takes_for_each_other_collide() {
    let (reply, reply_all) = (
        "Writes an answer to the message.",
        "Writes an answer to a message.",
    );
    let mut tools = vec![("mail__reply", reply), ("mail__answer", reply_all)];
    tools.extend(LIBRARY);
    check(&tools, &[("mail__reply", collides("mail__answer"))]);
    // Another server's tool is called by another name anyway.
    tools[1].0 = "chat__answer";
    check(&tools, &[]);
}

#[test]
fn what_is_found_at_a_place_too_low_is_told_with_it() {
    let problem = |rank, instead: Option<&str>| Problem::NotFound {
        sentence: "Does it".to_owned(),
        rank,
        instead: instead.map(str::to_owned),
    };
    for (problem, expected) in [
        (
            problem(Some(7), Some("other")),
            "\"Does it\" finds other first, and this one at 7, not among 5",
        ),
        (
            problem(None, Some("other")),
            "\"Does it\" finds other first, and not this one among 10",
        ),
        (problem(None, None), "\"Does it\" finds nothing"),
    ] {
        assert_eq!(problem.to_string(), expected);
    }
}

fn faulty() -> Lint {
    lint_with(
        Embedder::None,
        &[
            ("find_book", "Finds a book."),
            ("find\u{1B}[31m_again", "Finds a book."),
            ("lend_book", ""),
        ],
    )
}

#[test]
fn people_get_the_findings_by_kind_with_what_to_do() {
    insta::assert_snapshot!(faulty().table());
    insta::assert_snapshot!(lint(&LIBRARY).table());
}

#[test]
fn programs_get_each_finding_whole() {
    let lint: Value = serde_json::to_value(faulty()).unwrap();
    insta::assert_snapshot!(serde_json::to_string_pretty(&lint).unwrap());
}

#[test]
fn each_tool_is_counted_as_it_is_checked() {
    let tools = LIBRARY.map(|(name, _)| wire::to_raw(&json!({"name": name})));
    let mut checked = 0;
    Lint::new(Embedder::None, tools.to_vec(), || checked += 1);
    assert_eq!(checked, 3);
}

#[test]
fn real_tools_are_found_by_their_own_first_sentence() {
    let Some(folder) = std::env::var_os("TOOLSEARCH_TEST_DUMPS") else {
        println!("skipped: TOOLSEARCH_TEST_DUMPS names no folder of dumps");
        return;
    };
    let tools = catalog::read_dump(folder.as_ref()).unwrap();
    let lint = Lint::new(Embedder::Builtin, tools, || ());
    println!("{}", lint.table());
    let share = lint.found as f64 / lint.sentences as f64;
    assert!(share >= 0.97, "{share}");
}
