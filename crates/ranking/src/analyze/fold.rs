//! Levels what readers take for the same: compatibility forms, case, accents; and takes out what
//! they don't see.

use std::borrow::Cow;

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::canonical_combining_class;

/// `text` in NFKC without characters that show nothing, so that they neither split words nor hide
/// any (field case 95).
pub(crate) fn visible(text: &str) -> Cow<'_, str> {
    if text.is_ascii() {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.chars().filter(|&c| !is_invisible(c)).nfkc().collect())
}

/// `word` without case and accents.
///
/// The way to lower case leads through upper case: so `ß` and `ẞ` meet `SS`, and both sigmas meet.
/// Accents are told by their combining class, which leaves alone the marks that make another letter: kana voicing,
/// nuktas, viramas, Thai tones.
pub(crate) fn fold(word: &str) -> Cow<'_, str> {
    if word
        .bytes()
        .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit())
    {
        return Cow::Borrowed(word);
    }
    if word.is_ascii() {
        return Cow::Owned(word.to_ascii_lowercase());
    }
    Cow::Owned(
        word.chars()
            .flat_map(char::to_lowercase)
            .flat_map(char::to_uppercase)
            .flat_map(char::to_lowercase)
            .nfkd()
            .filter(|&c| !is_accent(c))
            .flat_map(plain_letters)
            .nfc()
            .collect(),
    )
}

/// Combining classes 10 to 36 are the Hebrew and Arabic points, 200 to 240 accents at large.
pub(super) fn is_accent(c: char) -> bool {
    matches!(canonical_combining_class(c), 10..=36 | 200..=240) || c == ARABIC_STRETCH
}

/// Letters that Unicode holds for whole, though people type them without their stroke.
fn plain_letters(c: char) -> impl Iterator<Item = char> {
    let (first, second) = match c {
        'æ' => ('a', Some('e')),
        'œ' => ('o', Some('e')),
        'þ' => ('t', Some('h')),
        'ø' => ('o', None),
        'đ' | 'ð' => ('d', None),
        'ł' => ('l', None),
        'ħ' => ('h', None),
        'ŧ' => ('t', None),
        whole => (whole, None),
    };
    std::iter::once(first).chain(second)
}

/// Whether `c` shows nothing by itself: Unicode's default ignorable code points, private and
/// unassigned ones of that block included.
pub fn is_invisible(c: char) -> bool {
    matches!(c,
        '\u{00AD}' | '\u{034F}' | '\u{061C}' | '\u{115F}'..='\u{1160}'
        | '\u{17B4}'..='\u{17B5}' | '\u{180B}'..='\u{180F}' | '\u{200B}'..='\u{200F}'
        | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{206F}' | '\u{3164}'
        | '\u{FE00}'..='\u{FE0F}' | '\u{FEFF}' | '\u{FFA0}' | '\u{FFF0}'..='\u{FFF8}'
        | '\u{1BCA0}'..='\u{1BCA3}' | '\u{1D173}'..='\u{1D17A}' | '\u{E0000}'..='\u{E0FFF}'
    )
}

const ARABIC_STRETCH: char = '\u{0640}';
