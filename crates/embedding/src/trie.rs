//! The vocabulary as a trie in one array (`double_array.rs` tells its form).

use std::borrow::Cow;

use crate::double_array;
use crate::unigram::TokenId;

/// Finds the pieces that a text starts with.
pub(crate) struct Trie {
    /// Little-endian units; those of the built-in model are used where they lie.
    units: Cow<'static, [[u8; 4]]>,
}

impl Trie {
    /// The trie that was made at build time.
    pub(crate) const fn builtin(units: &'static [[u8; 4]]) -> Self {
        Self {
            units: Cow::Borrowed(units),
        }
    }

    /// A trie over `pieces`, which are sorted, distinct and free of zero bytes. None if they are too
    /// many for one.
    pub(crate) fn build(pieces: &[double_array::Piece<'_>]) -> Option<Self> {
        let units = double_array::units(pieces);
        let fits = units.len() <= double_array::MAX_UNITS;
        fits.then(|| Self {
            units: units.into_iter().map(u32::to_le_bytes).collect(),
        })
    }

    /// The pieces that are prefixes of `text`, shortest first, each with its length in bytes.
    pub(crate) fn prefixes(&self, text: &[u8]) -> impl Iterator<Item = (usize, TokenId)> {
        let units: &[[u8; 4]] = &self.units;
        let mut base = ROOT;
        text.iter()
            .zip(1..)
            .take_while(|&(&byte, _)| byte != END)
            .map_while(move |(&byte, length)| {
                base = child(units, base, byte)?;
                Some((length, child(units, base, END)))
            })
            .filter_map(|(length, id)| Some((length, TokenId::new(id?))))
    }
}

fn child(units: &[[u8; 4]], base: u32, label: u8) -> Option<u32> {
    let unit = *units.get((base ^ u32::from(label)) as usize)?;
    let unit = u32::from_le_bytes(unit);
    (unit & LABEL == u32::from(label)).then_some(unit >> LABEL_BITS)
}

const ROOT: u32 = 0;
/// The label whose child is the id of the piece that ends here.
const END: u8 = 0;
const LABEL_BITS: u32 = 8;
const LABEL: u32 = 0xFF;

#[cfg(test)]
mod tests {
    use super::*;

    static MODEL: &[u8] = include_bytes!("../assets/model.bin");
    static TOKENIZER: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/tokenizer.bin"));

    #[test]
    fn it_holds_every_piece_and_no_other() {
        let trie = Trie::builtin(TOKENIZER[4..].as_chunks().0);
        let rows = u32::from_le_bytes(MODEL[4..8].try_into().unwrap());
        let (lengths, mut rest) = MODEL[16 + 2 * rows as usize..].split_at(rows as usize);
        for (row, &length) in (0..rows).zip(lengths) {
            let (piece, after) = rest.split_at(usize::from(length));
            let found = trie.prefixes(piece).last();
            assert_eq!(found, Some((piece.len(), TokenId::new(row))), "{piece:?}");
            rest = after;
        }
        let ends = trie.units.iter().filter(|unit| unit[0] == END).count();
        assert_eq!(ends, rows as usize);
    }
}
