use std::collections::BTreeSet;

use super::*;
use crate::labels::Labels;

/// A run whose questions are a, b, c ... with these ranks; an empty list is a question without a
/// right tool, answered weakly.
fn run(ranks: &[&[Option<usize>]]) -> Run {
    let answers = ('a'..).zip(ranks).map(|(id, ranks)| Answer {
        id: id.to_string(),
        labels: Labels {
            lang: "en".to_owned(),
            kind: "single".to_owned(),
            style: None,
            subset: None,
        },
        ranks: ranks.to_vec(),
        weak: ranks.iter().flatten().count() == 0,
    });
    Run {
        configuration: Configuration::Words,
        tools: 12,
        absent: BTreeSet::new(),
        by_words: BTreeSet::new(),
        answers: answers.collect(),
    }
}

fn check(old: &Run, new: &Run, figure: Figure, expected: (usize, usize, usize)) {
    let comparison = Comparison::new(old, new).unwrap();
    let Change {
        wins, losses, ties, ..
    } = comparison.figures[&figure];
    assert_eq!((wins, losses, ties), expected, "{figure}");
}

#[test]
fn questions_are_won_lost_or_tied_by_figure() {
    let old = run(&[&[Some(1)], &[Some(2)], &[None], &[Some(9)], &[]]);
    let new = run(&[&[Some(2)], &[Some(1)], &[Some(4)], &[Some(8)], &[]]);
    check(&old, &new, Figure::RecallAt1, (1, 1, 2));
    check(&old, &new, Figure::RecallAt5, (1, 0, 3));
    check(&old, &new, Figure::Mrr, (3, 1, 0));
    check(&old, &new, Figure::Warned, (0, 0, 1));
    // Lower is better.
    check(&old, &new, Figure::Doubted, (1, 0, 3));
    check(&new, &old, Figure::Doubted, (0, 1, 3));
}

#[test]
fn a_run_compared_with_itself_changes_nothing() {
    let run = run(&[&[Some(1)], &[None, Some(3)], &[]]);
    let comparison = Comparison::new(&run, &run).unwrap();
    assert_eq!(comparison.changed, []);
    for (figure, change) in comparison.figures {
        assert_eq!((change.wins, change.losses), (0, 0), "{figure}");
        let Estimate { low, high, .. } = change.difference;
        assert!(low <= 0.0 && 0.0 <= high, "{figure}: {change:?}");
    }
}

#[test]
fn only_common_questions_count() {
    let old = run(&[&[Some(1)], &[Some(2)], &[Some(3)]]);
    let mut new = run(&[&[Some(1)], &[Some(2)], &[Some(3)], &[Some(4)]]);
    new.answers.remove(0);
    let comparison = Comparison::new(&old, &new).unwrap();
    assert_eq!(
        (comparison.pairs, comparison.only_old, comparison.only_new),
        (2, 1, 1)
    );
    new.answers.drain(..2);
    assert_eq!(Comparison::new(&old, &new), Err(NothingInCommon));
}

#[test]
fn people_get_a_table() {
    let old = run(&[&[Some(1)], &[Some(2)], &[None], &[Some(9)], &[]]);
    let mut new = run(&[&[Some(2)], &[Some(1)], &[Some(4)], &[None], &[], &[None]]);
    new.answers[4].weak = false;
    insta::assert_snapshot!(Comparison::new(&old, &new).unwrap().table().to_string());
}
