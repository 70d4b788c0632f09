//! Other lists of the operator's, put in force for the catalogs that are held: tools are compared with
//! names outside the lock.

use std::collections::HashMap;
use std::sync::{Arc, MutexGuard};

use super::build::{Built, Shared};
use super::report::log_unmatched;
use super::state::State;
use crate::named::NamedTools;
use crate::snapshot::Catalog;

/// A catalog that was held, and the same under other lists.
pub(super) struct Renamed {
    pub(super) from: Arc<Catalog>,
    pub(super) to: Arc<Catalog>,
}

impl Shared {
    /// Puts `named` in force for all catalogs at once. CPU-bound.
    pub(super) fn name_tools(&self, named: NamedTools) {
        let named = Arc::new(named);
        let mut renamed = HashMap::new();
        // A list that came meanwhile costs another round.
        let unmatched = loop {
            let result = self.lock().name_tools(&named, &renamed);
            match result {
                Ok(unmatched) => break unmatched,
                Err(behind) => renamed.extend(behind.into_iter().map(|(fingerprint, from)| {
                    let to = Arc::new(from.under(&named));
                    (fingerprint, Renamed { from, to })
                })),
            }
        };
        log_unmatched(&unmatched);
    }

    /// The state, and `built` under the lists that are in force in it.
    pub(super) fn lock_under(&self, mut built: Built) -> (MutexGuard<'_, State>, Built) {
        loop {
            let state = self.lock();
            let named = Arc::clone(state.named());
            if built.is_under(&named) {
                return (state, built);
            }
            drop(state);
            built = built.under(&named);
        }
    }
}
