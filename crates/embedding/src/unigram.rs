//! The Unigram tokenizer: of all ways to cut a word into pieces, the one with the highest sum of
//! scores.

use crate::normalize::for_each_word;
use crate::trie::Trie;

/// A piece of the vocabulary: its row in the model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TokenId(u32);

impl TokenId {
    /// Stands for letters without a piece; its vector is zero.
    pub const UNKNOWN: Self = Self(0);

    /// The mark in front of a word, where no piece has it together with the word's first letter.
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
    /// One little-endian number a piece, in units of 1 / [`SCORE_UNITS`].
    scores: &'static [[u8; 2]],
    /// The score of a letter without a piece.
    unknown: f64,
}

impl Unigram {
    /// `lowest` is the lowest of the scores, in their unit.
    pub(crate) const fn new(trie: Trie, scores: &'static [[u8; 2]], lowest: i32) -> Self {
        let unknown = lowest as f64 / SCORE_UNITS - UNKNOWN_PENALTY;
        Self {
            trie,
            scores,
            unknown,
        }
    }

    /// Appends the tokens of a text.
    pub(crate) fn tokenize(&self, text: &str, tokens: &mut Vec<TokenId>) {
        let mut paths = Vec::new();
        for_each_word(text, |word| self.cut(word, &mut paths, tokens));
    }

    /// Hands out the words of a text as they are cut, each with its tokens.
    pub(crate) fn words(&self, text: &str, mut emit: impl FnMut(&str, &[TokenId])) {
        let mut paths = Vec::new();
        let mut tokens = Vec::new();
        for_each_word(text, |word| {
            tokens.clear();
            self.cut(word, &mut paths, &mut tokens);
            emit(word, &tokens);
        });
    }

    /// Appends the tokens of a word. `paths` is only lent, so that words share its memory.
    fn cut(&self, word: &str, paths: &mut Vec<Path>, tokens: &mut Vec<TokenId>) {
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
                let token = TokenId::UNKNOWN;
                paths[start + letter_length].offer(Path {
                    score: score + self.unknown,
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
            let is_same_gap =
                token == TokenId::UNKNOWN && tokens[cut_from..].last() == Some(&TokenId::UNKNOWN);
            if !is_same_gap {
                tokens.push(token);
            }
            end = start;
        }
        tokens[cut_from..].reverse();
    }

    /// The logarithm of the token's probability; 0 for one of another model.
    pub(crate) fn score(&self, token: TokenId) -> f64 {
        let units = self.scores.get(token.index()).copied().unwrap_or_default();
        f64::from(i16::from_le_bytes(units)) / SCORE_UNITS
    }
}

/// The best way to cut a word up to a place: its score, its last token and where that starts.
#[derive(Debug, Clone, Copy)]
struct Path {
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
