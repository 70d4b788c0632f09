//! A set of questions: JSON lines, each a question with the tools that are right for it.

use std::collections::{BTreeMap, HashSet};
use std::io;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::labels::Labels;

/// A question whose right tools are known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Question {
    /// Unique in its set; pairs the answers of two runs.
    pub id: String,
    /// What is searched for.
    pub query: String,
    /// What it can be grouped by.
    pub labels: Labels,
    /// What should be found; empty where no tool is right.
    pub wanted: Vec<Wanted>,
}

/// A tool that a question asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wanted {
    /// Its name.
    pub tool: String,
    /// Tools that are as right.
    pub alternatives: Vec<String>,
}

impl Wanted {
    /// The names that are right.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        std::iter::once(&self.tool)
            .chain(&self.alternatives)
            .map(String::as_str)
    }
}

/// Why a file of questions can't be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SetError {
    /// The file can't be read; the cause names it.
    #[error("the questions can't be read")]
    Io(#[from] io::Error),
    /// A line isn't a question.
    #[error("{}:{line}: {problem}", .path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// Which line, from 1.
        line: usize,
        /// What is wrong with it.
        problem: LineProblem,
    },
    /// Nothing but blank lines.
    #[error("{}: no questions: wanted one JSON object a line", .path.display())]
    Empty {
        /// The file.
        path: PathBuf,
    },
}

/// What is wrong with a line.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LineProblem {
    /// Not JSON, or without a member that every question has.
    #[error("not a question: {0}; wanted id, query, lang, kind and relevant")]
    Malformed(String),
    /// Nothing to search for.
    #[error("the query is blank")]
    BlankQuery,
    /// Two questions couldn't be told apart.
    #[error("another question has the id `{0}` too: give each its own")]
    RepeatedId(String),
    /// A tool would count twice.
    #[error("`{0}` stands twice in relevant: name it once")]
    RepeatedTool(String),
    /// Alternatives to what isn't asked for.
    #[error("alternatives are given for `{0}`, which isn't in relevant")]
    StrayAlternatives(String),
}

/// The questions in the file `path`, in its order. Members that aren't known are passed over.
pub fn read_questions(path: &Path) -> Result<Vec<Question>, SetError> {
    let text = fs_err::read_to_string(path)?;
    let mut questions = Vec::new();
    let mut ids = HashSet::new();
    for (line, text) in (1..).zip(text.trim_start_matches('\u{FEFF}').lines()) {
        if text.trim().is_empty() {
            continue;
        }
        let question = read_line(text).and_then(|question| {
            if ids.insert(question.id.clone()) {
                Ok(question)
            } else {
                Err(LineProblem::RepeatedId(question.id))
            }
        });
        questions.push(question.map_err(|problem| SetError::Line {
            path: path.to_owned(),
            line,
            problem,
        })?);
    }
    if questions.is_empty() {
        return Err(SetError::Empty {
            path: path.to_owned(),
        });
    }
    Ok(questions)
}

fn read_line(text: &str) -> Result<Question, LineProblem> {
    let mut line: Line = serde_json::from_str(text).map_err(|error| {
        let text = error.to_string();
        // The parser sees one line, so its own count of them says nothing.
        let reason = text.split(" at line ").next().unwrap_or(&text);
        LineProblem::Malformed(reason.to_owned())
    })?;
    if line.query.trim().is_empty() {
        return Err(LineProblem::BlankQuery);
    }
    let mut wanted: Vec<Wanted> = Vec::with_capacity(line.relevant.len());
    for tool in line.relevant {
        if wanted.iter().any(|other| other.tool == tool) {
            return Err(LineProblem::RepeatedTool(tool));
        }
        let alternatives = line.alternatives.remove(&tool).unwrap_or_default();
        wanted.push(Wanted { tool, alternatives });
    }
    if let Some((stray, _)) = line.alternatives.pop_first() {
        return Err(LineProblem::StrayAlternatives(stray));
    }
    Ok(Question {
        id: line.id,
        query: line.query,
        labels: line.labels,
        wanted,
    })
}

#[derive(Deserialize)]
struct Line {
    id: String,
    query: String,
    #[serde(flatten)]
    labels: Labels,
    relevant: Vec<String>,
    #[serde(default)]
    alternatives: BTreeMap<String, Vec<String>>,
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    fn check(line: &str, expected: &Result<Question, LineProblem>) {
        assert_eq!(&read_line(line), expected, "{line}");
    }

    fn labels(style: Option<&str>) -> Labels {
        Labels {
            lang: "en".to_owned(),
            kind: "single".to_owned(),
            style: style.map(str::to_owned),
            subset: None,
        }
    }

    #[test]
    fn a_line_is_a_question() {
        let bare = r#"{"id":"1","query":"pay","lang":"en","kind":"single","relevant":[]}"#;
        let question = Question {
            id: "1".to_owned(),
            query: "pay".to_owned(),
            labels: labels(None),
            wanted: Vec::new(),
        };
        check(bare, &Ok(question.clone()));
        let full = r#"{"id":"1","query":"pay","lang":"en","kind":"single","style":"terse","need":7,
            "relevant":["a","b"],"alternatives":{"b":["c","d"]}}"#;
        let wanted = |tool: &str, alternatives: &[&str]| Wanted {
            tool: tool.to_owned(),
            alternatives: alternatives.iter().copied().map(str::to_owned).collect(),
        };
        check(
            full,
            &Ok(Question {
                labels: labels(Some("terse")),
                wanted: vec![wanted("a", &[]), wanted("b", &["c", "d"])],
                ..question
            }),
        );
    }

    #[test]
    fn a_line_that_is_none_says_why() {
        let malformed = |reason: &str| Err(LineProblem::Malformed(reason.to_owned()));
        check("{", &malformed("EOF while parsing an object"));
        check(
            r#"{"id":"1","lang":"en","kind":"single","relevant":[]}"#,
            &malformed("missing field `query`"),
        );
        check(
            r#"{"id":"1","query":"pay","lang":"en","kind":"single"}"#,
            &malformed("missing field `relevant`"),
        );
        check(
            r#"{"id":"1","query":" ","lang":"en","kind":"single","relevant":[]}"#,
            &Err(LineProblem::BlankQuery),
        );
        check(
            r#"{"id":"1","query":"pay","lang":"en","kind":"single","relevant":["a","a"]}"#,
            &Err(LineProblem::RepeatedTool("a".to_owned())),
        );
        check(
            r#"{"id":"1","query":"pay","lang":"en","kind":"single","relevant":["a"],
            "alternatives":{"b":["c"]}}"#,
            &Err(LineProblem::StrayAlternatives("b".to_owned())),
        );
    }

    #[test]
    fn errors_name_the_file_and_the_line() {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        let line = r#"{"id":"1","query":"pay","lang":"en","kind":"single","relevant":[]}"#;
        write!(file, "{line}\n\n{line}\n").unwrap();
        let error = read_questions(file.path()).unwrap_err().to_string();
        let path = file.path().display();
        assert_eq!(
            error,
            format!("{path}:3: another question has the id `1` too: give each its own")
        );
    }

    #[test]
    fn a_file_without_questions_is_refused() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let error = read_questions(file.path()).unwrap_err();
        assert!(matches!(error, SetError::Empty { .. }), "{error}");
    }
}
