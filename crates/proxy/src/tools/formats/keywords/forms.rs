//! Which keywords JSON Schema knows, and what each holds.

use serde_json::Value;

/// What the value of a keyword must be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// A keyword that JSON Schema doesn't know.
    Anything,
    Schema,
    /// At least one.
    Schemas,
    NamedSchemas,
    Text,
    Count,
    Number,
    PositiveNumber,
    Flag,
    /// Texts, each once.
    Names,
    List,
}

pub(super) fn form(key: &str) -> Form {
    let known = FORMS.iter().find(|(_, keys)| keys.contains(&key));
    known.map_or(Form::Anything, |(form, _)| *form)
}

impl Form {
    pub(super) fn is_of(self, value: &Value) -> bool {
        match self {
            // One that is no schema is mended where it stands.
            Self::Anything | Self::Schema => true,
            Self::Schemas => value.as_array().is_some_and(|list| !list.is_empty()),
            Self::NamedSchemas => value.is_object(),
            Self::Text => value.is_string(),
            Self::Count => value
                .as_f64()
                .is_some_and(|count| count >= 0.0 && count.fract() == 0.0),
            Self::Number => value.is_number(),
            Self::PositiveNumber => value.as_f64().is_some_and(|number| number > 0.0),
            Self::Flag => value.is_boolean(),
            Self::Names => value
                .as_array()
                .is_some_and(|names| are_different_texts(names)),
            Self::List => value.is_array(),
        }
    }
}

fn are_different_texts(names: &[Value]) -> bool {
    let mut texts: Vec<&str> = names.iter().filter_map(Value::as_str).collect();
    let count = texts.len();
    texts.sort_unstable();
    texts.dedup();
    count == names.len() && texts.len() == count
}

/// Keywords of the 2020-12 vocabularies, and `definitions`, by the form of their values.
const FORMS: [(Form, &[&str]); 10] = [
    (
        Form::Schema,
        &[
            "additionalProperties",
            "contains",
            "else",
            "if",
            "items",
            "not",
            "propertyNames",
            "then",
            "unevaluatedItems",
            "unevaluatedProperties",
        ],
    ),
    (Form::Schemas, &["allOf", "anyOf", "oneOf", "prefixItems"]),
    (
        Form::NamedSchemas,
        &[
            "$defs",
            "definitions",
            "dependentSchemas",
            "patternProperties",
            "properties",
        ],
    ),
    (
        Form::Text,
        &[
            "$anchor",
            "$comment",
            "$id",
            "$ref",
            "$schema",
            "description",
            "format",
            "pattern",
            "title",
        ],
    ),
    (
        Form::Count,
        &[
            "maxContains",
            "maxItems",
            "maxLength",
            "maxProperties",
            "minContains",
            "minItems",
            "minLength",
            "minProperties",
        ],
    ),
    (
        Form::Number,
        &["exclusiveMaximum", "exclusiveMinimum", "maximum", "minimum"],
    ),
    (Form::PositiveNumber, &["multipleOf"]),
    (
        Form::Flag,
        &["deprecated", "readOnly", "uniqueItems", "writeOnly"],
    ),
    (Form::Names, &["required"]),
    (Form::List, &["enum", "examples"]),
];
