//! What is wrong, in words that tell how to put it right.

mod alternatives;
mod value;

use jsonschema::error::ValidationErrorKind as Kind;
use jsonschema::{JsonTypeSet, ValidationError};
use serde_json::Value;

use self::value::{clipped, shown};
use super::{ArgumentProblem, repair};
use crate::names::near;

/// The problems that `errors` against `schema` tell, in their order; many are cut to a few.
pub(super) fn describe(errors: &[ValidationError<'_>], schema: &Value) -> Vec<ArgumentProblem> {
    let mut problems = problems(errors, schema);
    if problems.len() > MAX_PROBLEMS {
        let left_out = problems.len() - (MAX_PROBLEMS - 1);
        problems.truncate(MAX_PROBLEMS - 1);
        problems.push(ArgumentProblem {
            pointer: String::new(),
            message: format!("and {left_out} more problems"),
        });
    }
    problems
}

fn problems(errors: &[ValidationError<'_>], schema: &Value) -> Vec<ArgumentProblem> {
    let mut problems: Vec<ArgumentProblem> = Vec::new();
    for error in errors {
        let described = match error.kind() {
            Kind::Required { .. } => vec![at(error, missing(error, errors, schema))],
            Kind::AnyOf { context } | Kind::OneOfNotValid { context } => {
                alternatives::describe(error, context, schema)
            }
            Kind::AdditionalProperties { unexpected }
            | Kind::UnevaluatedProperties { unexpected } => unexpected
                .iter()
                .map(|name| at(error, unknown(name, error, schema)))
                .collect(),
            _ => vec![at(error, message(error))],
        };
        for problem in described {
            // Each missing property is an error of its own but told once.
            if !problems.contains(&problem) {
                problems.push(problem);
            }
        }
    }
    problems
}

fn at(error: &ValidationError<'_>, message: String) -> ArgumentProblem {
    ArgumentProblem {
        pointer: error.instance_path().as_str().to_owned(),
        message,
    }
}

/// For errors that need nothing but themselves.
fn message(error: &ValidationError<'_>) -> String {
    let instance = &**error.instance();
    match error.kind() {
        Kind::Type { .. } => {
            let kinds = repair::kinds(error).unwrap_or_else(JsonTypeSet::all);
            value::wrong_kind(kinds, instance)
        }
        Kind::Enum { options } => match &**options {
            Value::Array(options) => {
                value::not_among(&options.iter().collect::<Vec<_>>(), instance)
            }
            other => value::not_among(&[other], instance),
        },
        Kind::Constant { expected_value } => value::not_among(&[expected_value], instance),
        Kind::Minimum { limit } => format!("must be at least {limit}, got {}", shown(instance)),
        Kind::Maximum { limit } => format!("must be at most {limit}, got {}", shown(instance)),
        Kind::ExclusiveMinimum { limit } => {
            format!("must be more than {limit}, got {}", shown(instance))
        }
        Kind::ExclusiveMaximum { limit } => {
            format!("must be less than {limit}, got {}", shown(instance))
        }
        Kind::MultipleOf { multiple_of } => {
            format!(
                "must be a multiple of {multiple_of}, got {}",
                shown(instance)
            )
        }
        Kind::MinLength { limit } => counted("at least", *limit, "character", instance),
        Kind::MaxLength { limit } => counted("at most", *limit, "character", instance),
        Kind::MinItems { limit } => counted("at least", *limit, "item", instance),
        Kind::MaxItems { limit } => counted("at most", *limit, "item", instance),
        Kind::AdditionalItems { limit } => counted(
            "at most",
            u64::try_from(*limit).unwrap_or(u64::MAX),
            "item",
            instance,
        ),
        Kind::MinProperties { limit } => counted("at least", *limit, "member", instance),
        Kind::MaxProperties { limit } => counted("at most", *limit, "member", instance),
        Kind::Pattern { pattern } if pattern.chars().count() <= PATTERN_CHARS => {
            format!("must match the pattern {pattern}, got {}", shown(instance))
        }
        Kind::Pattern { .. } => "must match the pattern in the schema".to_owned(),
        Kind::PropertyNames { error } => format!(
            "has a member name that isn't allowed: {} {}",
            shown(error.instance()),
            message(error)
        ),
        other => rarer(other),
    }
}

fn rarer(kind: &Kind) -> String {
    match kind {
        Kind::FalseSchema => "isn't allowed here".to_owned(),
        Kind::UniqueItems => "must not hold the same item twice".to_owned(),
        Kind::Contains => "must hold an item like the one the schema asks for".to_owned(),
        Kind::OneOfMultipleValid { .. } => {
            "fits several of the schema's alternatives, where exactly one must fit".to_owned()
        }
        Kind::Not { .. } => "is what the schema rules out".to_owned(),
        other => format!("doesn't fit the schema's {}", other.keyword()),
    }
}

/// All properties that the object lacks, and all that it needs.
fn missing(error: &ValidationError<'_>, errors: &[ValidationError<'_>], schema: &Value) -> String {
    let same_rule = |other: &&ValidationError<'_>| {
        other.schema_path() == error.schema_path() && other.instance_path() == error.instance_path()
    };
    let lacking: Vec<&str> = errors
        .iter()
        .filter(same_rule)
        .filter_map(|error| match error.kind() {
            Kind::Required { property } => property.as_str(),
            _ => None,
        })
        .collect();
    let required: Vec<&str> = schema
        .pointer(error.schema_path().as_str())
        .and_then(Value::as_array)
        .map(|names| names.iter().filter_map(Value::as_str).collect())
        .unwrap_or_default();
    let lacking_names = listed(&lacking);
    if required.len() > lacking.len() {
        format!("misses {lacking_names}; required are {}", listed(&required))
    } else {
        format!("misses {lacking_names}")
    }
}

/// A property that the schema doesn't know, with the nearest that it does (field case 24).
fn unknown(name: &str, error: &ValidationError<'_>, schema: &Value) -> String {
    let rule = error.schema_path().as_str();
    let object = rule.rsplit_once('/').map_or("", |(object, _)| object);
    let known: Vec<&str> = schema
        .pointer(object)
        .and_then(|object| object.get("properties")?.as_object())
        .map(|properties| properties.keys().map(String::as_str).collect())
        .unwrap_or_default();
    let nearest = near(name, known.iter().copied(), 1)
        .first()
        .and_then(|&position| known.get(position));
    let name = clipped(name);
    match nearest {
        Some(nearest) => format!("has no parameter \"{name}\"; did you mean \"{nearest}\"?"),
        None if known.is_empty() => format!("has no parameter \"{name}\", it takes none"),
        None => format!("has no parameter \"{name}\", only {}", listed(&known)),
    }
}

fn listed(names: &[&str]) -> String {
    let text = names
        .iter()
        .take(MAX_NAMES)
        .map(|name| format!("\"{}\"", clipped(name)))
        .collect::<Vec<_>>()
        .join(", ");
    match names.len().saturating_sub(MAX_NAMES) {
        0 => text,
        more => format!("{text} and {more} more"),
    }
}

fn counted(bound: &str, limit: u64, noun: &str, instance: &Value) -> String {
    let found = match instance {
        Value::String(text) => text.chars().count(),
        Value::Array(items) => items.len(),
        Value::Object(members) => members.len(),
        _ => 0,
    };
    let plural = if limit == 1 { "" } else { "s" };
    format!("must have {bound} {limit} {noun}{plural}, has {found}")
}

const MAX_PROBLEMS: usize = 8;
const MAX_NAMES: usize = 12;
const PATTERN_CHARS: usize = 80;
