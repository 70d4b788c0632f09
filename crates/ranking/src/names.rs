//! Tools that a query calls by name.

use std::cmp::Reverse;
use std::collections::HashMap;

use crate::analyze::{fold, is_unspaced, visible};
use crate::{ALLOCATION, Document};

/// The names of all documents. Case, accents and hidden characters don't matter, as in the rest of
/// the search.
#[derive(Debug)]
pub(crate) struct Names {
    by_document: Vec<Box<str>>,
    by_folded: HashMap<Box<str>, Vec<u32>>,
    /// The distinct lengths of folded names in bytes, shortest first.
    lengths: Vec<usize>,
}

impl Names {
    pub(crate) fn new(documents: &[Document<'_>]) -> Self {
        let mut by_folded: HashMap<Box<str>, Vec<u32>> = HashMap::with_capacity(documents.len());
        for (id, document) in (0..).zip(documents) {
            by_folded
                .entry(folded(document.name).into())
                .or_default()
                .push(id);
        }
        let mut lengths: Vec<usize> = by_folded.keys().map(|name| name.len()).collect();
        lengths.sort_unstable();
        lengths.dedup();
        let by_document = documents
            .iter()
            .map(|document| document.name.into())
            .collect();
        Self {
            by_document,
            by_folded,
            lengths,
        }
    }

    /// The documents whose whole name is `query`, the one that is spelt just so before the others.
    pub(crate) fn of(&self, query: &str) -> Vec<u32> {
        let folded = folded(query);
        let mut found = self
            .by_folded
            .get(folded.as_str())
            .cloned()
            .unwrap_or_default();
        if folded.is_empty() {
            found.retain(|&document| self.name(document) == query);
        }
        found.sort_unstable_by_key(|&document| {
            let name = self.name(document);
            (name != query, name, document)
        });
        found
    }

    /// The documents whose name of two or more parts stands in `query`, longest name first. A name
    /// of one part is too often just a word.
    pub(crate) fn within(&self, query: &str) -> Vec<u32> {
        let folded = folded(query);
        let is_border = borders(&folded);
        let mut found = Vec::new();
        for start in (0..folded.len()).filter(|&at| is_border[at]) {
            for length in &self.lengths {
                let end = start + length;
                if end > folded.len() {
                    break;
                }
                if is_border[end] {
                    let ids = folded
                        .get(start..end)
                        .and_then(|piece| self.by_folded.get(piece));
                    found.extend(ids.into_iter().flatten());
                }
            }
        }
        found.retain(|&document| is_called(self.name(document), query));
        found.sort_unstable_by_key(|&document| {
            let name = self.name(document);
            (Reverse(name.len()), name, document)
        });
        found.dedup();
        found
    }

    /// An estimate of the memory it holds, in bytes.
    pub(crate) fn heap_bytes(&self) -> usize {
        let documents = self.by_document.len();
        let names: usize = self.by_document.iter().map(|name| name.len()).sum();
        2 * names
            + documents * (size_of::<Box<str>>() + size_of::<u32>() + 3 * ALLOCATION)
            + self.by_folded.capacity() * size_of::<(Box<str>, Vec<u32>)>()
    }

    fn name(&self, document: u32) -> &str {
        self.by_document
            .get(document as usize)
            .map_or("", |name| name)
    }
}

fn folded(name: &str) -> String {
    fold(visible(name).trim()).into_owned()
}

/// By position: whether a name may begin or end there. It may anywhere but between two letters or
/// digits of a script with spaces.
fn borders(text: &str) -> Vec<bool> {
    let mut is_border = vec![false; text.len() + 1];
    let mut inside = false;
    for (at, c) in text.char_indices() {
        let joins = c.is_alphanumeric() && !is_unspaced(c);
        is_border[at] = !(inside && joins);
        inside = joins;
    }
    is_border[text.len()] = true;
    is_border
}

/// Whether `query`, which has the letters of `name`, means the tool by them. Without a separator
/// only the capitals tell `toDo` from two words that everybody uses.
fn is_called(name: &str, query: &str) -> bool {
    let is_part = |part: &&str| part.contains(char::is_alphanumeric);
    let by_separator = name
        .split(['_', '-', '.', '/', ':'])
        .filter(is_part)
        .nth(1)
        .is_some();
    by_separator || (has_inner_capital(name) && query.contains(name))
}

fn has_inner_capital(name: &str) -> bool {
    let mut before_is_small = false;
    name.chars().any(|c| {
        let begins_part = before_is_small && c.is_uppercase();
        before_is_small = c.is_lowercase() || c.is_numeric();
        begins_part
    })
}

#[cfg(test)]
mod tests {
    use super::Names;
    use crate::Document;

    const NAMES: [&str; 9] = [
        "search",
        "create_issue",
        "github__create_issue",
        "toDo",
        "send-mail",
        "名前_検索",
        "a.b/c:d",
        "ieškoti_sąskaitų",
        "Send-Mail",
    ];

    fn names() -> Names {
        Names::new(&NAMES.map(|name| Document {
            name,
            ..Document::default()
        }))
    }

    fn listed(documents: Vec<u32>) -> Vec<&'static str> {
        documents
            .into_iter()
            .map(|document| NAMES[document as usize])
            .collect()
    }

    #[track_caller]
    fn check_within(query: &str, expected: &[&str]) {
        assert_eq!(listed(names().within(query)), expected, "{query}");
    }

    #[track_caller]
    fn check_of(query: &str, expected: &[&str]) {
        assert_eq!(listed(names().of(query)), expected, "{query}");
    }

    #[test]
    fn whole_names_are_found_however_they_are_spelt() {
        check_of("search", &["search"]);
        check_of(" SEARCH ", &["search"]);
        check_of("todo", &["toDo"]);
        check_of("send-mail", &["send-mail", "Send-Mail"]);
        check_of("Send-Mail", &["Send-Mail", "send-mail"]);
        check_of("ies\u{30c}koti_saskaitu", &["ieškoti_sąskaitų"]);
        check_of("sear", &[]);
        check_of("", &[]);
    }

    #[test]
    fn names_of_parts_are_found_in_text_longest_first() {
        check_within(
            "use create_issue, then 'send-mail'.",
            &["create_issue", "Send-Mail", "send-mail"],
        );
        check_within("CREATE_ISSUE please", &["create_issue"]);
        check_within(
            "call mcp__github__create_issue",
            &["github__create_issue", "create_issue"],
        );
        check_within("run a.b/c:d now", &["a.b/c:d"]);
        check_within("この名前_検索を使う", &["名前_検索"]);
        check_within("请用create_issue吧", &["create_issue"]);
    }

    #[test]
    fn words_and_halves_of_words_are_no_names() {
        check_within("search for a recreate_issues", &[]);
        check_within("my todo list", &[]);
        check_within("add to my toDo list", &["toDo"]);
        check_within("create issue", &[]);
    }
}
