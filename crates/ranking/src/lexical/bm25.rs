//! The formula: how much a term says, and how much of it a document gets.

use super::field::{Field, FieldWeight};

/// What finding a term tells when `holders` of `documents` have it. Above zero, however common.
pub(super) fn information(documents: usize, holders: usize) -> f32 {
    let (documents, holders) = (documents as f32, holders as f32);
    ((documents - holders + 0.5).max(0.5) / (holders + 0.5)).ln_1p()
}

/// The share of a term's information that a document earns by its weighted `frequency`: 0 to 1,
/// and ever less for each further occurrence.
pub(super) fn saturated(frequency: f32) -> f32 {
    frequency / (frequency + SATURATION)
}

/// Per field, what one occurrence is worth at each length.
#[derive(Debug)]
pub(super) struct Normalization {
    mean_lengths: [f32; Field::COUNT],
}

impl Normalization {
    /// From each field's `total_lengths` over the `documents` of the index.
    pub(super) fn new(total_lengths: [u64; Field::COUNT], documents: usize) -> Self {
        Self {
            mean_lengths: total_lengths.map(|total| total as f32 / documents.max(1) as f32),
        }
    }

    /// What `count` occurrences add to a term's frequency in a field of `length` words.
    pub(super) fn frequency(&self, field: Field, count: u32, length: u32) -> f32 {
        let FieldWeight {
            weight,
            length_penalty,
            max_count,
        } = field.weight();
        let mean = self.mean_lengths[field.index()];
        let relative = if mean > 0.0 {
            length as f32 / mean
        } else {
            1.0
        };
        let counted = count.min(max_count) as f32;
        weight * counted / (1.0 - length_penalty + length_penalty * relative)
    }
}

/// The frequency that earns half of a term's information (BM25's k1).
const SATURATION: f32 = 1.2;
