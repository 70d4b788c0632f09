//! `tokenizer.json`: from a text to its words and their tokens.

use std::path::Path;

use fs_err as fs;
use serde::Deserialize;
use serde_json::value::RawValue;
use tokenizers::models::wordlevel::WordLevel;
use tokenizers::tokenizer::OffsetType;
use tokenizers::{
    AddedToken, AddedVocabulary, NormalizerWrapper, OffsetReferential, PreTokenizedString,
    PreTokenizer, PreTokenizerWrapper,
};

use super::invalid::InvalidModel;
use super::pieces::{Pieces, Vocabulary};
use crate::unigram::TokenId;

/// The steps of a tokenizer that a static model needs: no special tokens around a text, no padding,
/// no truncation.
pub(super) struct Tokenizer {
    added: AddedVocabulary,
    levels: Option<NormalizerWrapper>,
    parts: Option<PreTokenizerWrapper>,
    pieces: Pieces,
    unknown: Option<TokenId>,
    /// Whether its parts are no more than a word each.
    parts_words: bool,
}

#[derive(Deserialize)]
struct File<'a> {
    #[serde(default)]
    added_tokens: Vec<Added>,
    #[serde(default)]
    normalizer: Option<NormalizerWrapper>,
    #[serde(default)]
    pre_tokenizer: Option<PreTokenizerWrapper>,
    #[serde(borrow)]
    model: &'a RawValue,
}

#[derive(Deserialize)]
struct Added {
    id: u32,
    #[serde(flatten)]
    token: AddedToken,
}

/// A tokenizer, and what else its file tells of its tokens.
pub(super) struct Read {
    pub(super) tokenizer: Tokenizer,
    /// How many rows its tokens need.
    pub(super) tokens: usize,
    /// By token, as far as the vocabulary has any.
    pub(super) scores: Vec<f64>,
    /// What counts for nothing.
    pub(super) without_letters: Vec<TokenId>,
}

/// Reads a tokenizer's file.
pub(super) fn read(path: &Path) -> Result<Read, InvalidModel> {
    let damaged = |found: String| {
        InvalidModel::damaged(
            path,
            format!("it isn't a tokenizer that can be read: {found}"),
        )
    };
    let text = fs::read(path)?;
    let file: File<'_> =
        serde_json::from_slice(&text).map_err(|error| damaged(error.to_string()))?;
    let vocabulary = Vocabulary::read(file.model).map_err(damaged)?;
    let highest = file.added_tokens.iter().map(|added| added.id as usize + 1);
    let tokens = highest.max().unwrap_or_default().max(vocabulary.tokens);
    let special = file.added_tokens.iter().filter(|added| added.token.special);
    let special = special.map(|added| TokenId::new(added.id));
    let mut without_letters = vocabulary.without_letters;
    without_letters.extend(special);
    let added = added_vocabulary(file.added_tokens, file.normalizer.as_ref()).map_err(damaged)?;
    let mut tokenizer = Tokenizer {
        added,
        levels: file.normalizer,
        parts: file.pre_tokenizer,
        pieces: vocabulary.pieces,
        unknown: vocabulary.unknown,
        parts_words: false,
    };
    tokenizer.parts_words = tokenizer.pre_tokenize("a b").is_some_and(|parts| {
        parts
            .get_splits(OffsetReferential::Normalized, OffsetType::None)
            .len()
            > 1
    });
    Ok(Read {
        tokenizer,
        tokens,
        scores: vocabulary.scores,
        without_letters,
    })
}

impl Tokenizer {
    /// Hands out the parts of a text that the tokenizer cuts by themselves, with their tokens. What
    /// nothing is known of is left out.
    pub(super) fn parts(&self, text: &str, mut emit: impl FnMut(&str, &[TokenId])) {
        let Some(parts) = self.pre_tokenize(text) else {
            return;
        };
        let mut tokens = Vec::new();
        for (part, _, added) in parts.get_splits(OffsetReferential::Normalized, OffsetType::None) {
            tokens.clear();
            match added {
                Some(added) => tokens.extend(added.iter().map(|token| TokenId::new(token.id))),
                None => self.pieces.cut(part, &mut tokens),
            }
            tokens.retain(|token| Some(*token) != self.unknown);
            if !tokens.is_empty() {
                emit(part, &tokens);
            }
        }
    }

    /// Hands out the words of a text: those parts, or where the tokenizer leaves a text whole, what
    /// stands between blanks.
    pub(super) fn words(&self, text: &str, mut emit: impl FnMut(&str, &[TokenId])) {
        if self.parts_words {
            return self.parts(text, emit);
        }
        for word in text.split_whitespace() {
            self.parts(word, &mut emit);
        }
    }

    /// None where one of the tokenizer's own steps fails.
    fn pre_tokenize(&self, text: &str) -> Option<PreTokenizedString> {
        let mut parts = self.added.extract_and_normalize(self.levels.as_ref(), text);
        match &self.parts {
            Some(step) => step.pre_tokenize(&mut parts).ok().map(|()| parts),
            None => Some(parts),
        }
    }
}

/// The tokens that are found in a text before all else, with the numbers that the file gives them.
fn added_vocabulary(
    tokens: Vec<Added>,
    normalizer: Option<&NormalizerWrapper>,
) -> Result<AddedVocabulary, String> {
    let numbers = tokens
        .iter()
        .map(|added| (added.token.content.clone(), added.id));
    // Only asked for these numbers.
    let numbers = WordLevel::builder()
        .vocab(numbers.collect())
        .build()
        .map_err(|error| error.to_string())?;
    let mut added = AddedVocabulary::new();
    added
        .add_tokens(
            tokens.into_iter().map(|added| added.token),
            &numbers,
            normalizer,
        )
        .map_err(|error| error.to_string())?;
    Ok(added)
}
