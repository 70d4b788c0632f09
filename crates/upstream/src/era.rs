//! Which era the upstream speaks: remembered once for all callers.

use std::sync::{Mutex, MutexGuard, PoisonError};

use wire::{Era, ProtocolRevision};

use crate::config::EraChoice;

/// The revision that was agreed on, shared by all callers.
#[derive(Debug)]
pub(crate) struct EraMemory {
    choice: EraChoice,
    agreed: Mutex<Option<ProtocolRevision>>,
    /// Held while asking, so that many first callers ask once.
    pub(crate) asking: tokio::sync::Mutex<()>,
}

impl EraMemory {
    pub(crate) fn new(choice: EraChoice) -> Self {
        let agreed = match choice {
            EraChoice::Auto => None,
            EraChoice::Fixed(Era::Modern) => Some(ProtocolRevision::LATEST),
            EraChoice::Fixed(Era::Legacy) => Some(ProtocolRevision::LATEST_LEGACY),
        };
        Self {
            choice,
            agreed: Mutex::new(agreed),
            asking: tokio::sync::Mutex::default(),
        }
    }

    /// The revision to speak, if it is known.
    pub(crate) fn agreed(&self) -> Option<ProtocolRevision> {
        *self.lock()
    }

    /// Remembers what the upstream answered.
    pub(crate) fn agree(&self, revision: ProtocolRevision) {
        tracing::debug!(%revision, "the upstream's revision is known");
        *self.lock() = Some(revision);
    }

    /// Whether an answer may show the upstream to have changed.
    pub(crate) fn may_change(&self) -> bool {
        self.choice == EraChoice::Auto
    }

    /// Forgets `revision`, unless somebody else has asked anew since.
    pub(crate) fn forget(&self, revision: ProtocolRevision) {
        let mut agreed = self.lock();
        if self.may_change() && *agreed == Some(revision) {
            *agreed = None;
        }
    }

    fn lock(&self) -> MutexGuard<'_, Option<ProtocolRevision>> {
        self.agreed.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
