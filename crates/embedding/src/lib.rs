//! Text to vector, with the multilingual static model that is compiled in.
//!
//! [`Model::builtin`] is the way in: it cuts a text into the pieces of a vocabulary of about 130
//! languages, adds up one vector for each piece and scales the sum to length one. Everything it needs
//! lies in the program's read-only data in the form it is used in: nothing is parsed at the start, and
//! only the pages that a text touches are ever read. No I/O, no state, no order of words.
//!
//! Names such as `getUserInfo` are first taken apart with [`split_identifiers`].

mod half;
mod identifiers;
mod model;
mod normalize;
mod rows;
mod trie;
mod unigram;
mod vector;

pub use identifiers::split_identifiers;
pub use model::Model;
pub use unigram::TokenId;
pub use vector::Vector;
