//! A running proxy, asked as a model asks it.

use std::collections::HashSet;
use std::time::{Duration, Instant};

use anyhow::{Context, bail, ensure};
use eval::{DEPTH, Hit, Question, Run};
use serde::Deserialize;
use serde_json::json;
use serde_json::value::RawValue;
use tokio::runtime::Runtime;
use upstream::{Caller, Effect, Forward, Reply, Upstream};
use url::Url;
use wire::to_raw;

use crate::cli::UpstreamSettings;
use crate::cli::source::{caller, runtime};
use crate::tools::{MetaTool, shorten};

/// A proxy that somebody else runs.
pub(super) struct RunningProxy {
    client: Upstream,
    caller: Caller,
    runtime: Runtime,
    /// For the first list of tools.
    patience: Duration,
}

/// What `search_tools` answers, as far as it is measured.
#[derive(Deserialize)]
struct Answer {
    /// Absent until the proxy has listed its upstream's tools.
    total: Option<usize>,
    tools: Vec<Found>,
}

#[derive(Deserialize)]
struct Found {
    name: String,
    #[serde(default)]
    weak: bool,
    /// Shown because its operator says so, not because it was found.
    #[serde(default)]
    pinned: bool,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct CallResult {
    #[serde(default)]
    is_error: bool,
    structured_content: Option<Answer>,
    #[serde(default)]
    content: Vec<Text>,
}

#[derive(Deserialize)]
struct Text {
    #[serde(default)]
    text: String,
}

/// The answers to all questions.
#[derive(Default)]
struct Answers {
    total: usize,
    hits: Vec<Vec<Hit>>,
    /// Names that the proxy has shown.
    listed: HashSet<String>,
}

impl RunningProxy {
    /// The one at `url`. Opens no connection.
    pub(super) fn new(url: Url, settings: &UpstreamSettings) -> anyhow::Result<Self> {
        Ok(Self {
            client: Upstream::new(settings.config(url, MAX_ANSWER_BYTES)?)?,
            caller: caller()?,
            runtime: runtime()?,
            patience: settings.list_timeout,
        })
    }

    /// Puts `questions` to it, one call each, so that each gets the answer that a model gets.
    pub(super) fn run(&self, questions: &[Question], asked: impl FnMut()) -> anyhow::Result<Run> {
        let answers = self.runtime.block_on(self.ask_all(questions, asked))?;
        let Answers {
            total,
            hits,
            listed,
        } = answers;
        let is_listed = |name: &str| listed.contains(name);
        Ok(Run::of_proxy(total, questions, &hits, is_listed))
    }

    async fn ask_all(
        &self,
        questions: &[Question],
        mut asked: impl FnMut(),
    ) -> anyhow::Result<Answers> {
        let mut answers = Answers::default();
        for question in questions {
            let answer = self.search(&question.query);
            let (total, hits) = answer
                .await
                .with_context(|| format!("question {}", question.id))?;
            answers.total = total;
            answers
                .listed
                .extend(hits.iter().map(|hit| hit.name.clone()));
            answers.hits.push(hits);
            asked();
        }
        // A search for a tool's name finds that tool first.
        for wanted in questions.iter().flat_map(|question| &question.wanted) {
            for name in wanted.names() {
                if wanted.names().any(|name| answers.listed.contains(name)) {
                    break;
                }
                let (_, hits) = self.search(name).await?;
                answers.listed.extend(hits.into_iter().map(|hit| hit.name));
            }
        }
        Ok(answers)
    }

    /// How many tools there are, and the best of them for `query`.
    async fn search(&self, query: &str) -> anyhow::Result<(usize, Vec<Hit>)> {
        let begun = Instant::now();
        loop {
            let answer = self.answer(query).await?;
            if let Some(total) = answer.total {
                return Ok((total, answer.hits()));
            }
            ensure!(
                begun.elapsed() < self.patience,
                "the proxy hasn't listed its upstream's tools within --list-timeout"
            );
            tokio::time::sleep(PAUSE).await;
        }
    }

    async fn answer(&self, query: &str) -> anyhow::Result<Answer> {
        let name = to_raw(MetaTool::Search.name());
        let arguments = to_raw(&json!({"query": query, "limit": DEPTH, "schemas": false}));
        let request = Forward {
            method: "tools/call",
            params: vec![("name", &name), ("arguments", &arguments)],
            meta: None,
            name: Some(MetaTool::Search.name()),
            param_headers: Vec::new(),
            effect: Effect::Read,
        };
        let reply = self.client.forward(&self.caller, request).await;
        match reply.context("the proxy doesn't answer")? {
            Reply::Result { result, .. } => Answer::read(&result),
            Reply::Error(error) => bail!("{NO_PROXY}: {}", shorten(error.get(), MAX_QUOTED)),
        }
    }
}

impl Answer {
    fn read(result: &RawValue) -> anyhow::Result<Self> {
        let result: CallResult = serde_json::from_str(result.get()).context(NO_PROXY)?;
        if let (false, Some(answer)) = (result.is_error, result.structured_content) {
            return Ok(answer);
        }
        let said: Vec<String> = result.content.into_iter().map(|block| block.text).collect();
        bail!(
            "no search was made: {}",
            shorten(&said.join(" "), MAX_QUOTED)
        )
    }

    fn hits(self) -> Vec<Hit> {
        let found = self.tools.into_iter().filter(|found| !found.pinned);
        found
            .map(|Found { name, weak, .. }| Hit { name, weak })
            .collect()
    }
}

const NO_PROXY: &str = "no answer of a mcp-toolsearch-proxy, whose URL --through takes";
/// A search's answer is far smaller.
const MAX_ANSWER_BYTES: usize = 1 << 20;
/// Before a proxy that is still listing is asked again.
const PAUSE: Duration = Duration::from_millis(200);
const MAX_QUOTED: usize = 300;

#[cfg(test)]
mod tests {
    use super::*;

    fn read(result: &serde_json::Value) -> Result<(Option<usize>, Vec<Hit>), String> {
        let answer = Answer::read(&to_raw(result)).map_err(|error| error.to_string())?;
        Ok((answer.total, answer.hits()))
    }

    #[test]
    fn hits_are_what_was_found_and_not_what_is_always_shown() {
        let tools = json!([
            {"name": "a", "readOnly": true, "call": "call_read_tool", "signature": "a()"},
            {"name": "b", "weak": true},
            {"name": "c", "pinned": true},
        ]);
        let answer = json!({"total": 7, "tools": tools, "note": "…"});
        let hit = |name: &str, weak| Hit {
            name: name.to_owned(),
            weak,
        };
        assert_eq!(
            read(&json!({"content": [{"type": "text"}], "structuredContent": answer})),
            Ok((Some(7), vec![hit("a", false), hit("b", true)]))
        );
        let loading = json!({"content": [], "structuredContent": {"tools": []}});
        assert_eq!(read(&loading), Ok((None, Vec::new())));
    }

    #[test]
    fn what_is_no_answer_of_a_search_says_so() {
        let refused = json!({"content": [{"type": "text", "text": "Not now."}], "isError": true});
        assert_eq!(
            read(&refused),
            Err("no search was made: Not now.".to_owned())
        );
        let other = json!({"structuredContent": {"temperature": 21}});
        assert_eq!(read(&other), Err(NO_PROXY.to_owned()));
    }
}
