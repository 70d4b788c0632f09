//! The company's tools: read from a compact text, expanded to what an MCP server lists.
//!
//! The text is a list of blocks; what belongs to one stands indented under it:
//!
//! - `param …`: a parameter that tools take by its name alone.
//! - `record NAME`: the members of a record that tools answer.
//! - `service NAME`: the tools up to the next service get its name before theirs.
//! - `read|write|set|delete NAME  Title`: a tool. Under it come its description on one line, its
//!   parameters, and what it answers: `returns RECORD` publishes an output schema, `answers RECORD`
//!   doesn't; `RECORD[]` is a list of them.
//!
//! A field is `name?: type range = default ~ samples  Description`, its members indented under it.

mod field;
mod outline;

use std::collections::HashMap;
use std::sync::LazyLock;

use serde_json::value::RawValue;
use serde_json::{Map, Value, json};

pub(crate) use field::{Field, Kind};
use field::{object_schema, read_fields};
use outline::Line;

/// The tools of one company, as they are listed, and what they answer.
#[derive(Debug)]
pub(crate) struct Catalog {
    pub(crate) tools: Vec<Box<RawValue>>,
    answers: HashMap<String, Answer>,
}

/// What a tool answers.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Answer {
    pub(crate) count: Count,
    pub(crate) record: Vec<Field>,
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
        for line in &Line::read_all(text)? {
            reader.block(line)?;
        }
        Ok(reader.catalog)
    }

    /// What the tool of this name answers, if it says.
    pub(crate) fn answer(&self, tool: &str) -> Option<&Answer> {
        self.answers.get(tool)
    }
}

struct Reader<'a> {
    params: HashMap<String, Field>,
    records: HashMap<&'a str, Vec<Field>>,
    service: &'a str,
    catalog: Catalog,
}

impl Default for Reader<'_> {
    fn default() -> Self {
        Self {
            params: HashMap::new(),
            records: HashMap::new(),
            service: "",
            catalog: Catalog {
                tools: Vec::new(),
                answers: HashMap::new(),
            },
        }
    }
}

impl<'a> Reader<'a> {
    fn block(&mut self, line: &Line<'a>) -> Result<(), CatalogError> {
        let (word, rest) = line
            .text
            .split_once(' ')
            .ok_or_else(|| line.error("a block such as `service people`"))?;
        match word {
            "param" => {
                let param = Line {
                    number: line.number,
                    text: rest,
                    children: Vec::new(),
                };
                let field = Field::read(&param)?;
                self.params.insert(field.name.clone(), field);
            }
            "record" => {
                self.records.insert(rest, read_fields(&line.children)?);
            }
            "service" => self.service = rest,
            _ => {
                let annotations = annotations(word)
                    .ok_or_else(|| line.error("param, record, service or a kind of tool"))?;
                self.tool(line, rest, annotations)?;
            }
        }
        Ok(())
    }

    fn tool(
        &mut self,
        line: &Line<'a>,
        heading: &str,
        mut annotations: Map<String, Value>,
    ) -> Result<(), CatalogError> {
        let (name, title) = heading
            .split_once("  ")
            .ok_or_else(|| line.error("`name  Title`"))?;
        let (description, members) = line
            .children
            .split_first()
            .ok_or_else(|| line.error("a description under the tool"))?;
        let name = format!("{}__{name}", self.service);
        let mut params = Vec::new();
        let mut answer = None;
        for member in members {
            match member.text.split_once(' ') {
                Some(("returns", record)) => {
                    answer = Some(self.answer(member, record, Published::Yes)?);
                }
                Some(("answers", record)) => {
                    answer = Some(self.answer(member, record, Published::No)?);
                }
                Some(_) => params.push(Field::read(member)?),
                None => params.push(self.shared_param(member)?),
            }
        }
        annotations.insert("title".to_owned(), json!(title));
        let mut tool = json!({
            "name": name,
            "title": title,
            "description": description.text,
            "inputSchema": object_schema(&params),
        });
        if let (Some(published), Value::Object(tool)) =
            (answer.as_ref().and_then(Answer::output_schema), &mut tool)
        {
            tool.insert("outputSchema".to_owned(), published);
        }
        if let Value::Object(tool) = &mut tool {
            tool.insert("annotations".to_owned(), Value::Object(annotations));
        }
        self.catalog.tools.push(wire::to_raw(&tool));
        if let Some(answer) = answer {
            self.catalog.answers.insert(name, answer);
        }
        Ok(())
    }

    fn shared_param(&self, line: &Line<'_>) -> Result<Field, CatalogError> {
        let (name, presence) = match line.text.strip_suffix('?') {
            Some(name) => (name, Some(field::Presence::Optional)),
            None => (line.text, None),
        };
        let param = self
            .params
            .get(name)
            .ok_or_else(|| line.error("a param that is defined above"))?;
        Ok(Field {
            presence: presence.unwrap_or(param.presence),
            ..param.clone()
        })
    }

    fn answer(
        &self,
        line: &Line<'_>,
        record: &str,
        published: Published,
    ) -> Result<Answer, CatalogError> {
        let (name, count) = match record.strip_suffix("[]") {
            Some(name) => (name, Count::Many),
            None => (record, Count::One),
        };
        let record = self
            .records
            .get(name)
            .ok_or_else(|| line.error("a record that is defined above"))?;
        Ok(Answer {
            count,
            record: record.clone(),
            published,
        })
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

/// The hints of a kind of tool.
fn annotations(kind: &str) -> Option<Map<String, Value>> {
    let hints = match kind {
        "read" => json!({"readOnlyHint": true}),
        "write" => json!({"readOnlyHint": false, "destructiveHint": false}),
        "set" => json!({"readOnlyHint": false, "destructiveHint": false, "idempotentHint": true}),
        "delete" => json!({"readOnlyHint": false, "destructiveHint": true, "idempotentHint": true}),
        _ => return None,
    };
    match hints {
        Value::Object(hints) => Some(hints),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
