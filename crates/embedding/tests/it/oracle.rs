//! The `tokenizers` crate, set up as the model was trained with.

use std::path::Path;

use fs_err as fs;
use tokenizers::models::unigram::Unigram;
use tokenizers::normalizers::replace::{Replace, ReplacePattern};
use tokenizers::normalizers::{Lowercase, NFKC, Sequence, Strip};
use tokenizers::pre_tokenizers::metaspace::{Metaspace, PrependScheme};
use tokenizers::utils::SysRegex;
use tokenizers::{NormalizerWrapper, Tokenizer};

/// The tokenizer, its vocabulary read from the model's file.
pub(crate) fn tokenizer() -> Tokenizer {
    let unigram = Unigram::from(vocabulary(), Some(0), false).unwrap();
    let mut tokenizer = Tokenizer::new(unigram);
    let replace = |pattern: &str, content| {
        Replace::new(ReplacePattern::Regex(pattern.to_owned()), content).unwrap()
    };
    let normalizers: Vec<NormalizerWrapper> = vec![
        NFKC.into(),
        Lowercase.into(),
        replace(r"\u200d|\u00ad", "").into(),
        replace(r"[^\p{L}\p{M}\p{N}]+", " ").into(),
        Strip::new(true, true).into(),
    ];
    tokenizer
        .with_normalizer(Some(Sequence::new(normalizers)))
        .unwrap();
    let metaspace = Metaspace::new('\u{2581}', PrependScheme::Always, true);
    tokenizer.with_pre_tokenizer(Some(metaspace));
    tokenizer
}

/// The ids of a text's tokens.
pub(crate) fn ids(tokenizer: &Tokenizer, text: &str) -> Vec<usize> {
    let encoding = tokenizer.encode_fast(text, false).unwrap();
    encoding.get_ids().iter().map(|&id| id as usize).collect()
}

/// The characters that every part of the tokenizer knows: its normal forms are those of Unicode 9. Of
/// the many ideographs and syllables, which are all alike, only one in sixteen.
pub(crate) fn characters() -> Vec<char> {
    let known = r"[[\p{L}\p{M}\p{N}\p{P}\p{S}\p{Z}\p{Cc}\p{Cf}]&&\p{Age:9.0}]+";
    let known = SysRegex::new(known).unwrap();
    let is_chosen = |letter: &char| match letter {
        '\u{3400}'..='\u{9FFF}' | '\u{AC00}'..='\u{D7A3}' | '\u{17000}'..='\u{2FFFF}' => {
            u32::from(*letter).is_multiple_of(16)
        }
        _ => true,
    };
    let all: String = ('\0'..=char::MAX).filter(is_chosen).collect();
    known
        .find_iter(&all)
        .filter_map(|(start, end)| all.get(start..end))
        .flat_map(str::chars)
        .collect()
}

/// The pieces and their scores, row by row.
pub(crate) fn vocabulary() -> Vec<(String, f64)> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/model.bin");
    let file = fs::read(path).unwrap();
    let rows = u32::from_le_bytes(file[4..8].try_into().unwrap()) as usize;
    let (scores, rest) = file[16..].split_at(2 * rows);
    let (lengths, mut rest) = rest.split_at(rows);
    let (scores, _) = scores.as_chunks();
    scores
        .iter()
        .zip(lengths)
        .map(|(&score, &length)| {
            let (piece, after) = rest.split_at(usize::from(length));
            rest = after;
            let score = f64::from(i16::from_le_bytes(score)) / 500.0;
            (String::from_utf8(piece.to_vec()).unwrap(), score)
        })
        .collect()
}
