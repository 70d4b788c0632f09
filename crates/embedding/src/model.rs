//! The built-in model: its file, and what can be asked of it.

use std::fmt;

use crate::rows::Rows;
use crate::trie::Trie;
use crate::unigram::{TokenId, Unigram};
use crate::vector::Vector;

/// A static embedding model: a tokenizer, and a vector for each piece of its vocabulary.
///
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
pub struct Model {
    unigram: Unigram,
    rows: Rows,
}

impl Model {
    /// The model that is compiled in.
    pub fn builtin() -> &'static Self {
        &BUILTIN
    }

    /// What the model is called.
    pub const fn name(&self) -> &'static str {
        "toolsearch-embed"
    }

    /// Which training of it this is; vectors of two versions aren't comparable.
    pub const fn version(&self) -> &'static str {
        "1"
    }

    /// The SHA-256 of the model's file, in hexadecimal.
    pub const fn digest(&self) -> &'static str {
        "7115ab360d5d5efdd1c0c2947dbbb5be2484cbf8cf18242efe6fa9723063cde7"
    }

    /// How many numbers a vector has.
    pub const fn dimensions(&self) -> usize {
        self.rows.dimensions()
    }

    /// How many pieces the vocabulary has, the unknown one included.
    pub const fn pieces(&self) -> usize {
        self.rows.len()
    }

    /// Appends the tokens of a text, in its order. A blank always parts tokens, so the tokens of a text
    /// are those of its parts between blanks.
    ///
    /// Time and memory grow with the text: whoever takes texts from strangers cuts them first (queries
    /// at 2,000 characters).
    pub fn tokenize(&self, text: &str, tokens: &mut Vec<TokenId>) {
        self.unigram.tokenize(text, tokens);
    }

    /// Hands out the words of a text one by one, levelled as the vocabulary's pieces are and with
    /// their tokens: what [`tokenize`](Self::tokenize) gives, taken apart at the blanks.
    pub fn words(&self, text: &str, emit: impl FnMut(&str, &[TokenId])) {
        self.unigram.words(text, emit);
    }

    /// How rare a token is, in nats: minus the logarithm of its share of the texts that the vocabulary
    /// was made from. From 0 to some 65; 0 for what stands for no letter that the vocabulary knows.
    #[expect(
        clippy::cast_possible_truncation,
        reason = "the file has two digits after the point"
    )]
    pub fn rarity(&self, token: TokenId) -> f32 {
        match token {
            TokenId::UNKNOWN | TokenId::WORD_MARK => 0.0,
            _ => -self.unigram.score(token) as f32,
        }
    }

    /// The vector of a text; none if the vocabulary knows no part of it. As with
    /// [`tokenize`](Self::tokenize) the caller cuts the text, and splits its identifiers.
    pub fn embed(&self, text: &str) -> Option<Vector> {
        let mut tokens = Vec::new();
        self.tokenize(text, &mut tokens);
        self.pool(&tokens, |_| 1.0)
    }

    /// The vector of a text that is cut into tokens, each counting as much as `weight` says; none if
    /// nothing counts. With a weight of 1 throughout it is what [`embed`](Self::embed) gives.
    pub fn pool(&self, tokens: &[TokenId], weight: impl Fn(TokenId) -> f32) -> Option<Vector> {
        Vector::from_sum(self.rows.sum(tokens, weight))
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
            unigram: Unigram::new(
                Trie::new(units.as_chunks().0),
                scores.as_chunks().0,
                i32::from_le_bytes(lowest_score),
            ),
            rows: Rows::new(scales.as_chunks().0, codes, dimensions),
        }
    }
}

/// Without the tables, which are millions of numbers.
impl fmt::Debug for Model {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut model = f.debug_struct("Model");
        model
            .field("name", &self.name())
            .field("version", &self.version());
        model.finish_non_exhaustive()
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

static BUILTIN: Model = Model::new(
    include_bytes!("../assets/model.bin"),
    include_bytes!(concat!(env!("OUT_DIR"), "/tokenizer.bin")),
);

const MAGIC: u32 = u32::from_be_bytes(*b"TSE1");
