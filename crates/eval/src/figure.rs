//! The figures of a report.

use std::fmt;

use serde::{Serialize, Serializer};

use crate::measure;
use crate::run::{Answer, DEPTH};

/// What is measured of an answer, and averaged over answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Figure {
    /// Share of the wanted tools that come first.
    RecallAt1,
    /// Share of the wanted tools among the first five.
    RecallAt5,
    /// Share of the wanted tools among the first ten.
    RecallAt10,
    /// One through the rank of the first wanted tool, if that is among the first ten.
    Mrr,
    /// Normalised discounted cumulative gain of the first ten.
    NdcgAt10,
    /// No tool is right, and the answer says so: it is empty, or all its hits are weak.
    Warned,
    /// A tool is right, and yet the answer is empty, or all its hits are weak.
    Doubted,
}

/// Which of two values of a figure is better.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Better {
    /// The higher.
    Higher,
    /// The lower.
    Lower,
}

impl Figure {
    /// All, in the order of a report.
    pub const ALL: [Self; 7] = [
        Self::RecallAt1,
        Self::RecallAt5,
        Self::RecallAt10,
        Self::Mrr,
        Self::NdcgAt10,
        Self::Warned,
        Self::Doubted,
    ];

    /// Its name in reports and gates.
    pub fn name(self) -> &'static str {
        match self {
            Self::RecallAt1 => "recall@1",
            Self::RecallAt5 => "recall@5",
            Self::RecallAt10 => "recall@10",
            Self::Mrr => "mrr",
            Self::NdcgAt10 => "ndcg@10",
            Self::Warned => "warned",
            Self::Doubted => "doubted",
        }
    }

    pub(crate) fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|figure| figure.name() == name)
    }

    /// Which value is better.
    pub fn better(self) -> Better {
        match self {
            Self::Doubted => Better::Lower,
            _ => Better::Higher,
        }
    }

    /// The figure of one answer, from 0 to 1; `None` where the question can't have it.
    pub fn of(self, answer: &Answer) -> Option<f64> {
        let ranks = &answer.ranks[..];
        let needs_a_right_tool = self != Self::Warned;
        if needs_a_right_tool == ranks.is_empty() {
            return None;
        }
        Some(match self {
            Self::RecallAt1 => measure::recall(ranks, 1),
            Self::RecallAt5 => measure::recall(ranks, 5),
            Self::RecallAt10 => measure::recall(ranks, DEPTH),
            Self::Mrr => measure::reciprocal_rank(ranks),
            Self::NdcgAt10 => measure::ndcg(ranks, DEPTH),
            Self::Warned | Self::Doubted => f64::from(u8::from(answer.weak)),
        })
    }
}

impl fmt::Display for Figure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl Serialize for Figure {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}
