//! The searched fields and what each is worth.

/// A part of a document that is weighed by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
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
    /// Occurrences beyond this many count nothing, so that repeating a word wins nothing.
    pub(super) max_count: u8,
}

impl Field {
    pub(super) const COUNT: usize = 7;

    pub(super) const fn index(self) -> usize {
        self as usize
    }

    pub(super) const fn weight(self) -> FieldWeight {
        match self {
            Self::Name => FieldWeight {
                weight: 3.0,
                length_penalty: 0.5,
                max_count: 1,
            },
            Self::Title => FieldWeight {
                weight: 2.0,
                length_penalty: 0.5,
                max_count: 1,
            },
            Self::Server => FieldWeight {
                weight: 1.0,
                length_penalty: 0.5,
                max_count: 1,
            },
            Self::Description => FieldWeight {
                weight: 1.0,
                length_penalty: 0.75,
                max_count: 3,
            },
            Self::ParameterName | Self::ParameterDescription => FieldWeight {
                weight: 0.5,
                length_penalty: 0.75,
                max_count: 2,
            },
            Self::ParameterValue => FieldWeight {
                weight: 0.25,
                length_penalty: 0.75,
                max_count: 1,
            },
        }
    }
}
