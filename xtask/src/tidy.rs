//! The rules of CONTRIBUTING.md and ARCHITECTURE.md that neither rustc nor clippy can see.

mod citations;
mod dependencies;
mod files;
mod layers;
mod links;
mod readme;
mod text;
mod tree;

use std::path::Path;

use anyhow::{Result, ensure};

use tree::{Problem, Tree};

/// Reads the tree, applies every rule, prints each breach on a line of its own.
pub(crate) fn run(root: &Path) -> Result<()> {
    let tree = Tree::read(root)?;
    let problems: Vec<Problem> = RULES.iter().flat_map(|rule| rule(&tree)).collect();
    for problem in &problems {
        println!("{problem}");
    }
    ensure!(problems.is_empty(), "tidy: {} to mend", problems.len());
    Ok(())
}

const RULES: &[fn(&Tree) -> Vec<Problem>] = &[
    citations::check,
    dependencies::check,
    files::check,
    layers::check,
    links::check,
    readme::check,
    text::check,
];
