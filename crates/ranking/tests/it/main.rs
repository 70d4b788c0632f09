//! The search as callers see it: texts in, names out.
#![cfg(test)]

mod analysis;
mod doubt;
mod invariants;
mod languages;
mod meaning;
mod real;
mod relevance;
mod service;

use ranking::{Document, Embedder, Hit, Index, VectorCache};

/// A tool of which only this much is known.
fn tool<'a>(name: &'a str, description: &'a str) -> Document<'a> {
    Document {
        name,
        description,
        ..Document::default()
    }
}

/// An index that is searched by words alone.
fn by_words(documents: &[Document<'_>]) -> Index {
    Index::build(documents, &VectorCache::new(Embedder::None))
}

/// An index that is searched by words and by meaning.
fn hybrid(documents: &[Document<'_>]) -> Index {
    Index::build(documents, &VectorCache::new(Embedder::Builtin))
}

/// One of each kind, for what holds in both.
fn both(documents: &[Document<'_>]) -> [Index; 2] {
    [by_words(documents), hybrid(documents)]
}

/// The names of the hits for `query` by words, best first.
fn names<'a>(documents: &[Document<'a>], query: &str) -> Vec<&'a str> {
    named(
        documents,
        &by_words(documents).search(query, documents.len()).hits,
    )
}

fn named<'a>(documents: &[Document<'a>], hits: &[Hit]) -> Vec<&'a str> {
    hits.iter()
        .map(|hit| documents[hit.document.0 as usize].name)
        .collect()
}
