//! What is remembered of one caller: a catalog, a listing under way, failures.

use std::sync::Arc;
use std::time::{Duration, SystemTime};

use tokio::task::AbortHandle;
use tokio::time::Instant;
use upstream::UpstreamError;

use super::build::Running;
use super::fingerprint::Fingerprint;
use super::{CatalogView, Freshness};
use crate::snapshot::Catalog;

/// One caller's place in the cache.
#[derive(Default)]
pub(super) struct Slot {
    held: Option<Held>,
    running: Option<Build>,
    /// Listings in a row that failed or couldn't be believed.
    failures: u32,
    /// Listings in a row that were suspiciously empty.
    empties: usize,
    last_failure: Option<Arc<UpstreamError>>,
    /// No listing before this, after a failure.
    not_before: Option<Instant>,
    last_start: Option<Instant>,
    /// When the operator last asked for a new list.
    outdated: Option<Instant>,
    /// When it was last asked for, as a count.
    pub(super) used: u64,
}

/// The catalog in force.
#[derive(Debug, Clone)]
pub(super) struct Held {
    pub(super) catalog: Arc<Catalog>,
    pub(super) fingerprint: Fingerprint,
    pub(super) built_at: SystemTime,
    pub(super) listed: Instant,
    pub(super) fresh_until: Instant,
}

/// A listing under way.
struct Build {
    id: BuildId,
    running: Running,
    task: AbortHandle,
}

/// Tells one listing of a caller from a later one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct BuildId(pub(super) u64);

impl Held {
    /// The catalog with its age.
    pub(super) fn view(&self, now: Instant) -> CatalogView {
        CatalogView {
            catalog: Arc::clone(&self.catalog),
            freshness: if now < self.fresh_until {
                Freshness::Fresh
            } else {
                Freshness::Stale
            },
            built_at: self.built_at,
            age: now - self.listed,
        }
    }
}

impl Slot {
    /// The catalog in force, unless it is too old.
    pub(super) fn held(&self, now: Instant) -> Option<&Held> {
        self.held
            .as_ref()
            .filter(|held| now < held.listed + MAX_AGE)
    }

    /// The catalog in force as its callers see it.
    pub(super) fn view(&self, now: Instant) -> Option<CatalogView> {
        let mut view = self.held(now)?.view(now);
        if self.failures > 0 && view.freshness == Freshness::Stale {
            view.freshness = Freshness::StaleAfterFailure;
        }
        Some(view)
    }

    /// Which catalog there is, however old.
    pub(super) fn fingerprint(&self) -> Option<Fingerprint> {
        self.held.as_ref().map(|held| held.fingerprint)
    }

    /// Whether the catalog is past its time.
    pub(super) fn is_due(&self, now: Instant) -> bool {
        self.held(now).is_none_or(|held| now >= held.fresh_until)
    }

    /// Whether a listing may start: none is under way and no failure forbids it.
    pub(super) fn may_start(&self, now: Instant) -> bool {
        self.running.is_none() && self.not_before.is_none_or(|instant| now >= instant)
    }

    /// Whether a listing may start although the catalog isn't due.
    pub(super) fn may_bring_forward(&self, now: Instant) -> bool {
        self.last_start
            .is_none_or(|started| now >= started + BRING_FORWARD)
    }

    /// The listing under way.
    pub(super) fn running(&self) -> Option<Running> {
        self.running.as_ref().map(|build| build.running.clone())
    }

    /// The failure that forbids another try for now.
    pub(super) fn blocked(&self, now: Instant) -> Option<Arc<UpstreamError>> {
        if self.may_start(now) {
            return None;
        }
        self.last_failure.clone()
    }

    /// Notes a listing that starts.
    pub(super) fn started(
        &mut self,
        id: BuildId,
        running: Running,
        task: AbortHandle,
        now: Instant,
    ) {
        self.running = Some(Build { id, running, task });
        self.last_start = Some(now);
    }

    /// Ends the listing `id`. False if it isn't this slot's: the caller was forgotten meanwhile.
    pub(super) fn ended(&mut self, id: BuildId) -> bool {
        let own = self.running.as_ref().is_some_and(|build| build.id == id);
        if own {
            self.running = None;
        }
        own
    }

    /// Stops the listing under way, if any.
    pub(super) fn abort(&self) {
        if let Some(build) = &self.running {
            build.task.abort();
        }
    }

    /// Replaces the catalog and answers the one before.
    pub(super) fn replace(&mut self, held: Held) -> Option<Held> {
        self.failures = 0;
        self.empties = 0;
        self.last_failure = None;
        self.not_before = None;
        self.held.replace(held)
    }

    /// Puts the same tools under other lists of the operator's in the catalog's place.
    pub(super) fn put(&mut self, catalog: &Arc<Catalog>) {
        if let Some(held) = &mut self.held {
            held.catalog = Arc::clone(catalog);
        }
    }

    /// Makes the catalog due, whatever failed before; one whose listing is under way will be due at
    /// once. False where there is neither.
    pub(super) fn outdate(&mut self, now: Instant) -> bool {
        self.outdated = Some(now);
        self.not_before = None;
        if let Some(held) = &mut self.held {
            held.fresh_until = held.fresh_until.min(now);
        }
        self.held.is_some() || self.running.is_some()
    }

    /// Whether a list that was begun at `started` was asked for anew since then.
    pub(super) fn was_outdated(&self, started: Instant) -> bool {
        self.outdated.is_some_and(|outdated| outdated > started)
    }

    /// Gives the catalog up.
    pub(super) fn take(&mut self) -> Option<Held> {
        self.held.take()
    }

    /// Notes a failed listing; the catalog stays.
    pub(super) fn failed(&mut self, error: Arc<UpstreamError>, now: Instant) {
        self.failures = self.failures.saturating_add(1);
        let longest = if self.held.is_some() {
            BACKOFF_LONGEST
        } else {
            BACKOFF_LONGEST_WITHOUT
        };
        let pause = error.retry_after().map_or_else(
            || backoff(self.failures).min(longest),
            |asked| asked.min(RETRY_AFTER_LONGEST),
        );
        self.not_before = Some(now + pause);
        self.last_failure = Some(error);
    }

    /// Whether to believe a listing of no tools where there were some (field case 31): only after
    /// it has repeated at growing distances. Notes it where not.
    pub(super) fn believes_empty(&mut self, now: Instant) -> bool {
        let Some(pause) = EMPTY_PAUSES.get(self.empties) else {
            return true;
        };
        self.empties += 1;
        self.doubted(now + *pause);
        false
    }

    /// Notes a listing that is no improvement; the catalog stays.
    pub(super) fn kept(&mut self, now: Instant) {
        self.doubted(now + backoff(self.failures.saturating_add(1)));
    }

    fn doubted(&mut self, not_before: Instant) {
        self.failures = self.failures.saturating_add(1);
        self.not_before = Some(not_before);
    }
}

/// 1 s, 2 s, 4 s, ...
fn backoff(failures: u32) -> Duration {
    let doublings = failures.saturating_sub(1).min(BACKOFF_DOUBLINGS);
    (BACKOFF_FIRST * 2_u32.pow(doublings)).min(BACKOFF_LONGEST)
}

/// However often refreshing fails, nothing older is served.
pub(super) const MAX_AGE: Duration = Duration::from_hours(24);

/// How often an unknown name may bring a listing forward.
const BRING_FORWARD: Duration = Duration::from_secs(5);

const BACKOFF_FIRST: Duration = Duration::from_secs(1);
const BACKOFF_DOUBLINGS: u32 = 6;
const BACKOFF_LONGEST: Duration = Duration::from_mins(1);

/// A caller without a catalog can't work meanwhile, so they get another try sooner.
const BACKOFF_LONGEST_WITHOUT: Duration = Duration::from_secs(5);

/// An upstream that asks for more patience gets this much.
const RETRY_AFTER_LONGEST: Duration = Duration::from_hours(1);

const EMPTY_PAUSES: [Duration; 3] = [
    Duration::from_secs(5),
    Duration::from_secs(15),
    Duration::from_mins(1),
];
