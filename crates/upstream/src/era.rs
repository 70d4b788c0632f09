//! Which era the upstream speaks: remembered once for all callers.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::Instant;
use wire::{Era, ProtocolRevision};

use crate::config::EraChoice;

/// The revision that was agreed on, shared by all callers.
#[derive(Debug)]
pub(crate) struct EraMemory {
    choice: EraChoice,
    known: Mutex<Known>,
    /// Held while asking, so that many first callers ask once.
    pub(crate) asking: tokio::sync::Mutex<()>,
}

#[derive(Debug, Default)]
struct Known {
    agreed: Option<ProtocolRevision>,
    /// What was found and no handshake has proved yet.
    presumed: Option<ProtocolRevision>,
    /// What is being asked for again.
    doubted: Option<ProtocolRevision>,
    /// No doubt before this, because the last one was wrong.
    trusted_until: Option<Instant>,
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
            known: Mutex::new(Known {
                agreed,
                ..Known::default()
            }),
            asking: tokio::sync::Mutex::default(),
        }
    }

    /// The revision to speak, if it is known.
    pub(crate) fn agreed(&self) -> Option<ProtocolRevision> {
        self.known().agreed
    }

    /// The revision to try, if somebody has found one.
    pub(crate) fn found(&self) -> Option<ProtocolRevision> {
        let known = self.known();
        known.agreed.or(known.presumed)
    }

    /// Remembers what the upstream answered, for those who wait to ask the same.
    pub(crate) fn presume(&self, revision: ProtocolRevision) {
        self.known().presumed = Some(revision);
    }

    /// Takes back what was presumed: it didn't prove itself.
    pub(crate) fn withdraw(&self) {
        self.known().presumed = None;
    }

    /// Remembers what has proved itself, unless somebody else was first.
    pub(crate) fn agree(&self, revision: ProtocolRevision) {
        let mut known = self.known();
        known.presumed = None;
        if known.agreed.is_some() {
            return;
        }
        tracing::debug!(%revision, "the upstream's revision is known");
        known.agreed = Some(revision);
        if known.doubted.take() == Some(revision) {
            known.trusted_until = Some(Instant::now() + TRUST);
        }
    }

    /// Forgets `revision`, unless somebody else has asked anew since; `false` if there is nothing
    /// to ask.
    ///
    /// All callers have to wait for the question that follows. So one that was asked in vain isn't
    /// asked again at once: a tool may give the answers that a changed upstream gives.
    pub(crate) fn doubt(&self, revision: ProtocolRevision) -> bool {
        let mut known = self.known();
        let trusted = known
            .trusted_until
            .is_some_and(|until| Instant::now() < until);
        if self.choice != EraChoice::Auto || trusted {
            return false;
        }
        if known.agreed == Some(revision) {
            known.agreed = None;
            known.doubted = Some(revision);
        }
        true
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

const TRUST: Duration = Duration::from_mins(1);

#[cfg(test)]
mod tests {
    use tokio::time::advance;

    use super::*;

    const MODERN: ProtocolRevision = ProtocolRevision::LATEST;
    const LEGACY: ProtocolRevision = ProtocolRevision::LATEST_LEGACY;

    #[tokio::test(start_paused = true)]
    async fn a_doubt_in_vain_is_followed_by_trust() {
        let memory = EraMemory::new(EraChoice::Auto);
        memory.agree(LEGACY);
        for _ in 0..2 {
            assert!(memory.doubt(LEGACY));
            assert_eq!(memory.agreed(), None);
            memory.agree(LEGACY);
            assert!(!memory.doubt(LEGACY));
            assert_eq!(memory.agreed(), Some(LEGACY));
            advance(TRUST).await;
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_doubt_that_was_right_is_followed_by_none() {
        let memory = EraMemory::new(EraChoice::Auto);
        memory.agree(LEGACY);
        assert!(memory.doubt(LEGACY));
        memory.agree(MODERN);
        // Late news of the old era change nothing.
        assert!(memory.doubt(LEGACY));
        assert_eq!(memory.agreed(), Some(MODERN));
        assert!(memory.doubt(MODERN));
    }

    #[test]
    fn what_is_presumed_is_not_agreed() {
        let memory = EraMemory::new(EraChoice::Auto);
        memory.presume(LEGACY);
        assert_eq!((memory.agreed(), memory.found()), (None, Some(LEGACY)));
        memory.withdraw();
        assert_eq!(memory.found(), None);
    }

    #[test]
    fn a_fixed_era_is_not_doubted() {
        let memory = EraMemory::new(EraChoice::Fixed(Era::Modern));
        assert!(!memory.doubt(MODERN));
        assert_eq!(memory.agreed(), Some(MODERN));
    }
}
