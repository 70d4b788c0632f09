//! Handshakes with a legacy upstream, one per caller.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use http::HeaderValue;
use tokio::time::Instant;

use crate::credential::CallerKey;
use crate::error::UpstreamError;
use crate::listing::Handshake;

/// What `initialize` agreed on. Without an id the upstream keeps no state.
#[derive(Debug)]
pub(crate) struct Session {
    pub(crate) id: Option<HeaderValue>,
    pub(crate) version: HeaderValue,
    pub(crate) handshake: Handshake,
}

/// The sessions of all callers: bounded, the least recently used goes first, and an idle one after
/// a while (field case 96).
///
/// A session that goes this way gets no DELETE, because the token for it isn't kept.
#[derive(Debug)]
pub(crate) struct Sessions {
    slots: Mutex<Slots>,
    capacity: usize,
}

#[derive(Debug)]
struct Slots {
    by_caller: HashMap<CallerKey, Slot>,
    swept: Instant,
}

#[derive(Debug)]
struct Slot {
    place: Place,
    last_used: Instant,
}

/// Locked while a session is being opened, so that one caller opens one at a time.
type Place = Arc<tokio::sync::Mutex<Option<Arc<Session>>>>;

impl Sessions {
    pub(crate) fn new(capacity: usize) -> Self {
        Self {
            slots: Mutex::new(Slots {
                by_caller: HashMap::new(),
                swept: Instant::now(),
            }),
            capacity,
        }
    }

    /// The session of `key`, or the one that `open` makes if there is none, or only `lost`.
    pub(crate) async fn get_or_open(
        &self,
        key: CallerKey,
        lost: Option<&Arc<Session>>,
        open: impl Future<Output = Result<Session, UpstreamError>>,
    ) -> Result<Arc<Session>, UpstreamError> {
        let place = self.place(key);
        let mut held = place.lock().await;
        if let Some(session) = &*held
            && !lost.is_some_and(|lost| Arc::ptr_eq(lost, session))
        {
            return Ok(Arc::clone(session));
        }
        *held = None;
        let opened = open.await;
        match opened {
            Ok(session) => Ok(Arc::clone(held.insert(Arc::new(session)))),
            Err(error) => {
                drop(held);
                self.forget_empty(key, &place);
                Err(error)
            }
        }
    }

    /// Takes the session of `key` away, unless it is just being opened.
    pub(crate) fn take(&self, key: CallerKey) -> Option<Arc<Session>> {
        let slot = self.slots().by_caller.remove(&key)?;
        slot.place.try_lock().ok()?.take()
    }

    fn place(&self, key: CallerKey) -> Place {
        let now = Instant::now();
        let mut slots = self.slots();
        if now.duration_since(slots.swept) >= SWEEP_INTERVAL {
            slots.sweep(now);
        }
        if !slots.by_caller.contains_key(&key) {
            slots.make_room(self.capacity, now);
        }
        let slot = slots.by_caller.entry(key).or_insert_with(|| Slot {
            place: Place::default(),
            last_used: now,
        });
        slot.last_used = now;
        Arc::clone(&slot.place)
    }

    /// Callers whose token is refused must not push out others. A place that somebody else waits
    /// for stays.
    fn forget_empty(&self, key: CallerKey, place: &Place) {
        let mut slots = self.slots();
        let ours = slots
            .by_caller
            .get(&key)
            .is_some_and(|slot| Arc::ptr_eq(&slot.place, place));
        if ours && Arc::strong_count(place) == 2 {
            slots.by_caller.remove(&key);
        }
    }

    fn slots(&self) -> MutexGuard<'_, Slots> {
        self.slots.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Default for Sessions {
    fn default() -> Self {
        Self::new(MAX_SESSIONS)
    }
}

impl Slots {
    fn sweep(&mut self, now: Instant) {
        self.swept = now;
        self.by_caller
            .retain(|_, slot| now.duration_since(slot.last_used) < MAX_IDLE);
    }

    fn make_room(&mut self, capacity: usize, now: Instant) {
        if self.by_caller.len() < capacity {
            return;
        }
        self.sweep(now);
        while self.by_caller.len() >= capacity {
            let oldest = self
                .by_caller
                .iter()
                .min_by_key(|(_, slot)| slot.last_used)
                .map(|(key, _)| *key);
            let Some(oldest) = oldest else { return };
            self.by_caller.remove(&oldest);
        }
    }
}

const MAX_SESSIONS: usize = 4_096;
const MAX_IDLE: Duration = Duration::from_hours(1);
const SWEEP_INTERVAL: Duration = Duration::from_mins(1);

#[cfg(test)]
mod tests;
