//! The vocabulary as a trie in one array, made at build time (`build/double_array.rs` tells its form).

use crate::unigram::TokenId;

/// Finds the pieces that a text starts with.
pub(crate) struct Trie {
    /// Little-endian units, used where they lie.
    units: &'static [[u8; 4]],
}

impl Trie {
    pub(crate) const fn new(units: &'static [[u8; 4]]) -> Self {
        Self { units }
    }

    /// The pieces that are prefixes of `text`, shortest first, each with its length in bytes.
    pub(crate) fn prefixes(&self, text: &[u8]) -> impl Iterator<Item = (usize, TokenId)> {
        let mut base = ROOT;
        text.iter()
            .zip(1..)
            .map_while(move |(&byte, length)| {
                base = self.child(base, byte)?;
                Some((length, self.child(base, END)))
            })
            .filter_map(|(length, id)| Some((length, TokenId::new(id?))))
    }

    fn child(&self, base: u32, label: u8) -> Option<u32> {
        let unit = *self.units.get((base ^ u32::from(label)) as usize)?;
        let unit = u32::from_le_bytes(unit);
        (unit & LABEL == u32::from(label)).then_some(unit >> LABEL_BITS)
    }
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
        let trie = Trie::new(TOKENIZER[4..].as_chunks().0);
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
