//! How much is taken: the size and pace of a body, and how many requests at once.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::body::Body;
use bytes::Bytes;
use http::StatusCode;
use http_body::Body as _;
use http_body_util::{BodyExt, LengthLimitError, Limited};
use upstream::CallerKey;

use super::observe::RequestTag;
use super::problem::Problem;

/// How large and how slow a request may be.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limits {
    /// `--max-body`, in bytes.
    pub(crate) max_body: usize,
    /// From the head to the last byte of the body.
    pub(crate) body_timeout: Duration,
}

/// How many requests are worked on or being answered, in all and for each caller.
#[derive(Debug, Clone)]
pub(crate) struct InFlight {
    pub(crate) max: usize,
    pub(crate) max_per_caller: usize,
    counts: Arc<Mutex<Counts>>,
}

/// One request until it is dropped, which is after its answer has left.
#[derive(Debug)]
pub(crate) struct Place {
    caller: CallerKey,
    counts: Arc<Mutex<Counts>>,
}

#[derive(Debug, Default)]
struct Counts {
    all: usize,
    /// Only callers with at least one.
    callers: HashMap<CallerKey, usize>,
}

impl Limits {
    /// The whole of `body`. One that announces too much isn't read at all, and none is read
    /// further than the limit.
    pub(crate) async fn read(self, body: Body) -> Result<Bytes, Problem> {
        let announced = body.size_hint().lower();
        if announced > u64::try_from(self.max_body).unwrap_or(u64::MAX) {
            return Err(self.too_large());
        }
        let whole = Limited::new(body, self.max_body).collect();
        match tokio::time::timeout(self.body_timeout, whole).await {
            Ok(Ok(body)) => Ok(body.to_bytes()),
            Ok(Err(error)) if error.is::<LengthLimitError>() => Err(self.too_large()),
            Ok(Err(_broken)) => Err(Problem::new(
                StatusCode::BAD_REQUEST,
                "the request's body broke off",
            )),
            Err(_elapsed) => Err(Problem::new(
                StatusCode::REQUEST_TIMEOUT,
                format!(
                    "the request's body wasn't complete within {}s",
                    self.body_timeout.as_secs()
                ),
            )),
        }
    }

    fn too_large(self) -> Problem {
        Problem::new(
            StatusCode::PAYLOAD_TOO_LARGE,
            format!(
                "the request's body is larger than {} bytes; the operator can raise --max-body",
                self.max_body
            ),
        )
    }
}

impl InFlight {
    /// At most `max` at once, and `max_per_caller` of one caller.
    pub(crate) fn new(max: usize, max_per_caller: usize) -> Self {
        Self {
            max,
            max_per_caller,
            counts: Arc::default(),
        }
    }

    /// A place for one more request of `caller`.
    pub(crate) fn enter(&self, caller: CallerKey, tag: &RequestTag) -> Result<Place, Problem> {
        let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        if counts.all >= self.max {
            return Err(busy("the proxy works on as many requests as it may", tag));
        }
        let own = counts.callers.entry(caller).or_default();
        if *own >= self.max_per_caller {
            return Err(busy(
                "the proxy works on as many requests of this caller as it may",
                tag,
            ));
        }
        *own += 1;
        counts.all += 1;
        Ok(Place {
            caller,
            counts: Arc::clone(&self.counts),
        })
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        counts.all -= 1;
        if let Entry::Occupied(mut own) = counts.callers.entry(self.caller) {
            *own.get_mut() -= 1;
            if *own.get() == 0 {
                own.remove();
            }
        }
    }
}

fn busy(message: &str, tag: &RequestTag) -> Problem {
    let message = format!("{message}; try again in a second");
    Problem::ours(StatusCode::SERVICE_UNAVAILABLE, message, tag.clone())
}
