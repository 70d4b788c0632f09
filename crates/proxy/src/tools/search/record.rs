//! What is noted of a search that was answered.

use std::time::{Duration, SystemTime};

use catalog::Found;
use ranking::Confidence;

use super::answer::score;
use super::results::Results;
use crate::searches::{Answered, Asked, AuditLine, AuditedTool, Searched};
use crate::tools::ToolContext;

impl ToolContext<'_> {
    /// Writes a line for each query, if the operator wants them.
    pub(super) fn audit(&self, results: &Results<'_>) {
        let Some(audit) = &self.searches.audit else {
            return;
        };
        let queries = results.request.queries.as_slice().iter();
        let answers = results.found.iter().zip(&results.modes).zip(&results.took);
        for (query, ((found, mode), took)) in queries.zip(answers) {
            let tools = found.iter().map(|found| AuditedTool {
                name: found.tool.name(),
                score: score(found),
            });
            audit.record(&AuditLine {
                time: SystemTime::now(),
                request_id: self.request_tag,
                caller: &self.caller.key.tag(),
                query,
                tools: tools.collect(),
                mode: mode.name(),
                took: *took,
            });
        }
    }

    /// Notes the search for what comes after it. If the caller had this answer a short time ago: how
    /// long.
    pub(super) fn trail(&self, results: &Results<'_>) -> Option<Duration> {
        let request = results.request;
        let searched = Searched {
            asked: Asked {
                queries: request.queries.as_slice(),
                limit: request.limit,
                schemas: request.schemas,
            },
            found: results.found.iter().map(|found| names(found)).collect(),
            answered: answered(&results.found),
        };
        self.searches.trails.search(self.caller, &searched)
    }
}

fn names(found: &[Found]) -> Vec<&str> {
    found.iter().map(|found| found.tool.name()).collect()
}

fn answered(found: &[Vec<Found>]) -> Answered {
    let mut hits = found.iter().flatten().peekable();
    if hits.peek().is_none() {
        Answered::Empty
    } else if hits.all(|hit| hit.confidence == Confidence::Weak) {
        Answered::Weak
    } else {
        Answered::Hits
    }
}
