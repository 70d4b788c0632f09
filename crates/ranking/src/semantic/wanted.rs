//! A tool whose vectors have to come from elsewhere.

use std::sync::{Arc, Weak};

use embedding::Vector;

use super::fields::Field;
use super::meaning::Meaning;
use super::shared::SharedMeaning;

/// A tool without vectors: its texts, and where their vectors go.
#[derive(Debug)]
pub struct Wanted {
    fields: Vec<Field>,
    meaning: Weak<SharedMeaning>,
}

impl Wanted {
    pub(super) fn new(fields: Vec<Field>, meaning: &Arc<SharedMeaning>) -> Self {
        Self {
            fields,
            meaning: Arc::downgrade(meaning),
        }
    }

    /// The texts, one vector to be had for each.
    pub fn texts(&self) -> impl ExactSizeIterator<Item = &str> {
        self.fields.iter().map(|field| field.text.as_str())
    }

    /// Puts the vectors in, in the order of the texts and of one length; what has none counts for
    /// nothing. From now on every index that has the tool searches it by meaning.
    pub fn fill(self, vectors: impl IntoIterator<Item = Option<Vector>>) {
        let Some(meaning) = self.meaning.upgrade() else {
            return;
        };
        let weights = self.fields.iter().map(|field| field.weight);
        let rows: Vec<(f32, Vector)> = weights
            .zip(vectors)
            .filter_map(|(weight, vector)| Some((weight, vector?)))
            .collect();
        meaning.set(Meaning::of_vectors(&rows));
    }

    pub(super) fn len(&self) -> usize {
        self.fields.len()
    }

    /// Whether any index still has the tool.
    pub(super) fn is_held(&self) -> bool {
        self.meaning.strong_count() > 0
    }
}
