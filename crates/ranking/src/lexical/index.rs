//! The postings, and adding them up.

use std::collections::HashMap;

use super::bm25::information;
use super::build::IndexBuilder;
use super::postings::{ListId, Postings};
use super::query::Query;
use super::stems::StemLists;
use crate::analyze::{Language, Languages};
use crate::{ALLOCATION, Document};

/// The words of a set of documents and where they stand.
#[derive(Debug)]
pub(crate) struct LexicalIndex {
    /// Of the documents as a whole.
    pub(super) language: Language,
    /// Those of any document.
    pub(super) languages: Languages,
    pub(super) documents: usize,
    pub(super) words: HashMap<Box<str>, WordLists>,
    pub(super) stems: StemLists,
    pub(super) postings: Postings,
}

/// The lists of one word.
#[derive(Debug)]
pub(super) struct WordLists {
    /// Where the word stands.
    pub(super) own: ListId,
    /// Where any word of the same stem stands, if there are others: for each language that gives
    /// the word another stem, the documents of that language.
    pub(super) stems: Box<[ListId]>,
}

impl WordLists {
    fn heap_bytes(&self) -> usize {
        match size_of_val(&self.stems[..]) {
            0 => 0,
            bytes => bytes + ALLOCATION,
        }
    }
}

/// A document that shares a term with the query.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Match {
    pub(crate) document: u32,
    pub(crate) score: f32,
    /// The share of the query's information that the document has, 0 to 1.
    pub(crate) covered: f32,
}

/// What a query finds by its words.
#[derive(Debug)]
pub(crate) struct Matches {
    /// By document, in the order of ids.
    pub(crate) found: Vec<Match>,
    /// The share of the query's information that any document has, 0 to 1: near 1 for a query in
    /// the documents' language, near 0 in another.
    pub(crate) known: f32,
}

impl LexicalIndex {
    /// Indexes `documents` under their positions.
    pub(crate) fn build(documents: &[Document<'_>]) -> Self {
        let mut builder = IndexBuilder::default();
        for document in documents {
            builder.add(document);
        }
        builder.finish()
    }

    /// Every document that shares more than next to nothing with `text`. A query of function
    /// words alone has no information; what it finds covers 0 of it.
    pub(crate) fn matches(&self, text: &str) -> Matches {
        let query = Query::new(text, self);
        let total = query.information();
        let share = |covered: f32| {
            if total > 0.0 {
                (covered / total).min(1.0)
            } else {
                0.0
            }
        };
        let found = (0..)
            .zip(self.sums(&query))
            .filter(|(_, sum)| sum.score > 0.0)
            .map(|(document, sum)| Match {
                document,
                score: sum.score,
                covered: share(sum.information),
            })
            .filter(|found| found.covered >= LEAST_COVERED || total == 0.0)
            .collect();
        Matches {
            found,
            known: share(query.known_information()),
        }
    }

    /// By document: what it earns for `query`.
    fn sums(&self, query: &Query) -> Vec<Sum> {
        let mut sums = vec![Sum::default(); self.documents];
        for (needed, number) in query.needed.iter().zip(1..) {
            for clause in &needed.clauses {
                for posting in self.postings.list(clause.list) {
                    let sum = &mut sums[posting.document as usize];
                    sum.score += clause.weight * posting.impact;
                    if sum.last_needed != number {
                        sum.last_needed = number;
                        sum.information += needed.information;
                    }
                }
            }
        }
        sums
    }

    /// The information of finding one of a list's documents.
    pub(super) fn information_of(&self, list: ListId) -> f32 {
        information(self.documents, self.postings.list(list).len())
    }

    /// The information of a term that no document has: as much as of the rarest.
    pub(super) fn information_of_unknown(&self) -> f32 {
        information(self.documents, 1)
    }

    /// An estimate of the memory it holds, in bytes.
    pub(crate) fn heap_bytes(&self) -> usize {
        let texts = self.words.keys().map(|text| text.len() + ALLOCATION);
        let stems = self.words.values().map(WordLists::heap_bytes);
        self.postings.heap_bytes()
            + texts.sum::<usize>()
            + stems.sum::<usize>()
            + self.words.capacity() * size_of::<(Box<str>, WordLists)>()
            + self.stems.heap_bytes()
    }
}

#[derive(Debug, Clone, Copy, Default)]
struct Sum {
    score: f32,
    information: f32,
    /// The number of the needed word counted last, so that none is counted twice.
    last_needed: u32,
}

/// A hit that has less of the query than this shares a word with it only by chance.
const LEAST_COVERED: f32 = 0.03;
