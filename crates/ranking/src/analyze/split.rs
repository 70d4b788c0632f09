//! Finds words, and the parts of identifiers: `HTTPServerList`, `s3Upload2`, `SEND_MAIL`.

use unicode_normalization::char::is_combining_mark;

use super::cjk::is_unspaced;

/// A part of a compound.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part<'a> {
    /// Letters and digits of a script with spaces.
    Word(&'a str),
    /// A run of a script without.
    Unspaced(&'a str),
}

/// Hands out the compounds of `text` as their parts. A compound is what belongs together without a
/// space: `send-mail`, `sendMail`, `send.mail`; most are one word. Two connectors in a row end it,
/// since gateways part server and tool that way (`github__create_issue`).
pub(super) fn compounds<'a>(text: &'a str, mut emit: impl FnMut(&[Part<'a>])) {
    let mut parts = Vec::new();
    for chunk in text.split(|c| !is_word(c) && !is_connector(c)) {
        for segment in chunk.split(is_connector) {
            if segment.is_empty() {
                flush(&mut parts, &mut emit);
            } else {
                split_segment(segment, &mut parts);
            }
        }
        flush(&mut parts, &mut emit);
    }
}

/// Hands out the runs of letters and of digits of a word that has both. One letter says nothing.
pub(super) fn pieces(word: &str, mut emit: impl FnMut(&str)) {
    let is_digit = |c: char| c.is_ascii_digit();
    if !word.contains(is_digit) || word.chars().all(is_digit) {
        return;
    }
    let letters = word
        .split(is_digit)
        .filter(|run| run.chars().nth(1).is_some());
    let digits = word.split(|c| !is_digit(c)).filter(|run| !run.is_empty());
    letters.chain(digits).for_each(&mut emit);
}

fn flush<'a>(parts: &mut Vec<Part<'a>>, emit: &mut impl FnMut(&[Part<'a>])) {
    if !parts.is_empty() {
        emit(parts);
        parts.clear();
    }
}

fn split_segment<'a>(segment: &'a str, parts: &mut Vec<Part<'a>>) {
    let mut start = 0;
    let mut before: Option<Kind> = None;
    let mut chars = segment.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let Some(kind) = Kind::of(c) else { continue };
        let next = chars.peek().and_then(|&(_, next)| Kind::of(next));
        if before.is_some_and(|before| begins_part(before, kind, next)) {
            push(segment.get(start..at), before, parts);
            start = at;
        }
        before = Some(kind);
    }
    push(segment.get(start..), before, parts);
}

fn push<'a>(text: Option<&'a str>, kind: Option<Kind>, parts: &mut Vec<Part<'a>>) {
    match (text, kind) {
        (Some(text), Some(Kind::Unspaced)) => parts.push(Part::Unspaced(text)),
        (Some(text), Some(_)) => parts.push(Part::Word(text)),
        _ => {}
    }
}

fn begins_part(before: Kind, kind: Kind, next: Option<Kind>) -> bool {
    match (before, kind) {
        (Kind::Unspaced, Kind::Unspaced) => false,
        (Kind::Unspaced, _) | (_, Kind::Unspaced) | (Kind::Other, Kind::Upper) => true,
        // The last capital of `HTTPServer` belongs to the word after it.
        (Kind::Upper, Kind::Upper) => next == Some(Kind::Other),
        _ => false,
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Unspaced,
    Upper,
    /// Lower case, digits, and letters of scripts without case.
    Other,
}

impl Kind {
    /// None for a mark, which goes with the letter before it.
    fn of(c: char) -> Option<Self> {
        if c.is_ascii() {
            Some(if c.is_ascii_uppercase() {
                Self::Upper
            } else {
                Self::Other
            })
        } else if is_unspaced(c) {
            Some(Self::Unspaced)
        } else if is_combining_mark(c) {
            None
        } else if c.is_uppercase() {
            Some(Self::Upper)
        } else {
            Some(Self::Other)
        }
    }
}

fn is_word(c: char) -> bool {
    if c.is_ascii() {
        c.is_ascii_alphanumeric()
    } else {
        c.is_alphanumeric() || is_combining_mark(c)
    }
}

fn is_connector(c: char) -> bool {
    matches!(c, '_' | '-' | '.' | '\u{2010}')
}
