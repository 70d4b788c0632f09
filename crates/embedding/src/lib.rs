//! Text to vector, with the multilingual static model that is compiled in, or another one.
//!
//! [`Model`] is the principal type: it cuts a text into the pieces of its vocabulary, adds up one
//! vector for each piece and scales the sum to length one. No state, no order of words.
//!
//! [`Model::builtin`] knows about 130 languages. Everything it needs lies in the program's read-only
//! data in the form it is used in: nothing is parsed at the start, and only the pages that a text
//! touches are ever read. [`Model::open`] takes a Model2Vec directory, and reads all of it but the
//! vectors.
//!
//! Names such as `getUserInfo` are first taken apart with [`split_identifiers`].

mod builtin;
mod directory;
mod double_array;
mod half;
mod identifiers;
mod model;
mod normalize;
mod rows;
mod trie;
mod unigram;
mod vector;

pub use directory::{InvalidModel, UNFINISHED};
pub use identifiers::split_identifiers;
pub use model::Model;
pub use unigram::TokenId;
pub use vector::Vector;
