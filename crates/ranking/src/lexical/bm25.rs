//! The formula: how much a term says, and how much of that a document earns.

use super::count::{Count, TermCounts};
use super::field::{Field, FieldWeight};

/// What finding a term tells when `holders` of `documents` have it. Above zero, however common.
pub(crate) fn information(documents: usize, holders: usize) -> f32 {
    let (documents, holders) = (documents as f32, holders as f32);
    ((documents - holders + 0.5).max(0.5) / (holders + 0.5)).ln_1p()
}

/// The share of a term's information that a document earns by its weighted `frequency`: 0 to 1,
/// and ever less for each further occurrence.
pub(super) fn saturated(frequency: f32) -> f32 {
    frequency / (frequency + SATURATION)
}

/// How long fields are on average, to tell long ones.
#[derive(Debug)]
pub(super) struct Normalization {
    /// By field, in words, over the documents that have the field.
    mean_lengths: [f32; Field::COUNT],
}

impl Normalization {
    pub(super) fn new(documents: &[TermCounts]) -> Self {
        let mut totals = [0_u64; Field::COUNT];
        let mut holders = [0_u64; Field::COUNT];
        for document in documents {
            for (field, &length) in document.lengths.iter().enumerate() {
                totals[field] += u64::from(length);
                holders[field] += u64::from(length > 0);
            }
        }
        let mean = |field: usize| totals[field] as f32 / holders[field].max(1) as f32;
        Self {
            mean_lengths: std::array::from_fn(mean),
        }
    }

    /// The weighted frequency of a term with these `counts` in fields of these `lengths`.
    pub(super) fn frequency(&self, counts: &[Count], lengths: &[u32; Field::COUNT]) -> f32 {
        counts
            .iter()
            .map(|&count| self.in_field(count, lengths[count.field.index()]))
            .sum()
    }

    fn in_field(&self, count: Count, length: u32) -> f32 {
        let FieldWeight {
            weight,
            length_penalty,
            max_count,
        } = count.field.weight();
        let mean = self.mean_lengths[count.field.index()];
        let relative_length = if mean > 0.0 {
            length as f32 / mean
        } else {
            1.0
        };
        let counted = f32::from(count.occurrences.min(max_count));
        weight * counted / (1.0 - length_penalty + length_penalty * relative_length)
    }
}

/// The frequency that earns half of a term's information (BM25's k1, at its usual value).
const SATURATION: f32 = 1.2;

#[cfg(test)]
mod tests {
    use super::{Normalization, information, saturated};
    use crate::lexical::count::{Count, TermCounts};
    use crate::lexical::field::Field;

    /// The frequency of a term in descriptions of `length` words, ten being the mean.
    fn frequency(occurrences: u16, length: u32) -> f32 {
        let lengths = |words| [0, 0, 0, words, 0, 0, 0];
        let mean = TermCounts {
            counts: Vec::new(),
            lengths: lengths(10),
        };
        let count = Count {
            list: 0,
            field: Field::Description,
            occurrences,
        };
        Normalization::new(&[mean]).frequency(&[count], &lengths(length))
    }

    #[test]
    fn rarer_terms_tell_more_and_common_ones_something() {
        assert!((information(1, 1) - (4.0_f32 / 3.0).ln()).abs() < 1e-6);
        assert!((information(10, 1) - (22.0_f32 / 3.0).ln()).abs() < 1e-6);
        assert!(information(1000, 10) > information(1000, 11));
        assert!(information(1000, 1000) > 0.0);
    }

    #[test]
    fn a_description_of_mean_length_counts_each_mention_once() {
        assert!((frequency(1, 10) - 1.0).abs() < 1e-6);
        assert!((frequency(2, 10) - 2.0).abs() < 1e-6);
        assert!((frequency(1, 30) - 0.4).abs() < 1e-6);
    }

    #[test]
    fn mentions_beyond_the_third_only_make_the_text_longer() {
        assert!(frequency(4, 10) <= frequency(3, 10));
        assert!(frequency(500, 500) < frequency(1, 10));
    }

    #[test]
    fn no_frequency_earns_more_than_all() {
        assert!((saturated(1.2) - 0.5).abs() < 1e-6);
        assert!(saturated(1e6) <= 1.0);
    }
}
