//! What the operator's settings name, and what of it no tool has.

use std::time::SystemTime;

use catalog::UnmatchedName;
use serde::Serialize;

use crate::curation::Curated;
use crate::http::Edge;
use crate::times::timestamp;

/// Who reads the status.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reader {
    /// Somebody at `--admin-listen`, who may know every name.
    Operator,
    /// Anybody: a name that they don't have, or that others have it, is nothing for them.
    Anyone,
}

/// Counts, and for the operator names.
#[derive(Serialize)]
pub(super) struct NamedToolsStatus {
    templates: usize,
    pins: usize,
    write_tools: usize,
    read_at: String,
    last_error: Option<ReadError>,
    /// Names and patterns that no list of tools has had so far.
    #[serde(skip_serializing_if = "Option::is_none")]
    unmatched: Option<Vec<Unmatched>>,
}

#[derive(Serialize)]
struct ReadError {
    at: String,
    message: String,
}

#[derive(Serialize)]
struct Unmatched {
    place: String,
    pattern: String,
}

impl NamedToolsStatus {
    /// What holds in `edge`, where no list has had any of `unmatched`.
    pub(super) fn of(edge: &Edge, unmatched: &[UnmatchedName], reader: Reader) -> Self {
        let curation = &edge.protocol.curation;
        let Curated {
            templates,
            named,
            read_at,
        } = &*curation.now();
        let unmatched = || unmatched.iter().map(Unmatched::of).collect();
        Self {
            templates: templates.len(),
            pins: named.pins.len(),
            write_tools: named.write_tools.0.len(),
            read_at: timestamp(*read_at),
            last_error: curation
                .last_error()
                .map(|error| ReadError::of(error, reader)),
            unmatched: (reader == Reader::Operator).then(unmatched),
        }
    }
}

impl ReadError {
    /// The words of a mistake may hold what stands in the file.
    fn of((at, message): (SystemTime, String), reader: Reader) -> Self {
        Self {
            at: timestamp(at),
            message: match reader {
                Reader::Operator => message,
                Reader::Anyone => {
                    "the file of templates can't be used; the log says why".to_owned()
                }
            },
        }
    }
}

impl Unmatched {
    fn of(unmatched: &UnmatchedName) -> Self {
        Self {
            place: unmatched.place.to_string(),
            pattern: unmatched.pattern.to_string(),
        }
    }
}
