//! What a question is labelled with, and what answers are grouped by.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// One of a question's labels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Label {
    /// The language it is asked in.
    Lang,
    /// What is asked for: one tool, several, none.
    Kind,
    /// How it is said.
    Style,
    /// The part of the set it belongs to.
    Subset,
}

/// A label that doesn't exist.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("a label is one of lang, kind, style and subset")]
pub struct InvalidLabel;

/// A question's labels, in the set's own words.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Labels {
    /// See [`Label::Lang`].
    pub lang: String,
    /// See [`Label::Kind`].
    pub kind: String,
    /// See [`Label::Style`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub style: Option<String>,
    /// See [`Label::Subset`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subset: Option<String>,
}

impl Label {
    /// Its name, as in a file of questions.
    pub fn name(self) -> &'static str {
        match self {
            Self::Lang => "lang",
            Self::Kind => "kind",
            Self::Style => "style",
            Self::Subset => "subset",
        }
    }
}

impl fmt::Display for Label {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Label {
    type Err = InvalidLabel;

    fn from_str(text: &str) -> Result<Self, InvalidLabel> {
        let all = [Self::Lang, Self::Kind, Self::Style, Self::Subset];
        all.into_iter()
            .find(|label| label.name() == text.trim())
            .ok_or(InvalidLabel)
    }
}

impl Labels {
    /// What the question has for `label`.
    pub fn get(&self, label: Label) -> Option<&str> {
        match label {
            Label::Lang => Some(&self.lang),
            Label::Kind => Some(&self.kind),
            Label::Style => self.style.as_deref(),
            Label::Subset => self.subset.as_deref(),
        }
    }
}
