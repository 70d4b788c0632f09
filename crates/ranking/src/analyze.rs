//! Text to search terms, through a chain of small filters.
//!
//! [`terms`] is the principal function: `fold` takes out what nobody sees, `split` finds words and
//! the parts of identifiers, `fold` again levels case and accents, `cjk` cuts scripts that write no
//! spaces. Catalog texts and queries take the same way, so that they meet.

mod cjk;
mod fold;
mod language;
mod split;
mod stem;

use std::borrow::Cow;

pub(crate) use cjk::is_unspaced;
pub use fold::is_invisible;
pub(crate) use fold::{fold, visible};
pub(crate) use language::{Language, LanguageVotes};
pub(crate) use stem::WordStemmer;

use split::Part;

/// One search term, folded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Term<'a> {
    pub(crate) text: &'a str,
    pub(crate) form: Form,
}

impl<'a> Term<'a> {
    fn new(text: &'a str, form: Form) -> Self {
        Self { text, form }
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
                let word = fold(word);
                word_terms(&word, emit);
                words.push(word);
            }
        }
    }
    if words.len() == parts.len() {
        glued_terms(&words, emit);
    }
}

fn word_terms(word: &str, emit: &mut impl FnMut(Term<'_>)) {
    if word.is_empty() {
        return;
    }
    emit(Term::new(word, Form::Word));
    split::pieces(word, |text| emit(Term::new(text, Form::Piece)));
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
