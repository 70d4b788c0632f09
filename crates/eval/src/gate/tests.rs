use std::collections::BTreeSet;

use super::*;
use crate::run::{Answer, Configuration};

/// Six questions: the first place found in English, a miss in German, and so on.
fn run() -> Run {
    let answers = [
        ("en", Some("terse"), Some(1), false),
        ("en", None, Some(2), false),
        ("de", None, None, true),
        ("de", None, Some(5), false),
        ("de", None, Some(3), false),
        ("lt", None, None, false),
    ];
    let answer = |(lang, style, rank, weak): (&str, Option<&str>, Option<usize>, bool)| Answer {
        id: String::new(),
        labels: Labels {
            lang: lang.to_owned(),
            kind: "single".to_owned(),
            style: style.map(str::to_owned),
            subset: None,
        },
        ranks: vec![rank],
        weak,
    };
    Run {
        configuration: Configuration::Words,
        tools: 12,
        absent: BTreeSet::new(),
        by_words: BTreeSet::new(),
        answers: answers.map(answer).to_vec(),
    }
}

fn check(gate: &str, expected: Result<(), &str>) {
    let gate: Gate = gate.parse().unwrap();
    let said = gate.check(&run()).map_err(|unmet| unmet.to_string());
    assert_eq!(said, expected.map_err(str::to_owned), "{gate:?}");
}

#[test]
fn a_figure_reaches_its_gate_or_the_gate_says_what_lacks() {
    check("recall@5=0.66", Ok(()));
    check(" recall@5 = .6 ", Ok(()));
    check(
        "recall@5=0.7",
        Err("recall@5 is 0.6667, wanted at least 0.7: 0.0333 too low"),
    );
    check("doubted=0.17", Ok(()));
    check(
        "doubted=0.1",
        Err("doubted is 0.1667, wanted at most 0.1: 0.0667 too high"),
    );
    check("warned=0", Err("warned has no question, wanted at least 0"));
}

#[test]
fn a_gate_may_be_of_some_questions_alone_or_together() {
    check("lang=en:recall@5=1", Ok(()));
    check("style=terse:recall@1=1", Ok(()));
    check(
        "lang=en:recall@1=0.6",
        Err("lang=en: recall@1 is 0.5000, wanted at least 0.6: 0.1000 too low"),
    );
    // Two of four questions: the mean of the two languages' shares would be 0.3333.
    check("lang=de+lt:recall@5=0.5", Ok(()));
    check(
        " lang = lt + de : recall@5=0.6",
        Err("lang=lt+de: recall@5 is 0.5000, wanted at least 0.6: 0.1000 too low"),
    );
}

#[test]
fn a_group_that_no_question_has_is_told_with_those_that_are() {
    let run = run();
    let said = |gate: &str| {
        let gate: Gate = gate.parse().unwrap();
        let labels = run.answers.iter().map(|answer| &answer.labels);
        gate.check_group(labels)
            .map_err(|unknown| unknown.to_string())
    };
    assert_eq!(said("lang=de+lt:mrr=0"), Ok(()));
    assert_eq!(said("mrr=0"), Ok(()));
    for (gate, expected) in [
        (
            "lang=de+lv:mrr=0",
            "no question has lang=lv: lang is one of de, en, lt",
        ),
        (
            "style=verbose:mrr=0",
            "no question has style=verbose: style is one of terse",
        ),
        (
            "subset=a:mrr=0",
            "no question has subset=a: none has a subset",
        ),
    ] {
        assert_eq!(said(gate), Err(expected.to_owned()), "{gate}");
    }
}

#[test]
fn gates_that_cannot_be_read_are_refused() {
    for gate in [
        "",
        "recall@5",
        "recall@5=",
        "recall@5=high",
        "recall@5=NaN",
        "recall@5=1.1",
        "recall@5=-0.1",
        "recall@5>0.9",
        "recall@7=0.9",
        "RECALL@5=0.9",
        ":recall@5=0.9",
        "lang:recall@5=0.9",
        "lang=:recall@5=0.9",
        "lang=de++es:recall@5=0.9",
        "need=1:recall@5=0.9",
        "lang=de",
    ] {
        assert_eq!(gate.parse::<Gate>(), Err(InvalidGate), "{gate}");
    }
}

#[test]
fn the_refusal_names_every_figure() {
    let said = InvalidGate.to_string();
    for figure in Figure::ALL {
        assert!(said.contains(figure.name()), "{figure} is missing: {said}");
    }
}
