//! What a report must reach.

use std::error::Error;
use std::fmt;
use std::str::FromStr;

use crate::figure::{Better, Figure};
use crate::report::Summary;

/// A bound on a figure over all questions, such as `recall@5=0.9`: the figure itself, not an end of
/// its interval, must be at least that, or at most where lower is better.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Gate {
    figure: Figure,
    bound: f64,
}

/// A gate that can't be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "a gate is one of recall@1, recall@5, recall@10, mrr, ndcg@10, warned and doubted, `=` and a \
     number from 0 to 1, such as recall@5=0.9"
)]
pub struct InvalidGate;

/// A gate that a report doesn't pass.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Unmet {
    gate: Gate,
    reached: Option<f64>,
}

impl Gate {
    /// Whether `summary` passes. A figure that it doesn't have passes nothing.
    pub fn check(&self, summary: &Summary) -> Result<(), Unmet> {
        let reached = summary
            .figures
            .get(&self.figure)
            .map(|estimate| estimate.value);
        let passes = reached.is_some_and(|reached| match self.figure.better() {
            Better::Higher => reached >= self.bound,
            Better::Lower => reached <= self.bound,
        });
        if passes {
            return Ok(());
        }
        Err(Unmet {
            gate: *self,
            reached,
        })
    }
}

impl FromStr for Gate {
    type Err = InvalidGate;

    fn from_str(text: &str) -> Result<Self, InvalidGate> {
        let (figure, bound) = text.split_once('=').ok_or(InvalidGate)?;
        let bound: Option<f64> = bound.trim().parse().ok();
        Ok(Self {
            figure: Figure::named(figure.trim()).ok_or(InvalidGate)?,
            bound: bound
                .filter(|bound| (0.0..=1.0).contains(bound))
                .ok_or(InvalidGate)?,
        })
    }
}

impl fmt::Display for Unmet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Gate { figure, bound } = self.gate;
        let side = match figure.better() {
            Better::Higher => "at least",
            Better::Lower => "at most",
        };
        match self.reached {
            Some(reached) => write!(f, "{figure} is {reached:.4}, wanted {side} {bound}"),
            None => write!(f, "{figure} has no question, wanted {side} {bound}"),
        }
    }
}

impl Error for Unmet {}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::interval::Estimate;

    fn check(gate: &str, expected: Result<(), &str>) {
        let reached = [
            (Figure::RecallAt5, vec![1.0, 1.0, 0.0, 1.0]),
            (Figure::Doubted, vec![0.0, 1.0, 0.0, 0.0]),
        ];
        let figures: BTreeMap<Figure, Estimate> = reached
            .into_iter()
            .filter_map(|(figure, values)| Some((figure, Estimate::of(&values)?)))
            .collect();
        let summary = Summary {
            questions: 4,
            figures,
        };
        let said = gate
            .parse::<Gate>()
            .unwrap()
            .check(&summary)
            .map_err(|unmet| unmet.to_string());
        assert_eq!(said, expected.map_err(str::to_owned), "{gate}");
    }

    #[test]
    fn a_figure_reaches_its_gate_or_the_gate_says_what_lacks() {
        check("recall@5=0.75", Ok(()));
        check(" recall@5 = .7 ", Ok(()));
        check(
            "recall@5=0.76",
            Err("recall@5 is 0.7500, wanted at least 0.76"),
        );
        check("doubted=0.25", Ok(()));
        check("doubted=0.2", Err("doubted is 0.2500, wanted at most 0.2"));
        check("warned=0", Err("warned has no question, wanted at least 0"));
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
}
