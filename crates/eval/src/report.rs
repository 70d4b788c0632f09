//! A run in figures.

mod table;

use std::collections::BTreeMap;
use std::fmt::Display;

use serde::Serialize;

use crate::figure::Figure;
use crate::interval::Estimate;
use crate::labels::Label;
use crate::run::{Answer, Run};

use table::Table;

/// A run with its figures, overall and by group. As JSON it holds the whole run, so that
/// [`Run::read`] can read it back.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Report {
    /// Over all questions.
    #[serde(flatten)]
    pub summary: Summary,
    /// One for each value of each label asked for.
    pub groups: Vec<Group>,
    /// What the figures are of.
    #[serde(flatten)]
    pub run: Run,
}

/// The figures of some answers.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Summary {
    /// How many questions.
    pub questions: usize,
    /// Those that a question among them can have.
    pub figures: BTreeMap<Figure, Estimate>,
}

/// The figures of the questions with one value of a label.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Group {
    /// The label.
    pub label: Label,
    /// Its value; `None` for questions without one.
    pub value: Option<String>,
    /// Their figures.
    #[serde(flatten)]
    pub summary: Summary,
}

impl Report {
    /// Reports on `run`, overall and for every value of each of `labels`.
    pub fn new(run: Run, labels: &[Label]) -> Self {
        Self {
            summary: Summary::of(&run.answers),
            groups: labels
                .iter()
                .flat_map(|label| groups(*label, &run.answers))
                .collect(),
            run,
        }
    }

    /// The figures as text for a terminal, within 100 characters where the labels' values are
    /// short.
    pub fn table(&self) -> impl Display {
        Table(self)
    }
}

impl Summary {
    pub(crate) fn of<'a>(answers: impl IntoIterator<Item = &'a Answer, IntoIter: Clone>) -> Self {
        let answers = answers.into_iter();
        let figures = Figure::ALL.into_iter().filter_map(|figure| {
            let values: Vec<f64> = answers
                .clone()
                .filter_map(|answer| figure.of(answer))
                .collect();
            Some((figure, Estimate::of(&values)?))
        });
        Self {
            questions: answers.clone().count(),
            figures: figures.collect(),
        }
    }
}

fn groups(label: Label, answers: &[Answer]) -> Vec<Group> {
    let mut by_value: BTreeMap<Option<&str>, Vec<&Answer>> = BTreeMap::new();
    for answer in answers {
        by_value
            .entry(answer.labels.get(label))
            .or_default()
            .push(answer);
    }
    by_value
        .into_iter()
        .map(|(value, answers)| Group {
            label,
            value: value.map(str::to_owned),
            summary: Summary::of(answers),
        })
        .collect()
}

#[cfg(test)]
mod tests;
