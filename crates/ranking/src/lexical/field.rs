//! The searched fields and what each is worth.

/// A part of a document that is weighed by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Field {
    Name,
    Title,
    Server,
    Description,
    ParameterName,
    ParameterDescription,
    ParameterValue,
}

/// How a field counts.
#[derive(Debug, Clone, Copy)]
pub(super) struct FieldWeight {
    /// What one occurrence is worth, a description's being 1.
    pub(super) weight: f32,
    /// How far a longer than average field makes each occurrence count less, 0 to 1.
    pub(super) length_penalty: f32,
    /// Occurrences beyond this many count nothing, while they still make the field longer: so
    /// repeating a word wins nothing (field case 95).
    pub(super) max_count: u16,
}

impl Field {
    pub(super) const COUNT: usize = 7;

    pub(super) const fn index(self) -> usize {
        self as usize
    }

    /// Whether it is written in the document's language, where identifiers often are in English.
    pub(super) const fn is_prose(self) -> bool {
        matches!(
            self,
            Self::Title | Self::Description | Self::ParameterDescription
        )
    }

    /// The numbers were set by hand and moved one at a time over nine development sets of English
    /// and multilingual queries. Every optimum was flat: half or twice of any of them costs a point
    /// of recall or two.
    pub(super) const fn weight(self) -> FieldWeight {
        let (weight, length_penalty, max_count) = match self {
            // Few words, each chosen: what the tool does. Long names are mostly prefixes.
            Self::Name => (3.0, 0.5, 1),
            // The name again for people, but often missing or a heading.
            Self::Title => (2.0, 0.5, 1),
            // Tells products apart, not the tools of one.
            Self::Server => (0.5, 0.5, 1),
            // The measure. BM25's usual penalty; a third mention is still news, a fourth isn't.
            Self::Description => (1.0, 0.75, 3),
            // Objects the tool works on, besides `id` and `limit`. Many parameters make a rich tool
            // rather than a wordy text, hence half a penalty.
            Self::ParameterName => (0.6, 0.5, 2),
            // Long texts on details.
            Self::ParameterDescription => (0.4, 0.5, 2),
            // What people name in a request ("in celsius"), among many that they don't.
            Self::ParameterValue => (0.5, 0.5, 2),
        };
        FieldWeight {
            weight,
            length_penalty,
            max_count,
        }
    }
}
