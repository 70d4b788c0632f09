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
    /// Counts a folded word that stands `times` times.
    pub(crate) fn count(&mut self, word: &str, times: usize) {
        for (language, votes) in [
            (Language::English, &mut self.english),
            (Language::Lithuanian, &mut self.lithuanian),
        ] {
            if language.is_function_word(word) {
                *votes += times;
            }
        }
    }

    pub(crate) fn winner(self) -> Language {
        if self.lithuanian > self.english {
            Language::Lithuanian
        } else {
            Language::English
        }
    }
}

/// Sorted. Articles, pronouns, prepositions, conjunctions, auxiliaries and particles, the words of
/// asking politely, and what is left of a contraction when the apostrophe splits it.
#[rustfmt::skip]
const ENGLISH: &[&str] = &[
    "a", "about", "again", "all", "also", "although", "am", "an", "and", "another", "any",
    "anyone", "anything", "are", "as", "at", "be", "because", "been", "being", "both", "but",
    "by", "can", "could", "d", "did", "do", "does", "doing", "each", "either", "else", "ever",
    "everyone", "everything", "few", "for", "from", "had", "has", "have", "having", "he",
    "hello", "her", "here", "hers", "herself", "hey", "hi", "him", "himself", "his", "how", "i",
    "if", "in", "into", "is", "it", "its", "itself", "just", "let", "lets", "ll", "m", "many",
    "may", "me", "might", "mine", "more", "most", "much", "must", "my", "myself", "need",
    "needs", "neither", "no", "nor", "not", "of", "often", "on", "once", "only", "onto", "or",
    "other", "others", "our", "ours", "ourselves", "own", "please", "quite", "rather", "re",
    "s", "same", "several", "shall", "she", "should", "since", "so", "some", "someone",
    "something", "such", "t", "than", "thank", "thanks", "that", "the", "their", "theirs",
    "them", "themselves", "then", "there", "these", "they", "this", "those", "though", "to",
    "too", "until", "upon", "us", "ve", "very", "want", "wants", "was", "we", "well", "were",
    "what", "when", "where", "whether", "which", "while", "who", "whom", "whose", "why", "will",
    "with", "within", "would", "yet", "you", "your", "yours", "yourself",
];

/// Sorted, without diacritics, as folded words are.
#[rustfmt::skip]
const LITHUANIAN: &[&str] = &[
    "apie", "ar", "arba", "as", "be", "bei", "bet", "bus", "buvo", "del", "gal", "i", "iki",
    "ir", "is", "ja", "jai", "jei", "jeigu", "ji", "jie", "jis", "jo", "jos", "ju", "jus",
    "kad", "kai", "kaip", "kas", "ko", "kur", "kuri", "kurie", "kurio", "kurios", "kuris",
    "kuriu", "man", "mane", "mano", "mes", "mums", "mus", "ne", "nei", "nera", "nes", "nors",
    "nuo", "o", "pagal", "per", "po", "prasau", "prie", "pries", "savo", "si", "sia", "sie",
    "siu", "su", "ta", "tai", "tarp", "tas", "tau", "tavo", "tie", "tik", "to", "tos", "tu",
    "tuo", "uz", "virs", "yra",
];

#[cfg(test)]
mod tests {
    use super::{ENGLISH, LITHUANIAN, Language, LanguageVotes};
    use crate::analyze::fold;

    #[test]
    fn lists_are_sorted_and_folded() {
        for words in [ENGLISH, LITHUANIAN] {
            assert!(words.is_sorted_by(|a, b| a < b));
            assert!(words.iter().all(|word| fold(word) == *word));
        }
    }

    #[test]
    fn most_function_words_win_and_english_wins_ties() {
        let check = |text: &str, expected: Language| {
            let mut votes = LanguageVotes::default();
            text.split(' ').for_each(|word| votes.count(word, 1));
            assert_eq!(votes.winner(), expected, "{text}");
        };
        check("list the files in a folder", Language::English);
        check("rasti failus kurie yra aplanke", Language::Lithuanian);
        check("github", Language::English);
        check("", Language::English);
    }
}
