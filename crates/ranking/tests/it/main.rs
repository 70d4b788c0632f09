//! The search as callers see it: texts in, names out.
#![cfg(test)]

mod analysis;
mod doubt;
mod invariants;
mod real;
mod relevance;

use ranking::{Document, Hit, Index};

/// A tool of which only this much is known.
fn tool<'a>(name: &'a str, description: &'a str) -> Document<'a> {
    Document {
        name,
        description,
        ..Document::default()
    }
}

/// The names of the hits for `query`, best first.
fn names<'a>(documents: &[Document<'a>], query: &str) -> Vec<&'a str> {
    named(
        documents,
        &Index::build(documents).search(query, documents.len()),
    )
}

fn named<'a>(documents: &[Document<'a>], hits: &[Hit]) -> Vec<&'a str> {
    hits.iter()
        .map(|hit| documents[hit.document.0 as usize].name)
        .collect()
}
