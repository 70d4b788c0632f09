//! A set of questions put to a catalog.

use std::collections::BTreeSet;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use catalog::{Catalog, Found, Ranked, WriteTools};
use ranking::{Confidence, Embedder, VectorCache};
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
    /// Both halves, with the built-in model.
    Hybrid,
    /// The lexical half alone.
    Words,
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
    /// Searches `tools`, as they were listed, for each of `questions`. `asked` is called after
    /// each, for whoever shows how far it is.
    pub fn new(
        configuration: Configuration,
        tools: Vec<Box<RawValue>>,
        questions: &[Question],
        mut asked: impl FnMut(),
    ) -> Self {
        let catalog = configuration.index(tools);
        let mut by_words = BTreeSet::new();
        let mut answers = Vec::with_capacity(questions.len());
        for question in questions {
            let Ranked { found, mode } = catalog.search(&question.query, DEPTH);
            if mode != catalog.mode() {
                by_words.insert(question.id.clone());
            }
            answers.push(answer(question, &found));
            asked();
        }
        Self {
            configuration,
            tools: catalog.len(),
            absent: absent(&catalog, questions),
            by_words,
            answers,
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

impl Configuration {
    fn index(self, tools: Vec<Box<RawValue>>) -> Catalog {
        let embedder = match self {
            Self::Hybrid => Embedder::Builtin,
            Self::Words => Embedder::None,
        };
        Catalog::build(
            tools,
            Handshake::default(),
            &WriteTools::default(),
            &VectorCache::new(embedder),
        )
    }
}

impl From<Embedder> for Configuration {
    fn from(embedder: Embedder) -> Self {
        match embedder {
            Embedder::Builtin => Self::Hybrid,
            Embedder::None => Self::Words,
        }
    }
}

impl fmt::Display for Configuration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Hybrid => "words and meaning",
            Self::Words => "words only",
        })
    }
}

impl Wanted {
    fn accepts(&self, name: &str) -> bool {
        self.tool == name || self.alternatives.iter().any(|other| other == name)
    }

    fn is_in(&self, catalog: &Catalog) -> bool {
        let mut names = std::iter::once(&self.tool).chain(&self.alternatives);
        names.any(|name| catalog.get(name).is_some())
    }
}

fn answer(question: &Question, found: &[Found]) -> Answer {
    Answer {
        id: question.id.clone(),
        labels: question.labels.clone(),
        ranks: question
            .wanted
            .iter()
            .map(|wanted| rank(wanted, found))
            .collect(),
        weak: found
            .iter()
            .all(|found| found.confidence == Confidence::Weak),
    }
}

fn rank(wanted: &Wanted, found: &[Found]) -> Option<usize> {
    let position = found
        .iter()
        .position(|found| wanted.accepts(found.tool.name()));
    position.map(|position| position + 1)
}

fn absent(catalog: &Catalog, questions: &[Question]) -> BTreeSet<String> {
    questions
        .iter()
        .flat_map(|question| &question.wanted)
        .filter(|wanted| !wanted.is_in(catalog))
        .map(|wanted| wanted.tool.clone())
        .collect()
}

/// How many hits of a search are looked at.
pub(crate) const DEPTH: usize = 10;

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn tools() -> Vec<Box<RawValue>> {
        let tools = [
            ("send_mail", "Sends a mail"),
            ("search_mail", "Searches the mailbox"),
            ("create_invoice", "Creates an invoice"),
        ];
        let tool = |(name, description): &(&str, &str)| {
            wire::to_raw(&json!({"name": name, "description": description, "inputSchema": {}}))
        };
        tools.iter().map(tool).collect()
    }

    fn question(query: &str, wanted: &[(&str, &[&str])]) -> Question {
        Question {
            id: query.to_owned(),
            query: query.to_owned(),
            labels: Labels {
                lang: "en".to_owned(),
                kind: "single".to_owned(),
                style: None,
                subset: None,
            },
            wanted: wanted
                .iter()
                .map(|(tool, alternatives)| Wanted {
                    tool: (*tool).to_owned(),
                    alternatives: alternatives.iter().copied().map(str::to_owned).collect(),
                })
                .collect(),
        }
    }

    fn check(query: &str, wanted: &[(&str, &[&str])], ranks: &[Option<usize>], weak: bool) {
        let catalog = Configuration::Words.index(tools());
        let found = catalog.search(query, DEPTH).found;
        let answer = answer(&question(query, wanted), &found);
        assert_eq!(
            (answer.ranks.as_slice(), answer.weak),
            (ranks, weak),
            "{query}"
        );
    }

    #[test]
    fn a_wanted_tool_is_found_by_itself_or_an_alternative() {
        check("send mail", &[("send_mail", &[])], &[Some(1)], false);
        check("send mail", &[("search_mail", &[])], &[Some(2)], false);
        check("send mail", &[("create_invoice", &[])], &[None], false);
        check(
            "send mail",
            &[("create_invoice", &["search_mail", "send_mail"])],
            &[Some(1)],
            false,
        );
        check(
            "send mail",
            &[("search_mail", &[]), ("send_mail", &[])],
            &[Some(2), Some(1)],
            false,
        );
    }

    #[test]
    fn an_answer_without_a_firm_hit_is_weak() {
        check("zebra", &[], &[], true);
        check("zebra", &[("send_mail", &[])], &[None], true);
        let mostly_strange = "mail zebra giraffe antelope rhinoceros hippopotamus crocodile";
        check(mostly_strange, &[], &[], true);
        check("invoice", &[], &[], false);
    }

    #[test]
    fn what_cannot_be_found_is_named() {
        let questions = [
            question("a", &[("send_mail", &[]), ("gone", &[])]),
            question("b", &[("gone", &["gone_too"]), ("renamed", &["send_mail"])]),
        ];
        let mut asked = 0;
        let run = Run::new(Configuration::Words, tools(), &questions, || asked += 1);
        assert_eq!(run.absent, BTreeSet::from(["gone".to_owned()]));
        assert_eq!((run.tools, asked), (3, 2));
    }

    #[test]
    fn what_the_model_knows_nothing_of_is_named() {
        let questions = [question("𓀀", &[]), question("mail", &[])];
        let by_words = |configuration| Run::new(configuration, tools(), &questions, || ()).by_words;
        let expected = BTreeSet::from(["𓀀".to_owned()]);
        assert_eq!(by_words(Configuration::Hybrid), expected);
        assert_eq!(by_words(Configuration::Words), BTreeSet::new());
    }
}
