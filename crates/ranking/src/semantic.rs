//! Search by meaning: how near a query's vector is to those of a document's fields.
//!
//! [`SemanticIndex`] is the principal type. `fields` says which texts stand for a document,
//! `meaning` turns them into vectors of small integers, `cache` keeps those for every index that
//! holds the same tool, `scan` compares them with a query.

mod agreement;
mod cache;
mod fields;
mod meaning;
mod scan;
mod words;

use std::sync::Arc;

use embedding::{Model, split_identifiers};

pub(crate) use agreement::Agreement;
pub use cache::{Embedder, VectorCache};
pub use fields::first_sentence;

use crate::Document;
use crate::fusion::Similarities;
use agreement::QueryWords;
use meaning::{Meaning, QueryCodes, weighted_vector};
use words::Words;

/// What a set of documents means.
#[derive(Debug)]
pub(crate) struct SemanticIndex {
    model: Model,
    /// By document; documents of one text share one.
    meanings: Vec<Arc<Meaning>>,
    words: Words,
}

impl SemanticIndex {
    /// None if `vectors` has no model.
    pub(crate) fn build(documents: &[Document<'_>], vectors: &VectorCache) -> Option<Self> {
        let model = vectors.model()?;
        let meaning = |document| vectors.meaning(document, model);
        Some(Self {
            meanings: documents.iter().map(meaning).collect(),
            words: Words::build(documents, model),
            model: model.clone(),
        })
    }

    /// By document: how near its meaning is to that of `query`, from -1 to 1. None if the model
    /// knows no part of the query.
    pub(crate) fn similarities(&self, query: &str) -> Option<Vec<f32>> {
        let vector = weighted_vector(&self.model, &split_identifiers(query))?;
        Some(scan::similarities(&QueryCodes::of(&vector), &self.meanings))
    }

    /// What is known of these similarities.
    pub(crate) fn kind(&self) -> Similarities {
        if self.model.is_builtin() {
            Similarities::Measured
        } else {
            Similarities::Unmeasured
        }
    }

    /// How far each of `documents` and `query` say the same, word by word.
    pub(crate) fn agreements(&self, query: &str, documents: &[u32]) -> Vec<Agreement> {
        QueryWords::read(query, &self.model).agreements(&self.words, documents)
    }

    /// An estimate of the memory it holds, in bytes. What other indexes share is counted in full.
    pub(crate) fn heap_bytes(&self) -> usize {
        let meanings: usize = self
            .meanings
            .iter()
            .map(|meaning| meaning.heap_bytes())
            .sum();
        meanings + self.meanings.capacity() * size_of::<Arc<Meaning>>() + self.words.heap_bytes()
    }
}
