//! From a text to its words, in the form that the vocabulary is written in.

use unicode_normalization::UnicodeNormalization;
use unicode_properties::{GeneralCategoryGroup, UnicodeGeneralCategory};

/// Calls `each` with every word of `text`, the word mark in front.
///
/// NFKC, then small letters character by character (no rule for the last sigma of a word), then soft
/// hyphens and zero-width joiners out. Whatever isn't a letter, mark or digit parts words. The model was
/// trained with the normal forms of Unicode 9; these are newer, which only matters to newer characters.
pub(crate) fn for_each_word(text: &str, mut each: impl FnMut(&str)) {
    let mut word = String::from(WORD_MARK);
    // No normal form reaches across a blank, and plain ASCII is in normal form.
    for part in text.split(' ') {
        if part.is_ascii() {
            let letters = part
                .bytes()
                .map(|byte| char::from(byte.to_ascii_lowercase()));
            split(letters, &mut word, &mut each);
        } else {
            split(
                part.nfkc().flat_map(char::to_lowercase),
                &mut word,
                &mut each,
            );
        }
    }
}

/// `word` holds the word mark, before and after.
fn split(letters: impl Iterator<Item = char>, word: &mut String, each: &mut impl FnMut(&str)) {
    for letter in letters {
        if is_word_part(letter) {
            word.push(letter);
        } else if !IGNORED.contains(&letter) {
            end(word, each);
        }
    }
    end(word, each);
}

fn end(word: &mut String, each: &mut impl FnMut(&str)) {
    if word.len() > WORD_MARK.len_utf8() {
        each(word);
        word.truncate(WORD_MARK.len_utf8());
    }
}

fn is_word_part(letter: char) -> bool {
    if letter.is_ascii() {
        return letter.is_ascii_alphanumeric();
    }
    matches!(
        letter.general_category_group(),
        GeneralCategoryGroup::Letter | GeneralCategoryGroup::Mark | GeneralCategoryGroup::Number
    )
}

/// Stands in front of every word, so that a piece can tell a word's start from its middle.
const WORD_MARK: char = '\u{2581}';
/// Soft hyphen and zero-width joiner.
const IGNORED: [char; 2] = ['\u{AD}', '\u{200D}'];

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[&str]) {
        let mut words = Vec::new();
        for_each_word(text, |word| words.push(word.to_owned()));
        let expected: Vec<String> = expected
            .iter()
            .map(|word| format!("{WORD_MARK}{word}"))
            .collect();
        assert_eq!(words, expected, "{text:?}");
    }

    #[test]
    fn words_are_normal_forms_in_small_letters() {
        check("Create a NEW event", &["create", "a", "new", "event"]);
        check("Ｆｕｌｌ ﬁle №5 x²", &["full", "file", "no5", "x2"]);
        check("Žąsys e\u{301}te\u{301}", &["žąsys", "été"]);
        check("ΟΔΟΣ", &["οδοσ"]);
        check("İzmir", &["i\u{307}zmir"]);
        check("हिन्दी में", &["हिन्दी", "में"]);
    }

    #[test]
    fn other_signs_part_words() {
        check("", &[]);
        check(" \t\n", &[]);
        check("a,b--c\u{0}d\u{2581}e👍🏽f", &["a", "b", "c", "d", "e", "f"]);
        check("don't", &["don", "t"]);
        check(
            "co\u{AD}op क्\u{200D}ष a\u{200C}b",
            &["coop", "क्ष", "a", "b"],
        );
    }
}
