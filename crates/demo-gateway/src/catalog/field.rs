//! One parameter or one member of a record: a name, a type, and what it is for.

use serde_json::{Map, Value, json};

use super::CatalogError;
use super::outline::Line;

/// A named value, read from `name?: type range = default ~ samples  Description`.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Field {
    pub(crate) name: String,
    pub(crate) presence: Presence,
    pub(crate) kind: Kind,
    pub(crate) range: Option<(i64, i64)>,
    pub(crate) default: Option<Value>,
    /// What a made-up answer takes the value from.
    pub(crate) samples: Vec<String>,
    pub(crate) description: String,
}

/// Whether a member may be left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Presence {
    Required,
    Optional,
}

/// What values a field takes.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Kind {
    Text,
    Integer,
    Number,
    Boolean,
    /// Text of a JSON Schema format, such as `date`.
    Format(&'static str),
    /// Text that matches a regular expression.
    Pattern(String),
    /// One of these words.
    Choice(Vec<String>),
    Array(Box<Self>),
    /// An object; without members it takes any.
    Object(Vec<Field>),
}

impl Field {
    /// The field that `text`, all or the end of `line`, defines.
    pub(super) fn read(line: &Line<'_>, text: &str) -> Result<Self, CatalogError> {
        let (spec, description) = text.split_once("  ").unwrap_or((text, ""));
        let (name, spec) = spec
            .split_once(": ")
            .ok_or_else(|| line.error("`name: type`"))?;
        let (spec, samples) = spec.split_once(" ~ ").unwrap_or((spec, ""));
        let (spec, default) = match spec.split_once(" = ") {
            Some((spec, default)) => (spec, Some(literal(default))),
            None => (spec, None),
        };
        let (spec, range) = split_range(spec);
        let (name, presence) = match name.strip_suffix('?') {
            Some(name) => (name, Presence::Optional),
            None => (name, Presence::Required),
        };
        Ok(Self {
            name: name.to_owned(),
            presence,
            kind: Kind::read(spec, line)?,
            range,
            default,
            samples: words(samples, ", "),
            description: description.trim().to_owned(),
        })
    }

    /// The JSON Schema of its value.
    pub(crate) fn schema(&self) -> Value {
        let mut schema = self.kind.schema();
        if !self.description.is_empty() {
            schema.insert("description".to_owned(), json!(self.description));
        }
        if let (Some((least, most)), Some((lower, upper))) = (self.range, self.kind.bounds()) {
            schema.insert(lower.to_owned(), json!(least));
            schema.insert(upper.to_owned(), json!(most));
        }
        if let Some(default) = &self.default {
            schema.insert("default".to_owned(), default.clone());
        }
        Value::Object(schema)
    }
}

impl Kind {
    fn read(spec: &str, line: &Line<'_>) -> Result<Self, CatalogError> {
        if let Some(item) = spec.strip_suffix("[]") {
            let item = item
                .strip_prefix('(')
                .and_then(|item| item.strip_suffix(')'))
                .unwrap_or(item);
            return Ok(Self::Array(Box::new(Self::read(item, line)?)));
        }
        if let Some(pattern) = spec.strip_prefix('/') {
            let pattern = pattern
                .strip_suffix('/')
                .ok_or_else(|| line.error("a pattern between slashes"))?;
            return Ok(Self::Pattern(pattern.to_owned()));
        }
        if spec.contains(" | ") {
            return Ok(Self::Choice(words(spec, " | ")));
        }
        match spec {
            "text" => Ok(Self::Text),
            "integer" => Ok(Self::Integer),
            "number" => Ok(Self::Number),
            "boolean" => Ok(Self::Boolean),
            "object" => Ok(Self::Object(read_fields(&line.children)?)),
            _ => FORMATS
                .into_iter()
                .find(|format| *format == spec)
                .map(Self::Format)
                .ok_or_else(|| line.error("a known type")),
        }
    }

    fn schema(&self) -> Map<String, Value> {
        let schema = match self {
            Self::Text => json!({"type": "string"}),
            Self::Integer => json!({"type": "integer"}),
            Self::Number => json!({"type": "number"}),
            Self::Boolean => json!({"type": "boolean"}),
            Self::Format(format) => json!({"type": "string", "format": format}),
            Self::Pattern(pattern) => json!({"type": "string", "pattern": pattern}),
            Self::Choice(words) => json!({"type": "string", "enum": words}),
            Self::Array(item) => json!({"type": "array", "items": item.schema()}),
            Self::Object(fields) if fields.is_empty() => json!({"type": "object"}),
            Self::Object(fields) => return object_schema(fields),
        };
        match schema {
            Value::Object(schema) => schema,
            _ => Map::new(),
        }
    }

    /// The keywords that a range sets.
    fn bounds(&self) -> Option<(&'static str, &'static str)> {
        match self {
            Self::Text => Some(("minLength", "maxLength")),
            Self::Integer | Self::Number => Some(("minimum", "maximum")),
            Self::Array(_) => Some(("minItems", "maxItems")),
            _ => None,
        }
    }
}

/// The schema of an object with these members and no others.
pub(crate) fn object_schema(fields: &[Field]) -> Map<String, Value> {
    let properties: Map<_, _> = fields
        .iter()
        .map(|field| (field.name.clone(), field.schema()))
        .collect();
    let required: Vec<_> = fields
        .iter()
        .filter(|field| field.presence == Presence::Required)
        .map(|field| json!(field.name))
        .collect();
    let mut schema = Map::new();
    schema.insert("type".to_owned(), json!("object"));
    schema.insert("properties".to_owned(), Value::Object(properties));
    if !required.is_empty() {
        schema.insert("required".to_owned(), Value::Array(required));
    }
    schema.insert("additionalProperties".to_owned(), json!(false));
    schema
}

pub(super) fn read_fields(lines: &[Line<'_>]) -> Result<Vec<Field>, CatalogError> {
    lines
        .iter()
        .map(|line| Field::read(line, line.text))
        .collect()
}

/// `spec` without the `least..most` at its end.
fn split_range(spec: &str) -> (&str, Option<(i64, i64)>) {
    let range = |text: &str| {
        let (least, most) = text.split_once("..")?;
        Some((least.parse().ok()?, most.parse().ok()?))
    };
    match spec.rsplit_once(' ') {
        Some((spec, last)) if range(last).is_some() => (spec, range(last)),
        _ => (spec, None),
    }
}

/// JSON where `text` is JSON, else the text itself.
pub(crate) fn literal(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|_| json!(text))
}

fn words(text: &str, separator: &str) -> Vec<String> {
    text.split(separator)
        .map(str::trim)
        .filter(|word| !word.is_empty())
        .map(ToOwned::to_owned)
        .collect()
}

const FORMATS: [&str; 6] = ["date", "date-time", "email", "time", "uri", "uuid"];

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &Value) {
        let lines = Line::read_all(text).unwrap();
        let field = read_fields(&lines).unwrap().remove(0);
        assert_eq!(field.schema(), *expected, "{text}");
    }

    #[test]
    fn a_line_becomes_a_schema() {
        check(
            "limit?: integer 1..100 = 20  How many.",
            &json!({"type": "integer", "description": "How many.", "minimum": 1, "maximum": 100, "default": 20}),
        );
        check(
            "key: /^IT-\\d+$/ ~ IT-7, IT-9",
            &json!({"type": "string", "pattern": "^IT-\\d+$"}),
        );
        check(
            "tags?: (bug | idea)[] 1..5",
            &json!({"type": "array", "items": {"type": "string", "enum": ["bug", "idea"]}, "minItems": 1, "maxItems": 5}),
        );
        check("day: date", &json!({"type": "string", "format": "date"}));
        check(
            "query: text 2..80 = all",
            &json!({"type": "string", "minLength": 2, "maxLength": 80, "default": "all"}),
        );
        check("filters: object", &json!({"type": "object"}));
    }

    #[test]
    fn indented_lines_are_members() {
        check(
            "rows: object[]\n  sku: text\n  count?: integer",
            &json!({"type": "array", "items": {
                "type": "object",
                "properties": {"sku": {"type": "string"}, "count": {"type": "integer"}},
                "required": ["sku"],
                "additionalProperties": false,
            }}),
        );
    }

    #[test]
    fn an_unknown_type_names_its_line() {
        for text in ["a: float", "a", "a: /b"] {
            let lines = Line::read_all(text).unwrap();
            assert_eq!(read_fields(&lines).unwrap_err().line, 1, "{text}");
        }
    }
}
