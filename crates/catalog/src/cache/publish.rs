//! Whether a new catalog takes the old one's place.

use std::sync::Arc;

use tokio::time::Instant;

use super::CatalogView;
use super::build::{Build, Built};
use super::report::{log_flips, log_unmatched};
use super::state::State;
use crate::snapshot::Catalog;

/// What became of a caller's catalog.
enum Put {
    /// The older one stays.
    Kept,
    /// The new one is in the place of this.
    Instead(Arc<Catalog>),
    /// There was none, or nobody to have it any more.
    First,
}

impl Build {
    /// Puts the new catalog in force, unless the caller's old one is to be believed rather.
    pub(super) fn publish(&self, built: Built) -> CatalogView {
        let now = Instant::now();
        let (mut state, built) = self.shared.lock_under(built);
        state.count_success(now - self.started);
        let unmatched = if built.is_new {
            state.meet(&built.catalog)
        } else {
            Vec::new()
        };
        let (view, put) = self.put(&mut state, &built, now);
        drop(state);
        log_unmatched(&unmatched);
        match put {
            Put::Kept => tracing::warn!(
                tools = built.catalog.len(),
                kept = view.catalog.len(),
                "a listing came out smaller than can be believed: the older one stays"
            ),
            Put::Instead(before) if !Arc::ptr_eq(&before, &built.catalog) => {
                let flips = log_flips(&before, &built.catalog);
                self.shared.lock().count_flips(flips);
            }
            Put::Instead(_) | Put::First => {}
        }
        view
    }

    /// Decides whether the new catalog replaces the caller's old one.
    fn put(&self, state: &mut State, built: &Built, now: Instant) -> (CatalogView, Put) {
        let mut held = built.held(self.shared.settings(), now);
        let Some(slot) = state.end_build(&self.key, self.id) else {
            return (held.view(now), Put::First);
        };
        if slot.was_outdated(self.started) {
            held.fresh_until = now;
        }
        let view = held.view(now);
        let before = slot.held(now).map(|held| held.catalog.len());
        let keeps = match before {
            Some(before) if before > 0 && built.catalog.is_empty() => !slot.believes_empty(now),
            Some(before) if built.cut_short && built.catalog.len() < before => {
                slot.kept(now);
                true
            }
            _ => false,
        };
        if keeps {
            return (slot.view(now).unwrap_or(view), Put::Kept);
        }
        let replaced = state.hold(self.key, &held);
        (view, replaced.map_or(Put::First, Put::Instead))
    }
}
