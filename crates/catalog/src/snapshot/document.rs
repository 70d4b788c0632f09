//! The texts of a tool that are searched.

use ranking::{Document, Parameter};
use serde_json::Value;

use crate::tool::Tool;

/// A tool's parameters, taken from its input schema.
#[derive(Debug, Default)]
pub(super) struct ToolTexts {
    parameters: Vec<ParameterTexts>,
}

#[derive(Debug)]
struct ParameterTexts {
    name: String,
    description: String,
    values: Vec<String>,
}

impl ToolTexts {
    /// The parameters of `schema`, nested ones too, following its own definitions.
    pub(super) fn read(schema: &Value) -> Self {
        let mut walk = Walk {
            root: schema,
            following: Vec::new(),
            parameters: Vec::new(),
            visits: 0,
        };
        walk.schema(schema, 0);
        Self {
            parameters: walk.parameters,
        }
    }

    /// What is searched of `tool`, which belongs to `server`.
    pub(super) fn document<'a>(&'a self, tool: &'a Tool, server: &'a str) -> Document<'a> {
        Document {
            name: tool.name(),
            title: tool.title().unwrap_or_default(),
            server,
            description: tool.description(),
            parameters: self
                .parameters
                .iter()
                .map(|parameter| Parameter {
                    name: &parameter.name,
                    description: &parameter.description,
                    values: parameter.values.iter().map(String::as_str).collect(),
                })
                .collect(),
        }
    }
}

/// A bounded way through a schema that may refer to itself.
struct Walk<'a> {
    root: &'a Value,
    /// The references being followed.
    following: Vec<&'a str>,
    parameters: Vec<ParameterTexts>,
    visits: usize,
}

impl<'a> Walk<'a> {
    fn schema(&mut self, schema: &'a Value, depth: usize) {
        self.visits += 1;
        if depth > MAX_DEPTH || self.visits > MAX_VISITS {
            return;
        }
        let Some(members) = schema.as_object() else {
            return;
        };
        if let Some(reference) = members.get("$ref").and_then(Value::as_str) {
            self.reference(reference, depth);
        }
        if let Some(properties) = members.get("properties").and_then(Value::as_object) {
            for (name, property) in properties {
                if self.parameters.len() == MAX_PARAMETERS {
                    return;
                }
                self.parameters.push(ParameterTexts::read(name, property));
                self.schema(property, depth + 1);
            }
        }
        for key in ["items", "additionalProperties", "prefixItems"] {
            self.one_or_many(members.get(key), depth + 1);
        }
        for key in ["anyOf", "oneOf", "allOf"] {
            self.one_or_many(members.get(key), depth);
        }
    }

    fn one_or_many(&mut self, part: Option<&'a Value>, depth: usize) {
        match part {
            Some(Value::Array(schemas)) => {
                for schema in schemas {
                    self.schema(schema, depth);
                }
            }
            Some(schema) => self.schema(schema, depth),
            None => {}
        }
    }

    fn reference(&mut self, reference: &'a str, depth: usize) {
        let target = reference
            .strip_prefix('#')
            .and_then(|pointer| self.root.pointer(pointer));
        if let Some(target) = target
            && !self.following.contains(&reference)
        {
            self.following.push(reference);
            self.schema(target, depth);
            self.following.pop();
        }
    }
}

impl ParameterTexts {
    fn read(name: &str, property: &Value) -> Self {
        let description = property
            .get("description")
            .and_then(Value::as_str)
            .unwrap_or_default();
        Self {
            name: name.to_owned(),
            description: super::hidden::visible(description).into_owned(),
            values: values(property),
        }
    }
}

/// The texts among the enum values of `property` or of its items.
fn values(property: &Value) -> Vec<String> {
    [Some(property), property.get("items")]
        .into_iter()
        .flatten()
        .filter_map(|schema| schema.get("enum").and_then(Value::as_array))
        .flatten()
        .filter_map(Value::as_str)
        .take(MAX_VALUES)
        .map(str::to_owned)
        .collect()
}

const MAX_DEPTH: usize = 8;
const MAX_VISITS: usize = 2_000;
const MAX_PARAMETERS: usize = 200;
const MAX_VALUES: usize = 64;
