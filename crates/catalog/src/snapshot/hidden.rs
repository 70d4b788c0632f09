//! Characters that a reviewer can't see but a model reads (field case 95).

use std::borrow::Cow;

/// `text` without invisible characters and direction overrides.
///
/// The joiners U+200C and U+200D stay between other than ASCII characters, where Persian, Indic
/// scripts and emoji are spelt with them.
pub(super) fn visible(text: &str) -> Cow<'_, str> {
    if text.is_ascii() || !text.chars().any(is_hidden) {
        return Cow::Borrowed(text);
    }
    let mut kept = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(char) = chars.next() {
        let joins = matches!(char, '\u{200C}' | '\u{200D}')
            && kept.chars().next_back().is_some_and(is_joinable)
            && chars.peek().copied().is_some_and(is_joinable);
        if joins || !is_hidden(char) {
            kept.push(char);
        }
    }
    Cow::Owned(kept)
}

fn is_joinable(char: char) -> bool {
    !char.is_ascii() && !is_hidden(char)
}

fn is_hidden(char: char) -> bool {
    matches!(char,
        '\u{200B}'..='\u{200F}'
        | '\u{061C}'
        | '\u{202A}'..='\u{202E}'
        | '\u{2060}'..='\u{2064}'
        | '\u{2066}'..='\u{2069}'
        | '\u{FEFF}'
        | '\u{E0000}'..='\u{E007F}'
        | '\u{E0100}'..='\u{E01EF}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_nobody_sees_goes() {
        for (text, expected) in [
            ("plain", "plain"),
            ("a\u{E0041}\u{E0042}b", "ab"),
            ("a\u{202E}b\u{202C}", "ab"),
            ("\u{2066}a\u{2069}", "a"),
            ("zero\u{200B}width", "zerowidth"),
            ("a\u{200D}b", "ab"),
            ("می\u{200C}خواهم", "می\u{200C}خواهم"),
            ("👩\u{200D}💻", "👩\u{200D}💻"),
            ("👩\u{200D}\u{200D}💻", "👩\u{200D}💻"),
            ("ąčę 日本", "ąčę 日本"),
        ] {
            assert_eq!(visible(text), expected, "{text:?}");
        }
    }
}
