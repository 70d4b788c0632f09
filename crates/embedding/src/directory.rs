//! A Model2Vec directory: any static model that somebody else made, used where it lies.

mod invalid;
mod pieces;
mod rarity;
mod rows;
mod tensors;
mod tokenizer;

use std::path::Path;

use fs_err as fs;
use serde::Deserialize;

pub use invalid::InvalidModel;

use crate::unigram::TokenId;
use rows::Rows;
use tensors::Tensors;
use tokenizer::Tokenizer;

/// The model in a directory.
pub(crate) struct Directory {
    name: String,
    tokenizer: Tokenizer,
    rows: Rows,
    /// By token.
    rarities: Box<[f32]>,
}

/// As much of `config.json` as matters here: vectors are always scaled to length one, and how much
/// of a text counts is the caller's matter.
#[derive(Deserialize)]
struct Config {
    model_type: Option<String>,
}

impl Directory {
    /// Reads all of a directory but the matrix, of which only the size is looked at.
    pub(crate) fn open(path: &Path) -> Result<Self, InvalidModel> {
        if !path.is_dir() {
            return Err(InvalidModel::NotADirectory(path.to_owned()));
        }
        for name in [CONFIG, TOKENIZER, MATRIX] {
            let part = path.join(format!("{name}{UNFINISHED}"));
            if !path.join(name).exists() && part.exists() {
                return Err(InvalidModel::Unfinished(part));
            }
        }
        check_config(&path.join(CONFIG))?;
        let tensors = Tensors::open(&path.join(MATRIX))?;
        let read = tokenizer::read(&path.join(TOKENIZER))?;
        let rows = Rows::new(tensors, read.tokens)?;
        let name = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let name = name.file_name().unwrap_or(path.as_os_str());
        Ok(Self {
            name: name.to_string_lossy().into_owned(),
            rarities: rarity::rarities(&read, rows.weights()),
            tokenizer: read.tokenizer,
            rows,
        })
    }

    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    pub(crate) fn dimensions(&self) -> usize {
        self.rows.dimensions()
    }

    pub(crate) fn pieces(&self) -> usize {
        self.rarities.len()
    }

    pub(crate) fn tokenize(&self, text: &str, tokens: &mut Vec<TokenId>) {
        let append = |_: &str, part: &[TokenId]| tokens.extend_from_slice(part);
        self.tokenizer.parts(text, append);
    }

    pub(crate) fn words(&self, text: &str, emit: impl FnMut(&str, &[TokenId])) {
        self.tokenizer.words(text, emit);
    }

    pub(crate) fn rarity(&self, token: TokenId) -> f32 {
        self.rarities
            .get(token.index())
            .copied()
            .unwrap_or_default()
    }

    pub(crate) fn sum(&self, tokens: &[TokenId], weight: impl Fn(TokenId) -> f32) -> Vec<f32> {
        self.rows.sum(tokens, weight)
    }
}

fn check_config(path: &Path) -> Result<(), InvalidModel> {
    let config: Config = serde_json::from_slice(&fs::read(path)?).map_err(|error| {
        InvalidModel::damaged(path, format!("it isn't JSON of a model: {error}"))
    })?;
    match config.model_type {
        Some(other) if other != "model2vec" => {
            let found = format!(
                "it is of a `{}` model, wanted `model2vec`",
                other.escape_debug()
            );
            Err(InvalidModel::damaged(path, found))
        }
        _ => Ok(()),
    }
}

/// What is added to the name of a file that hasn't come whole yet.
pub const UNFINISHED: &str = ".part";
const CONFIG: &str = "config.json";
const TOKENIZER: &str = "tokenizer.json";
const MATRIX: &str = "model.safetensors";
