//! A query's text to weighted postings lists.

mod terms;

use self::terms::{Joined, QueryTerms, QueryWord};
use super::glued;
use super::index::{LexicalIndex, WordLists};
use super::postings::ListId;
use crate::analyze::{Form, Language};

/// What a query asks of an index.
#[derive(Debug)]
pub(super) struct Query {
    /// Its distinct words, in reading order.
    pub(super) needed: Vec<Needed>,
}

/// One word of a query, and the lists that answer it.
#[derive(Debug)]
pub(super) struct Needed {
    pub(super) clauses: Vec<Clause>,
    /// What finding it tells.
    pub(super) information: f32,
}

/// One list to add up.
#[derive(Debug, Clone, Copy)]
pub(super) struct Clause {
    pub(super) list: ListId,
    /// May be zero: then the list only shows that the word is there.
    pub(super) weight: f32,
}

impl Clause {
    fn new(list: ListId, weight: f32) -> Self {
        Self { list, weight }
    }
}

impl Query {
    pub(super) fn new(text: &str, index: &LexicalIndex) -> Self {
        let terms = QueryTerms::read(text);
        let compiler = Compiler {
            index,
            language: terms.language(index.language),
        };
        let mut needed: Vec<Needed> = terms.words.iter().map(|word| compiler.word(word)).collect();
        for joined in &terms.joined {
            compiler.join(joined, &mut needed);
        }
        Self { needed }
    }

    /// The information of the whole query.
    pub(super) fn information(&self) -> f32 {
        self.needed.iter().map(|needed| needed.information).sum()
    }

    /// The information of its words that some document has.
    pub(super) fn known_information(&self) -> f32 {
        self.needed
            .iter()
            .filter(|needed| !needed.clauses.is_empty())
            .map(|needed| needed.information)
            .sum()
    }
}

/// Looks a query's terms up in an index.
struct Compiler<'a> {
    index: &'a LexicalIndex,
    /// The query's.
    language: Language,
}

impl Compiler<'_> {
    /// A function word tells nothing of a tool. Where no tool is described in the query's language,
    /// it tells that: then it counts as unknown even if it is a word of theirs (`die`, `per`).
    fn word(&self, word: &QueryWord) -> Needed {
        let is_function_word = self.language.is_function_word(&word.text);
        if is_function_word && !self.is_spoken() {
            return Needed {
                clauses: Vec::new(),
                information: self.index.information_of_unknown(),
            };
        }
        let mut clauses = self.clauses(word);
        let information = if is_function_word || (clauses.is_empty() && is_number(&word.text)) {
            0.0
        } else {
            self.information(&clauses)
        };
        if is_function_word {
            for clause in &mut clauses {
                clause.weight *= FUNCTION_WORD;
            }
        }
        Needed {
            clauses,
            information,
        }
    }

    /// Whether any document has the query's language; all have English identifiers.
    fn is_spoken(&self) -> bool {
        self.language == Language::ENGLISH || self.index.languages.contains(self.language)
    }

    /// The information of the most common of `clauses`.
    fn information(&self, clauses: &[Clause]) -> f32 {
        let informations = clauses
            .iter()
            .map(|clause| self.index.information_of(clause.list));
        informations
            .reduce(f32::min)
            .unwrap_or_else(|| self.index.information_of_unknown())
    }

    fn clauses(&self, word: &QueryWord) -> Vec<Clause> {
        let mut clauses = self.known(&word.text);
        if clauses.is_empty() && word.form == Form::Word {
            let stem = self
                .index
                .stems
                .of(&word.text, &word.written, self.language);
            clauses = stem.map_or_else(
                || self.parts(&word.text),
                |list| vec![Clause::new(list, STEM)],
            );
        }
        let pieces = word
            .pieces
            .iter()
            .filter_map(|piece| self.index.words.get(piece.as_str()));
        clauses.extend(pieces.map(|lists| Clause::new(lists.own, PIECE)));
        clauses
    }

    fn known(&self, word: &str) -> Vec<Clause> {
        let Some(WordLists { own, stems }) = self.index.words.get(word) else {
            return Vec::new();
        };
        if stems.is_empty() {
            return vec![Clause::new(*own, SURFACE + STEM)];
        }
        let stems = stems.iter().map(|&stem| Clause::new(stem, STEM));
        std::iter::once(Clause::new(*own, SURFACE))
            .chain(stems)
            .collect()
    }

    fn parts(&self, word: &str) -> Vec<Clause> {
        let parts = glued::split(word, |part| self.index.words.contains_key(part));
        parts
            .into_iter()
            .flatten()
            .flat_map(|part| self.known(part))
            .collect()
    }

    /// Where the catalog has the words written as one, that answers each of them.
    fn join(&self, joined: &Joined, needed: &mut [Needed]) {
        let Some(lists) = self.index.words.get(joined.text.as_str()) else {
            return;
        };
        let mut weight = JOINED;
        if self.language.is_function_word(&joined.text) {
            weight *= FUNCTION_WORD;
        }
        for &position in &joined.words {
            let Some(needed) = needed.get_mut(position) else {
                continue;
            };
            needed.clauses.push(Clause::new(lists.own, weight));
            weight = 0.0;
        }
    }
}

/// A number that the catalog doesn't know is a value, and says nothing of the tool.
fn is_number(word: &str) -> bool {
    word.chars().all(char::is_numeric)
}

/// The exact word counts as much as its stem and on top of it: stems alone confuse sibling tools,
/// whose names differ in little else.
const SURFACE: f32 = 0.5;
const STEM: f32 = 0.5;

/// Function words only decide between tools that are alike in all else.
const FUNCTION_WORD: f32 = 0.05;

/// A piece of `upload2` is a lesser answer than the whole.
const PIECE: f32 = 0.5;

/// What a query's `key vault` or `key-vault` earns for `keyvault`, beside its words.
const JOINED: f32 = 0.5;

#[cfg(test)]
mod tests;
