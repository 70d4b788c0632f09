//! The model that is compiled in: its file, and how it reads a text.

use crate::normalize::for_each_word;
use crate::rows::Rows;
use crate::trie::Trie;
use crate::unigram::{Scores, TokenId, Unigram};

/// `assets/model.bin` in order, numbers little-endian:
///
/// | what | form |
/// |---|---|
/// | `TSE1`, rows, dimensions, bits a dimension (4) | 4 bytes, 3 x u32 |
/// | a score for each piece, x 500 | rows x i16 |
/// | a length in bytes for each piece | rows x u8 |
/// | the pieces one after another; row 0 is the unknown one | UTF-8 |
/// | a scale for each row | rows x f16 |
/// | the rows: values -7 to 7 plus 8, even dimension in the low half | rows x dimensions / 2 bytes |
pub(crate) struct Builtin {
    unigram: Unigram,
    pub(crate) rows: Rows,
}

impl Builtin {
    /// Appends the tokens of a text.
    pub(crate) fn tokenize(&self, text: &str, tokens: &mut Vec<TokenId>) {
        let mut paths = Vec::new();
        for_each_word(text, |word| self.unigram.cut(word, &mut paths, tokens));
    }

    /// Hands out the words of a text as they are cut, each with its tokens.
    pub(crate) fn words(&self, text: &str, mut emit: impl FnMut(&str, &[TokenId])) {
        let mut paths = Vec::new();
        let mut tokens = Vec::new();
        for_each_word(text, |word| {
            tokens.clear();
            self.unigram.cut(word, &mut paths, &mut tokens);
            emit(word, &tokens);
        });
    }

    #[expect(
        clippy::cast_possible_truncation,
        reason = "the file has two digits after the point"
    )]
    pub(crate) fn rarity(&self, token: TokenId) -> f32 {
        match token {
            TokenId::UNKNOWN | TokenId::WORD_MARK => 0.0,
            _ => -self.unigram.score(token) as f32,
        }
    }

    /// Takes the file apart while compiling; a file of another form is a compile error.
    const fn new(file: &'static [u8], tokenizer: &'static [u8]) -> Self {
        let (magic, rest) = first(file);
        assert!(u32::from_be_bytes(magic) == MAGIC, "model.bin: not a model");
        let (rows, rest) = first(rest);
        let (dimensions, rest) = first(rest);
        let (bits, rest) = first(rest);
        let rows = u32::from_le_bytes(rows) as usize;
        let dimensions = u32::from_le_bytes(dimensions) as usize;
        assert!(
            u32::from_le_bytes(bits) == 4,
            "model.bin: not four bits a dimension"
        );
        let (scores, rest) = rest.split_at(2 * rows);
        let (rest, codes) = rest.split_at(rest.len() - rows * dimensions / 2);
        let (_pieces, scales) = rest.split_at(rest.len() - 2 * rows);
        let (lowest_score, units) = first(tokenizer);
        Self {
            unigram: Unigram::builtin(
                Trie::builtin(units.as_chunks().0),
                Scores::Builtin(scores.as_chunks().0),
                i32::from_le_bytes(lowest_score),
            ),
            rows: Rows::new(scales.as_chunks().0, codes, dimensions),
        }
    }
}

/// Takes four bytes off.
#[expect(clippy::panic, reason = "only the compiler runs it")]
const fn first(bytes: &'static [u8]) -> ([u8; 4], &'static [u8]) {
    let Some((first, rest)) = bytes.split_first_chunk() else {
        panic!("model.bin: cut off");
    };
    (*first, rest)
}

pub(crate) static BUILTIN: Builtin = Builtin::new(
    include_bytes!("../assets/model.bin"),
    include_bytes!(concat!(env!("OUT_DIR"), "/tokenizer.bin")),
);

const MAGIC: u32 = u32::from_be_bytes(*b"TSE1");
