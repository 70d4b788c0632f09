//! The distinct terms of a query.

use std::collections::{HashMap, HashSet};

use crate::analyze::{self, Form, Language, LanguageVotes, Signs, Term};

/// A query, read but not yet looked up.
#[derive(Debug, Default)]
pub(super) struct QueryTerms {
    pub(super) words: Vec<QueryWord>,
    pub(super) joined: Vec<Joined>,
    /// By text: the position in `words`.
    positions: HashMap<String, usize>,
    /// Positions of the words as they were read, repeated ones too.
    sequence: Vec<usize>,
    joined_texts: HashSet<String>,
}

/// A distinct word or bigram.
#[derive(Debug)]
pub(super) struct QueryWord {
    /// Folded.
    pub(super) text: String,
    /// With its accents.
    pub(super) written: String,
    pub(super) form: Form,
    /// Its runs of letters and of digits.
    pub(super) pieces: Vec<String>,
}

/// Neighbouring words written as one, as the catalog may write them.
#[derive(Debug)]
pub(super) struct Joined {
    pub(super) text: String,
    /// Positions of the words.
    pub(super) words: Vec<usize>,
}

impl QueryTerms {
    pub(super) fn read(text: &str) -> Self {
        let mut terms = Self::default();
        analyze::terms(text, |term| terms.push(term));
        terms.join_neighbours();
        terms
    }

    /// The query's language, where the documents are in `expected` for the most part.
    pub(super) fn language(&self, expected: Language) -> Language {
        let mut votes = LanguageVotes::new(expected);
        for word in &self.words {
            votes.add(Signs::of(&word.text, &word.written));
        }
        votes.winner()
    }

    fn push(&mut self, term: Term<'_>) {
        match term.form {
            Form::Word | Form::Gram => {
                let position = self.position(term);
                self.sequence.push(position);
            }
            Form::Piece => self.push_piece(term.text),
            Form::Glued { parts } => {
                let first = self.sequence.len().saturating_sub(parts);
                let words = self.sequence.iter().skip(first).copied().collect();
                self.push_joined(term.text.to_owned(), words);
            }
        }
    }

    fn position(&mut self, term: Term<'_>) -> usize {
        if let Some(&position) = self.positions.get(term.text) {
            return position;
        }
        let position = self.words.len();
        let text = term.text.to_owned();
        self.positions.insert(text.clone(), position);
        self.words.push(QueryWord {
            text,
            written: term.written.to_owned(),
            form: term.form,
            pieces: Vec::new(),
        });
        position
    }

    fn push_piece(&mut self, piece: &str) {
        let last = self
            .sequence
            .last()
            .and_then(|&last| self.words.get_mut(last));
        let Some(QueryWord { pieces, .. }) = last else {
            return;
        };
        if !pieces.iter().any(|known| known == piece) {
            pieces.push(piece.to_owned());
        }
    }

    fn join_neighbours(&mut self) {
        for neighbours in self.sequence.clone().windows(2) {
            let words = neighbours
                .iter()
                .filter_map(|&position| self.words.get(position));
            let spaced = words.filter(|word| word.form == Form::Word);
            let texts: Vec<&str> = spaced.map(|word| word.text.as_str()).collect();
            if texts.len() == neighbours.len() {
                self.push_joined(texts.concat(), neighbours.to_vec());
            }
        }
    }

    fn push_joined(&mut self, text: String, words: Vec<usize>) {
        if self.joined_texts.insert(text.clone()) {
            self.joined.push(Joined { text, words });
        }
    }
}
