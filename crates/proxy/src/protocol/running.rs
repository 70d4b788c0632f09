//! Requests that their caller may cancel while they run (2025-11-25, cancellation).

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::value::RawValue;
use tokio::sync::Notify;
use upstream::CallerKey;
use wire::{RawObject, RequestId};

/// The legacy requests in flight in this process, by caller and id. Another replica's aren't known
/// here: a cancellation reaches only what the replica it is sent to runs. A modern caller cancels by
/// hanging up.
#[derive(Debug, Clone, Default)]
pub(crate) struct Running(Arc<Mutex<Requests>>);

/// Clients that share a token count their ids for themselves, so that several requests may share an
/// id, and a late cancellation by one may end a request of another.
type Requests = HashMap<(CallerKey, String), Vec<Arc<Notify>>>;

/// One request in flight, until it is dropped.
#[derive(Debug)]
pub(super) struct Cancellable {
    key: (CallerKey, String),
    cancellation: Arc<Notify>,
    running: Running,
}

impl Running {
    /// Notes a request of `caller`.
    pub(super) fn enter(&self, caller: CallerKey, id: &RequestId) -> Cancellable {
        let key = (caller, id.key());
        let cancellation = Arc::new(Notify::new());
        self.with(|requests| {
            let same = requests.entry(key.clone()).or_default();
            same.push(Arc::clone(&cancellation));
        });
        Cancellable {
            key,
            cancellation,
            running: self.clone(),
        }
    }

    /// Cancels the request that the params of `notifications/cancelled` name. Nothing where none or
    /// more than one of `caller` has that id: whose is meant can't be told then.
    pub(super) fn cancel(&self, caller: CallerKey, params: Option<&RawValue>) {
        let params = params.and_then(RawObject::read);
        let id = params.and_then(|params| RequestId::read(params.get("requestId")?));
        let Some(id) = id else { return };
        self.with(|requests| {
            let same = requests.get(&(caller, id.key())).map(Vec::as_slice);
            if let Some([one]) = same {
                one.notify_one();
            }
        });
    }

    fn with(&self, work: impl FnOnce(&mut Requests)) {
        work(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner));
    }
}

impl Cancellable {
    /// Resolves once the caller cancels it.
    pub(super) async fn cancelled(&self) {
        self.cancellation.notified().await;
    }
}

impl Drop for Cancellable {
    fn drop(&mut self) {
        self.running.with(|requests| {
            if let Entry::Occupied(mut same) = requests.entry(self.key.clone()) {
                same.get_mut()
                    .retain(|other| !Arc::ptr_eq(other, &self.cancellation));
                if same.get().is_empty() {
                    same.remove();
                }
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;
    use upstream::CallerKeys;

    use super::*;

    fn id(text: &str) -> RequestId {
        RequestId::read(&RawValue::from_string(text.to_owned()).unwrap()).unwrap()
    }

    /// Whether a request with the id `running` ends when `params` cancel.
    fn check(running: &str, params: &str, expected: bool) {
        let caller = CallerKeys::new([7; 32]).caller(None).key;
        let requests = Running::default();
        let request = requests.enter(caller, &id(running));
        let raw = RawValue::from_string(params.to_owned()).unwrap();
        requests.cancel(caller, Some(&raw));
        let is_cancelled = request.cancelled().now_or_never().is_some();
        assert_eq!(is_cancelled, expected, "{running} {params}");
    }

    #[test]
    fn the_named_request_is_cancelled_and_no_other() {
        check("77", r#"{"requestId":77}"#, true);
        check(r#""a""#, r#"{"requestId":"\u0061","reason":"why"}"#, true);
        check("77", r#"{"requestId":"77"}"#, false);
        check("77", r#"{"requestId":78}"#, false);
        check("77", r#"{"requestId":null}"#, false);
        check("77", "{}", false);
    }

    #[test]
    fn of_two_with_one_id_none_is_cancelled_until_one_is_left() {
        let caller = CallerKeys::new([7; 32]).caller(None).key;
        let requests = Running::default();
        let params = RawValue::from_string(r#"{"requestId":1}"#.to_owned()).unwrap();
        let one = requests.enter(caller, &id("1"));
        let other = requests.enter(caller, &id("1"));
        requests.cancel(caller, Some(&params));
        assert!(one.cancelled().now_or_never().is_none());
        assert!(other.cancelled().now_or_never().is_none());
        drop(one);
        requests.cancel(caller, Some(&params));
        assert!(other.cancelled().now_or_never().is_some());
        drop(other);
        assert!(requests.0.lock().unwrap().is_empty());
    }
}
