//! All callers' slots, the catalogs they share, and the counts.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use tokio::time::Instant;
use upstream::CallerKey;

use super::fingerprint::Fingerprint;
use super::naming::Renamed;
use super::slot::{BuildId, Held, Slot};
use super::{CacheStatus, CatalogView};
use crate::failure::LastFailure;
use crate::named::{NamedTools, UnmatchedName, UnmatchedNames};
use crate::snapshot::{Catalog, CatalogNotes};

/// Behind one lock, which is never held while anything is waited for, or while tools are read.
pub(super) struct State {
    max_bytes: usize,
    named: Arc<NamedTools>,
    unmatched: UnmatchedNames,
    slots: HashMap<CallerKey, Slot>,
    shared: HashMap<Fingerprint, SharedCatalog>,
    uses: u64,
    builds: u64,
    failures: u64,
    last_error: Option<LastFailure>,
    last_success: Option<(SystemTime, Duration)>,
    access_flips: u64,
    last_outdated: Option<SystemTime>,
}

struct SharedCatalog {
    catalog: Arc<Catalog>,
    holders: usize,
}

impl State {
    pub(super) fn new(max_bytes: usize, named: NamedTools) -> Self {
        Self {
            max_bytes,
            unmatched: UnmatchedNames::of(&named),
            named: Arc::new(named),
            slots: HashMap::new(),
            shared: HashMap::new(),
            uses: 0,
            builds: 0,
            failures: 0,
            last_error: None,
            last_success: None,
            access_flips: 0,
            last_outdated: None,
        }
    }

    /// The operator's lists in force.
    pub(super) fn named(&self) -> &Arc<NamedTools> {
        &self.named
    }

    /// Puts other lists in force if `renamed` has all catalogs that are held, and answers which names
    /// are to be reported; else changes nothing and answers the catalogs that it lacks.
    pub(super) fn name_tools(
        &mut self,
        named: &Arc<NamedTools>,
        renamed: &HashMap<Fingerprint, Renamed>,
    ) -> Result<Vec<UnmatchedName>, Vec<(Fingerprint, Arc<Catalog>)>> {
        let is_behind = |(fingerprint, shared): &(&Fingerprint, &SharedCatalog)| {
            let renamed = renamed.get(*fingerprint);
            !renamed.is_some_and(|renamed| Arc::ptr_eq(&renamed.from, &shared.catalog))
        };
        let behind = self.shared.iter().filter(is_behind);
        let behind: Vec<_> = behind
            .map(|(fingerprint, shared)| (*fingerprint, Arc::clone(&shared.catalog)))
            .collect();
        if !behind.is_empty() {
            return Err(behind);
        }
        self.unmatched = UnmatchedNames::of(named);
        self.named = Arc::clone(named);
        for (fingerprint, shared) in &mut self.shared {
            if let Some(renamed) = renamed.get(fingerprint) {
                shared.catalog = Arc::clone(&renamed.to);
            }
        }
        for slot in self.slots.values_mut() {
            let shared = slot.fingerprint().and_then(|held| self.shared.get(&held));
            if let Some(shared) = shared {
                slot.put(&shared.catalog);
            }
        }
        let shared = self.shared.values();
        Ok(self.unmatched.meet(shared.map(|shared| &*shared.catalog)))
    }

    /// Notes which of the operator's names `catalog` has. Answers which are to be reported.
    pub(super) fn meet(&mut self, catalog: &Catalog) -> Vec<UnmatchedName> {
        self.unmatched.meet([catalog])
    }

    /// The slot of `key`, made if there is none, as the most recently used one.
    pub(super) fn slot(&mut self, key: CallerKey, now: Instant) -> &mut Slot {
        if !self.slots.contains_key(&key) && self.slots.len() >= MAX_CALLERS {
            self.evict_one();
        }
        let outdated = self
            .slots
            .get_mut(&key)
            .filter(|slot| slot.held(now).is_none())
            .and_then(Slot::take);
        self.release(outdated);
        self.uses += 1;
        let slot = self.slots.entry(key).or_default();
        slot.used = self.uses;
        slot
    }

    /// The slot of `key` if it exists and the listing `id` is its own, which ends now.
    pub(super) fn end_build(&mut self, key: &CallerKey, id: BuildId) -> Option<&mut Slot> {
        let slot = self.slots.get_mut(key)?;
        slot.ended(id).then_some(slot)
    }

    /// The catalog of `key` as it stands.
    pub(super) fn peek(&self, key: &CallerKey, now: Instant) -> Option<CatalogView> {
        self.slots.get(key)?.view(now)
    }

    /// A catalog that some caller holds.
    pub(super) fn shared(&self, fingerprint: &Fingerprint) -> Option<Arc<Catalog>> {
        self.shared
            .get(fingerprint)
            .map(|shared| Arc::clone(&shared.catalog))
    }

    /// All different catalogs held.
    pub(super) fn catalogs(&self) -> Vec<Arc<Catalog>> {
        let shared = self.shared.values();
        shared.map(|shared| Arc::clone(&shared.catalog)).collect()
    }

    /// Puts `held` in force for `key`, makes room for it, and answers the catalog before.
    pub(super) fn hold(&mut self, key: CallerKey, held: &Held) -> Option<Arc<Catalog>> {
        let slot = self.slots.get_mut(&key)?;
        let shared = self
            .shared
            .entry(held.fingerprint)
            .or_insert_with(|| SharedCatalog {
                catalog: Arc::clone(&held.catalog),
                holders: 0,
            });
        shared.holders += 1;
        // Two listings at once may both have been indexed: one of them stays.
        let catalog = Arc::clone(&shared.catalog);
        let before = slot.replace(Held { catalog, ..*held });
        let replaced = before.as_ref().map(|held| Arc::clone(&held.catalog));
        self.release(before);
        self.make_room(held.fingerprint);
        replaced
    }

    /// Forgets `key`; a listing under way for it ends for those who wait for it alone.
    pub(super) fn remove(&mut self, key: &CallerKey) {
        let held = self.slots.remove(key).and_then(|mut slot| slot.take());
        self.release(held);
    }

    pub(super) fn next_build(&mut self) -> BuildId {
        self.builds += 1;
        BuildId(self.builds)
    }

    /// Makes all catalogs due, and answers how many there are.
    pub(super) fn outdate(&mut self, now: Instant) -> usize {
        self.last_outdated = Some(SystemTime::now());
        let slots = self.slots.values_mut();
        slots.map(|slot| usize::from(slot.outdate(now))).sum()
    }

    pub(super) fn count_failure(&mut self, failure: LastFailure) {
        self.failures += 1;
        self.last_error = Some(failure);
    }

    pub(super) fn count_success(&mut self, took: Duration) {
        self.last_success = Some((SystemTime::now(), took));
    }

    pub(super) fn count_flips(&mut self, flips: u64) {
        self.access_flips += flips;
    }

    /// All that isn't counted in the catalogs themselves.
    pub(super) fn status(&self) -> CacheStatus {
        CacheStatus {
            callers: self
                .slots
                .values()
                .filter(|slot| slot.fingerprint().is_some())
                .count(),
            bytes: self.bytes(),
            max_bytes: self.max_bytes,
            build_attempts: self.builds,
            builds_running: self
                .slots
                .values()
                .filter(|slot| slot.running().is_some())
                .count(),
            build_failures: self.failures,
            last_error: self.last_error.clone(),
            last_success: self.last_success.map(|(at, _)| at),
            last_duration: self.last_success.map(|(_, took)| took),
            notes: CatalogNotes::default(),
            unchecked_tools: BTreeMap::new(),
            unmatched: self.unmatched.reported(),
            access_flips: self.access_flips,
            last_outdated: self.last_outdated,
            vector_service: None,
        }
    }

    /// How many callers are remembered, with a catalog or without.
    #[cfg(test)]
    pub(super) fn slots(&self) -> usize {
        self.slots.len()
    }

    /// What the catalogs take together.
    fn bytes(&self) -> usize {
        let catalogs = self.shared.values();
        catalogs.map(|shared| shared.catalog.heap_bytes()).sum()
    }

    /// Gives up the catalogs longest unused by all their callers, but `keep`, until the others fit.
    /// Callers without a catalog stay, for they free nothing.
    fn make_room(&mut self, keep: Fingerprint) {
        let mut bytes = self.bytes();
        if bytes <= self.max_bytes {
            return;
        }
        let mut last_uses: HashMap<Fingerprint, u64> = HashMap::new();
        for slot in self.slots.values() {
            if let Some(fingerprint) = slot.fingerprint().filter(|other| *other != keep) {
                let last = last_uses.entry(fingerprint).or_default();
                *last = slot.used.max(*last);
            }
        }
        let mut oldest_first: Vec<_> = last_uses.into_iter().collect();
        oldest_first.sort_unstable_by_key(|(_, used)| *used);
        let mut gone = HashSet::new();
        for (fingerprint, _) in oldest_first {
            if bytes <= self.max_bytes {
                break;
            }
            if let Some(shared) = self.shared.remove(&fingerprint) {
                bytes = bytes.saturating_sub(shared.catalog.heap_bytes());
                gone.insert(fingerprint);
            }
        }
        self.slots.retain(|_, slot| {
            if slot.fingerprint().is_some_and(|held| gone.contains(&held)) {
                slot.take();
                return slot.running().is_some();
            }
            true
        });
    }

    /// Removes the least recently used slot; those that are listing go last, and their listings end.
    fn evict_one(&mut self) {
        let oldest = self
            .slots
            .iter()
            .min_by_key(|(_, slot)| (slot.running().is_some(), slot.used))
            .map(|(key, _)| *key);
        if let Some(key) = oldest {
            if let Some(slot) = self.slots.get(&key) {
                slot.abort();
            }
            self.remove(&key);
        }
    }

    /// Takes one holder off a shared catalog.
    fn release(&mut self, held: Option<Held>) {
        let Some(held) = held else {
            return;
        };
        let Some(shared) = self.shared.get_mut(&held.fingerprint) else {
            return;
        };
        shared.holders -= 1;
        if shared.holders == 0 {
            self.shared.remove(&held.fingerprint);
        }
    }
}

/// Bounds what many tokens cost beside their catalogs (field case 90).
const MAX_CALLERS: usize = 10_000;
