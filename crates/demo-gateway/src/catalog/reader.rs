//! Blocks of a catalog's text, one after the other.

use std::collections::HashMap;

use serde::Serialize;
use serde_json::{Map, Value};

use super::field::{Field, Presence, literal, object_schema, read_fields};
use super::outline::Line;
use super::{Answer, Catalog, CatalogError, Count, Published};

/// What has been read so far; a block may use what stands above it.
#[derive(Debug, Default)]
pub(super) struct Reader<'a> {
    params: HashMap<String, Field>,
    records: HashMap<&'a str, Vec<Field>>,
    service: &'a str,
    catalog: Catalog,
}

/// A tool as MCP lists it.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ListedTool<'a> {
    name: &'a str,
    title: &'a str,
    description: &'a str,
    input_schema: Map<String, Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    output_schema: Option<Value>,
    annotations: Annotations<'a>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Annotations<'a> {
    title: &'a str,
    read_only_hint: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    destructive_hint: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    idempotent_hint: Option<bool>,
}

/// What a tool does to the world.
#[derive(Debug, Clone, Copy)]
enum ToolKind {
    Read,
    Write,
    Set,
    Delete,
}

impl<'a> Reader<'a> {
    pub(super) fn read_block(&mut self, line: &Line<'a>) -> Result<(), CatalogError> {
        let (word, rest) = line
            .text
            .split_once(' ')
            .ok_or_else(|| line.error("a block such as `service people`"))?;
        match word {
            "param" => {
                let field = Field::read(line, rest)?;
                self.params.insert(field.name.clone(), field);
            }
            "record" => {
                self.records.insert(rest, read_fields(&line.children)?);
            }
            "service" => self.service = rest,
            _ => {
                let kind = ToolKind::parse(word)
                    .ok_or_else(|| line.error("param, record, service or a kind of tool"))?;
                self.read_tool(line, kind, rest)?;
            }
        }
        Ok(())
    }

    pub(super) fn finish(self) -> Catalog {
        self.catalog
    }

    fn read_tool(
        &mut self,
        line: &Line<'a>,
        kind: ToolKind,
        heading: &str,
    ) -> Result<(), CatalogError> {
        let (name, title) = heading
            .split_once("  ")
            .ok_or_else(|| line.error("`name  Title`"))?;
        let (description, members) = line
            .children
            .split_first()
            .ok_or_else(|| line.error("a description under the tool"))?;
        let mut params = Vec::new();
        let mut answer = None;
        for member in members {
            match member.text.split_once(' ') {
                Some(("returns", record)) => {
                    answer = Some(self.read_answer(member, record, Published::Yes)?);
                }
                Some(("answers", record)) => {
                    answer = Some(self.read_answer(member, record, Published::No)?);
                }
                Some(_) => params.push(Field::read(member, member.text)?),
                None => params.push(self.shared_param(member)?),
            }
        }
        let name = format!("{}__{name}", self.service);
        self.catalog.tools.push(wire::to_raw(&ListedTool {
            name: &name,
            title,
            description: description.text,
            input_schema: object_schema(&params),
            output_schema: answer.as_ref().and_then(Answer::output_schema),
            annotations: kind.annotations(title),
        }));
        if let Some(answer) = answer {
            self.catalog.answers.insert(name, answer);
        }
        Ok(())
    }

    /// A parameter that is defined above; `name?` makes it optional here.
    fn shared_param(&self, line: &Line<'_>) -> Result<Field, CatalogError> {
        let optional = line.text.strip_suffix('?');
        let mut param = self
            .params
            .get(optional.unwrap_or(line.text))
            .cloned()
            .ok_or_else(|| line.error("a param that is defined above"))?;
        if optional.is_some() {
            param.presence = Presence::Optional;
        }
        Ok(param)
    }

    fn read_answer(
        &self,
        line: &Line<'_>,
        spec: &str,
        published: Published,
    ) -> Result<Answer, CatalogError> {
        let (name, fixed) = match spec.split_once(" with ") {
            Some((name, fixed)) => (name, Some(fixed)),
            None => (spec, None),
        };
        let (name, count) = match name.strip_suffix("[]") {
            Some(name) => (name, Count::Many),
            None => (name, Count::One),
        };
        let record = self
            .records
            .get(name)
            .cloned()
            .ok_or_else(|| line.error("a record that is defined above"))?;
        let fixed = match fixed {
            Some(fixed) => Some(read_fixed(line, &record, fixed)?),
            None => None,
        };
        Ok(Answer {
            count,
            kind: name.to_owned(),
            record,
            fixed,
            published,
        })
    }
}

/// The member and the value of `with member = value`.
fn read_fixed(
    line: &Line<'_>,
    record: &[Field],
    fixed: &str,
) -> Result<(String, Value), CatalogError> {
    let (member, value) = fixed
        .split_once(" = ")
        .ok_or_else(|| line.error("`with member = value`"))?;
    if record.iter().all(|field| field.name != member) {
        return Err(line.error("a member of the record"));
    }
    Ok((member.to_owned(), literal(value)))
}

impl ToolKind {
    fn parse(word: &str) -> Option<Self> {
        match word {
            "read" => Some(Self::Read),
            "write" => Some(Self::Write),
            "set" => Some(Self::Set),
            "delete" => Some(Self::Delete),
            _ => None,
        }
    }

    fn annotations(self, title: &str) -> Annotations<'_> {
        let (destructive_hint, idempotent_hint) = match self {
            Self::Read => (None, None),
            Self::Write => (Some(false), None),
            Self::Set => (Some(false), Some(true)),
            Self::Delete => (Some(true), Some(true)),
        };
        Annotations {
            title,
            read_only_hint: matches!(self, Self::Read),
            destructive_hint,
            idempotent_hint,
        }
    }
}
