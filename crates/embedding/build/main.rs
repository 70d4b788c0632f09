//! Turns the pieces of `assets/model.bin` into the trie that is compiled in beside it.
//!
//! `tokenizer.bin` holds the lowest of the scores (i32) and then the trie's units (u32), little-endian.

#![expect(
    clippy::print_stdout,
    reason = "cargo reads what a build script prints"
)]

#[path = "../src/double_array.rs"]
mod double_array;

use std::env;
use std::error::Error;
use std::path::Path;

use double_array::{MAX_UNITS, Piece};
use fs_err as fs;

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed={MODEL}");
    println!("cargo::rerun-if-changed=build");
    println!("cargo::rerun-if-changed=src/double_array.rs");
    let model = fs::read(MODEL)?;
    let Vocabulary {
        mut pieces,
        lowest_score,
    } = Vocabulary::read(&model).ok_or("assets/model.bin: cut off")?;
    pieces.sort_unstable();
    let units = double_array::units(&pieces);
    if units.len() > MAX_UNITS {
        return Err(format!("{} units, at most {MAX_UNITS} fit", units.len()).into());
    }
    let mut bytes = lowest_score.to_le_bytes().to_vec();
    bytes.extend(units.into_iter().flat_map(u32::to_le_bytes));
    let folder = env::var_os("OUT_DIR").ok_or("OUT_DIR isn't set: run by cargo")?;
    fs::write(Path::new(&folder).join("tokenizer.bin"), bytes)?;
    Ok(())
}

/// What the trie is made of.
struct Vocabulary<'a> {
    pieces: Vec<Piece<'a>>,
    /// In the file's unit.
    lowest_score: i32,
}

impl<'a> Vocabulary<'a> {
    /// Reads a file as `src/model.rs` tells its layout; none if it ends too early.
    fn read(model: &'a [u8]) -> Option<Self> {
        let (header, rest) = model.split_first_chunk::<16>()?;
        let rows = u32::from_le_bytes(*header[4..].first_chunk()?);
        let (scores, rest) = rest.split_at_checked(2 * rows as usize)?;
        let (lengths, mut rest) = rest.split_at_checked(rows as usize)?;
        let mut pieces = Vec::with_capacity(lengths.len());
        for (id, &length) in (0..rows).zip(lengths) {
            let (piece, after) = rest.split_at_checked(usize::from(length))?;
            pieces.push((piece, id));
            rest = after;
        }
        let (scores, _) = scores.as_chunks();
        let lowest_score = scores
            .iter()
            .map(|&score| i16::from_le_bytes(score))
            .min()?;
        Some(Self {
            pieces,
            lowest_score: i32::from(lowest_score),
        })
    }
}

const MODEL: &str = "assets/model.bin";
