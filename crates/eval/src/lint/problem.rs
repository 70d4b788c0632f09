//! The kinds of findings, what is said of each, and what to do about it.

use std::fmt::{self, Display};

use serde::Serialize;

use super::searches::SOON;
use crate::run::DEPTH;

/// What is wrong with a tool's description.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "problem", rename_all = "kebab-case")]
pub enum Problem {
    /// There is none.
    NoDescription,
    /// Some clients cut it (field case 4).
    TooLong {
        /// How long it is.
        characters: usize,
    },
    /// It begins with the same sentence as an earlier tool's.
    Copied {
        /// The sentence, or its beginning.
        sentence: String,
        /// The first tool that has it.
        from: String,
    },
    /// Its first sentence doesn't find it among the first five.
    NotFound {
        /// The sentence, or its beginning.
        sentence: String,
        /// Its place, if that is among the first ten.
        rank: Option<usize>,
        /// What comes first instead, if anything does.
        instead: Option<String>,
    },
    /// The first sentences of two tools of one area find either as well as the other.
    Collides {
        /// The other, which is listed later.
        with: String,
    },
}

impl Problem {
    /// What to do about it.
    pub fn advice(&self) -> &'static str {
        match self {
            Self::NoDescription => {
                "say in one sentence what the tool does, in the words of those who need it"
            }
            Self::TooLong { .. } => {
                "put first what a model must know, and what a parameter means into its own \
                 description"
            }
            Self::Copied { .. } => "say in the first sentence what only this tool does",
            Self::NotFound { .. } => "say in the first sentence what is done, and to what",
            Self::Collides { .. } => {
                "say in both first sentences what sets the two apart, or make them one tool"
            }
        }
    }

    /// The kind, for people.
    pub(super) fn title(&self) -> &'static str {
        match self {
            Self::NoDescription => "no description",
            Self::TooLong { .. } => "too long",
            Self::Copied { .. } => "copied",
            Self::NotFound { .. } => "not found",
            Self::Collides { .. } => "colliding",
        }
    }
}

impl Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoDescription => f.write_str("there is no description"),
            Self::TooLong { characters } => {
                write!(
                    f,
                    "{characters} characters, cut at {LONGEST} by some clients"
                )
            }
            Self::Copied { sentence, from } => write!(f, "begins as {from}: \"{sentence}\""),
            Self::NotFound {
                sentence,
                rank,
                instead,
            } => {
                write!(f, "\"{sentence}\" finds ")?;
                match (instead, rank) {
                    (None, _) => f.write_str("nothing"),
                    (Some(instead), None) => {
                        write!(f, "{instead} first, and not this one among {DEPTH}")
                    }
                    (Some(instead), Some(rank)) => {
                        write!(
                            f,
                            "{instead} first, and this one at {rank}, not among {SOON}"
                        )
                    }
                }
            }
            Self::Collides { with } => write!(
                f,
                "its first sentence finds {with} as well, and the other way round"
            ),
        }
    }
}

/// What Claude Code hands on of a description, in characters (field case 4).
pub(super) const LONGEST: usize = 2_048;
