//! What is logged of a listing that succeeded.

use std::time::Duration;

use upstream::Listing;

use crate::named::UnmatchedName;
use crate::snapshot::Catalog;

/// How large a listing was, for the log.
pub(super) struct Size {
    pages: usize,
    bytes: usize,
    took: Duration,
}

impl Size {
    pub(super) fn of(listing: &Listing) -> Self {
        Self {
            pages: listing.pages,
            bytes: listing.bytes,
            took: listing.took,
        }
    }
}

/// Logs a listing that succeeded.
pub(super) fn log_listed(catalog: &Catalog, size: &Size) {
    let notes = catalog.notes();
    tracing::info!(
        tools = catalog.len(),
        pages = size.pages,
        bytes = size.bytes,
        took = ?size.took,
        skipped = notes.left_out(),
        repaired = ?notes.repaired,
        "the tools are listed"
    );
}

/// Warns of what a catalog had to leave out, if anything.
pub(super) fn log_left_out(catalog: &Catalog) {
    let notes = catalog.notes();
    if notes.left_out() > 0 || notes.cut_short.is_some() {
        tracing::warn!(
            no_tools = ?notes.skipped,
            invalid_param_headers = notes.invalid_param_headers,
            cut_short = notes.cut_short,
            "a listing can't be used whole"
        );
    }
}

/// Warns of what the operator names and no list has.
pub(super) fn log_unmatched(names: &[UnmatchedName]) {
    for UnmatchedName { place, pattern } in names {
        tracing::warn!(%place, %pattern, "a setting names a tool that no list of tools has so far");
    }
}

/// Logs every tool that changed sides, and counts them (field case 94).
pub(super) fn log_flips(before: &Catalog, after: &Catalog) -> u64 {
    let mut flips = 0;
    for tool in after.tools() {
        let old = before.get(tool.name()).map(|tool| tool.access());
        if let Some(old) = old.filter(|old| *old != tool.access()) {
            flips += 1;
            tracing::info!(target_tool = ?tool.name(), from = ?old, to = ?tool.access(), "a tool changed sides");
        }
    }
    flips
}
