//! Characters that a reviewer can't see but a model reads (field case 95).

use std::borrow::Cow;

use ranking::is_invisible;

/// `text` without invisible characters and direction overrides.
///
/// The joiners U+200C and U+200D stay between other than ASCII characters, where Persian, Indic
/// scripts and emoji are spelt with them; U+FE0F stays where it makes a symbol an emoji.
pub(super) fn visible(text: &str) -> Cow<'_, str> {
    if text.is_ascii() || !text.chars().any(is_invisible) {
        return Cow::Borrowed(text);
    }
    let mut kept = String::with_capacity(text.len());
    let mut last = None;
    let mut chars = text.chars().peekable();
    while let Some(char) = chars.next() {
        let next = chars.peek().copied();
        let stays = match char {
            ZERO_WIDTH_NON_JOINER | ZERO_WIDTH_JOINER => {
                last.is_some_and(|last| is_joinable(last) || last == EMOJI_FORM)
                    && next.is_some_and(is_joinable)
            }
            EMOJI_FORM => last.is_some_and(|last| is_emoji_base(last) || next == Some(KEYCAP)),
            other => !is_invisible(other),
        };
        if stays {
            kept.push(char);
            last = Some(char);
        }
    }
    Cow::Owned(kept)
}

/// `name` as a person may read it on one line, or `None` where it has no such form.
pub(super) fn readable(name: &str) -> Option<Cow<'_, str>> {
    let name = visible(name);
    let breaks = |char: char| char.is_control() || matches!(char, '\u{2028}' | '\u{2029}');
    (!name.is_empty() && !name.contains(breaks)).then_some(name)
}

fn is_joinable(char: char) -> bool {
    !char.is_ascii() && !is_invisible(char)
}

/// The blocks of the symbols that are emoji with U+FE0F and text without.
fn is_emoji_base(char: char) -> bool {
    matches!(char,
        '\u{00A9}' | '\u{00AE}' | '\u{203C}' | '\u{2049}' | '\u{2122}' | '\u{2139}'
        | '\u{2190}'..='\u{21FF}' | '\u{2300}'..='\u{23FF}' | '\u{24C2}'
        | '\u{25A0}'..='\u{27BF}' | '\u{2900}'..='\u{297F}' | '\u{2B00}'..='\u{2BFF}'
        | '\u{3030}' | '\u{303D}' | '\u{3297}' | '\u{3299}' | '\u{1F000}'..='\u{1FAFF}')
}

const ZERO_WIDTH_NON_JOINER: char = '\u{200C}';
const ZERO_WIDTH_JOINER: char = '\u{200D}';
const EMOJI_FORM: char = '\u{FE0F}';
/// Makes a digit, `#` or `*` and U+FE0F a keycap.
const KEYCAP: char = '\u{20E3}';

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
            ("❤\u{FE0F}", "❤\u{FE0F}"),
            (
                "👩\u{200D}❤\u{FE0F}\u{200D}💻",
                "👩\u{200D}❤\u{FE0F}\u{200D}💻",
            ),
            ("1\u{FE0F}\u{20E3}", "1\u{FE0F}\u{20E3}"),
            ("a\u{FE0F}b1\u{FE0F}", "ab1"),
            ("❤\u{FE0F}\u{FE0F}\u{FE00}", "❤\u{FE0F}"),
            ("日\u{FE00}\u{E0100}", "日"),
            ("in\u{AD}v\u{34F}o\u{115F}i\u{1160}c\u{17B4}e", "invoice"),
            ("a\u{180B}\u{180E}\u{180F}b", "ab"),
            ("a\u{206A}\u{206F}\u{3164}\u{FFA0}\u{E0080}\u{E0FFF}b", "ab"),
        ] {
            assert_eq!(visible(text), expected, "{text:?}");
        }
    }

    #[test]
    fn names_are_readable_on_one_line_or_not_at_all() {
        for (name, expected) in [
            ("git\u{200B}hub", Some("github")),
            ("日本", Some("日本")),
            ("a\nb", None),
            ("a\u{2028}b", None),
            ("a\u{1B}[31m", None),
            ("\u{200B}", None),
        ] {
            assert_eq!(readable(name).as_deref(), expected, "{name:?}");
        }
    }
}
