//! The tools that the operator's settings name.

use std::collections::BTreeMap;
use std::fmt;

use crate::access::{ToolPattern, WriteTools};
use crate::snapshot::Catalog;

/// The tools that the operator's settings name.
#[derive(Debug, Clone, Default)]
pub struct NamedTools {
    /// Those that count as writes whatever they say of themselves.
    pub write_tools: WriteTools,
    /// Those that every search shows.
    pub pins: Vec<ToolPattern>,
    /// Those of each template, by its name.
    pub templates: Vec<(String, Vec<ToolPattern>)>,
}

/// A name or pattern of the operator's that no tool has had since it was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnmatchedName {
    /// Where the operator wrote it.
    pub place: NamedIn,
    /// What stands there.
    pub pattern: ToolPattern,
}

/// Where tools are named.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NamedIn {
    /// The list of tools that count as writes.
    WriteTools,
    /// The pins.
    Pins,
    /// The template of this name.
    Template(String),
}

/// The names that no tool has had so far. They are reported once, when the first list is known.
#[derive(Debug)]
pub(crate) struct UnmatchedNames {
    /// By their place in [`NamedTools::names`].
    open: BTreeMap<usize, UnmatchedName>,
    are_reported: bool,
}

impl fmt::Display for NamedIn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::WriteTools => f.write_str("write tools"),
            Self::Pins => f.write_str("pins"),
            Self::Template(name) => write!(f, "template {name}"),
        }
    }
}

impl NamedTools {
    /// All names and patterns, and where each stands: write tools, pins, templates.
    pub(crate) fn names(&self) -> impl Iterator<Item = (NamedIn, &ToolPattern)> {
        let writes = self.write_tools.0.iter();
        let writes = writes.map(|pattern| (NamedIn::WriteTools, pattern));
        let pins = self.pins.iter().map(|pattern| (NamedIn::Pins, pattern));
        let templates = self.templates.iter().flat_map(|(name, patterns)| {
            let place = NamedIn::Template(name.clone());
            patterns.iter().map(move |pattern| (place.clone(), pattern))
        });
        writes.chain(pins).chain(templates)
    }
}

impl UnmatchedNames {
    /// All that `named` holds.
    pub(crate) fn of(named: &NamedTools) -> Self {
        let all = named.names().map(|(place, pattern)| UnmatchedName {
            place,
            pattern: pattern.clone(),
        });
        Self {
            open: all.enumerate().collect(),
            are_reported: false,
        }
    }

    /// Drops those that a tool of `catalogs` has, which know the same names. Answers what is left and is
    /// to be reported: once, and of all catalogs together.
    pub(crate) fn meet<'a>(
        &mut self,
        catalogs: impl IntoIterator<Item = &'a Catalog>,
    ) -> Vec<UnmatchedName> {
        let mut is_first = false;
        for catalog in catalogs {
            is_first = !self.are_reported;
            let has = catalog.named_here();
            self.open
                .retain(|place, _| !has.get(*place).copied().unwrap_or_default());
        }
        if !is_first {
            return Vec::new();
        }
        self.are_reported = true;
        self.reported()
    }

    /// Those that were reported and are still left.
    pub(crate) fn reported(&self) -> Vec<UnmatchedName> {
        if self.are_reported {
            self.open.values().cloned().collect()
        } else {
            Vec::new()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::snapshot::tests::catalog;

    #[test]
    fn what_any_of_the_lists_has_is_not_reported() {
        let patterns = ["a", "b_*", "c"].map(|text| ToolPattern::parse(text).unwrap());
        let named = NamedTools {
            pins: patterns.to_vec(),
            ..NamedTools::default()
        };
        let [one, other, third] = ["a", "b_1", "c"]
            .map(|name| catalog(&[&format!(r#"{{"name":"{name}"}}"#)]).naming(&named));
        let mut unmatched = UnmatchedNames::of(&named);
        assert_eq!(unmatched.meet([]), []);
        assert_eq!(unmatched.reported(), []);
        let left = [UnmatchedName {
            place: NamedIn::Pins,
            pattern: patterns[2].clone(),
        }];
        assert_eq!(unmatched.meet([&one, &other]), left);
        assert_eq!(unmatched.meet([&one]), [], "once");
        assert_eq!(unmatched.reported(), left);
        assert_eq!(unmatched.meet([&third]), []);
        assert_eq!(unmatched.reported(), []);
    }
}
