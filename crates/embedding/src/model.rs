//! What can be asked of a model, wherever it comes from.

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use crate::builtin::{BUILTIN, Builtin};
use crate::directory::{Directory, InvalidModel};
use crate::unigram::TokenId;
use crate::vector::Vector;

/// A static embedding model: a tokenizer, and a vector for each piece of its vocabulary.
///
/// A clone is another handle on the same model. Tokens and vectors of two models don't go together.
#[derive(Clone)]
pub struct Model(Source);

#[derive(Clone)]
enum Source {
    Builtin(&'static Builtin),
    Directory(Arc<Directory>),
}

impl Model {
    /// The model that is compiled in.
    pub fn builtin() -> &'static Self {
        &BUILTIN_MODEL
    }

    /// The model in a Model2Vec directory: `config.json`, `tokenizer.json` and `model.safetensors`.
    ///
    /// The rows are mapped into memory and read when a text needs them, so the file must not be
    /// changed in place as long as the model lives: who puts another in its place renames it over.
    pub fn open(directory: &Path) -> Result<Self, InvalidModel> {
        let directory = Directory::open(directory)?;
        Ok(Self(Source::Directory(Arc::new(directory))))
    }

    /// What the model is called; one from a directory has that directory's name.
    pub fn name(&self) -> &str {
        match &self.0 {
            Source::Builtin(_) => "toolsearch-embed",
            Source::Directory(directory) => directory.name(),
        }
    }

    /// The SHA-256 of the built-in model's file, in hexadecimal. None for one from a directory, which
    /// would have to be read whole.
    pub const fn digest(&self) -> Option<&'static str> {
        match self.0 {
            Source::Builtin(_) => Some(BUILTIN_DIGEST),
            Source::Directory(_) => None,
        }
    }

    /// Whether it is the model that is compiled in, for which what similar means is measured.
    pub const fn is_builtin(&self) -> bool {
        matches!(self.0, Source::Builtin(_))
    }

    /// How many numbers a vector has.
    pub fn dimensions(&self) -> usize {
        match &self.0 {
            Source::Builtin(builtin) => builtin.rows.dimensions(),
            Source::Directory(directory) => directory.dimensions(),
        }
    }

    /// How many pieces the vocabulary has, the unknown one included.
    pub fn pieces(&self) -> usize {
        match &self.0 {
            Source::Builtin(builtin) => builtin.rows.len(),
            Source::Directory(directory) => directory.pieces(),
        }
    }

    /// Appends the tokens of a text, in its order. With the built-in model a blank always parts tokens,
    /// so the tokens of a text are those of its parts between blanks.
    ///
    /// Time and memory grow with the text: whoever takes texts from strangers cuts them first (queries
    /// at 2,000 characters).
    pub fn tokenize(&self, text: &str, tokens: &mut Vec<TokenId>) {
        match &self.0 {
            Source::Builtin(builtin) => builtin.tokenize(text, tokens),
            Source::Directory(directory) => directory.tokenize(text, tokens),
        }
    }

    /// Hands out the words of a text one by one, levelled as the vocabulary's pieces are and with
    /// their tokens: what [`tokenize`](Self::tokenize) gives, taken apart where the model's own
    /// tokenizer parts words; at the blanks if it doesn't.
    pub fn words(&self, text: &str, emit: impl FnMut(&str, &[TokenId])) {
        match &self.0 {
            Source::Builtin(builtin) => builtin.words(text, emit),
            Source::Directory(directory) => directory.words(text, emit),
        }
    }

    /// How rare a token is, in nats: minus the logarithm of its share of the texts that the vocabulary
    /// was made from. From 0 to some 65; 0 for what stands for no letter that the vocabulary knows.
    ///
    /// A directory says it in its tokenizer's scores, if that is a Unigram one. Otherwise it is an
    /// estimate by Zipf's law: from the order of the `weights`, of which models give rare tokens
    /// higher ones, or without these from the order of the vocabulary, frequent ones first.
    pub fn rarity(&self, token: TokenId) -> f32 {
        match &self.0 {
            Source::Builtin(builtin) => builtin.rarity(token),
            Source::Directory(directory) => directory.rarity(token),
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
        Vector::from_sum(match &self.0 {
            Source::Builtin(builtin) => builtin.rows.sum(tokens, weight),
            Source::Directory(directory) => directory.sum(tokens, weight),
        })
    }
}

/// Two handles are equal if they are on the same model in memory.
impl PartialEq for Model {
    fn eq(&self, other: &Self) -> bool {
        match (&self.0, &other.0) {
            (Source::Builtin(_), Source::Builtin(_)) => true,
            (Source::Directory(left), Source::Directory(right)) => Arc::ptr_eq(left, right),
            _ => false,
        }
    }
}

impl Eq for Model {}

/// Without the tables, which are millions of numbers.
impl fmt::Debug for Model {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut model = f.debug_struct("Model");
        model.field("name", &self.name());
        model.finish_non_exhaustive()
    }
}

static BUILTIN_MODEL: Model = Model(Source::Builtin(&BUILTIN));

const BUILTIN_DIGEST: &str = "3ae5a65c9b7a5a5fcdf99cf2e780e33c03c051b7b5b5bb02859489a01bf8a63a";
