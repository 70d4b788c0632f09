//! Models from directories, right ones and damaged ones.

use std::error::Error;

use embedding::{Model, TokenId, Vector};
use serde_json::{Value, json};

use crate::made::{Made, Tensor, four_rows, safetensors, singles, tokenizer, words};

fn tokens(model: &Model, text: &str) -> Vec<usize> {
    let mut tokens = Vec::new();
    model.tokenize(text, &mut tokens);
    tokens.into_iter().map(TokenId::index).collect()
}

fn split(model: &Model, text: &str) -> Vec<(String, Vec<usize>)> {
    let mut words = Vec::new();
    model.words(text, |word, tokens| {
        let tokens = tokens.iter().copied().map(TokenId::index).collect();
        words.push((word.to_owned(), tokens));
    });
    words
}

fn check_vector(model: &Model, text: &str, expected: [f32; 2]) {
    let found = model.embed(text).unwrap();
    let expected = Vector::from_sum(expected.to_vec()).unwrap();
    assert!(found.cosine(&expected) > 0.999, "{text}: {found:?}");
}

#[test]
fn a_text_is_the_sum_of_its_words() {
    let made = Made::of_words();
    let model = made.open().unwrap();
    assert_eq!(model.dimensions(), 2);
    assert_eq!(model.pieces(), 4);
    assert_eq!(model.digest(), None);
    assert_eq!(model.name(), made.path().file_name().unwrap());
    assert_eq!(tokens(&model, "Send nothing, the MAIL"), [1, 3, 2]);
    check_vector(&model, "send", [1.0, 0.0]);
    check_vector(&model, "Send mail", [3.0, 2.0]);
    for text in ["", " ", "nothing", "?!", "[UNK]"] {
        assert_eq!(model.embed(text), None, "{text:?}");
    }
}

#[test]
fn rows_may_be_of_any_type() {
    let halves: Vec<u8> = [0_u16, 0, 0x4200, 0, 0, 0x4000, 0x38CD, 0x3A66]
        .into_iter()
        .flat_map(u16::to_le_bytes)
        .collect();
    let bytes = [0_i8, 0, 127, 0, 0, -85, 25, 34]
        .map(i8::cast_unsigned)
        .to_vec();
    for (rows, expected) in [
        (four_rows(), [3.0, 2.0]),
        (("embeddings", "F16", "[4,2]", halves), [3.0, 2.0]),
        (("embeddings", "I8", "[4,2]", bytes), [127.0, -85.0]),
    ] {
        let made = Made::new(&words(&["[UNK]", "send", "mail", "the"]), &[rows]);
        check_vector(&made.open().unwrap(), "send mail", expected);
    }
}

#[test]
fn tokens_may_share_rows_and_have_weights() {
    let numbers = |kind: &str| -> Vec<u8> {
        let rows = [0_i64, 1, 1, 3];
        rows.iter()
            .flat_map(|row| match kind {
                "I64" => row.to_le_bytes().to_vec(),
                _ => i32::try_from(*row).unwrap().to_le_bytes().to_vec(),
            })
            .collect()
    };
    for kind in ["I64", "I32"] {
        let made = Made::new(
            &words(&["[UNK]", "send", "mail", "the"]),
            &[
                four_rows(),
                ("mapping", kind, "[4]", numbers(kind)),
                ("weights", "F32", "[4]", singles(&[1.0, 1.0, 2.0, 10.0])),
            ],
        );
        let model = made.open().unwrap();
        check_vector(&model, "mail", [1.0, 0.0]);
        // Three times three, and ten times the third word.
        check_vector(&model, "send mail the", [15.0, 8.0]);
    }
}

#[test]
fn rarity_is_of_scores_or_weights_or_places() {
    let rarities = |made: &Made, count: u32| -> Vec<f32> {
        let model = made.open().unwrap();
        let mut all = Vec::new();
        model.tokenize("[UNK] send mail the , extra", &mut all);
        assert_eq!(all.len(), count as usize, "{all:?}");
        all.into_iter().map(|token| model.rarity(token)).collect()
    };
    let rows = ("embeddings", "I8", "[4,1]", vec![1; 4]);
    let by_place = Made::new(
        &words(&["[UNK]", "send", "mail", "the"]),
        std::slice::from_ref(&rows),
    );
    let [send, mail, the] = rarities(&by_place, 3)[..] else {
        panic!();
    };
    assert!(0.0 < send && send < mail && mail < the);

    let weights = ("weights", "F64", "[4]", [1.0, 0.5, 0.9, 0.1_f64]);
    let bytes = weights
        .3
        .iter()
        .flat_map(|weight| weight.to_le_bytes())
        .collect();
    let weights = (weights.0, weights.1, weights.2, bytes);
    let by_weight = Made::new(&words(&["[UNK]", "send", "mail", "the"]), &[rows, weights]);
    let [send, mail, the] = rarities(&by_weight, 3)[..] else {
        panic!();
    };
    assert!(0.0 < the && the < send && send < mail);

    let pieces = json!([
        ["<unk>", 0.0],
        ["▁send", -9.5],
        ["▁the", -3.5],
        ["▁", -2.0],
        [",", -3.0],
        ["▁extra", 0.0]
    ]);
    let unigram = json!({"type": "Unigram", "unk_id": 0, "vocab": pieces});
    let metaspace =
        json!({"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": true});
    let rows = ("embeddings", "I8", "[6,1]", vec![1; 6]);
    let by_score = Made::new(&tokenizer(&Value::Null, &metaspace, &unigram), &[rows]);
    // Marks and signs tell nothing, and a word without a score as much as the others on the average.
    let found = rarities(&by_score, 7);
    assert_eq!(found, [0.0, 9.5, 0.0, 3.5, 0.0, 0.0, 4.5]);
}

#[test]
fn words_are_what_the_tokenizer_parts_or_what_stands_between_blanks() {
    let model = Made::of_words().open().unwrap();
    let word = |word: &str, token| (word.to_owned(), vec![token]);
    let expected = [word("send", 1), word("the", 3), word("mail", 2)];
    assert_eq!(split(&model, "Send, the MAIL!"), expected);
    assert_eq!(split(&model, "nothing ?!"), []);

    let pieces = json!([["<unk>", 0.0], ["send", -4.0], ["mail", -5.0], [" ", -1.0]]);
    let unigram = json!({"type": "Unigram", "unk_id": 0, "vocab": pieces});
    let whole = tokenizer(&Value::Null, &Value::Null, &unigram);
    let model = Made::new(&whole, &[four_rows()]).open().unwrap();
    assert_eq!(tokens(&model, "send mail"), [1, 3, 2]);
    let expected = [
        ("send".to_owned(), vec![1]),
        ("sendmail".to_owned(), vec![1, 2]),
    ];
    assert_eq!(split(&model, " send  sendmail x"), expected[..]);
}

#[test]
fn zero_bytes_and_long_texts_are_only_unknown() {
    let pieces = json!([["<unk>", 0.0], ["a", -1.0], ["a\u{0}b", -1.0], ["", -1.0]]);
    let unigram = json!({"type": "Unigram", "unk_id": 0, "vocab": pieces});
    let whole = tokenizer(&Value::Null, &Value::Null, &unigram);
    let model = Made::new(&whole, &[four_rows()]).open().unwrap();
    assert_eq!(tokens(&model, "a\u{0}b\u{0}\u{0}a"), [1, 1]);
    assert_eq!(tokens(&model, &"xa".repeat(50_000)).len(), 50_000);
}

#[test]
fn without_a_piece_for_the_unknown_it_is_left_out() {
    let unigram = json!({"type": "Unigram", "unk_id": null, "vocab": [["a", -1.0], ["b", -2.0]]});
    let whole = tokenizer(&Value::Null, &Value::Null, &unigram);
    let rows: Tensor<'_> = ("embeddings", "I8", "[2,1]", vec![1, 1]);
    let model = Made::new(&whole, &[rows]).open().unwrap();
    assert_eq!(tokens(&model, "xaxxb"), [0, 1]);
}

#[track_caller]
fn check_refused(made: &Made, expected: &str) {
    let error = made.open().unwrap_err();
    let cause = error.source().map(ToString::to_string);
    let error = format!("{error}: {}", cause.unwrap_or_default());
    assert!(error.contains(expected), "{error}");
    assert!(!error.contains('\n'), "{error}");
}

#[test]
fn a_missing_file_is_named() {
    for name in ["config.json", "tokenizer.json", "model.safetensors"] {
        let made = Made::of_words();
        fs_err::remove_file(made.path().join(name)).unwrap();
        check_refused(&made, name);
        check_refused(&made, "must be there and readable: ");
    }
    let made = Made::of_words();
    for path in ["model.safetensors", "none"] {
        let error = Model::open(&made.path().join(path))
            .unwrap_err()
            .to_string();
        assert!(error.contains("isn't a directory"), "{error}");
    }
}

#[test]
fn another_kind_of_model_is_refused() {
    let made = Made::of_words();
    made.write("config.json", br#"{"model_type": "bert"}"#);
    check_refused(&made, "it is of a `bert` model, wanted `model2vec`");
    made.write("config.json", b"<!doctype html>");
    check_refused(&made, "config.json` can't be used: it isn't JSON");
}

#[test]
fn a_damaged_tokenizer_is_refused() {
    let made = Made::of_words();
    for (text, expected) in [
        ("", "EOF"),
        ("<html>", "expected value"),
        ("{}", "missing field `model`"),
        (
            r#"{"model": {"type": "Unigram", "vocab": [["a"]]}}"#,
            "line 1",
        ),
        (
            r#"{"model": {"type": "Unigram", "vocab": [], "unk_id": 3}}"#,
            "`unk_id` is none of its 0",
        ),
        (r#"{"model": {"type": "Riddle"}}"#, "did not match"),
        (
            r#"{"model": {"type": "WordLevel", "vocab": {}, "unk_token": "x"}}"#,
            "is empty",
        ),
        (r#"{"normalizer": {}, "model": {}}"#, "tokenizer.json"),
        (
            r#"{"pre_tokenizer": {"type": "Nothing"}, "model": {}}"#,
            "tokenizer.json",
        ),
        (
            r#"{"added_tokens": [{"id": 1}], "model": {}}"#,
            "missing field",
        ),
    ] {
        made.write("tokenizer.json", text.as_bytes());
        check_refused(&made, expected);
        check_refused(&made, "tokenizer.json` can't be used");
    }
    // Cut off anywhere.
    let whole = words(&["[UNK]", "send", "mail", "the"]).to_string();
    for length in (0..whole.len()).step_by(7) {
        made.write("tokenizer.json", &whole.as_bytes()[..length]);
        check_refused(&made, "tokenizer.json` can't be used");
    }
}

#[test]
fn a_damaged_matrix_is_refused() {
    let made = Made::of_words();
    let whole = safetensors(&[four_rows()]);
    for length in 0..whole.len() {
        made.write("model.safetensors", &whole[..length]);
        check_refused(&made, "model.safetensors` can't be used");
    }
    let mut huge = whole;
    huge[..8].copy_from_slice(&u64::MAX.to_le_bytes());
    made.write("model.safetensors", &huge);
    check_refused(&made, "its header would have 18446744073709551615 bytes");
    made.write(
        "model.safetensors",
        b"<!DOCTYPE html><html>Sign in to go on</html>",
    );
    check_refused(&made, "it is cut off or no safetensors file");
}

#[track_caller]
fn check_tensors(tensors: &[Tensor<'_>], expected: &str) {
    let made = Made::of_words();
    made.write("model.safetensors", &safetensors(tensors));
    check_refused(&made, expected);
}

#[test]
fn a_matrix_that_does_not_fit_is_refused() {
    let rows = || vec![0; 32];
    let check = |kind, shape, bytes, expected| {
        check_tensors(&[("embeddings", kind, shape, bytes)], expected);
    };
    check_tensors(&[], "no tensor `embeddings`, but nothing");
    check_tensors(
        &[("bert.pooler", "F32", "[8]", rows())],
        "but `bert.pooler`",
    );
    check(
        "F32",
        "[8]",
        rows(),
        "the shape [8], wanted rows and dimensions",
    );
    check("F32", "[2,2,2]", rows(), "the shape [2, 2, 2]");
    check("F32", "[4,3]", rows(), "isn't what its shape [4, 3] takes");
    check(
        "F32",
        "[4611686018427387904,4]",
        rows(),
        "isn't what its shape",
    );
    check("F32", "[4,0]", vec![], "0 dimensions, wanted 1 to 4096");
    check(
        "F32",
        "[0,4]",
        vec![],
        "it has 0 rows, and tokenizer.json has 4 tokens",
    );
    check(
        "F32",
        "[2,4]",
        rows(),
        "it has 2 rows, and tokenizer.json has 4 tokens",
    );
    check(
        "F32",
        "[8,1]",
        rows(),
        "it has 8 rows, and tokenizer.json has 4 tokens",
    );
    check(
        "I32",
        "[4,2]",
        rows(),
        "of another type than F32, F16 or I8",
    );
    check(
        "BF16",
        "[4,4]",
        rows(),
        "of another type than F32, F16 or I8",
    );
    let made = Made::of_words();
    let header = br#"{"embeddings":{"dtype":"I8","shape":[4,1],"data_offsets":[9,5]}}"#;
    let file = [&(header.len() as u64).to_le_bytes(), &header[..], &[0; 9]].concat();
    made.write("model.safetensors", &file);
    check_refused(&made, "`embeddings` lies at");
}

#[test]
fn a_mapping_or_weights_that_do_not_fit_are_refused() {
    let check = |name, kind, shape, bytes, expected| {
        check_tensors(&[four_rows(), (name, kind, shape, bytes)], expected);
    };
    let far = 9_i64.to_le_bytes().repeat(4);
    let below = (-1_i64).to_le_bytes().repeat(4);
    check(
        "mapping",
        "I64",
        "[4]",
        far,
        "names rows that aren't among the 4",
    );
    check(
        "mapping",
        "I64",
        "[4]",
        below,
        "names rows that aren't among the 4",
    );
    check(
        "mapping",
        "F32",
        "[8]",
        vec![0; 32],
        "no list of I64, I32 or U32",
    );
    check("mapping", "I64", "[2]", vec![0; 16], "it has 2 rows");
    check("weights", "F32", "[8]", vec![0; 32], "it has 8 weights");
    check(
        "weights",
        "I8",
        "[32]",
        vec![0; 32],
        "no list of F64, F32 or F16",
    );
    check(
        "weights",
        "F32",
        "[4]",
        singles(&[f32::NAN; 4]),
        "aren't finite",
    );
}

#[test]
fn rows_that_are_no_numbers_give_no_vector() {
    let rows = singles(&[0.0, 0.0, f32::NAN, 1.0, f32::INFINITY, 0.0, 1.0, 0.0]);
    let made = Made::new(
        &words(&["[UNK]", "send", "mail", "the"]),
        &[("embeddings", "F32", "[4,2]", rows)],
    );
    let model = made.open().unwrap();
    assert_eq!(model.embed("send"), None);
    assert_eq!(model.embed("mail the"), None);
    check_vector(&model, "the", [1.0, 0.0]);
}
