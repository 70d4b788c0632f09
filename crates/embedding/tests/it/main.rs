//! The built-in model against what it was made with.

#![cfg(test)]

mod oracle;
mod strings;
mod tokens;
mod vectors;
