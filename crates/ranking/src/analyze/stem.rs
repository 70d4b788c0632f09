//! Words to their stems.

use std::borrow::Cow;

use snowball_stemmers_rs::{Algorithm, Stemmer};

use super::language::Language;

/// The stemmer of one language.
pub(crate) struct WordStemmer(Stemmer);

impl WordStemmer {
    pub(crate) fn new(language: Language) -> Self {
        Self(Stemmer::create(match language {
            Language::English => Algorithm::English,
            Language::Lithuanian => Algorithm::Lithuanian,
        }))
    }

    /// The stem of a folded word; None where a stem means nothing: numbers, versions, codes, and
    /// scripts that neither language writes.
    pub(crate) fn stem<'a>(&self, word: &'a str) -> Option<Cow<'a, str>> {
        let stemmable = word.len() >= MIN_LETTERS && word.bytes().all(|b| b.is_ascii_lowercase());
        stemmable
            .then(|| self.0.stem(word))
            .filter(|stem| !stem.is_empty())
    }
}

/// Shorter words have no ending to lose.
const MIN_LETTERS: usize = 3;
