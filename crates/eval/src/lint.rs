//! What is wrong with the descriptions of a list of tools.

mod problem;
mod searches;
mod sentences;
mod table;

use std::fmt::Display;

use catalog::Catalog;
use ranking::{Embedder, VectorCache};
use serde::Serialize;
use serde_json::value::RawValue;

use crate::run::{Configuration, index};

pub use problem::Problem;
use searches::Searches;
use sentences::Sentences;
use table::Table;

/// The descriptions of a list of tools, checked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Lint {
    /// What searched.
    pub configuration: Configuration,
    /// How many tools.
    pub tools: usize,
    /// How many of them have a first sentence.
    pub sentences: usize,
    /// How many of these sentences find their tool, or one that begins with the same, among the
    /// first five.
    pub found: usize,
    /// By problem, then in the order of the list.
    pub findings: Vec<Finding>,
}

/// A tool that something is wrong with.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(into = "Told")]
pub struct Finding {
    /// Its name.
    pub tool: String,
    /// What is wrong.
    pub problem: Problem,
}

/// A finding as a program reads it.
#[derive(Serialize)]
struct Told {
    tool: String,
    #[serde(flatten)]
    problem: Problem,
    message: String,
    advice: &'static str,
}

impl Lint {
    /// Checks `tools`, as they were listed. `checked` is called for each, for whoever shows how far
    /// it is.
    pub fn new(embedder: Embedder, tools: Vec<Box<RawValue>>, checked: impl FnMut()) -> Self {
        let catalog = index(tools, &VectorCache::new(embedder));
        let sentences = Sentences::of(&catalog);
        let searches = Searches::new(&catalog, &sentences, checked);
        let findings = [
            of_descriptions(&catalog, is_missing),
            of_descriptions(&catalog, is_too_long),
            sentences.copied(&catalog),
            searches.not_found(&catalog, &sentences),
            searches.collisions(&catalog, &sentences),
        ];
        Self {
            configuration: catalog.mode().into(),
            tools: catalog.len(),
            sentences: sentences.count(),
            found: searches.found(&sentences),
            findings: findings.concat(),
        }
    }

    /// The findings as text for a terminal, a line each.
    pub fn table(&self) -> impl Display {
        Table(self)
    }
}

impl From<Finding> for Told {
    fn from(Finding { tool, problem }: Finding) -> Self {
        Self {
            message: problem.to_string(),
            advice: problem.advice(),
            tool,
            problem,
        }
    }
}

/// What a look at each description alone tells.
fn of_descriptions(catalog: &Catalog, problem: fn(&str) -> Option<Problem>) -> Vec<Finding> {
    let tools = catalog.tools().iter();
    let findings = tools.filter_map(|tool| {
        Some(Finding {
            tool: tool.name().to_owned(),
            problem: problem(tool.description())?,
        })
    });
    findings.collect()
}

fn is_missing(description: &str) -> Option<Problem> {
    description
        .trim()
        .is_empty()
        .then_some(Problem::NoDescription)
}

fn is_too_long(description: &str) -> Option<Problem> {
    let characters = description.chars().count();
    (characters > problem::LONGEST).then_some(Problem::TooLong { characters })
}

#[cfg(test)]
mod tests;
