//! Which questions a gate is of.

use std::collections::BTreeSet;
use std::error::Error;
use std::fmt;
use std::str::FromStr;

use super::InvalidGate;
use crate::labels::{Label, Labels};
use crate::names::Few;

/// Questions with one of some values of a label, such as `lang=de+es`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Chosen {
    label: Label,
    values: Vec<String>,
}

/// A value that no question has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownGroup {
    label: Label,
    value: String,
    known: BTreeSet<String>,
}

impl Chosen {
    /// Whether a question with these labels is one of them.
    pub(super) fn has(&self, labels: &Labels) -> bool {
        let value = labels.get(self.label);
        value.is_some_and(|value| self.values.iter().any(|chosen| chosen == value))
    }

    /// Whether the questions with these labels have each value.
    pub(super) fn check<'a>(
        &self,
        labels: impl Iterator<Item = &'a Labels>,
    ) -> Result<(), UnknownGroup> {
        let known: BTreeSet<&str> = labels.filter_map(|labels| labels.get(self.label)).collect();
        let is_unknown = |value: &&String| !known.contains(value.as_str());
        match self.values.iter().find(is_unknown) {
            None => Ok(()),
            Some(value) => Err(UnknownGroup {
                label: self.label,
                value: value.clone(),
                known: known.into_iter().map(str::to_owned).collect(),
            }),
        }
    }
}

impl FromStr for Chosen {
    type Err = InvalidGate;

    fn from_str(text: &str) -> Result<Self, InvalidGate> {
        let (label, values) = text.split_once('=').ok_or(InvalidGate)?;
        let values: Vec<String> = values
            .split('+')
            .map(|value| value.trim().to_owned())
            .collect();
        if values.iter().any(String::is_empty) {
            return Err(InvalidGate);
        }
        Ok(Self {
            label: label.parse().map_err(|_unknown| InvalidGate)?,
            values,
        })
    }
}

impl fmt::Display for Chosen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={}", self.label, self.values.join("+"))
    }
}

impl fmt::Display for UnknownGroup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            label,
            value,
            known,
        } = self;
        write!(f, "no question has {label}={value}: ")?;
        if known.is_empty() {
            return write!(f, "none has a {label}");
        }
        let known = Few(known.iter().map(String::as_str).collect());
        write!(f, "{label} is one of {known}")
    }
}

impl Error for UnknownGroup {}
