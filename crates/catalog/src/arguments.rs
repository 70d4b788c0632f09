//! Arguments against a tool's schema, before they leave: when in doubt, forward.
//!
//! A call's way: [`prepare`] finds the object that was meant, a blocking thread compiles the
//! tool's schema once (`schema`, `dialect`, `pattern`, `checker`), checks under a budget (`budget`), repairs what can be
//! repaired without loss (`repair`, `edit`) and otherwise, unless rounding is to blame (`numbers`), says
//! what is wrong (`problem`).

mod budget;
mod checker;
mod dialect;
mod edit;
mod limits;
mod numbers;
mod pattern;
mod problem;
mod repair;
mod schema;

use std::sync::Arc;

use serde_json::value::RawValue;
use wire::RawObject;

use crate::tool::Tool;

pub(crate) use checker::{Checker, examine};
pub use limits::CheckLimits;

/// What to do with a call's arguments.
#[derive(Debug)]
pub enum Arguments {
    /// Send these. They are the caller's bytes but for lossless repairs.
    Forward {
        /// An object.
        arguments: Box<RawValue>,
        /// Set where they couldn't be checked.
        unchecked: Option<UncheckedReason>,
    },
    /// Don't send; tell the caller.
    Refuse(Vec<ArgumentProblem>),
}

/// Why arguments went through without a check. Counted, never an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum UncheckedReason {
    /// The schema doesn't compile (an unknown type, a bad pattern, an unknown dialect, ...),
    /// or no object could ever fit it.
    SchemaInvalid,
    /// A `$ref` leads outside the schema or nowhere.
    Reference,
    /// The schema, or the arguments, are too large or too deep to check in time.
    TooLarge,
    /// What didn't fit may be a matter of rounding: some number is read as another one.
    Numbers,
    /// The check took longer than [`CheckLimits`] allow.
    Timeout,
    /// Several tools of this name have different schemas.
    Ambiguous,
}

impl UncheckedReason {
    /// How metrics spell it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::SchemaInvalid => "schema_invalid",
            Self::Reference => "reference",
            Self::TooLarge => "too_large",
            Self::Numbers => "numbers",
            Self::Timeout => "timeout",
            Self::Ambiguous => "ambiguous",
        }
    }
}

/// One thing that doesn't fit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ArgumentProblem {
    /// JSON pointer into the arguments; empty for the arguments themselves.
    pub pointer: String,
    /// What was wrong, what was expected, and where it is plain, the fix.
    pub message: String,
}

/// Checks and repairs `arguments` (absent counts as `{}`) for `tool` within `limits`, off the async
/// threads.
pub async fn prepare(
    tool: &Arc<Tool>,
    arguments: Option<&RawValue>,
    limits: &CheckLimits,
) -> Arguments {
    let object = match meant_object(arguments) {
        Ok(object) => object,
        Err(problem) => return Arguments::Refuse(vec![problem]),
    };
    if tool.schemas_differ() {
        return unchecked(object, UncheckedReason::Ambiguous);
    }
    let check = check(Arc::clone(tool), object.clone(), limits);
    match tokio::time::timeout(limits.time, check).await {
        Ok(Some(arguments)) => arguments,
        // Too slow, or the check itself broke.
        Ok(None) | Err(_) => unchecked(object, UncheckedReason::Timeout),
    }
}

/// The check on a blocking thread, when there is one to spare.
async fn check(tool: Arc<Tool>, object: Box<RawValue>, limits: &CheckLimits) -> Option<Arguments> {
    let time = limits.time;
    let permit = Arc::clone(&limits.places).acquire_owned().await.ok()?;
    let work = move || {
        // Held until the thread is really free, even if nobody waits for the answer any more.
        let _permit = permit;
        examine(&tool, object, time)
    };
    tokio::task::spawn_blocking(work).await.ok()
}

/// The object that `arguments` stand for: absent, `null` and empty text are no arguments (field
/// case 23), an object's JSON text is the object (field case 22).
fn meant_object(arguments: Option<&RawValue>) -> Result<Box<RawValue>, ArgumentProblem> {
    let Some(arguments) = arguments else {
        return Ok(empty_object());
    };
    let kind = match arguments.get().as_bytes().first() {
        Some(b'{') => return Ok(arguments.to_owned()),
        Some(b'n') => return Ok(empty_object()),
        Some(b'"') => match object_in_text(arguments) {
            Some(object) => return Ok(object),
            None => "a string",
        },
        Some(b'[') => "an array",
        Some(b't' | b'f') => "a boolean",
        _ => "a number",
    };
    Err(ArgumentProblem {
        pointer: String::new(),
        message: format!("the arguments must be a JSON object, got {kind}"),
    })
}

fn empty_object() -> Box<RawValue> {
    wire::to_raw(&serde_json::Map::new())
}

/// The object that the text of a JSON string spells (field case 22); blank text is an empty one.
/// `None` for any other value.
pub fn object_in_text(text: &RawValue) -> Option<Box<RawValue>> {
    let text: String = serde_json::from_str(text.get()).ok()?;
    if text.trim().is_empty() {
        return Some(empty_object());
    }
    let value = RawValue::from_string(text).ok()?;
    RawObject::read(&value).is_some().then_some(value)
}

fn unchecked(arguments: Box<RawValue>, reason: UncheckedReason) -> Arguments {
    Arguments::Forward {
        arguments,
        unchecked: Some(reason),
    }
}

#[cfg(test)]
mod tests;
