//! What is kept of searches: for the operator who asks for it what was searched and found, and for
//! everybody what became of it, without a word of it.

mod audit;
mod trails;

pub use audit::UnusableAuditLog;
pub(crate) use audit::{AuditLine, AuditLog, AuditedTool};
pub(crate) use trails::{Answered, Asked, RANKS, Searched, TrailCounts, Trails};

/// Where searches are noted.
#[derive(Debug)]
pub(crate) struct Searches {
    /// `--audit-log`.
    pub(crate) audit: Option<AuditLog>,
    /// What became of each caller's last searches.
    pub(crate) trails: Trails,
}
