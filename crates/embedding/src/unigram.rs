//! The Unigram tokenizer: of all ways to cut a word into pieces, the one with the highest sum of
//! scores.

use crate::trie::Trie;

/// A piece of the vocabulary: its row in the model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TokenId(u32);

impl TokenId {
    /// Stands in the built-in model for letters without a piece; its vector is zero.
    pub const UNKNOWN: Self = Self(0);

    /// In the built-in model the mark in front of a word, where no piece has it together with the word's first letter.
    pub const WORD_MARK: Self = Self(1);

    pub(crate) const fn new(row: u32) -> Self {
        Self(row)
    }

    /// The row, from 0 up to, not including, [`Model::pieces`](crate::Model::pieces).
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// Vocabulary and scores.
pub(crate) struct Unigram {
    trie: Trie,
    scores: Scores,
    /// The score of a letter without a piece, and what stands for it.
    unknown: (f64, TokenId),
}

/// For each piece the logarithm of its probability.
pub(crate) enum Scores {
    /// Little-endian numbers in units of 1 / [`SCORE_UNITS`], used where they lie.
    Builtin(&'static [[u8; 2]]),
    /// Read from a file.
    Read(Box<[f64]>),
}

impl Unigram {
    /// `lowest` is the lowest of the scores, in their unit.
    pub(crate) const fn builtin(trie: Trie, scores: Scores, lowest: i32) -> Self {
        let unknown = lowest as f64 / SCORE_UNITS - UNKNOWN_PENALTY;
        Self {
            trie,
            scores,
            unknown: (unknown, TokenId::UNKNOWN),
        }
    }

    /// The pieces of `trie` with their scores, where `unknown` stands for letters without a piece.
    pub(crate) fn new(trie: Trie, scores: Box<[f64]>, unknown: TokenId) -> Self {
        let lowest = scores.iter().copied().fold(f64::INFINITY, f64::min);
        Self {
            trie,
            scores: Scores::Read(scores),
            unknown: (lowest - UNKNOWN_PENALTY, unknown),
        }
    }

    /// Appends the tokens of a word. `paths` is only lent, so that words share its memory.
    pub(crate) fn cut(&self, word: &str, paths: &mut Vec<Path>, tokens: &mut Vec<TokenId>) {
        paths.clear();
        paths.resize(word.len() + 1, Path::NONE);
        paths[0].score = 0.0;
        for (start, letter) in word.char_indices() {
            let score = paths[start].score;
            let letter_length = letter.len_utf8();
            let mut is_known = false;
            for (length, token) in self.trie.prefixes(&word.as_bytes()[start..]) {
                is_known |= length == letter_length;
                paths[start + length].offer(Path {
                    score: score + self.score(token),
                    token,
                    start,
                });
            }
            if !is_known {
                let (unknown, token) = self.unknown;
                paths[start + letter_length].offer(Path {
                    score: score + unknown,
                    token,
                    start,
                });
            }
        }
        let cut_from = tokens.len();
        let mut end = word.len();
        while end > 0 {
            let Path { token, start, .. } = paths[end];
            // Neighbours without a piece are one token, as the model was trained with.
            let is_same_gap = token == self.unknown.1 && tokens[cut_from..].last() == Some(&token);
            if !is_same_gap {
                tokens.push(token);
            }
            end = start;
        }
        tokens[cut_from..].reverse();
    }

    /// The logarithm of the token's probability; 0 for one of another model.
    pub(crate) fn score(&self, token: TokenId) -> f64 {
        match &self.scores {
            Scores::Builtin(scores) => {
                let units = scores.get(token.index()).copied().unwrap_or_default();
                f64::from(i16::from_le_bytes(units)) / SCORE_UNITS
            }
            Scores::Read(scores) => scores.get(token.index()).copied().unwrap_or_default(),
        }
    }
}

/// The best way to cut a word up to a place: its score, its last token and where that starts.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Path {
    score: f64,
    token: TokenId,
    start: usize,
}

impl Path {
    const NONE: Self = Self {
        score: f64::NEG_INFINITY,
        token: TokenId::UNKNOWN,
        start: 0,
    };

    /// Keeps the better one; the first among equals.
    fn offer(&mut self, other: Self) {
        if other.score > self.score {
            *self = other;
        }
    }
}

const SCORE_UNITS: f64 = 500.0;
/// How far the score of an unknown letter lies below that of the worst piece.
const UNKNOWN_PENALTY: f64 = 10.0;
