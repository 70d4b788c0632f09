//! Tool search: texts in, ordered ids out.
//!
//! Pure, synchronous and deterministic: no I/O, no clock, no MCP. [`Index`] is the principal type: it
//! searches by words and by meaning, and brings both together.

mod analyze;
mod fusion;
mod index;
mod lexical;
mod names;
mod reranking;
mod semantic;

pub use analyze::is_invisible;
pub use embedding::Vector;
pub use index::{Index, Mode, Ranking};
pub use semantic::{Embedder, VectorCache, Wanted, first_sentence, query_text};

/// The texts of one tool, as they are searched.
#[derive(Debug, Clone, Default)]
pub struct Document<'a> {
    /// The tool's name, unsplit.
    pub name: &'a str,
    /// The title, or empty.
    pub title: &'a str,
    /// The server it comes from, or empty.
    pub server: &'a str,
    /// The description, or empty.
    pub description: &'a str,
    /// The parameters, nested ones too.
    pub parameters: Vec<Parameter<'a>>,
}

/// The texts of one parameter.
#[derive(Debug, Clone, Default)]
pub struct Parameter<'a> {
    /// The property's name.
    pub name: &'a str,
    /// Its description, or empty.
    pub description: &'a str,
    /// Its enum values, as text.
    pub values: Vec<&'a str>,
}

/// A document's position in the slice that the index was built from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct DocumentId(pub u32);

/// How well a document fits, comparable within one ranking; finite and above zero.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub struct Score(pub f32);

/// Whether a hit is worth trusting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Confidence {
    /// The query and the document share what matters in the query.
    Firm,
    /// They share little of it: show the hit as doubtful.
    Weak,
}

/// One ranked document.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Hit {
    /// Which one.
    pub document: DocumentId,
    /// How well it fits.
    pub score: Score,
    /// How far to trust it.
    pub confidence: Confidence,
    /// How near its meaning is to the query's, from -1 to 1, comparable between queries of one
    /// language. `None` where only words were searched, or where nothing is near.
    pub similarity: Option<f32>,
}

/// What an allocation takes beyond its content, for estimates of memory: its header and rounding.
const ALLOCATION: usize = 16;
