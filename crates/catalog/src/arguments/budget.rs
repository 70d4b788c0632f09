//! Stops a check that goes on for too long or too deep.
//!
//! The validator can't be interrupted, so each part of a schema carries a keyword of ours that it
//! evaluates on its way ([`WATCHED`]). Past the budget the keyword unwinds to [`within`], without
//! the panic hook's noise.

use std::any::Any;
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::time::{Duration, Instant};

use jsonschema::paths::Location;
use jsonschema::{Keyword, ValidationError};
use serde_json::{Map, Value};

use super::UncheckedReason;

/// The keyword; a name that no schema has.
pub(super) const WATCHED: &str = "\u{1}watched";

/// Evaluates [`WATCHED`].
pub(super) struct Watch;

/// What is left to the check that runs on this thread.
#[derive(Clone, Copy)]
struct Budget {
    /// `None`: further off than a clock tells.
    until: Option<Instant>,
    /// An address near the stack's top when the check began.
    stack: usize,
}

thread_local! {
    static BUDGET: Cell<Option<Budget>> = const { Cell::new(None) };
}

/// Runs `work`, which validates something, for at most `time`.
pub(super) fn within<T>(time: Duration, work: impl FnOnce() -> T) -> Result<T, UncheckedReason> {
    let budget = Budget {
        until: Instant::now().checked_add(time),
        stack: stack_address(),
    };
    BUDGET.set(Some(budget));
    let result = catch_unwind(AssertUnwindSafe(work));
    BUDGET.set(None);
    result.map_err(|payload: Box<dyn Any + Send>| {
        payload
            .downcast_ref::<UncheckedReason>()
            .copied()
            .unwrap_or(UncheckedReason::SchemaInvalid)
    })
}

impl Watch {
    /// Makes the keyword for one part of a schema; compiling spends too.
    #[expect(
        clippy::unnecessary_wraps,
        reason = "the signature is the validator's for keywords"
    )]
    pub(super) fn keyword<'a>(
        _parent: &'a Map<String, Value>,
        _value: &'a Value,
        _path: Location,
    ) -> Result<Box<dyn for<'i> Keyword<'i>>, ValidationError<'a>> {
        spend();
        Ok(Box::new(Self))
    }
}

impl<'i> Keyword<'i> for Watch {
    fn validate(&self, _instance: &'i Value) -> Result<(), ValidationError<'i>> {
        spend();
        Ok(())
    }

    fn is_valid(&self, _instance: &'i Value) -> bool {
        spend();
        true
    }
}

fn spend() {
    let Some(budget) = BUDGET.get() else {
        return;
    };
    if budget.stack.abs_diff(stack_address()) > MAX_STACK_BYTES {
        resume_unwind(Box::new(UncheckedReason::TooLarge));
    }
    if budget.until.is_some_and(|until| Instant::now() >= until) {
        resume_unwind(Box::new(UncheckedReason::Timeout));
    }
}

/// Roughly how far the stack has grown, as an address.
#[inline(never)]
fn stack_address() -> usize {
    let here = 0_u8;
    std::ptr::from_ref(&here) as usize
}

/// Half of what tokio gives a blocking thread.
const MAX_STACK_BYTES: usize = 1024 * 1024;

#[cfg(test)]
mod tests {
    use std::hint::black_box;

    use super::*;

    const AMPLE: Duration = Duration::from_mins(1);

    fn descend(levels: usize) -> usize {
        spend();
        let frame = black_box([levels; 128]);
        if levels == 0 {
            return 0;
        }
        descend(levels - 1) + frame.len()
    }

    #[test]
    fn work_stops_past_its_time_or_its_depth() {
        assert_eq!(within(AMPLE, || descend(10)), Ok(1_280));
        assert_eq!(within(Duration::MAX, || descend(10)), Ok(1_280));
        assert_eq!(
            within(Duration::ZERO, || descend(0)),
            Err(UncheckedReason::Timeout)
        );
        assert_eq!(
            within(AMPLE, || descend(1_100)),
            Err(UncheckedReason::TooLarge)
        );
    }

    #[test]
    fn a_validator_that_breaks_says_nothing_of_the_arguments() {
        let broken = || -> () { resume_unwind(Box::new("a fault of its own")) };
        assert_eq!(within(AMPLE, broken), Err(UncheckedReason::SchemaInvalid));
    }

    #[test]
    fn no_budget_outlasts_its_work() {
        assert!(within(Duration::ZERO, spend).is_err());
        spend();
    }
}
