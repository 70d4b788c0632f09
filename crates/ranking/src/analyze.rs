//! Text to search terms, through a chain of small filters.
//!
//! [`terms`] is the principal function: `fold` takes out what nobody sees, `split` finds words and
//! the parts of identifiers, `fold` again levels case and accents, `cjk` cuts scripts that write no
//! spaces. Catalog texts and queries take the same way, so that they meet.
//!
//! [`Stem`] is what a word shares with its other forms, by the rules of the language that
//! [`LanguageVotes`] guesses of its text.

mod cjk;
mod fold;
mod language;
mod lexicon;
mod split;
mod stem;
mod votes;

use std::borrow::Cow;

pub(crate) use cjk::is_unspaced;
pub use fold::is_invisible;
pub(crate) use fold::{fold, visible};
pub(crate) use language::{Language, Languages};
pub(crate) use lexicon::Signs;
pub(crate) use stem::Stem;
pub(crate) use votes::LanguageVotes;

use split::Part;

/// One search term.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Term<'a> {
    /// Folded.
    pub(crate) text: &'a str,
    /// In lower case, with the accents that it has in the text. Of what isn't a word, `text`.
    pub(crate) written: &'a str,
    pub(crate) form: Form,
}

impl<'a> Term<'a> {
    fn new(text: &'a str, form: Form) -> Self {
        Self {
            text,
            written: text,
            form,
        }
    }
}

/// How a term stood in the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// A word, or a part of an identifier.
    Word,
    /// Two neighbouring characters of a script without spaces; there is nothing to stem.
    Gram,
    /// The last `parts` words written as one, as in `createissue` for `create_issue`.
    Glued { parts: usize },
    /// Letters or digits of the last word, which mixes them, as in `upload` for `upload2`.
    Piece,
}

/// Hands the terms of `text` to `emit`, in reading order; what is derived from words follows them.
pub(crate) fn terms(text: &str, mut emit: impl FnMut(Term<'_>)) {
    let visible = visible(text);
    split::compounds(&visible, |parts| compound_terms(parts, &mut emit));
}

fn compound_terms(parts: &[Part<'_>], emit: &mut impl FnMut(Term<'_>)) {
    let mut words: Vec<Cow<'_, str>> = Vec::with_capacity(parts.len());
    for part in parts {
        match part {
            Part::Unspaced(run) => {
                cjk::bigrams(&fold(run), |text| emit(Term::new(text, Form::Gram)));
            }
            Part::Word(word) => {
                let folded = fold(word);
                word_terms(&folded, word, emit);
                words.push(folded);
            }
        }
    }
    if words.len() == parts.len() {
        glued_terms(&words, emit);
    }
}

fn word_terms(folded: &str, word: &str, emit: &mut impl FnMut(Term<'_>)) {
    if folded.is_empty() {
        return;
    }
    let written = if word.is_ascii() {
        Cow::Borrowed(folded)
    } else {
        Cow::Owned(word.to_lowercase())
    };
    emit(Term {
        text: folded,
        written: &written,
        form: Form::Word,
    });
    split::pieces(folded, |text| emit(Term::new(text, Form::Piece)));
}

fn glued_terms(words: &[Cow<'_, str>], emit: &mut impl FnMut(Term<'_>)) {
    if !(2..=MAX_GLUED_PARTS).contains(&words.len()) {
        return;
    }
    let glued = words.concat();
    emit(Term::new(&glued, Form::Glued { parts: words.len() }));
}

/// Longer identifiers are paths and hosts, which nobody types as one word.
const MAX_GLUED_PARTS: usize = 6;

#[cfg(test)]
mod tests;
