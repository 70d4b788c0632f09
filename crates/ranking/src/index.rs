//! Puts together what finds tools, and orders what is found.

use std::cmp::Ordering;
use std::collections::{HashMap, HashSet};

use embedding::Vector;

use crate::fusion::{self, Candidate};
use crate::lexical::LexicalIndex;
use crate::names::Names;
use crate::reranking::{LOOKED_AT, rerank};
use crate::semantic::SemanticIndex;
use crate::{Confidence, Document, DocumentId, Hit, Score, VectorCache};

/// A searchable set of documents. Immutable.
#[derive(Debug)]
pub struct Index {
    lexical: LexicalIndex,
    semantic: Option<SemanticIndex>,
    names: Names,
    /// By document: its place in the order of names, which decides between equal scores.
    name_order: Vec<u32>,
}

/// What a query found.
#[derive(Debug, Clone, PartialEq)]
pub struct Ranking {
    /// Best first.
    pub hits: Vec<Hit>,
    /// How this query was searched: by words alone where the model knows no part of it, whatever
    /// the index has.
    pub mode: Mode,
}

/// How an index, or one query, is searched.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Mode {
    /// By words and by meaning.
    Hybrid,
    /// By words alone.
    Words,
}

impl Mode {
    /// Its name in what the program tells of itself.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Hybrid => "hybrid",
            Self::Words => "words",
        }
    }
}

impl Index {
    /// Indexes `documents`; a document's id is its position. What they mean is taken from `vectors`,
    /// or made and left there.
    pub fn build(documents: &[Document<'_>], vectors: &VectorCache) -> Self {
        Self {
            lexical: LexicalIndex::build(documents),
            semantic: SemanticIndex::build(documents, vectors),
            names: Names::new(documents),
            name_order: name_order(documents),
        }
    }

    /// How it is searched, save for queries that the model knows nothing of, or that have no vector;
    /// see [`Ranking`].
    pub fn mode(&self) -> Mode {
        match &self.semantic {
            Some(semantic) if semantic.is_known() => Mode::Hybrid,
            _ => Mode::Words,
        }
    }

    /// The best `limit` documents for `query`, best first. Empty where nothing fits.
    ///
    /// A tool that the query names comes before all others: one whose name is the whole query, then
    /// each whose name of two or more parts stands in it, longest name first. Of a longer query
    /// only the first 2,000 characters are searched.
    pub fn search(&self, query: &str, limit: usize) -> Ranking {
        self.search_with(query, None, limit)
    }

    /// The same where a service makes the vectors and this is the query's; by words without one.
    pub fn search_with(&self, query: &str, vector: Option<&Vector>, limit: usize) -> Ranking {
        let named = self.named(query);
        let is_named: HashSet<u32> = named.iter().copied().collect();
        let (mut found, mode) = self.candidates(cut(query), vector);
        let similar: HashMap<u32, f32> = found
            .iter()
            .filter(|found| is_named.contains(&found.document))
            .filter_map(|found| Some((found.document, found.similarity?)))
            .collect();
        found.retain(|found| !is_named.contains(&found.document));
        if let (Mode::Hybrid, Some(semantic)) = (mode, &self.semantic) {
            found = self.top(found, limit.max(LOOKED_AT));
            let best = found.iter().take(LOOKED_AT).map(|found| found.document);
            let agreements = semantic.agreements(cut(query), &best.collect::<Vec<u32>>());
            rerank(&mut found, &agreements);
        }
        let ranked = self.top(found, limit);
        let best = ranked.first().map_or(0.0, |found| found.score);
        let called = called(&named, best).map(|hit| Hit {
            similarity: similar.get(&hit.document.0).copied(),
            ..hit
        });
        let ranked = ranked.into_iter().map(|found| Hit {
            document: DocumentId(found.document),
            score: Score(found.score),
            confidence: found.confidence,
            similarity: found.similarity,
        });
        Ranking {
            hits: called.chain(ranked).take(limit).collect(),
            mode,
        }
    }

    /// An estimate of the memory it holds, in bytes. Vectors that other indexes share are counted
    /// in full.
    pub fn heap_bytes(&self) -> usize {
        let semantic = self.semantic.as_ref().map(SemanticIndex::heap_bytes);
        self.lexical.heap_bytes()
            + semantic.unwrap_or_default()
            + self.names.heap_bytes()
            + size_of_val(&self.name_order[..])
    }

    fn candidates(&self, query: &str, vector: Option<&Vector>) -> (Vec<Candidate>, Mode) {
        let matches = self.lexical.matches(query);
        let similarities = self
            .semantic
            .as_ref()
            .and_then(|semantic| Some((semantic.similarities(query, vector)?, semantic.kind())));
        match similarities {
            Some((similarities, kind)) => {
                (fusion::both(&matches, &similarities, kind), Mode::Hybrid)
            }
            None => (fusion::words_alone(&matches), Mode::Words),
        }
    }

    fn named(&self, query: &str) -> Vec<u32> {
        let mut named = self.names.of(query);
        for document in self.names.within(cut(query)) {
            if !named.contains(&document) {
                named.push(document);
            }
        }
        named
    }

    fn top(&self, mut found: Vec<Candidate>, limit: usize) -> Vec<Candidate> {
        let order = |a: &Candidate, b: &Candidate| self.better(a, b);
        if limit < found.len() {
            found.select_nth_unstable_by(limit, order);
            found.truncate(limit);
        }
        found.sort_unstable_by(order);
        found
    }

    fn better(&self, a: &Candidate, b: &Candidate) -> Ordering {
        let place = |found: &Candidate| self.name_order.get(found.document as usize);
        b.score
            .total_cmp(&a.score)
            .then_with(|| place(a).cmp(&place(b)))
    }
}

/// Hits for documents that the query names, in that order and above the `best` of the others.
fn called(named: &[u32], best: f32) -> impl Iterator<Item = Hit> {
    let steps = (1..=named.len()).rev();
    named.iter().zip(steps).map(move |(&document, step)| Hit {
        document: DocumentId(document),
        score: Score(best + step as f32),
        confidence: Confidence::Firm,
        similarity: None,
    })
}

fn name_order(documents: &[Document<'_>]) -> Vec<u32> {
    let mut by_name: Vec<(&str, u32)> = documents.iter().map(|d| d.name).zip(0..).collect();
    by_name.sort_unstable();
    let mut order = vec![0; documents.len()];
    for ((_, document), place) in by_name.into_iter().zip(0..) {
        order[document as usize] = place;
    }
    order
}

fn cut(query: &str) -> &str {
    let end = query.char_indices().nth(MAX_QUERY_CHARS).map(|(at, _)| at);
    end.and_then(|end| query.get(..end)).unwrap_or(query)
}

const MAX_QUERY_CHARS: usize = 2000;
