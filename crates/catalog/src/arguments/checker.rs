//! A tool's compiled schema, and the check of one call's arguments.

use std::time::Duration;

use jsonschema::error::ValidationErrorKind;
use jsonschema::{PatternOptions, ValidationError, Validator};
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use super::budget::{self, WATCHED, Watch};
use super::numbers::{self, MAX_SAFE_INTEGER};
use super::repair::{self, Edit};
use super::schema::BoundedSchema;
use super::{ArgumentProblem, Arguments, UncheckedReason, edit, problem, unchecked};
use crate::tool::Tool;

/// A tool's schema, compiled, or why it can't be.
#[derive(Debug)]
pub(crate) struct Checker(Result<Compiled, UncheckedReason>);

#[derive(Debug)]
struct Compiled {
    validator: Validator,
    /// Whether the schema's own numbers are all read as themselves.
    exact: bool,
    /// The largest integer of a call that is compared exactly.
    largest: u64,
}

impl Checker {
    /// Compiles `schema`. May take a while: for blocking threads.
    pub(crate) fn compile(schema: &RawValue) -> Self {
        Self(compile(schema))
    }

    /// Why nothing can be checked, if so.
    pub(crate) fn unchecked(&self) -> Option<UncheckedReason> {
        self.0.as_ref().err().copied()
    }
}

fn compile(text: &RawValue) -> Result<Compiled, UncheckedReason> {
    let BoundedSchema { draft, schema } = BoundedSchema::read(text)?;
    let build = || {
        jsonschema::options()
            .with_draft(draft)
            .offline()
            .with_pattern_options(PatternOptions::regex())
            // Formats and encodings are for the upstream to judge (field case 25).
            .should_validate_formats(false)
            .without_content_encoding_support("base64")
            .without_content_media_type_support("application/json")
            .with_keyword(WATCHED, Watch::keyword)
            .build(&schema)
    };
    let validator = budget::within(COMPILE_TIME, build)?.map_err(|error| match error.kind() {
        ValidationErrorKind::Referencing(_) => UncheckedReason::Reference,
        _ => UncheckedReason::SchemaInvalid,
    })?;
    if budget::within(COMPILE_TIME, || takes_no_object(&validator))? {
        return Err(UncheckedReason::SchemaInvalid);
    }
    let largest = if text.get().contains(r#""multipleOf""#) {
        MAX_SAFE_INTEGER
    } else {
        u64::MAX
    };
    Ok(Compiled {
        validator,
        exact: numbers::are_exact(text.get(), largest),
        largest,
    })
}

/// Whether the schema rules out whatever is an object, so that no call could ever fit.
fn takes_no_object(validator: &Validator) -> bool {
    let empty = Value::Object(Map::new());
    validator
        .iter_errors(&empty)
        .any(|error| rules_out_objects(&error))
}

fn rules_out_objects(error: &ValidationError<'_>) -> bool {
    match error.kind() {
        ValidationErrorKind::Type { .. } | ValidationErrorKind::FalseSchema => true,
        ValidationErrorKind::Enum { options } => {
            let mut options = options.as_array().into_iter().flatten();
            !options.any(Value::is_object)
        }
        ValidationErrorKind::Constant { expected_value } => !expected_value.is_object(),
        ValidationErrorKind::AnyOf { context } | ValidationErrorKind::OneOfNotValid { context } => {
            context
                .iter()
                .all(|branch| branch.iter().any(rules_out_objects))
        }
        _ => false,
    }
}

/// Checks `object` for `tool` within `time`, and repairs it where that is lossless and unambiguous.
pub(crate) fn examine(tool: &Tool, object: Box<RawValue>, time: Duration) -> Arguments {
    let result = tool
        .checker()
        .0
        .as_ref()
        .map_err(|reason| *reason)
        .and_then(|compiled| budget::within(time, || judge(compiled, tool, &object)).flatten());
    match result {
        Ok(Judgement::Fits(repaired)) => Arguments::Forward {
            arguments: repaired.unwrap_or(object),
            unchecked: None,
        },
        Ok(Judgement::Wrong(problems)) => Arguments::Refuse(problems),
        Err(reason) => unchecked(object, reason),
    }
}

enum Judgement {
    /// As it is, or as repaired.
    Fits(Option<Box<RawValue>>),
    Wrong(Vec<ArgumentProblem>),
}

fn judge(
    compiled: &Compiled,
    tool: &Tool,
    object: &RawValue,
) -> Result<Judgement, UncheckedReason> {
    let validator = &compiled.validator;
    let value = parsed(object)?;
    if validator.is_valid(&value) {
        return Ok(Judgement::Fits(None));
    }
    let errors: Vec<_> = validator.iter_errors(&value).collect();
    if errors.is_empty() || errors.iter().any(is_engine_fault) {
        return Err(UncheckedReason::SchemaInvalid);
    }
    if let Some(repaired) = repaired(validator, object, &errors) {
        return Ok(Judgement::Fits(Some(repaired)));
    }
    // Under a `not` or an `if`, a number decides about anything.
    if !compiled.exact || !numbers::are_exact(object.get(), compiled.largest) {
        return Err(UncheckedReason::Numbers);
    }
    let schema = parsed(tool.input_schema())?;
    Ok(Judgement::Wrong(problem::describe(&errors, &schema)))
}

/// The check itself failed: that says nothing of the arguments.
fn is_engine_fault(error: &ValidationError<'_>) -> bool {
    matches!(
        error.kind(),
        ValidationErrorKind::BacktrackLimitExceeded { .. }
            | ValidationErrorKind::RegexEngineFailure { .. }
    )
}

/// `object` after as many rounds of repairs as text within text needs, if it fits then.
fn repaired(
    validator: &Validator,
    object: &RawValue,
    errors: &[ValidationError<'_>],
) -> Option<Box<RawValue>> {
    let mut object = edit::apply(object, &edits(errors)?)?;
    for _ in 1..REPAIR_ROUNDS {
        let value = parsed(&object).ok()?;
        if validator.is_valid(&value) {
            return Some(object);
        }
        let errors: Vec<_> = validator.iter_errors(&value).collect();
        object = edit::apply(&object, &edits(&errors)?)?;
    }
    validator.is_valid(&parsed(&object).ok()?).then_some(object)
}

fn edits(errors: &[ValidationError<'_>]) -> Option<Vec<Edit>> {
    let edits = repair::edits(errors);
    (!edits.is_empty()).then_some(edits)
}

/// A parsed copy to look at. Raw values that don't parse nest too deep or hold a number beyond all
/// range.
fn parsed(raw: &RawValue) -> Result<Value, UncheckedReason> {
    serde_json::from_str(raw.get()).or(Err(UncheckedReason::TooLarge))
}

/// Compiling happens once and may go on after its call was forwarded.
const COMPILE_TIME: Duration = Duration::from_secs(2);

const REPAIR_ROUNDS: usize = 3;
