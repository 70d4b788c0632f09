//! Which questions a gate is of.

use std::collections::BTreeSet;
use std::error::Error;
use std::fmt;
use std::str::FromStr;

use super::InvalidGate;
use crate::labels::{Label, Labels};
use crate::names::Few;

/// Questions with one of some values of a label, such as `lang=de+es`. A backslash takes the `+` or
/// backslash behind it for a part of the value.
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
        Ok(Self {
            label: label.parse().map_err(|_unknown| InvalidGate)?,
            values: split(values)?,
        })
    }
}

/// The values between `+` signs, none of them blank.
fn split(text: &str) -> Result<Vec<String>, InvalidGate> {
    let mut values = Vec::new();
    let mut value = String::new();
    let mut chars = text.chars();
    while let Some(char) = chars.next() {
        match char {
            '\\' => match chars.next() {
                Some(taken @ ('+' | '\\')) => value.push(taken),
                _ => return Err(InvalidGate),
            },
            '+' => values.push(std::mem::take(&mut value)),
            other => value.push(other),
        }
    }
    values.push(value);
    let values: Vec<String> = values.iter().map(|value| value.trim().to_owned()).collect();
    if values.iter().any(String::is_empty) {
        return Err(InvalidGate);
    }
    Ok(values)
}

impl fmt::Display for Chosen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let quoted = |value: &String| value.replace('\\', r"\\").replace('+', r"\+");
        let values: Vec<String> = self.values.iter().map(quoted).collect();
        write!(f, "{}={}", self.label, values.join("+"))
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

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: Option<&[&str]>) {
        let chosen = text.parse::<Chosen>().ok();
        let values = chosen.as_ref().map(|chosen| chosen.values.clone());
        let wanted =
            expected.map(|values| values.iter().map(|value| (*value).to_owned()).collect());
        assert_eq!(values, wanted, "{text}");
        if let Some(chosen) = chosen {
            assert_eq!(chosen.to_string().parse(), Ok(chosen), "{text}");
        }
    }

    #[test]
    fn a_value_may_have_a_plus_behind_a_backslash() {
        check("lang=de + es", Some(&["de", "es"]));
        check(r"kind=c\+\++read\+write", Some(&["c++", "read+write"]));
        check(r"kind=a\\+b", Some(&[r"a\", "b"]));
        for text in ["lang=", "lang=de+", "lang=de++es", r"lang=de\", r"lang=d\e"] {
            check(text, None);
        }
    }
}
