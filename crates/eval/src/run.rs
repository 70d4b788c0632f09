//! A set of questions put to a catalog.

use std::collections::BTreeSet;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use catalog::{Catalog, Found, QueryVectors, Ranked, WriteTools};
use ranking::{Confidence, Mode, VectorCache};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use upstream::Handshake;

use crate::labels::Labels;
use crate::set::{Question, Wanted};

/// The answers of one list of tools to one set of questions. Written as part of a report and read
/// back from it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Run {
    /// What searched.
    pub configuration: Configuration,
    /// How many tools were searched.
    pub tools: usize,
    /// Wanted tools that can't be found, since neither they nor an alternative is in the catalog.
    pub absent: BTreeSet<String>,
    /// Ids of the questions that words alone could search, since the model knows nothing of them.
    /// Empty where words alone were asked for.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub by_words: BTreeSet<String>,
    /// One for each question, in the set's order.
    pub answers: Vec<Answer>,
}

/// What searched.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Configuration {
    /// By words and by meaning.
    Hybrid,
    /// The lexical half alone.
    Words,
    /// A running proxy, which doesn't say how it searches.
    Proxy,
}

/// What a question's search came to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Answer {
    /// The question's.
    pub id: String,
    /// The question's.
    #[serde(flatten)]
    pub labels: Labels,
    /// For each wanted tool, the place from 1 of the first hit that is it or an alternative, if
    /// there is one among the first ten.
    pub ranks: Vec<Option<usize>>,
    /// The answer warns its reader: there are no hits, or all are weak.
    pub weak: bool,
}

/// A tool that a question found, as far as it is measured.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hit {
    /// Its name.
    pub name: String,
    /// It is marked as doubtful.
    pub weak: bool,
}

/// Why a saved run can't be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RunError {
    /// The file can't be read; the cause names it.
    #[error("the report can't be read")]
    Io(#[from] io::Error),
    /// The file is something else.
    #[error("{}: not a report as `--json` prints it", .path.display())]
    NotReport {
        /// The file.
        path: PathBuf,
        /// What is missing or wrong.
        #[source]
        source: serde_json::Error,
    },
}

impl Run {
    /// Searches `catalog` for each of `questions`, whose `vectors` count where a service makes them.
    /// `asked` is called after each, for whoever shows how far it is.
    pub fn new(
        catalog: &Catalog,
        questions: &[Question],
        vectors: &QueryVectors,
        mut asked: impl FnMut(),
    ) -> Self {
        let mut by_words = BTreeSet::new();
        let mut answers = Vec::with_capacity(questions.len());
        for (place, question) in questions.iter().enumerate() {
            let vector = vectors.get(place);
            let Ranked { found, mode } = catalog.search_with(&question.query, vector, DEPTH);
            if mode != catalog.mode() {
                by_words.insert(question.id.clone());
            }
            let hits: Vec<Hit> = found.iter().map(Hit::from).collect();
            answers.push(answer(question, &hits));
            asked();
        }
        Self {
            configuration: catalog.mode().into(),
            tools: catalog.len(),
            absent: absent(questions, |name| catalog.get(name).is_some()),
            by_words,
            answers,
        }
    }

    /// What a running proxy with so many tools answered to `questions`: for each, in their order,
    /// the hits, of which the first [`DEPTH`] count. `is_listed` says whether it has a tool.
    pub fn of_proxy(
        tools: usize,
        questions: &[Question],
        hits: &[Vec<Hit>],
        is_listed: impl Fn(&str) -> bool,
    ) -> Self {
        let answer = |(question, hits): (&Question, &Vec<Hit>)| {
            let counted = hits.get(..DEPTH).unwrap_or(hits);
            answer(question, counted)
        };
        Self {
            configuration: Configuration::Proxy,
            tools,
            absent: absent(questions, is_listed),
            by_words: BTreeSet::new(),
            answers: questions.iter().zip(hits).map(answer).collect(),
        }
    }

    /// The run whose report stands in the file `path`.
    pub fn read(path: &Path) -> Result<Self, RunError> {
        let text = fs_err::read_to_string(path)?;
        serde_json::from_str(&text).map_err(|source| RunError::NotReport {
            path: path.to_owned(),
            source,
        })
    }
}

impl From<Mode> for Configuration {
    fn from(mode: Mode) -> Self {
        match mode {
            Mode::Hybrid => Self::Hybrid,
            Mode::Words => Self::Words,
        }
    }
}

impl fmt::Display for Configuration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Hybrid => "words and meaning",
            Self::Words => "words only",
            Self::Proxy => "through a running proxy",
        })
    }
}

impl From<&Found> for Hit {
    fn from(found: &Found) -> Self {
        Self {
            name: found.tool.name().to_owned(),
            weak: found.confidence == Confidence::Weak,
        }
    }
}

/// A catalog of `tools`, as they were listed.
pub fn index(tools: Vec<Box<RawValue>>, vectors: &VectorCache) -> Catalog {
    Catalog::build(tools, Handshake::default(), &WriteTools::default(), vectors)
}

fn answer(question: &Question, hits: &[Hit]) -> Answer {
    Answer {
        id: question.id.clone(),
        labels: question.labels.clone(),
        ranks: question
            .wanted
            .iter()
            .map(|wanted| rank(wanted, hits))
            .collect(),
        weak: hits.iter().all(|hit| hit.weak),
    }
}

fn rank(wanted: &Wanted, hits: &[Hit]) -> Option<usize> {
    let is_right = |hit: &Hit| wanted.names().any(|name| name == hit.name);
    let position = hits.iter().position(is_right);
    position.map(|position| position + 1)
}

fn absent(questions: &[Question], is_listed: impl Fn(&str) -> bool) -> BTreeSet<String> {
    questions
        .iter()
        .flat_map(|question| &question.wanted)
        .filter(|wanted| !wanted.names().any(&is_listed))
        .map(|wanted| wanted.tool.clone())
        .collect()
}

/// How many hits of a search are looked at.
pub const DEPTH: usize = 10;

#[cfg(test)]
mod tests;
