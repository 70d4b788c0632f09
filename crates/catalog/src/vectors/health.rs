//! Whether a service is worth asking.

use std::collections::BTreeMap;
use std::time::Duration;

use tokio::time::Instant;
use upstream::EmbeddingsError;

use super::VectorServiceStatus;
use crate::failure::LastFailure;

/// What became of a service's requests, and how long it is left alone.
#[derive(Debug, Default)]
pub(super) struct Health {
    /// In a row.
    failures: u32,
    last_failure: Option<Instant>,
    not_before: Option<Instant>,
    answered: u64,
    failed: BTreeMap<&'static str, u64>,
    refused: u64,
    last_error: Option<LastFailure>,
}

/// What an operator wants to know of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Change {
    /// It went well before.
    Fails,
    /// It failed before.
    IsBack,
}

impl Health {
    /// Whether a request that may take `limit` may go out now. While the service fails that is one
    /// at a time, at growing distances: nobody else waits for what will hardly come.
    pub(super) fn may_ask(&mut self, now: Instant, limit: Duration) -> bool {
        if self.pause(now).is_some() {
            return false;
        }
        if self.failures > 0 {
            self.not_before = Some(now + limit);
        }
        true
    }

    /// How long nobody asks.
    pub(super) fn pause(&self, now: Instant) -> Option<Duration> {
        let pause = self.not_before?.saturating_duration_since(now);
        (!pause.is_zero()).then_some(pause)
    }

    /// Counts an answer, and whether that is news.
    pub(super) fn succeeded(&mut self) -> Option<Change> {
        self.answered += 1;
        let is_back = self.failures > 0;
        self.failures = 0;
        self.not_before = None;
        is_back.then_some(Change::IsBack)
    }

    /// Counts a request that failed, and whether that is news. One that the service minds for its
    /// texts tells nothing of the service itself: see [`pauses`](Self::pauses).
    pub(super) fn failed(
        &mut self,
        error: &EmbeddingsError,
        sent: Instant,
        now: Instant,
    ) -> Option<Change> {
        *self.failed.entry(error.kind()).or_default() += 1;
        self.last_error = Some(LastFailure::now(error.to_string(), error.with_causes()));
        if error.is_of_the_request() {
            return None;
        }
        self.pauses(error.retry_after(), sent, now)
    }

    /// Leaves the service alone for as long as it asks for, or for a time that grows with each
    /// failure. Of requests that were out together, one counts.
    pub(super) fn pauses(
        &mut self,
        asked: Option<Duration>,
        sent: Instant,
        now: Instant,
    ) -> Option<Change> {
        let is_news = self.failures == 0;
        if is_news || self.last_failure.is_none_or(|last| sent >= last) {
            self.failures = self.failures.saturating_add(1);
        }
        self.last_failure = Some(now);
        let pause = asked.map_or_else(
            || backoff(self.failures),
            |asked| asked.clamp(BACKOFF_FIRST, RETRY_AFTER_LONGEST),
        );
        self.not_before = Some(now + pause);
        is_news.then_some(Change::Fails)
    }

    /// Counts a tool that stays without vectors.
    pub(super) fn refused(&mut self) {
        self.refused += 1;
    }

    /// All that is known here.
    pub(super) fn status(&self, now: Instant) -> VectorServiceStatus {
        VectorServiceStatus {
            is_well: self.failures == 0,
            waiting: 0,
            refused: self.refused,
            answered: self.answered,
            failed: self.failed.clone(),
            last_error: self.last_error.clone(),
            pause: self.pause(now),
        }
    }
}

/// 1 s, 2 s, 4 s, ...
fn backoff(failures: u32) -> Duration {
    let doublings = failures.saturating_sub(1).min(BACKOFF_DOUBLINGS);
    (BACKOFF_FIRST * 2_u32.pow(doublings)).min(BACKOFF_LONGEST)
}

const BACKOFF_FIRST: Duration = Duration::from_secs(1);
const BACKOFF_DOUBLINGS: u32 = 6;
const BACKOFF_LONGEST: Duration = Duration::from_mins(1);

/// A service that asks for more patience gets this much.
const RETRY_AFTER_LONGEST: Duration = Duration::from_hours(1);

#[cfg(test)]
mod tests {
    use super::*;

    const LIMIT: Duration = Duration::from_secs(1);

    fn timeout() -> EmbeddingsError {
        EmbeddingsError::Timeout { limit: LIMIT }
    }

    fn limited(seconds: u64) -> EmbeddingsError {
        EmbeddingsError::RateLimited {
            status: 429,
            retry_after: Some(Duration::from_secs(seconds)),
        }
    }

    #[test]
    fn pauses_grow_up_to_a_minute_and_an_answer_ends_them() {
        let mut health = Health::default();
        let mut now = Instant::now();
        let mut pauses = Vec::new();
        for _ in 0..9 {
            assert!(health.may_ask(now, LIMIT));
            let change = health.failed(&timeout(), now, now);
            assert_eq!(change.is_some(), pauses.is_empty());
            let pause = health.pause(now).unwrap();
            assert!(!health.may_ask(now, LIMIT));
            pauses.push(pause.as_secs());
            now += pause;
        }
        assert_eq!(pauses, [1, 2, 4, 8, 16, 32, 60, 60, 60]);
        assert!(!health.status(now).is_well);
        assert!(health.may_ask(now, LIMIT));
        assert!(!health.may_ask(now, LIMIT), "one at a time");
        assert_eq!(health.succeeded(), Some(Change::IsBack));
        assert_eq!(health.succeeded(), None);
        assert!(health.may_ask(now, LIMIT) && health.may_ask(now, LIMIT));
        assert!(health.status(now).is_well);
    }

    #[test]
    fn requests_that_were_out_together_fail_once() {
        let mut health = Health::default();
        let sent = Instant::now();
        for millis in 1..100 {
            let now = sent + Duration::from_millis(millis);
            health.failed(&timeout(), sent, now);
            assert_eq!(health.pause(now), Some(BACKOFF_FIRST));
        }
    }

    #[test]
    fn the_service_says_how_long_but_not_for_ever() {
        let now = Instant::now();
        for (asked, expected) in [(0, 1), (7, 7), (100_000, 3_600)] {
            let mut health = Health::default();
            health.failed(&limited(asked), now, now);
            assert_eq!(health.pause(now), Some(Duration::from_secs(expected)));
        }
    }

    #[test]
    fn a_refused_text_is_counted_and_pauses_nothing() {
        let mut health = Health::default();
        let now = Instant::now();
        let refused = EmbeddingsError::Refused { status: 400 };
        assert_eq!(health.failed(&refused, now, now), None);
        let status = health.status(now);
        assert_eq!((status.is_well, status.pause), (true, None));
        assert_eq!(status.failed, BTreeMap::from([("refused", 1)]));
        assert!(
            status
                .last_error
                .unwrap()
                .message
                .contains("refuses the request")
        );
    }
}
