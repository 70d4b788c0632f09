//! Two runs, question by question.

mod table;

use std::collections::{BTreeMap, HashMap};
use std::fmt::Display;

use serde::Serialize;

use crate::figure::{Better, Figure};
use crate::interval::Estimate;
use crate::run::{Answer, Configuration, Run};

use table::Table;

/// What changed from one run to another on the questions that both were asked, paired by id.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Comparison {
    /// What was searched before.
    pub old: Searched,
    /// What was searched since.
    pub new: Searched,
    /// How many questions both runs answered.
    pub pairs: usize,
    /// How many only the old one did.
    pub only_old: usize,
    /// How many only the new one did.
    pub only_new: usize,
    /// What became of each figure.
    pub figures: BTreeMap<Figure, Change>,
    /// The questions whose answers differ, in the new run's order.
    pub changed: Vec<Changed>,
}

/// What was searched, and by what.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Searched {
    /// What searched.
    pub configuration: Configuration,
    /// How many tools.
    pub tools: usize,
}

/// What became of a figure.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Change {
    /// Its mean before, over the pairs.
    pub old: f64,
    /// Its mean since, over the same.
    pub new: f64,
    /// The mean of new less old. Paired, so narrower than two intervals beside each other.
    pub difference: Estimate,
    /// Questions answered better than before.
    pub wins: usize,
    /// Questions answered worse.
    pub losses: usize,
    /// Questions answered alike.
    pub ties: usize,
}

/// A question whose two answers differ.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Changed {
    /// The question's.
    pub id: String,
    /// What came before.
    pub old: Outcome,
    /// What comes since.
    pub new: Outcome,
}

/// An answer without its labels; see [`Answer`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Outcome {
    /// The places of the wanted tools.
    pub ranks: Vec<Option<usize>>,
    /// No hit is firm.
    pub weak: bool,
}

/// Two runs without a common question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the two reports have no question in common: compare reports on the same questions")]
pub struct NothingInCommon;

impl Comparison {
    /// Compares `new` with `old`.
    pub fn new(old: &Run, new: &Run) -> Result<Self, NothingInCommon> {
        let by_id: HashMap<&str, &Answer> = old
            .answers
            .iter()
            .map(|answer| (answer.id.as_str(), answer))
            .collect();
        let pairs: Vec<Pair<'_>> = new
            .answers
            .iter()
            .filter_map(|new| {
                let old = by_id.get(new.id.as_str())?;
                Some(Pair { old, new })
            })
            .collect();
        if pairs.is_empty() {
            return Err(NothingInCommon);
        }
        Ok(Self {
            old: Searched::of(old),
            new: Searched::of(new),
            pairs: pairs.len(),
            only_old: old.answers.len().saturating_sub(pairs.len()),
            only_new: new.answers.len().saturating_sub(pairs.len()),
            figures: Figure::ALL
                .into_iter()
                .filter_map(|figure| Some((figure, Change::of(figure, &pairs)?)))
                .collect(),
            changed: pairs.iter().filter_map(Pair::changed).collect(),
        })
    }

    /// The comparison as text for a terminal.
    pub fn table(&self) -> impl Display {
        Table(self)
    }
}

/// The answers to one question.
struct Pair<'a> {
    old: &'a Answer,
    new: &'a Answer,
}

impl Pair<'_> {
    /// The figure's value before and since, if the question has it in both runs.
    fn values(&self, figure: Figure) -> Option<(f64, f64)> {
        Some((figure.of(self.old)?, figure.of(self.new)?))
    }

    fn changed(&self) -> Option<Changed> {
        let (old, new) = (Outcome::of(self.old), Outcome::of(self.new));
        (old != new).then(|| Changed {
            id: self.new.id.clone(),
            old,
            new,
        })
    }
}

impl Change {
    fn of(figure: Figure, pairs: &[Pair<'_>]) -> Option<Self> {
        let values: Vec<(f64, f64)> = pairs
            .iter()
            .filter_map(|pair| pair.values(figure))
            .collect();
        let differences: Vec<f64> = values.iter().map(|(old, new)| new - old).collect();
        let difference = Estimate::of_differences(&differences)?;
        let rises = differences.iter().filter(|change| **change > 0.0).count();
        let falls = differences.iter().filter(|change| **change < 0.0).count();
        let (wins, losses) = match figure.better() {
            Better::Higher => (rises, falls),
            Better::Lower => (falls, rises),
        };
        let count = values.len() as f64;
        Some(Self {
            old: values.iter().map(|(old, _)| old).sum::<f64>() / count,
            new: values.iter().map(|(_, new)| new).sum::<f64>() / count,
            difference,
            wins,
            losses,
            ties: values.len() - wins - losses,
        })
    }
}

impl Searched {
    fn of(run: &Run) -> Self {
        Self {
            configuration: run.configuration,
            tools: run.tools,
        }
    }
}

impl Outcome {
    fn of(answer: &Answer) -> Self {
        Self {
            ranks: answer.ranks.clone(),
            weak: answer.weak,
        }
    }
}

#[cfg(test)]
mod tests;
