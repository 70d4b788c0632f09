//! What is noted of a search that was answered.

use std::time::{Duration, SystemTime};

use ranking::Confidence;
use serde_json::value::RawValue;

use super::request::SearchRequest;
use super::results::{QueryResult, Results, searched_part};
use super::role::score;
use crate::searches::{Answered, Asked, AuditLine, AuditedTool, Searched};
use crate::tools::ToolContext;
use crate::tools::text::short_name;

impl ToolContext<'_> {
    /// Writes a line for each query, if the operator wants them.
    pub(super) fn audit(&self, results: &Results<'_>) {
        let Some(audit) = &self.searches.audit else {
            return;
        };
        for result in &results.queries {
            let tools = result.ranked.iter().take(AUDITED).map(|found| AuditedTool {
                name: short_name(found.tool.name()),
                score: score(found),
            });
            audit.record(&AuditLine {
                time: SystemTime::now(),
                request_id: self.request_tag,
                caller: &self.caller.key.tag(),
                query: &searched_part(result.query),
                tools: tools.collect(),
                mode: result.mode,
                took: result.took,
            });
        }
    }

    /// Notes the search, whose whole answer is `answer`, for what comes after it. If the caller had
    /// this answer to it twice, and a short time ago: how long.
    pub(super) fn trail(
        &self,
        asked: &SearchRequest,
        results: &Results<'_>,
        answer: &RawValue,
    ) -> Option<Duration> {
        let searched = Searched {
            asked: Asked {
                queries: asked.queries.as_slice(),
                limit: asked.options.limit,
                schemas: asked.options.schemas,
            },
            found: results.queries.iter().map(names).collect(),
            answered: answered(&results.queries),
            answer: answer.get(),
        };
        self.searches.trails.search(self.caller, &searched)
    }
}

fn names<'a>(result: &'a QueryResult<'_>) -> Vec<&'a str> {
    let found = result.found.iter();
    found.map(|found| found.tool.name()).collect()
}

fn answered(queries: &[QueryResult<'_>]) -> Answered {
    let mut hits = queries.iter().flat_map(|result| &result.found).peekable();
    if hits.peek().is_none() {
        Answered::Empty
    } else if hits.all(|hit| hit.confidence == Confidence::Weak) {
        Answered::Weak
    } else {
        Answered::Hits
    }
}

/// How many tools a line of the audit log has at most: all that were found, and as many of a
/// template's set.
const AUDITED: usize = 50;
