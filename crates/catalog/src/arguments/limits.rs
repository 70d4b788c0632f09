//! What checking arguments may cost.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Semaphore;

/// How long one check may take, and how many run at a time. Clones share the places.
#[derive(Debug, Clone)]
pub struct CheckLimits {
    /// From asking for a thread to the answer.
    pub(super) time: Duration,
    /// Taken by checks that run or overrun; more wait within their time.
    pub(super) places: Arc<Semaphore>,
}

impl CheckLimits {
    /// Checks may take `time`: waiting for a thread, compiling and checking together.
    pub fn new(time: Duration) -> Self {
        Self {
            time,
            places: Arc::new(Semaphore::new(AT_A_TIME)),
        }
    }
}

/// What a caller may be kept waiting (field case 13).
impl Default for CheckLimits {
    fn default() -> Self {
        Self::new(Duration::from_millis(50))
    }
}

const AT_A_TIME: usize = 16;
