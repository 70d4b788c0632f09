//! A value that fits none of several alternatives.

use jsonschema::ValidationError;
use jsonschema::error::ValidationErrorKind as Kind;
use serde_json::Value;

use super::{at, problems, value};
use crate::arguments::ArgumentProblem;
use crate::arguments::repair;

/// What keeps the value of `error` from the alternatives, whose errors are `branches`.
///
/// Lists of values of which none is met, or kinds that none takes, are told together; else the
/// alternative that came closest speaks for all.
pub(super) fn describe(
    error: &ValidationError<'_>,
    branches: &[Vec<ValidationError<'static>>],
    schema: &Value,
) -> Vec<ArgumentProblem> {
    let instance = &**error.instance();
    let pointer = error.instance_path();
    if let Some(options) = all_options(branches, pointer.as_str()) {
        return vec![at(error, value::not_among(&options, instance))];
    }
    if let Some(kinds) = repair::kinds(error) {
        return vec![at(error, value::wrong_kind(kinds, instance))];
    }
    let closest = branches
        .iter()
        .min_by_key(|errors| distance(errors, pointer.as_str()));
    let mut described = closest.map_or_else(Vec::new, |errors| problems(errors, schema));
    let mark = format!(" (in the closest of {} alternatives)", branches.len());
    for problem in &mut described {
        if !problem.message.ends_with("alternatives)") {
            problem.message.push_str(&mark);
        }
    }
    described
}

/// The values of all alternatives, where each is nothing but a list of values or a wrong kind.
fn all_options<'a>(
    branches: &'a [Vec<ValidationError<'static>>],
    pointer: &str,
) -> Option<Vec<&'a Value>> {
    let mut options: Vec<&Value> = Vec::new();
    for error in branches.iter().flatten() {
        if error.instance_path().as_str() != pointer {
            return None;
        }
        match error.kind() {
            Kind::Enum { options: listed } => options.extend(listed.as_array()?),
            Kind::Constant { expected_value } => options.push(expected_value),
            Kind::Type { .. } => {}
            _ => return None,
        }
    }
    Some(options).filter(|options| !options.is_empty())
}

/// How far from fitting an alternative is. Another kind is farthest; a fixed value that differs
/// says that this alternative wasn't meant.
fn distance(errors: &[ValidationError<'static>], pointer: &str) -> usize {
    errors
        .iter()
        .map(|error| match error.kind() {
            Kind::Type { .. } if error.instance_path().as_str() == pointer => WRONG_KIND,
            Kind::Constant { .. } | Kind::Enum { .. } => WRONG_VALUE,
            _ => 1,
        })
        .sum()
}

const WRONG_KIND: usize = 1_000;
const WRONG_VALUE: usize = 10;
