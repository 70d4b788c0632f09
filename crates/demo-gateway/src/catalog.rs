//! The company's tools: a compact text, expanded to what an MCP server lists.
//!
//! The text is a list of blocks; what belongs to one stands indented under it:
//!
//! - `param …`: a parameter that tools take by its name alone.
//! - `record NAME`: the members of a record that tools answer.
//! - `service NAME`: the tools up to the next service get its name before theirs. Records that
//!   no other service answers stand under it too.
//! - `read|write|set|delete NAME  Title`: a tool; `set` is a write that may be repeated. Under it
//!   come its description on one line, its parameters, and what it answers: `returns RECORD`
//!   publishes an output schema, `answers RECORD` doesn't; `RECORD[]` is a list of them, and
//!   `with MEMBER = VALUE` is what a member must have.
//!
//! A field is `name?: type range = default ~ samples  Description`, its members indented under it.
//! Samples of one record stand in columns: the first ones of all fields belong together. A record's
//! first field is its id.

mod field;
mod outline;
mod reader;

use std::collections::HashMap;
use std::sync::LazyLock;

use serde_json::value::RawValue;
use serde_json::{Value, json};

use field::object_schema;
pub(crate) use field::{Field, Kind, literal};
use outline::Line;
use reader::Reader;

/// The tools of one company, as they are listed, and what they answer.
#[derive(Debug, Default)]
pub(crate) struct Catalog {
    pub(crate) tools: Vec<Box<RawValue>>,
    answers: HashMap<String, Answer>,
}

/// What a tool answers.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Answer {
    pub(crate) count: Count,
    /// What the record is called.
    pub(crate) kind: String,
    pub(crate) record: Vec<Field>,
    /// The member whose value is given by the tool, and that value.
    pub(crate) fixed: Option<(String, Value)>,
    pub(crate) published: Published,
}

/// One record, or a list of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Count {
    One,
    Many,
}

/// Whether the tool lists an output schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Published {
    Yes,
    No,
}

/// What is wrong with a catalog's text.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: wanted {wanted}")]
pub(crate) struct CatalogError {
    line: usize,
    wanted: &'static str,
}

/// The embedded company.
#[expect(
    clippy::expect_used,
    reason = "a test reads the embedded text, so that no build ships one that fails"
)]
pub(crate) fn company() -> &'static Catalog {
    static COMPANY: LazyLock<Catalog> = LazyLock::new(|| {
        Catalog::read(include_str!("../data/company.txt")).expect("the embedded catalog is valid")
    });
    &COMPANY
}

impl Catalog {
    pub(crate) fn read(text: &str) -> Result<Self, CatalogError> {
        let mut reader = Reader::default();
        for block in &Line::read_all(text)? {
            reader.read_block(block)?;
        }
        Ok(reader.finish())
    }

    /// What the tool of this name answers, if it says.
    pub(crate) fn answer(&self, tool: &str) -> Option<&Answer> {
        self.answers.get(tool)
    }
}

impl Answer {
    fn output_schema(&self) -> Option<Value> {
        if self.published == Published::No {
            return None;
        }
        let record = Value::Object(object_schema(&self.record));
        Some(match self.count {
            Count::One => record,
            Count::Many => json!({
                "type": "object",
                "properties": {
                    "total": {"type": "integer", "description": "How many there are in all."},
                    "items": {"type": "array", "items": record},
                },
                "required": ["total", "items"],
            }),
        })
    }
}

#[cfg(test)]
mod tests;
