use std::collections::BTreeSet;

use super::*;
use crate::labels::Labels;
use crate::run::Configuration;

fn answer(lang: &str, style: Option<&str>, ranks: &[Option<usize>], weak: Weak) -> Answer {
    Answer {
        id: String::new(),
        labels: Labels {
            lang: lang.to_owned(),
            kind: "single".to_owned(),
            style: style.map(str::to_owned),
            subset: None,
        },
        ranks: ranks.to_vec(),
        weak: weak == Weak::Yes,
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Weak {
    Yes,
    No,
}

fn run() -> Run {
    let mut answers = vec![
        answer("en", Some("terse"), &[Some(1)], Weak::No),
        answer("en", Some("terse"), &[Some(3), None], Weak::No),
        answer("en", None, &[None], Weak::Yes),
        answer("en", None, &[], Weak::Yes),
        answer("lt", Some("terse"), &[Some(7)], Weak::No),
        answer("lt", None, &[], Weak::No),
    ];
    for (number, answer) in (1..).zip(&mut answers) {
        answer.id = format!("q{number}");
    }
    Run {
        configuration: Configuration::Words,
        tools: 12,
        absent: BTreeSet::from(["gone".to_owned()]),
        by_words: BTreeSet::from(["q6".to_owned()]),
        answers,
    }
}

fn check(figure: Figure, expected: f64, questions: usize) {
    let report = Report::new(run(), &[]);
    let estimate = report.summary.figures[&figure];
    assert!(
        (estimate.value - expected).abs() < 1e-9,
        "{figure}: {estimate:?}"
    );
    assert_eq!(estimate.questions, questions, "{figure}");
}

#[test]
fn each_figure_is_the_mean_over_the_questions_that_can_have_it() {
    check(Figure::RecallAt1, 1.0 / 4.0, 4);
    check(Figure::RecallAt5, 1.5 / 4.0, 4);
    check(Figure::RecallAt10, 2.5 / 4.0, 4);
    check(Figure::Mrr, (1.0 + 1.0 / 3.0 + 1.0 / 7.0) / 4.0, 4);
    check(Figure::Warned, 0.5, 2);
    check(Figure::Doubted, 0.25, 4);
}

#[test]
fn a_group_holds_the_questions_of_one_value() {
    let report = Report::new(run(), &[Label::Style, Label::Lang]);
    let groups: Vec<_> = report
        .groups
        .iter()
        .map(|group| {
            let recall = group.summary.figures.get(&Figure::RecallAt10);
            (
                group.label,
                group.value.as_deref(),
                group.summary.questions,
                recall.map(|recall| recall.questions),
            )
        })
        .collect();
    assert_eq!(
        groups,
        [
            (Label::Style, None, 3, Some(1)),
            (Label::Style, Some("terse"), 3, Some(3)),
            (Label::Lang, Some("en"), 4, Some(3)),
            (Label::Lang, Some("lt"), 2, Some(1)),
        ]
    );
}

#[test]
fn a_saved_report_is_read_back_as_its_run() {
    let report = Report::new(run(), &[Label::Lang]);
    let file = tempfile::NamedTempFile::new().unwrap();
    fs_err::write(file.path(), serde_json::to_string(&report).unwrap()).unwrap();
    assert_eq!(Run::read(file.path()).unwrap(), run());
}

#[test]
fn what_is_no_report_is_refused() {
    let file = tempfile::NamedTempFile::new().unwrap();
    fs_err::write(file.path(), r#"{"tools": []}"#).unwrap();
    let error = Run::read(file.path()).unwrap_err().to_string();
    assert!(
        error.ends_with("not a report as `--json` prints it"),
        "{error}"
    );
}

#[test]
fn people_get_a_table() {
    let labels = [Label::Lang, Label::Style];
    insta::assert_snapshot!(Report::new(run(), &labels).table().to_string());
}

#[test]
fn a_figure_that_no_question_has_is_left_out() {
    let mut run = run();
    run.answers.retain(|answer| !answer.ranks.is_empty());
    run.absent.clear();
    let table = Report::new(run, &[Label::Lang]).table().to_string();
    assert!(!table.contains("warned"), "{table}");
    assert!(!table.contains("Not in the catalog"), "{table}");
}
