//! Why a tool stands in an answer.

use catalog::Found;
use ranking::Confidence;
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

/// Why a tool stands in an answer; serialized as the members that tell it.
#[derive(Debug, Clone, Copy)]
pub(in crate::tools) enum Role {
    /// A template that was named has it.
    Template,
    /// The query found it.
    Hit {
        /// `None` for a model, which has no use for it.
        scored: Option<Scored>,
        confidence: Confidence,
    },
    /// The operator wants it shown.
    Pinned,
}

/// How well a hit fits, and how near its meaning is.
#[derive(Debug, Clone, Copy)]
pub(in crate::tools) struct Scored {
    score: f64,
    similarity: Option<f64>,
}

impl Role {
    /// That of a hit whose score is told.
    pub(super) fn scored(found: &Found) -> Self {
        Self::Hit {
            scored: Some(Scored {
                score: score(found),
                similarity: found.similarity.map(rounded),
            }),
            confidence: found.confidence,
        }
    }

    /// That of a hit whose score isn't told.
    pub(super) const fn unscored(found: &Found) -> Self {
        Self::Hit {
            scored: None,
            confidence: found.confidence,
        }
    }
}

impl Serialize for Role {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        match self {
            Self::Template => map.serialize_entry("template", &true)?,
            Self::Pinned => map.serialize_entry("pinned", &true)?,
            Self::Hit { scored, confidence } => {
                if let Some(Scored { score, similarity }) = scored {
                    map.serialize_entry("score", score)?;
                    if let Some(similarity) = similarity {
                        map.serialize_entry("similarity", similarity)?;
                    }
                }
                if *confidence == Confidence::Weak {
                    map.serialize_entry("weak", &true)?;
                }
            }
        }
        map.end()
    }
}

/// How well a hit fits, to four decimals.
pub(super) fn score(found: &Found) -> f64 {
    rounded(found.score.0)
}

fn rounded(value: f32) -> f64 {
    (f64::from(value) * 1e4).round() / 1e4
}
