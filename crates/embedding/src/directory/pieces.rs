//! From a word to its tokens, by whichever kind of vocabulary a tokenizer has.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::value::RawValue;
use tokenizers::Model;
use tokenizers::models::ModelWrapper;

use crate::trie::Trie;
use crate::unigram::{TokenId, Unigram};

/// What a tokenizer's file says of its tokens.
pub(super) struct Vocabulary {
    pub(super) pieces: Pieces,
    /// Stands for letters without a piece.
    pub(super) unknown: Option<TokenId>,
    /// One more than the highest number of a token.
    pub(super) tokens: usize,
    /// By token, the logarithm of its probability; empty where the vocabulary has none.
    pub(super) scores: Vec<f64>,
    /// Signs and marks of words.
    pub(super) without_letters: Vec<TokenId>,
}

/// How words are cut.
pub(super) enum Pieces {
    /// Our own: for half a million pieces the `tokenizers` crate takes a gigabyte.
    Unigram(Unigram),
    /// Any other: `WordPiece`, byte pairs, whole words.
    Other(Box<ModelWrapper>),
}

#[derive(Deserialize)]
struct Head<'a> {
    #[serde(rename = "type", borrow)]
    kind: Option<Cow<'a, str>>,
    #[serde(default)]
    byte_fallback: bool,
    /// Of a Unigram vocabulary.
    unk_id: Option<u32>,
}

#[derive(Deserialize)]
struct UnigramFile<'a> {
    unk_id: Option<u32>,
    #[serde(borrow)]
    vocab: Vec<Piece<'a>>,
}

#[derive(Deserialize)]
struct Piece<'a>(#[serde(borrow)] Cow<'a, str>, f64);

impl Vocabulary {
    /// Reads the member `model` of a tokenizer's file.
    pub(super) fn read(model: &RawValue) -> Result<Self, String> {
        let head: Head<'_> =
            serde_json::from_str(model.get()).map_err(|error| error.to_string())?;
        if head.kind.as_deref() == Some("Unigram") && !head.byte_fallback {
            let file: UnigramFile<'_> =
                serde_json::from_str(model.get()).map_err(|error| error.to_string())?;
            return Self::of_unigram(&file);
        }
        let model: ModelWrapper =
            serde_json::from_str(model.get()).map_err(|error| error.to_string())?;
        Self::of_other(model, head.unk_id)
    }

    fn of_unigram(file: &UnigramFile<'_>) -> Result<Self, String> {
        let vocab = &file.vocab;
        let count = u32::try_from(vocab.len())
            .ok()
            .filter(|count| *count < MAX_PIECES);
        let count = count.ok_or_else(|| format!("it has {} pieces", vocab.len()))?;
        if file.unk_id.is_some_and(|id| id >= count) {
            return Err(format!("its `unk_id` is none of its {count} pieces"));
        }
        if let Some(Piece(piece, _)) = vocab.iter().find(|Piece(_, score)| !score.is_finite()) {
            return Err(format!(
                "the score of `{}` is no number",
                piece.escape_debug()
            ));
        }
        let mut sorted: Vec<(&[u8], u32)> = vocab
            .iter()
            .zip(0..)
            .map(|(Piece(piece, _), id)| (piece.as_bytes(), id))
            .filter(|(piece, _)| !piece.is_empty() && !piece.contains(&0))
            .collect();
        sorted.sort_unstable();
        // Of two alike the last one counts, as in the `tokenizers` crate.
        sorted.reverse();
        sorted.dedup_by_key(|(piece, _)| *piece);
        sorted.reverse();
        let trie = Trie::build(&sorted).ok_or("its pieces are too many")?;
        let scores: Vec<f64> = vocab.iter().map(|Piece(_, score)| *score).collect();
        let unknown = file.unk_id.map(TokenId::new);
        let names = vocab
            .iter()
            .zip(0..)
            .map(|(Piece(piece, _), id)| (&**piece, id));
        Ok(Self {
            without_letters: without_letters(names),
            pieces: Pieces::Unigram(Unigram::new(
                trie,
                scores.clone().into_boxed_slice(),
                unknown.unwrap_or(NO_TOKEN),
            )),
            unknown: Some(unknown.unwrap_or(NO_TOKEN)),
            tokens: vocab.len(),
            scores,
        })
    }

    fn of_other(mut model: ModelWrapper, unknown: Option<u32>) -> Result<Self, String> {
        // What people ask isn't kept, not even by the word.
        model.resize_cache(0);
        let name = match &model {
            ModelWrapper::BPE(model) => model.unk_token.as_ref(),
            ModelWrapper::WordPiece(model) => Some(&model.unk_token),
            ModelWrapper::WordLevel(model) => Some(&model.unk_token),
            ModelWrapper::Unigram(_) => None,
        };
        let unknown = name.map_or(unknown, |name| model.token_to_id(name));
        let scores = match &model {
            ModelWrapper::Unigram(model) => model.iter().map(|(_, score)| *score).collect(),
            _ => Vec::new(),
        };
        let names = model.get_vocab();
        let Some(highest) = names.values().max() else {
            return Err("its vocabulary is empty".to_owned());
        };
        Ok(Self {
            without_letters: without_letters(names.iter().map(|(name, id)| (name.as_str(), *id))),
            unknown: unknown.map(TokenId::new),
            tokens: *highest as usize + 1,
            scores,
            pieces: Pieces::Other(Box::new(model)),
        })
    }
}

impl Pieces {
    /// Appends the tokens of a word.
    pub(super) fn cut(&self, word: &str, tokens: &mut Vec<TokenId>) {
        match self {
            Self::Unigram(unigram) => unigram.cut(word, &mut Vec::new(), tokens),
            // It fails where a word is unknown and nothing stands for it: then it has no token.
            Self::Other(model) => {
                let cut = model.tokenize(word).unwrap_or_default();
                tokens.extend(cut.iter().map(|token| TokenId::new(token.id)));
            }
        }
    }
}

/// Those of which no sign may stand for a letter, or for a part of one.
fn without_letters<'a>(names: impl Iterator<Item = (&'a str, u32)>) -> Vec<TokenId> {
    let is_sign = |letter: char| {
        letter.is_ascii_punctuation() || letter.is_whitespace() || MARKS.contains(&letter)
    };
    names
        .filter(|(name, _)| name.chars().all(is_sign))
        .map(|(_, id)| TokenId::new(id))
        .collect()
}

/// Stands for unknown letters where a vocabulary has nothing for it.
const NO_TOKEN: TokenId = TokenId::new(u32::MAX);
/// As many as a trie has room for.
const MAX_PIECES: u32 = 1 << 24;
/// What vocabularies write for a blank or a line's end.
const MARKS: [char; 3] = ['\u{2581}', '\u{120}', '\u{10A}'];
