//! Search by meaning: how near a query's vector is to those of a document's fields.
//!
//! [`SemanticIndex`] is the principal type. `fields` says which texts stand for a document,
//! `meaning` turns them into vectors of small integers, `cache` keeps those for every index that
//! holds the same tool, `scan` compares them with a query.

mod cache;
mod fields;
mod meaning;
mod scan;

use std::sync::Arc;

use embedding::{Model, split_identifiers};

pub use cache::{Embedder, VectorCache};

use crate::Document;
use meaning::{Codes, Meaning, weighted_vector};

/// What a set of documents means.
#[derive(Debug)]
pub(crate) struct SemanticIndex {
    model: &'static Model,
    /// By document; documents of one text share one.
    meanings: Vec<Arc<Meaning>>,
}

impl SemanticIndex {
    /// None if `vectors` has no model.
    pub(crate) fn build(documents: &[Document<'_>], vectors: &VectorCache) -> Option<Self> {
        let model = vectors.model()?;
        let meaning = |document| vectors.meaning(document, model);
        Some(Self {
            model,
            meanings: documents.iter().map(meaning).collect(),
        })
    }

    /// By document: how near its meaning is to that of `query`, from -1 to 1. None if the model
    /// knows no part of the query.
    pub(crate) fn similarities(&self, query: &str) -> Option<Vec<f32>> {
        let vector = weighted_vector(self.model, &split_identifiers(query))?;
        Some(scan::similarities(&Codes::of(&vector), &self.meanings))
    }

    /// An estimate of the memory it holds, in bytes. What other indexes share is counted in full.
    pub(crate) fn heap_bytes(&self) -> usize {
        let meanings: usize = self
            .meanings
            .iter()
            .map(|meaning| meaning.heap_bytes())
            .sum();
        meanings + self.meanings.capacity() * size_of::<Arc<Meaning>>()
    }
}
