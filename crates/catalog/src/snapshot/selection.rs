//! Tools picked by names and patterns.

use std::collections::HashSet;
use std::sync::Arc;

use super::Catalog;
use crate::access::ToolPattern;
use crate::tool::Tool;

/// The tools of a catalog that a list of patterns names.
#[derive(Debug, Clone, Default)]
pub struct Selection {
    /// Each once, in the order of the patterns, and by name within a pattern.
    pub tools: Vec<Arc<Tool>>,
    /// How many patterns name none.
    pub missing: usize,
}

impl Catalog {
    /// The tools that `patterns` name.
    pub fn select(&self, patterns: &[ToolPattern]) -> Selection {
        let mut selection = Selection::default();
        let mut seen = HashSet::new();
        for pattern in patterns {
            let mut named = self.named_by(pattern);
            selection.missing += usize::from(named.is_empty());
            named.sort_unstable_by(|one, other| one.name().cmp(other.name()));
            for tool in named {
                if seen.insert(tool.name()) {
                    selection.tools.push(Arc::clone(tool));
                }
            }
        }
        selection
    }

    /// Whether `pattern` names a tool.
    pub(crate) fn has(&self, pattern: &ToolPattern) -> bool {
        match pattern.as_name() {
            Some(name) => self.get(name).is_some(),
            None => self.tools.iter().any(|tool| pattern.matches(tool.name())),
        }
    }

    fn named_by(&self, pattern: &ToolPattern) -> Vec<&Arc<Tool>> {
        match pattern.as_name() {
            Some(name) => self.get(name).into_iter().collect(),
            None => self
                .tools
                .iter()
                .filter(|tool| pattern.matches(tool.name()))
                .collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::snapshot::tests::catalog;

    #[test]
    fn tools_come_once_in_the_order_of_the_patterns() {
        let entries = ["b_2", "a", "b_1", "c"].map(|name| format!(r#"{{"name":"{name}"}}"#));
        let catalog = catalog(&entries.each_ref().map(String::as_str));
        let check = |patterns: &[&str], expected: &[&str], missing: usize| {
            let read = patterns.iter().map(|text| ToolPattern::parse(text));
            let patterns: Vec<_> = read.map(Result::unwrap).collect();
            let selection = catalog.select(&patterns);
            let names: Vec<_> = selection.tools.iter().map(|tool| tool.name()).collect();
            assert_eq!((names.as_slice(), selection.missing), (expected, missing));
            for pattern in &patterns {
                let alone = catalog.select(std::slice::from_ref(pattern));
                assert_eq!(catalog.has(pattern), alone.missing == 0, "{pattern}");
            }
        };
        check(&[], &[], 0);
        check(&["c", "a", "c"], &["c", "a"], 0);
        check(&["b_*", "*"], &["b_1", "b_2", "a", "c"], 0);
        check(&["x", "b_2", "x_*"], &["b_2"], 2);
    }
}
