//! Tools that a query names.

use std::collections::HashMap;

use crate::Document;
use crate::analyze::is_unspaced;

/// Finds the documents that a query calls by name.
#[derive(Debug, Default)]
pub(crate) struct Names {
    ids: HashMap<Box<str>, Vec<u32>>,
    /// In bytes.
    longest: usize,
}

impl Names {
    pub(crate) fn new(documents: &[Document<'_>]) -> Self {
        let mut names = Self::default();
        for (id, document) in (0..).zip(documents) {
            names.ids.entry(document.name.into()).or_default().push(id);
            names.longest = names.longest.max(document.name.len());
        }
        names
    }

    /// The documents whose whole name is `query`.
    pub(crate) fn of(&self, query: &str) -> Vec<u32> {
        let whole = self.ids.get(query).or_else(|| self.ids.get(query.trim()));
        whole.cloned().unwrap_or_default()
    }

    /// The documents whose name of two or more parts stands in `query`, longest name first. A name
    /// of one part is too often just a word.
    pub(crate) fn within(&self, query: &str) -> Vec<u32> {
        let mut found = self.contained(query);
        found.sort_unstable_by(|a, b| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
        found.dedup();
        found
            .into_iter()
            .filter_map(|name| self.ids.get(name))
            .flatten()
            .copied()
            .collect()
    }

    fn contained<'q>(&self, query: &'q str) -> Vec<&'q str> {
        let borders = borders(query);
        let mut found = Vec::new();
        for (position, &start) in borders.iter().enumerate() {
            let ends = borders.iter().skip(position + 1);
            for &end in ends.take_while(|&&end| end - start <= self.longest) {
                let Some(name) = query.get(start..end) else {
                    continue;
                };
                if self.ids.contains_key(name) && has_parts(name) {
                    found.push(name);
                }
            }
        }
        found
    }

    /// An estimate of the memory it holds, in bytes.
    pub(crate) fn heap_bytes(&self) -> usize {
        let slot = size_of::<(Box<str>, Vec<u32>)>() + size_of::<u32>();
        self.ids.keys().map(|name| name.len()).sum::<usize>() + self.ids.capacity() * slot
    }
}

/// Where a name may begin or end: anywhere but between two letters or digits of a script with
/// spaces.
fn borders(text: &str) -> Vec<usize> {
    let mut borders = Vec::new();
    let mut inside = false;
    for (at, c) in text.char_indices() {
        let joins = c.is_alphanumeric() && !is_unspaced(c);
        if !(inside && joins) {
            borders.push(at);
        }
        inside = joins;
    }
    borders.push(text.len());
    borders
}

/// Whether `name` has two or more parts, by separators or by a capital after a small letter.
fn has_parts(name: &str) -> bool {
    let separators = ['_', '-', '.', '/', ':'];
    let is_part = |part: &&str| part.contains(char::is_alphanumeric);
    let by_separator = name.split(separators).filter(is_part).nth(1).is_some();
    let mut before_is_small = false;
    let by_case = name.chars().any(|c| {
        let begins = before_is_small && c.is_uppercase();
        before_is_small = c.is_lowercase() || c.is_numeric();
        begins
    });
    by_separator || by_case
}
