//! What shows that a word is of a language: its grammar and its letters.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::fold::is_accent;
use super::language::{Language, Languages};

/// The languages that a word may be of. Most words show none.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Signs {
    /// Those in which it is a function word.
    pub(super) grammar: Languages,
    /// Those that have all of its letters, where not all are ASCII.
    pub(super) letters: Languages,
}

impl Signs {
    /// The signs of a word that is `folded` and was `written` so, case apart. One letter is none:
    /// it stands for anything.
    pub(crate) fn of(folded: &str, written: &str) -> Self {
        if folded.chars().nth(1).is_none() {
            return Self::default();
        }
        Self {
            grammar: function_words(folded),
            letters: LEXICON.writers(written),
        }
    }
}

/// The languages in which a folded word is a function word.
pub(super) fn function_words(folded: &str) -> Languages {
    LEXICON.function_words(folded)
}

/// The languages that are written in Latin letters.
pub(super) fn latin() -> Languages {
    LEXICON.latin
}

/// What `languages.txt` says.
#[derive(Debug, Default)]
struct Lexicon {
    grammar: HashMap<&'static str, Languages>,
    /// By letter beyond ASCII.
    letters: HashMap<char, Languages>,
    latin: Languages,
}

impl Lexicon {
    fn read() -> Self {
        let mut lexicon = Self::default();
        for block in TEXT.split("\n\n") {
            let (head, words) = block.split_once('\n').unwrap_or((block, ""));
            let mut head = head.trim_start_matches("== ").split(' ');
            let Some(language) = head.next().and_then(Language::named) else {
                continue;
            };
            lexicon.add(language, head.next().unwrap_or_default(), words);
        }
        lexicon
    }

    fn add(&mut self, language: Language, letters: &str, words: &'static str) {
        for word in words.split_ascii_whitespace() {
            self.grammar.entry(word).or_default().insert(language);
        }
        for letter in letters.chars() {
            self.letters.entry(letter).or_default().insert(language);
        }
        if letters.chars().next().is_none_or(is_latin) {
            self.latin.insert(language);
        }
    }

    fn function_words(&self, word: &str) -> Languages {
        self.grammar.get(word).copied().unwrap_or_default()
    }

    fn writers(&self, word: &str) -> Languages {
        if word.is_ascii() {
            return Languages::default();
        }
        let beyond_ascii = word.chars().filter(|&c| !c.is_ascii() && !is_accent(c));
        beyond_ascii
            .map(|letter| self.letters.get(&letter).copied().unwrap_or_default())
            .fold(Languages::ALL, Languages::and)
    }
}

fn is_latin(letter: char) -> bool {
    matches!(letter, '\0'..='\u{024F}' | '\u{1E00}'..='\u{1EFF}')
}

static LEXICON: LazyLock<Lexicon> = LazyLock::new(Lexicon::read);

/// A block for each language: its name and its letters beyond ASCII, then its function words, as
/// [`fold`](super::fold()) gives them, sorted: articles, pronouns, prepositions, conjunctions,
/// auxiliaries, particles, the words of asking politely, and what is left of a contraction when
/// the apostrophe splits it.
///
/// What English descriptions of tools use with a meaning of its own (`comment`, `get`, `visa`) is in
/// no other language's list, unless that couldn't do without.
const TEXT: &str = include_str!("languages.txt");

#[cfg(test)]
mod tests {
    use super::{Signs, TEXT};
    use crate::analyze::{Form, Language, Languages, fold, terms};

    /// The name, the letters and the words of each block.
    fn blocks() -> impl Iterator<Item = (&'static str, &'static str, Vec<&'static str>)> {
        TEXT.split("\n\n").filter_map(|block| {
            let (head, words) = block.strip_prefix("== ")?.split_once('\n')?;
            let (name, letters) = head.split_once(' ').unwrap_or((head, ""));
            Some((name, letters, words.split_ascii_whitespace().collect()))
        })
    }

    #[test]
    fn every_language_has_its_block_and_fits_into_a_set() {
        let names: Vec<&str> = blocks().map(|(name, ..)| name).collect();
        let expected: Vec<&str> = Language::all().map(Language::name).collect();
        assert_eq!(names, expected);
        assert!(names.len() <= Languages::CAPACITY);
        assert_eq!(Language::named("English"), Some(Language::ENGLISH));
    }

    #[test]
    fn function_words_are_sorted_and_spelt_as_they_are_searched() {
        for (name, letters, words) in blocks() {
            assert!((30..=350).contains(&words.len()), "{name}: {}", words.len());
            assert!(words.is_sorted_by(|a, b| a < b), "{name}");
            assert!(letters.chars().all(|letter| !letter.is_ascii()), "{name}");
            for word in words {
                assert_eq!(fold(word), word, "{name}");
                let mut found = Vec::new();
                terms(word, |term| found.push((term.text.to_owned(), term.form)));
                assert_eq!(found, [(word.to_owned(), Form::Word)], "{name}");
            }
        }
    }

    #[track_caller]
    fn check_signs(written: &str, grammar: &[&str], letters: &[&str]) {
        let set = |names: &[&str]| {
            let languages = names.iter().filter_map(|name| Language::named(name));
            languages.collect()
        };
        let expected = Signs {
            grammar: set(grammar),
            letters: set(letters),
        };
        assert_eq!(Signs::of(&fold(written), written), expected, "{written}");
    }

    #[test]
    fn a_word_shows_its_languages_by_grammar_and_by_letters() {
        check_signs("invoice", &[], &[]);
        check_signs("the", &["English"], &[]);
        check_signs("durch", &["German"], &[]);
        check_signs("ąžuolų", &[], &["Lithuanian"]);
        check_signs("kurią", &["Lithuanian"], &["Polish", "Lithuanian"]);
        check_signs("a", &[], &[]);
        check_signs("日本", &[], &[]);
    }
}
