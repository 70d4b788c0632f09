//! Words to their stems.

use std::borrow::Cow;

use snowball_stemmers_rs::{Algorithm, Stemmer};

use super::fold;
use super::language::Language;

/// What a word has in common with its other forms.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Stem<'a> {
    /// Of the stemmer.
    pub(crate) language: Language,
    /// Folded.
    pub(crate) text: Cow<'a, str>,
}

impl<'a> Stem<'a> {
    /// The stem of a word that is `written` so, case apart, in a text of `language`. None where a
    /// stem means nothing: numbers, versions, codes, and other scripts than the language's.
    ///
    /// Endings are told by their accents: stemming folded words would part 4 to 40 % of the pairs of
    /// one stem in thirteen of the languages, by Snowball's own vocabularies.
    pub(crate) fn of(written: &'a str, language: Language) -> Option<Self> {
        if !is_stemmable(written) {
            return None;
        }
        let (language, algorithm) = stemmer(written, language)?;
        let text = match Stemmer::create(algorithm).stem(written) {
            Cow::Borrowed(stem) => fold(stem),
            Cow::Owned(stem) => Cow::Owned(fold(&stem).into_owned()),
        };
        (!text.is_empty()).then_some(Self { language, text })
    }
}

fn is_stemmable(written: &str) -> bool {
    let shortest = written.chars().nth(MIN_LETTERS - 1).is_some();
    shortest && !written.chars().any(char::is_numeric)
}

/// Identifiers are in English wherever the language gives them nothing of its own.
fn stemmer(written: &str, language: Language) -> Option<(Language, Algorithm)> {
    let own = language.stemmer();
    let is_foreign = written.is_ascii() && (own.is_none() || !language.is_written_in_latin());
    if is_foreign {
        return Some((Language::ENGLISH, Algorithm::English));
    }
    own.map(|algorithm| (language, algorithm))
}

/// Shorter words have no ending to lose.
const MIN_LETTERS: usize = 3;

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::Stem;
    use crate::analyze::{Language, fold, visible};

    #[track_caller]
    fn check(language: &str, written: &str, expected: Option<(&str, &str)>) {
        let stem = Language::named(language).and_then(|language| Stem::of(written, language));
        let found = stem
            .as_ref()
            .map(|stem| (stem.language.name(), stem.text.as_ref()));
        assert_eq!(found, expected, "{written}");
    }

    #[test]
    fn words_are_stemmed_with_their_accents_and_stems_have_none() {
        check("English", "invoices", Some(("English", "invoic")));
        check("Lithuanian", "sąskaitomis", Some(("Lithuanian", "saskait")));
        check("Lithuanian", "saskaitos", Some(("Lithuanian", "saskait")));
        check("Russian", "новый", Some(("Russian", "нов")));
        check("German", "häuser", Some(("German", "haus")));
    }

    #[test]
    fn numbers_codes_and_short_words_have_no_stem() {
        for written in ["s3", "2024", "١٢٣", "id", "", "ąž"] {
            check("English", written, None);
        }
    }

    #[test]
    fn identifiers_are_stemmed_as_english_where_the_language_has_no_say() {
        check("Russian", "invoices", Some(("English", "invoic")));
        check("Latvian", "invoices", Some(("English", "invoic")));
        check("Latvian", "rēķins", None);
        check("Serbian", "fakture", Some(("Serbian", "faktur")));
    }

    proptest! {
        #[test]
        fn any_word_has_a_folded_stem_or_none(word in "\\w{0,12}|\\PC{0,12}") {
            let written = visible(&word).to_lowercase();
            for language in Language::all() {
                if let Some(stem) = Stem::of(&written, language) {
                    prop_assert_eq!(fold(&stem.text), stem.text.as_ref());
                    prop_assert!(!stem.text.is_empty());
                }
            }
        }
    }
}
