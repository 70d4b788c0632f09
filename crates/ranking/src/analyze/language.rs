//! The languages that texts of tools and queries may be in.

use snowball_stemmers_rs::Algorithm;

use super::lexicon;

/// A language whose function words are known: its place in [`LANGUAGES`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Language(u8);

impl Language {
    pub(crate) const ENGLISH: Self = Self(0);

    /// Whether a folded word carries grammar rather than meaning in this language.
    pub(crate) fn is_function_word(self, word: &str) -> bool {
        lexicon::function_words(word).contains(self)
    }

    /// None if it has no stemmer.
    pub(super) fn stemmer(self) -> Option<Algorithm> {
        LANGUAGES
            .get(self.index())
            .and_then(|&(_, stemmer)| stemmer)
    }

    pub(super) fn is_written_in_latin(self) -> bool {
        lexicon::latin().contains(self)
    }

    pub(super) const fn index(self) -> usize {
        self.0 as usize
    }

    pub(super) fn all() -> impl Iterator<Item = Self> {
        (0..).map(Self).take(LANGUAGES.len())
    }

    pub(super) fn named(name: &str) -> Option<Self> {
        Self::all()
            .zip(LANGUAGES)
            .find_map(|(language, &(known, _))| (known == name).then_some(language))
    }

    #[cfg(test)]
    pub(super) fn name(self) -> &'static str {
        LANGUAGES.get(self.index()).map_or("", |&(name, _)| name)
    }
}

/// A set of languages.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Languages(u64);

impl Languages {
    pub(super) const CAPACITY: usize = 64;
    pub(super) const ALL: Self = Self(u64::MAX);

    pub(crate) fn insert(&mut self, language: Language) {
        self.0 |= 1 << language.0;
    }

    pub(crate) fn contains(self, language: Language) -> bool {
        self.0 & (1 << language.0) != 0
    }

    pub(super) fn len(self) -> u32 {
        self.0.count_ones()
    }

    pub(super) fn meets(self, other: Self) -> bool {
        self.and(other) != Self::default()
    }

    pub(super) fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// In the order of [`LANGUAGES`].
    pub(crate) fn iter(self) -> impl Iterator<Item = Language> {
        let mut left = self.0;
        std::iter::from_fn(move || {
            let lowest = u8::try_from(left.trailing_zeros()).ok()?;
            left &= left.checked_sub(1)?;
            Some(Language(lowest))
        })
    }
}

impl FromIterator<Language> for Languages {
    fn from_iter<I: IntoIterator<Item = Language>>(languages: I) -> Self {
        let mut set = Self::default();
        for language in languages {
            set.insert(language);
        }
        set
    }
}

/// Where a word's signs fit several languages alike, the first of them is taken: those that more
/// people write stand before their relatives.
#[rustfmt::skip]
const LANGUAGES: &[(&str, Option<Algorithm>)] = &[
    ("English", Some(Algorithm::English)),
    ("Spanish", Some(Algorithm::Spanish)),
    ("French", Some(Algorithm::French)),
    ("German", Some(Algorithm::German)),
    ("Portuguese", Some(Algorithm::Portuguese)),
    ("Italian", Some(Algorithm::Italian)),
    ("Russian", Some(Algorithm::Russian)),
    ("Ukrainian", Some(Algorithm::Ukrainian)),
    ("Polish", Some(Algorithm::Polish)),
    ("Dutch", Some(Algorithm::Dutch)),
    ("Turkish", Some(Algorithm::Turkish)),
    ("Indonesian", Some(Algorithm::Indonesian)),
    ("Swedish", Some(Algorithm::Swedish)),
    ("Danish", Some(Algorithm::Danish)),
    ("Norwegian", Some(Algorithm::Norwegian)),
    ("Finnish", Some(Algorithm::Finnish)),
    ("Hungarian", Some(Algorithm::Hungarian)),
    ("Romanian", Some(Algorithm::Romanian)),
    ("Czech", Some(Algorithm::Czech)),
    ("Slovak", None),
    ("Serbian", Some(Algorithm::Serbian)),
    ("Slovenian", None),
    ("Bulgarian", None),
    ("Greek", Some(Algorithm::Greek)),
    ("Arabic", Some(Algorithm::Arabic)),
    ("Persian", Some(Algorithm::Persian)),
    ("Urdu", None),
    ("Hebrew", None),
    ("Yiddish", Some(Algorithm::Yiddish)),
    ("Hindi", Some(Algorithm::Hindi)),
    ("Nepali", Some(Algorithm::Nepali)),
    ("Bengali", None),
    ("Tamil", Some(Algorithm::Tamil)),
    ("Armenian", Some(Algorithm::Armenian)),
    ("Georgian", None),
    ("Lithuanian", Some(Algorithm::Lithuanian)),
    ("Latvian", None),
    ("Estonian", Some(Algorithm::Estonian)),
    ("Basque", Some(Algorithm::Basque)),
    ("Catalan", Some(Algorithm::Catalan)),
    ("Galician", None),
    ("Irish", Some(Algorithm::Irish)),
    ("Icelandic", None),
    ("Afrikaans", None),
    ("Albanian", None),
    ("Vietnamese", None),
    ("Swahili", None),
    ("Filipino", None),
    ("Kazakh", None),
    ("Esperanto", Some(Algorithm::Esperanto)),
    ("Sesotho", Some(Algorithm::Sesotho)),
];

#[cfg(test)]
mod tests {
    use super::{Language, Languages};

    #[test]
    fn a_set_gives_its_languages_in_order() {
        let [first, second, last] = [3, 7, 63].map(Language);
        let set = Languages::from_iter([last, first, second, first]);
        assert_eq!(set.iter().collect::<Vec<_>>(), [first, second, last]);
        assert_eq!(set.len(), 3);
        assert!(set.contains(last) && !set.contains(Language::ENGLISH));
        assert_eq!(Languages::default().iter().count(), 0);
    }
}
