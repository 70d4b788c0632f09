//! What a run must reach.

mod group;

use std::error::Error;
use std::fmt;
use std::str::FromStr;

use crate::figure::{Better, Figure};
use crate::labels::Labels;
use crate::report::Summary;
use crate::run::Run;

use group::Chosen;
pub use group::UnknownGroup;

/// A bound on a figure: the figure itself, not an end of its interval, must be at least that, or at
/// most where lower is better.
///
/// It is of all questions, as `recall@5=0.9`, or of some, as `lang=lt:recall@5=0.8`. With several
/// values, as in `lang=de+es:recall@5=0.75`, their questions count together.
#[derive(Debug, Clone, PartialEq)]
pub struct Gate {
    chosen: Option<Chosen>,
    figure: Figure,
    bound: f64,
}

/// A gate that can't be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "a gate is one of recall@1, recall@5, recall@10, mrr, ndcg@10, warned and doubted, `=` and a \
     number from 0 to 1, such as recall@5=0.9; of some questions only with lang, kind, style or \
     subset before it, such as lang=de+es:recall@5=0.8"
)]
pub struct InvalidGate;

/// A gate that a run doesn't pass.
#[derive(Debug, Clone, PartialEq)]
pub struct Unmet {
    gate: Gate,
    reached: Option<f64>,
}

impl Gate {
    /// Whether each value it chooses questions by is one that a question has.
    pub fn check_group<'a>(
        &self,
        labels: impl Iterator<Item = &'a Labels>,
    ) -> Result<(), UnknownGroup> {
        match &self.chosen {
            Some(chosen) => chosen.check(labels),
            None => Ok(()),
        }
    }

    /// Whether `run` passes. A figure that none of the questions can have passes nothing.
    pub fn check(&self, run: &Run) -> Result<(), Unmet> {
        let is_chosen = |labels| self.chosen.as_ref().is_none_or(|chosen| chosen.has(labels));
        let answers = run.answers.iter();
        let summary = Summary::of(answers.filter(|answer| is_chosen(&answer.labels)));
        let estimate = summary.figures.get(&self.figure);
        let reached = estimate.map(|estimate| estimate.value);
        let passes = reached.is_some_and(|reached| match self.figure.better() {
            Better::Higher => reached >= self.bound,
            Better::Lower => reached <= self.bound,
        });
        if passes {
            return Ok(());
        }
        Err(Unmet {
            gate: self.clone(),
            reached,
        })
    }
}

impl FromStr for Gate {
    type Err = InvalidGate;

    fn from_str(text: &str) -> Result<Self, InvalidGate> {
        let (chosen, rest) = match text.rsplit_once(':') {
            Some((chosen, rest)) => (Some(chosen.parse()?), rest),
            None => (None, text),
        };
        let (figure, bound) = rest.split_once('=').ok_or(InvalidGate)?;
        let bound: Option<f64> = bound.trim().parse().ok();
        Ok(Self {
            chosen,
            figure: Figure::named(figure.trim()).ok_or(InvalidGate)?,
            bound: bound
                .filter(|bound| (0.0..=1.0).contains(bound))
                .ok_or(InvalidGate)?,
        })
    }
}

impl fmt::Display for Unmet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Gate {
            chosen,
            figure,
            bound,
        } = &self.gate;
        if let Some(chosen) = chosen {
            write!(f, "{chosen}: ")?;
        }
        let (side, off) = match figure.better() {
            Better::Higher => ("at least", "too low"),
            Better::Lower => ("at most", "too high"),
        };
        let Some(reached) = self.reached else {
            return write!(f, "{figure} has no question, wanted {side} {bound}");
        };
        let by = (reached - bound).abs();
        write!(
            f,
            "{figure} is {reached:.4}, wanted {side} {bound}: {by:.4} {off}"
        )
    }
}

impl Error for Unmet {}

#[cfg(test)]
mod tests;
