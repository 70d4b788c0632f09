//! Directories' tokenizers of every kind cut texts as the `tokenizers` crate does.

use std::collections::BTreeMap;

use embedding::TokenId;
use serde_json::{Value, json};
use tokenizers::Tokenizer;

use crate::made::{Made, tokenizer};
use crate::oracle;
use crate::strings::strings;

/// Compares the tokens of many texts, where `unknown` is left out here.
fn check(tokenizer: &Value, tokens: usize, unknown: usize) {
    let oracle = Tokenizer::from_bytes(tokenizer.to_string()).unwrap();
    let shape = format!("[{tokens},1]");
    let rows = ("embeddings", "I8", &*shape, vec![1; tokens]);
    let model = Made::new(tokenizer, &[rows]).open().unwrap();
    let mut known = 0;
    let special = ["<s> a [CLS]b", "[UNK]", "extra thing, extras"].map(str::to_owned);
    for text in strings(1_000).into_iter().chain(special) {
        let mut found = Vec::new();
        model.tokenize(&text, &mut found);
        let found: Vec<usize> = found.into_iter().map(TokenId::index).collect();
        let mut expected = oracle::ids(&oracle, &text);
        expected.retain(|id| *id != unknown);
        assert_eq!(found, expected, "{text:?}");
        known += found.len();
        let mut of_words = 0;
        model.words(&text, |_, tokens| of_words += tokens.len());
        assert_eq!(of_words, found.len(), "{text:?}");
    }
    assert!(known > 5_000, "{known}");
}

fn added(id: usize, content: &str, is_special: bool) -> Value {
    json!({
        "id": id, "content": content, "single_word": false, "lstrip": false, "rstrip": false,
        "normalized": !is_special, "special": is_special,
    })
}

fn vocabulary(pieces: impl IntoIterator<Item = String>) -> BTreeMap<String, usize> {
    let mut vocabulary = BTreeMap::new();
    for piece in pieces {
        let next = vocabulary.len();
        vocabulary.entry(piece).or_insert(next);
    }
    vocabulary
}

#[test]
fn word_pieces_are_those_of_the_tokenizers_crate() {
    let letters = || ('a'..='z').chain("ąčęėįšųūžабвгдеийклмнорст0123456789".chars());
    let pieces = ["[UNK]", "[CLS]", "delete", "##ing", "file", "create"].map(str::to_owned);
    let vocabulary = vocabulary(
        pieces
            .into_iter()
            .chain(letters().map(String::from))
            .chain(letters().map(|letter| format!("##{letter}"))),
    );
    let count = vocabulary.len();
    let mut tokenizer = tokenizer(
        &json!({
            "type": "BertNormalizer", "clean_text": true, "handle_chinese_chars": true,
            "strip_accents": null, "lowercase": true,
        }),
        &json!({"type": "BertPreTokenizer"}),
        &json!({
            "type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##",
            "max_input_chars_per_word": 100, "vocab": vocabulary,
        }),
    );
    tokenizer["added_tokens"] = json!([
        added(0, "[UNK]", true),
        added(1, "[CLS]", true),
        added(count, "extra thing", false),
    ]);
    check(&tokenizer, count + 1, 0);
}

#[test]
fn byte_pairs_are_those_of_the_tokenizers_crate() {
    let bytes = tokenizers::pre_tokenizers::byte_level::ByteLevel::alphabet();
    let mut bytes: Vec<char> = bytes.into_iter().collect();
    bytes.sort_unstable();
    let merged = ["de", "le", "dele", "te", "delete", "Ġf", "ile"].map(str::to_owned);
    let vocabulary = vocabulary(bytes.into_iter().map(String::from).chain(merged));
    let tokenizer = tokenizer(
        &Value::Null,
        &json!({"type": "ByteLevel", "add_prefix_space": true, "trim_offsets": true, "use_regex": true}),
        &json!({
            "type": "BPE", "dropout": null, "unk_token": null, "continuing_subword_prefix": null,
            "end_of_word_suffix": null, "fuse_unk": false, "byte_fallback": false,
            "vocab": vocabulary,
            "merges": [["d", "e"], ["l", "e"], ["de", "le"], ["t", "e"], ["dele", "te"], ["Ġ", "f"]],
        }),
    );
    check(&tokenizer, 263, usize::MAX);
}

#[test]
fn unigrams_with_bytes_to_fall_back_on_are_those_of_the_tokenizers_crate() {
    let mut pieces = vec![("<unk>".to_owned(), 0.0), ("<s>".to_owned(), 0.0)];
    pieces.extend((0..=255).map(|byte| (format!("<0x{byte:02X}>"), -20.0)));
    for (piece, score) in [
        ("▁", -3.0),
        ("▁delete", -7.5),
        ("a", -4.0),
        ("e", -4.5),
        ("te", -6.0),
    ] {
        pieces.push((piece.to_owned(), score));
    }
    let count = pieces.len();
    let mut tokenizer = tokenizer(
        &json!({"type": "NFKC"}),
        &json!({"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": true}),
        &json!({"type": "Unigram", "unk_id": 0, "byte_fallback": true, "vocab": pieces}),
    );
    tokenizer["added_tokens"] = json!([added(1, "<s>", true)]);
    check(&tokenizer, count, 0);
}
