//! What became of searches: was a tool that they found called, or was something else searched?
//!
//! Of a search are kept for some minutes: when it was, keyed hashes of its queries, of its answer and of the
//! names that it found, whether it found anything. None can be turned back into text. What is counted
//! holds no hash. All of it is one process's: another replica knows nothing of it.

mod counts;
mod ring;

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::Instant;
use upstream::{Caller, CallerKey};

pub(crate) use counts::{Answered, RANKS, SearchEnd, TrailCounts};
use ring::{Ring, Search, Told};

/// The last searches of each caller, and what became of those before.
#[derive(Debug)]
pub(crate) struct Trails {
    hasher: RandomState,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    callers: HashMap<CallerKey, Ring>,
    counts: TrailCounts,
}

/// A search that was answered.
#[derive(Debug, Clone)]
pub(crate) struct Searched<'a> {
    /// All that was asked for: queries and options.
    pub(crate) asked: Asked<'a>,
    /// The names found for each query, best first.
    pub(crate) found: Vec<Vec<&'a str>>,
    /// How well they fit.
    pub(crate) answered: Answered,
    /// All that the caller is told.
    pub(crate) answer: &'a str,
}

/// What makes two searches the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Asked<'a> {
    /// The queries.
    pub(crate) queries: &'a [String],
    /// How many hits of each were wanted.
    pub(crate) limit: usize,
    /// Whether with schemas.
    pub(crate) schemas: bool,
}

impl Trails {
    /// Nothing is known yet; names and queries are hashed with `hasher`, which is random.
    pub(crate) fn new(hasher: RandomState) -> Self {
        Self {
            hasher,
            state: Mutex::default(),
        }
    }

    /// Notes a search of `caller`. If they had the same whole answer to the same search twice: how long
    /// ago the second time was, if that is short.
    ///
    /// Callers without a token are all one here, and none may learn what another searched for: to
    /// them nothing is a repetition.
    pub(crate) fn search(&self, caller: &Caller, searched: &Searched<'_>) -> Option<Duration> {
        let now = Instant::now();
        let search = Search {
            at: now,
            asked: self.hasher.hash_one(searched.asked),
            answer: self.hasher.hash_one(searched.answer),
            ranks: ring::ranks(&searched.found, |name| self.hash_name(name)),
            answered: searched.answered,
            told: Told::Nothing,
            end: SearchEnd::Nothing,
        };
        let mut state = self.lock();
        let State { callers, counts } = &mut *state;
        if !callers.contains_key(&caller.key) && callers.len() >= MAX_CALLERS {
            evict(callers, counts);
        }
        let ring = callers.entry(caller.key).or_default();
        ring.expire(now, counts);
        let repeated = ring.push(search, counts);
        repeated.filter(|_| caller.authorization.is_some())
    }

    /// Notes that `caller` begins a conversation, whose reader has seen none of the answers before.
    pub(crate) fn begin(&self, caller: &Caller) {
        if let Some(ring) = self.lock().callers.get_mut(&caller.key) {
            ring.begin_anew();
        }
    }

    /// Notes that `caller` calls the tool `name`.
    pub(crate) fn call(&self, caller: &Caller, name: &str) {
        let hash = self.hash_name(name);
        let mut state = self.lock();
        let State { callers, counts } = &mut *state;
        if let Some(ring) = callers.get_mut(&caller.key) {
            ring.expire(Instant::now(), counts);
            ring.call(hash, counts);
        }
    }

    /// What became of the searches that are over by now.
    pub(crate) fn counts(&self) -> TrailCounts {
        let now = Instant::now();
        let mut state = self.lock();
        let State { callers, counts } = &mut *state;
        callers.retain(|_, ring| {
            ring.expire(now, counts);
            !ring.is_empty()
        });
        counts.clone()
    }

    /// Half a hash is enough to tell some hundred names apart.
    fn hash_name(&self, name: &str) -> u32 {
        (self.hasher.hash_one(name) >> 32) as u32
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // No code under the lock leaves the state half changed.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Ends the searches of the caller who searched least recently.
fn evict(callers: &mut HashMap<CallerKey, Ring>, counts: &mut TrailCounts) {
    let oldest = callers.iter().min_by_key(|(_, ring)| ring.last());
    let oldest = oldest.map(|(key, _)| *key);
    if let Some(ring) = oldest.and_then(|key| callers.remove(&key)) {
        ring.end(counts);
    }
}

/// With what a [`Ring`] holds at most, some 13 MB in all.
const MAX_CALLERS: usize = 4096;

#[cfg(test)]
mod tests;
