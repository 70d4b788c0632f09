//! Search by words: BM25F over the fields of a document.
//!
//! [`LexicalIndex`] is the principal type. `build` counts terms, `bm25` turns counts into impacts,
//! `query` turns a text into weighted postings lists, `index` adds them up.

mod bm25;
mod build;
mod count;
mod field;
mod glued;
mod index;
mod postings;
mod query;
mod stems;

pub(crate) use bm25::information;
pub(crate) use index::{LexicalIndex, Match, Matches};
