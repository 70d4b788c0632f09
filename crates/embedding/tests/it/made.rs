//! Model2Vec directories made for a test.

use std::fmt::Write;
use std::path::Path;

use embedding::{InvalidModel, Model};
use fs_err as fs;
use serde_json::{Value, json};
use tempfile::TempDir;

/// A directory that is taken away with it.
pub(crate) struct Made(TempDir);

/// A tensor's name, its type and shape as the header spells them, and its bytes.
pub(crate) type Tensor<'a> = (&'a str, &'a str, &'a str, Vec<u8>);

impl Made {
    /// One with these files.
    pub(crate) fn new(tokenizer: &Value, tensors: &[Tensor<'_>]) -> Self {
        let made = Self(tempfile::tempdir().unwrap());
        made.write(
            "config.json",
            br#"{"model_type": "model2vec", "normalize": true}"#,
        );
        made.write("tokenizer.json", tokenizer.to_string().as_bytes());
        made.write("model.safetensors", &safetensors(tensors));
        made
    }

    /// One with whole words, and two dimensions in which each word has a direction of its own.
    pub(crate) fn of_words() -> Self {
        Self::new(&words(&["[UNK]", "send", "mail", "the"]), &[four_rows()])
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    /// Puts a file there, or another in its place.
    pub(crate) fn write(&self, name: &str, bytes: &[u8]) {
        fs::write(self.path().join(name), bytes).unwrap();
    }

    pub(crate) fn open(&self) -> Result<Model, InvalidModel> {
        Model::open(self.path())
    }
}

/// Four rows of two dimensions, the first one zero.
pub(crate) fn four_rows() -> Tensor<'static> {
    let rows = [0.0, 0.0, 3.0, 0.0, 0.0, 2.0, 0.6, 0.8];
    ("embeddings", "F32", "[4,2]", singles(&rows))
}

pub(crate) fn singles(numbers: &[f32]) -> Vec<u8> {
    numbers
        .iter()
        .flat_map(|number| number.to_le_bytes())
        .collect()
}

/// A tokenizer of whole words in small letters; the first one stands for others.
pub(crate) fn words(words: &[&str]) -> Value {
    let vocab: serde_json::Map<String, Value> = words
        .iter()
        .zip(0..)
        .map(|(word, id)| ((*word).to_owned(), json!(id)))
        .collect();
    tokenizer(
        &json!({"type": "Lowercase"}),
        &json!({"type": "Whitespace"}),
        &json!({"type": "WordLevel", "vocab": vocab, "unk_token": words[0]}),
    )
}

/// A tokenizer of these parts.
pub(crate) fn tokenizer(normalizer: &Value, pre_tokenizer: &Value, model: &Value) -> Value {
    json!({
        "version": "1.0",
        "truncation": null,
        "padding": null,
        "added_tokens": [],
        "normalizer": normalizer,
        "pre_tokenizer": pre_tokenizer,
        "post_processor": null,
        "decoder": null,
        "model": model,
    })
}

/// A file of these tensors.
pub(crate) fn safetensors(tensors: &[Tensor<'_>]) -> Vec<u8> {
    let mut header = String::from(r#"{"__metadata__":{"format":"pt"}"#);
    let mut data = Vec::new();
    for (name, kind, shape, bytes) in tensors {
        let start = data.len();
        data.extend_from_slice(bytes);
        write!(
            header,
            r#","{name}":{{"dtype":"{kind}","shape":{shape},"data_offsets":[{start},{}]}}"#,
            data.len()
        )
        .unwrap();
    }
    header.push('}');
    let mut file = (header.len() as u64).to_le_bytes().to_vec();
    file.extend_from_slice(header.as_bytes());
    file.extend(data);
    file
}
