//! The built-in model written as a Model2Vec directory, and read back.

use std::env;
use std::path::Path;

use embedding::{Model, TokenId};
use fs_err as fs;
use serde_json::json;

use crate::made::{Made, singles, tokenizer};
use crate::oracle;
use crate::strings::strings;

/// Of 320 dimensions.
fn made() -> Made {
    let vocabulary = oracle::vocabulary();
    let count = vocabulary.len();
    let file = fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/model.bin")).unwrap();
    let dimensions = Model::builtin().dimensions();
    let (rest, codes) = file.split_at(file.len() - count * dimensions / 2);
    let scales: Vec<f32> = rest[rest.len() - 2 * count..]
        .as_chunks()
        .0
        .iter()
        .map(|bytes| half(u16::from_le_bytes(*bytes)))
        .collect();
    let value = |code: u8| code.wrapping_sub(8);
    let values = codes
        .iter()
        .flat_map(|code| [value(code & 15), value(code >> 4)])
        .collect();
    let shape = format!("[{count},{dimensions}]");
    Made::new(
        &tokenizer(
            &json!({"type": "Sequence", "normalizers": [
                {"type": "NFKC"},
                {"type": "Lowercase"},
                {"type": "Replace", "pattern": {"Regex": r"\u200d|\u00ad"}, "content": ""},
                {"type": "Replace", "pattern": {"Regex": r"[^\p{L}\p{M}\p{N}]+"}, "content": " "},
                {"type": "Strip", "strip_left": true, "strip_right": true},
            ]}),
            &json!({"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": true}),
            &json!({"type": "Unigram", "unk_id": 0, "vocab": vocabulary}),
        ),
        &[
            ("weights", "F32", &format!("[{count}]"), singles(&scales)),
            ("embeddings", "I8", &shape, values),
        ],
    )
}

/// Of a positive half-precision number that isn't subnormal.
fn half(bits: u16) -> f32 {
    f32::from_bits((u32::from(bits) << 13) + (112 << 23))
}

fn check(model: &Model) {
    let builtin = Model::builtin();
    assert_eq!(model.dimensions(), builtin.dimensions());
    assert_eq!(model.pieces(), builtin.pieces());
    for text in strings(3_000) {
        let mut expected = Vec::new();
        builtin.tokenize(&text, &mut expected);
        let weigh =
            |model: &Model, tokens: &[TokenId]| model.pool(tokens, |token| model.rarity(token));
        let weighted = weigh(builtin, &expected);
        let plain = builtin.embed(&text);
        let mut tokens = Vec::new();
        model.tokenize(&text, &mut tokens);
        // Left out here, and a row of zeros there.
        expected.retain(|token| *token != TokenId::UNKNOWN);
        assert_eq!(tokens, expected, "{text:?}");
        for (found, expected) in [
            (model.embed(&text), plain),
            (weigh(model, &tokens), weighted),
        ] {
            match (found, expected) {
                (Some(found), Some(expected)) => {
                    let distance = 1.0 - found.cosine(&expected);
                    assert!(distance.abs() < 1e-5, "{text:?}: {distance}");
                }
                (found, expected) => assert_eq!(found, expected, "{text:?}"),
            }
        }
        assert_eq!(words(model, &text), words(builtin, &text), "{text:?}");
    }
}

/// The words of which something is known.
fn words(model: &Model, text: &str) -> Vec<(String, Vec<TokenId>)> {
    let mut words = Vec::new();
    model.words(text, |word, tokens| {
        let mut tokens = tokens.to_vec();
        tokens.retain(|token| *token != TokenId::UNKNOWN);
        if !tokens.is_empty() {
            words.push((word.to_owned(), tokens));
        }
    });
    words
}

#[test]
fn the_built_in_model_from_a_directory_is_the_same() {
    check(&made().open().unwrap());
}

/// The one that was published.
#[test]
fn the_original_directory_is_the_same() {
    let Some(path) = env::var_os("TOOLSEARCH_TEST_MODEL") else {
        println!("skipped: TOOLSEARCH_TEST_MODEL names no directory of the built-in model");
        return;
    };
    check(&Model::open(Path::new(&path)).unwrap());
}
