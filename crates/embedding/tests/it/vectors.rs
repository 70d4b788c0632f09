//! The vectors of the built-in model are those it was published with.

use std::fmt::Write;
use std::path::Path;

use embedding::{Model, TokenId, Vector};
use fs_err as fs;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use sha2::{Digest, Sha256};

fn read(path: &str) -> Vec<u8> {
    fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap()
}

fn parse<T: DeserializeOwned>(path: &str) -> T {
    serde_json::from_slice(&read(path)).unwrap()
}

fn embed(text: &str) -> Vector {
    Model::builtin().embed(text).unwrap()
}

fn check_close(found: &[f32], expected: &[f32], tolerance: f32, text: &str) {
    for (dimension, (found, expected)) in found.iter().zip(expected).enumerate() {
        let distance = (found - expected).abs();
        assert!(
            distance <= tolerance,
            "{text}, {dimension}: {found}, not {expected}"
        );
    }
}

#[derive(Deserialize)]
struct Reference {
    dim: usize,
    texts: Vec<ReferenceText>,
    cosines: Vec<Vec<f32>>,
}

#[derive(Deserialize)]
struct ReferenceText {
    text: String,
    ids: Vec<usize>,
    first8: Vec<f32>,
}

#[test]
fn reference_vectors_and_cosines_are_met() {
    let reference: Reference = parse("assets/reference_vectors.json");
    let model = Model::builtin();
    assert_eq!(model.dimensions(), reference.dim);
    let vectors: Vec<Vector> = reference
        .texts
        .iter()
        .map(|text| embed(&text.text))
        .collect();
    assert_eq!(vectors.len(), 60);
    for (text, vector) in reference.texts.iter().zip(&vectors) {
        let mut tokens = Vec::new();
        model.tokenize(&text.text, &mut tokens);
        let ids: Vec<usize> = tokens.into_iter().map(TokenId::index).collect();
        assert_eq!(ids, text.ids, "{}", text.text);
        assert_eq!(text.first8.len(), 8);
        check_close(&vector.as_slice()[..8], &text.first8, 1e-5, &text.text);
    }
    for ((text, left), expected) in reference.texts.iter().zip(&vectors).zip(&reference.cosines) {
        let cosines: Vec<f32> = vectors.iter().map(|right| left.cosine(right)).collect();
        assert_eq!(cosines.len(), expected.len());
        // They are given with four decimals.
        check_close(&cosines, expected, 1e-4, &text.text);
    }
}

#[derive(Deserialize)]
struct FullVector {
    text: String,
    vector: Vec<f32>,
}

/// `tests/data/make_model2vec.py` tells how the file was made.
#[test]
fn full_vectors_are_those_of_model2vec() {
    let expected: Vec<FullVector> = parse("tests/data/model2vec.json");
    assert_eq!(expected.len(), 8);
    for FullVector { text, vector } in expected {
        let found = embed(&text);
        assert_eq!(found.as_slice().len(), vector.len());
        check_close(found.as_slice(), &vector, 1e-5, &text);
    }
}

#[test]
fn a_text_without_a_known_piece_has_no_vector() {
    let model = Model::builtin();
    for text in ["", "  ", "?!", "👍", "\u{e000}\u{e001}"] {
        assert_eq!(model.embed(text), None, "{text:?}");
    }
    assert_eq!(model.pool(&[TokenId::UNKNOWN], |_| 1.0), None);
}

#[test]
fn pieces_count_as_much_as_their_weight() {
    let model = Model::builtin();
    let mut tokens = Vec::new();
    model.tokenize("delete the file", &mut tokens);
    let [delete, the, file] = tokens[..] else {
        panic!("{tokens:?}");
    };
    let weigh = |token| if token == the { 0.0 } else { 2.0 };
    assert_eq!(
        model.pool(&tokens, weigh),
        model.pool(&[delete, file], |_| 1.0)
    );
    assert_eq!(model.pool(&tokens, |_| 0.0), None);
    assert_eq!(
        model.pool(&tokens, |_| 1.0),
        model.embed("Delete the FILE!")
    );
}

#[test]
fn the_digest_is_that_of_the_file() {
    let mut digest = String::new();
    for byte in Sha256::digest(read("assets/model.bin")) {
        write!(digest, "{byte:02x}").unwrap();
    }
    assert_eq!(Model::builtin().digest(), Some(digest.as_str()));
}
