//! The built-in model against what it was made with, and models from directories.

#![cfg(test)]

mod directory;
mod made;
mod oracle;
mod same_model;
mod strings;
mod tokenizer_kinds;
mod tokens;
mod vectors;
