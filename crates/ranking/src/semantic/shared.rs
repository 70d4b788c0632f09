//! A tool's meaning as all indexes share it.

use std::sync::OnceLock;

use super::meaning::{Meaning, QueryCodes};

/// A meaning that is there from the start, or from when its vectors have come.
#[derive(Debug)]
pub(super) struct SharedMeaning {
    known: OnceLock<Meaning>,
    heap_bytes: usize,
}

impl SharedMeaning {
    /// One that is there.
    pub(super) fn known(meaning: Meaning) -> Self {
        let (rows, dimensions) = meaning.shape();
        Self {
            heap_bytes: Meaning::heap_bytes(rows, dimensions),
            known: meaning.into(),
        }
    }

    /// One that will have so many vectors.
    pub(super) const fn expected(rows: usize, dimensions: usize) -> Self {
        Self {
            heap_bytes: Meaning::heap_bytes(rows, dimensions),
            known: OnceLock::new(),
        }
    }

    pub(super) fn get(&self) -> Option<&Meaning> {
        self.known.get()
    }

    /// Puts the meaning in, unless there is one.
    pub(super) fn set(&self, meaning: Meaning) {
        self.known.get_or_init(|| meaning);
    }

    /// How near it is to a query; 0 if it isn't known.
    #[expect(
        clippy::inline_always,
        reason = "so that it is compiled with its caller's instructions"
    )]
    #[inline(always)]
    pub(super) fn similarity(&self, query: &QueryCodes) -> f32 {
        self.get().map_or(0.0, |meaning| meaning.similarity(query))
    }

    /// The memory that it holds beside itself or will hold, in bytes: a list's share of the memory
    /// for lists is the same before and after.
    pub(super) fn heap_bytes(&self) -> usize {
        self.heap_bytes
    }
}
