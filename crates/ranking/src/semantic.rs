//! Search by meaning: how near a query's vector is to those of a document's fields.
//!
//! [`SemanticIndex`] is the principal type. `fields` says which texts stand for a document,
//! `meaning` turns them into vectors of small integers, `cache` keeps those for every index that
//! holds the same tool, `scan` compares them with a query. Where a service makes the vectors,
//! `wanted` are the tools that have none yet, and `levels` brings what it says to one scale.

mod agreement;
mod cache;
mod fields;
mod levels;
mod meaning;
mod scan;
mod shared;
mod wanted;
mod words;

use std::sync::Arc;

use embedding::{Model, Vector, split_identifiers};

pub(crate) use agreement::Agreement;
pub use cache::{Embedder, VectorCache};
pub use fields::{first_sentence, query_text};
pub use wanted::Wanted;

use crate::Document;
use crate::fusion::Similarities;
use agreement::QueryWords;
use meaning::{QueryCodes, weighted_vector};
use shared::SharedMeaning;
use words::Words;

/// What a set of documents means.
#[derive(Debug)]
pub(crate) struct SemanticIndex {
    /// Reads single words, and unless a service does, whole texts.
    model: Model,
    reader: Reader,
    /// By document; documents of one text share one.
    meanings: Vec<Arc<SharedMeaning>>,
    words: Words,
}

/// What makes the vectors of whole texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reader {
    Model,
    Service,
}

impl SemanticIndex {
    /// None if `vectors` has nothing that makes them.
    pub(crate) fn build(documents: &[Document<'_>], vectors: &VectorCache) -> Option<Self> {
        let (reader, model) = match vectors.embedder() {
            Embedder::Builtin => (Reader::Model, Model::builtin()),
            Embedder::Directory(model) => (Reader::Model, model),
            Embedder::Service { .. } => (Reader::Service, Model::builtin()),
            Embedder::None => return None,
        };
        let meaning = |document| vectors.meaning(document);
        Some(Self {
            meanings: documents.iter().map(meaning).collect(),
            words: Words::build(documents, model),
            model: model.clone(),
            reader,
        })
    }

    /// By document: how near its meaning is to that of `query`, from -1 to 1. None if the model
    /// knows no part of the query; with a service, if there is no `vector` of it, or if many
    /// documents have none yet.
    pub(crate) fn similarities(&self, query: &str, vector: Option<&Vector>) -> Option<Vec<f32>> {
        match self.reader {
            Reader::Model => {
                let vector = weighted_vector(&self.model, &split_identifiers(query))?;
                Some(scan::similarities(&QueryCodes::of(&vector), &self.meanings))
            }
            Reader::Service => {
                let vector = vector.filter(|_| self.is_known())?;
                let query = QueryCodes::of(vector);
                let mut similarities = scan::similarities(&query, &self.meanings);
                levels::level(&mut similarities, &self.meanings);
                Some(similarities)
            }
        }
    }

    /// Whether nearly all documents have their vectors: while many have none, those that have would
    /// be found rather.
    pub(crate) fn is_known(&self) -> bool {
        let unknown = self
            .meanings
            .iter()
            .filter(|meaning| meaning.get().is_none());
        unknown.count() * KNOWN_TO_ONE_UNKNOWN <= self.meanings.len()
    }

    /// What is known of these similarities.
    pub(crate) fn kind(&self) -> Similarities {
        if self.reader == Reader::Model && self.model.is_builtin() {
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
        meanings
            + self.meanings.capacity() * size_of::<Arc<SharedMeaning>>()
            + self.words.heap_bytes()
    }
}

const KNOWN_TO_ONE_UNKNOWN: usize = 10;
