//! Which language a text is in, as far as stemming and function words need it.

/// A language whose words are stemmed and whose function words are known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Language {
    English,
    Lithuanian,
}

impl Language {
    /// Whether a folded word carries grammar rather than meaning in this language.
    pub(crate) fn is_function_word(self, word: &str) -> bool {
        let words = match self {
            Self::English => ENGLISH,
            Self::Lithuanian => LITHUANIAN,
        };
        words.binary_search(&word).is_ok()
    }
}

/// Counts function words to tell a text's language; English unless another has more.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct LanguageVotes {
    english: usize,
    lithuanian: usize,
}

impl LanguageVotes {
    /// Counts one folded word.
    pub(crate) fn count(&mut self, word: &str) {
        self.english += usize::from(Language::English.is_function_word(word));
        self.lithuanian += usize::from(Language::Lithuanian.is_function_word(word));
    }

    pub(crate) fn winner(self) -> Language {
        if self.lithuanian > self.english {
            Language::Lithuanian
        } else {
            Language::English
        }
    }
}

/// Sorted. Articles, pronouns, prepositions, conjunctions, auxiliaries, and what is left of a
/// contraction when the apostrophe splits it.
const ENGLISH: &[&str] = &[
    "a", "about", "all", "am", "an", "and", "any", "are", "as", "at", "be", "been", "being", "but",
    "by", "can", "could", "d", "did", "do", "does", "doing", "for", "from", "had", "has", "have",
    "having", "he", "her", "hers", "him", "his", "how", "i", "if", "in", "into", "is", "it", "its",
    "ll", "m", "may", "me", "might", "mine", "must", "my", "no", "nor", "not", "of", "on", "onto",
    "or", "our", "ours", "please", "re", "s", "shall", "she", "should", "so", "some", "such", "t",
    "than", "that", "the", "their", "theirs", "them", "then", "there", "these", "they", "this",
    "those", "to", "too", "us", "ve", "very", "was", "we", "were", "what", "when", "where",
    "which", "while", "who", "whom", "whose", "why", "will", "with", "would", "you", "your",
    "yours",
];

/// Sorted, without diacritics, as folded words are.
const LITHUANIAN: &[&str] = &[
    "apie", "ar", "arba", "as", "be", "bei", "bet", "bus", "buvo", "del", "gal", "i", "iki", "ir",
    "is", "ja", "jai", "jei", "jeigu", "ji", "jie", "jis", "jo", "jos", "ju", "jus", "kad", "kai",
    "kaip", "kas", "ko", "kur", "kuri", "kurie", "kurio", "kurios", "kuris", "kuriu", "man",
    "mane", "mano", "mes", "mums", "mus", "ne", "nei", "nera", "nes", "nors", "nuo", "o", "pagal",
    "per", "po", "prasau", "prie", "pries", "savo", "si", "sia", "sie", "siu", "su", "ta", "tai",
    "tarp", "tas", "tau", "tavo", "tie", "tik", "to", "tos", "tu", "tuo", "uz", "virs", "yra",
];
