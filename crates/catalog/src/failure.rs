//! What is remembered of a request that failed.

use std::time::SystemTime;

/// The last failure of something that is asked in the background.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LastFailure {
    /// When.
    pub at: SystemTime,
    /// What anybody may read: it names no host and no address.
    pub message: String,
    /// The same with its causes, which may name them: for operators.
    pub with_causes: String,
}

impl LastFailure {
    pub(crate) fn now(message: String, with_causes: String) -> Self {
        Self {
            at: SystemTime::now(),
            message,
            with_causes,
        }
    }
}
