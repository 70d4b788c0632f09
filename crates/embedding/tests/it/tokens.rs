//! The tokens of the built-in model are those of the `tokenizers` crate.

use std::env;

use embedding::{Model, TokenId};
use tokenizers::Tokenizer;

use crate::oracle;
use crate::strings::strings;

fn ids(text: &str) -> Vec<usize> {
    let mut tokens = Vec::new();
    Model::builtin().tokenize(text, &mut tokens);
    tokens.into_iter().map(TokenId::index).collect()
}

/// Compares the tokens of many texts, and shows the first few that differ.
fn check(tokenizer: &Tokenizer, texts: &[String]) {
    let differing: Vec<&String> = texts
        .iter()
        .filter(|text| ids(text) != oracle::ids(tokenizer, text))
        .collect();
    let shown = &differing[..differing.len().min(5)];
    assert!(
        differing.is_empty(),
        "{} of {}, {shown:?}",
        differing.len(),
        texts.len()
    );
}

#[test]
fn tokens_are_those_of_the_tokenizers_crate() {
    check(&oracle::tokenizer(), &strings(20_000));
}

#[test]
fn a_blank_parts_tokens() {
    for text in strings(2_000) {
        let parts: Vec<usize> = text.split(' ').flat_map(ids).collect();
        assert_eq!(ids(&text), parts, "{text:?}");
    }
}

#[test]
fn every_character_is_seen_as_the_tokenizers_crate_sees_it() {
    let texts: Vec<String> = oracle::characters()
        .chunks(64)
        .map(|chunk| {
            chunk
                .iter()
                .flat_map(|&letter| ['a', letter, 'b', ' '])
                .collect()
        })
        .collect();
    check(&oracle::tokenizer(), &texts);
}

#[test]
fn the_original_tokenizer_cuts_the_same() {
    let Some(path) = env::var_os("TOOLSEARCH_TEST_TOKENIZER") else {
        println!("skipped: TOOLSEARCH_TEST_TOKENIZER names no tokenizer.json");
        return;
    };
    check(&Tokenizer::from_file(path).unwrap(), &strings(20_000));
}

#[test]
fn rare_words_are_rarer() {
    let model = Model::builtin();
    let rarity = |word: &str| {
        let mut tokens = Vec::new();
        model.tokenize(word, &mut tokens);
        assert_eq!(tokens.len(), 1, "{word}");
        model.rarity(tokens[0])
    };
    assert!(0.0 < rarity("the"));
    assert!(rarity("the") < rarity("file"));
    assert!(rarity("file") < rarity("webhook"));
    let mut tokens = Vec::new();
    model.tokenize("𓀀𓂀", &mut tokens);
    assert_eq!(tokens, [TokenId::WORD_MARK, TokenId::UNKNOWN]);
    assert!(tokens.iter().all(|&token| model.rarity(token) == 0.0));
}
