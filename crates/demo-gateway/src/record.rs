//! What the gateway received, for tests to look at.

use std::sync::{Mutex, PoisonError};

use bytes::Bytes;
use http::HeaderMap;
use serde_json::value::RawValue;
use tokio::sync::watch;
use wire::{Message, RawObject};

use crate::settings::Recording;

/// A request as it arrived.
#[derive(Debug, Clone)]
pub struct ReceivedRequest {
    /// The HTTP method.
    pub http_method: http::Method,
    /// All of its headers.
    pub headers: HeaderMap,
    /// Its body.
    pub body: Bytes,
}

/// How much has happened so far. Only grows, but for `sessions`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Activity {
    /// HTTP requests that arrived at the MCP endpoint.
    pub received: usize,
    /// Requests whose client went away before the answer, or the script of its body, was over.
    pub abandoned: usize,
    /// JSON-RPC responses that clients posted.
    pub responses: usize,
    /// Sessions opened so far.
    pub sessions_opened: usize,
    /// Sessions open now.
    pub sessions: usize,
}

/// Keeps requests and counts.
#[derive(Debug)]
pub(crate) struct Recorder {
    recording: Recording,
    requests: Mutex<Vec<ReceivedRequest>>,
    activity: watch::Sender<Activity>,
}

/// Counts its answer as abandoned when dropped before it is whole.
#[derive(Debug)]
pub(crate) struct InFlight {
    activity: watch::Sender<Activity>,
    done: bool,
}

impl ReceivedRequest {
    /// The JSON-RPC method; empty where the body holds none.
    pub fn method(&self) -> String {
        match Message::parse(&self.body) {
            Ok(Message::Request(request)) => request.method.into_owned(),
            Ok(Message::Notification { method, .. }) => method.into_owned(),
            _ => String::new(),
        }
    }

    /// The JSON-RPC params, as they were spelt.
    pub fn params(&self) -> Option<Box<RawValue>> {
        match Message::parse(&self.body) {
            Ok(Message::Request(request)) => request.params.map(ToOwned::to_owned),
            Ok(Message::Notification { params, .. }) => params.map(ToOwned::to_owned),
            _ => None,
        }
    }

    /// One member of the params, as it was spelt.
    pub fn param(&self, key: &str) -> Option<String> {
        let params = self.params()?;
        let value = RawObject::read(&params)?.get(key)?.get().to_owned();
        Some(value)
    }

    /// A header's value; `None` where it is absent or not ASCII.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }
}

impl Recorder {
    pub(crate) fn new(recording: Recording) -> Self {
        Self {
            recording,
            requests: Mutex::new(Vec::new()),
            activity: watch::Sender::new(Activity::default()),
        }
    }

    pub(crate) fn receive(&self, request: &ReceivedRequest) {
        if self.recording == Recording::On {
            self.requests
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .push(request.clone());
        }
        self.count(|activity| activity.received += 1);
    }

    pub(crate) fn in_flight(&self) -> InFlight {
        InFlight {
            activity: self.activity.clone(),
            done: false,
        }
    }

    pub(crate) fn count(&self, change: impl FnOnce(&mut Activity)) {
        self.activity.send_modify(change);
    }

    pub(crate) fn requests(&self) -> Vec<ReceivedRequest> {
        self.requests
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    pub(crate) fn activity(&self) -> Activity {
        *self.activity.borrow()
    }

    pub(crate) async fn until(&self, enough: impl FnMut(&Activity) -> bool) -> Activity {
        // The sender lives as long as `self`, so waiting ends only with what is waited for.
        match self.watch().wait_for(enough).await {
            Ok(activity) => *activity,
            Err(_closed) => self.activity(),
        }
    }

    pub(crate) fn watch(&self) -> watch::Receiver<Activity> {
        self.activity.subscribe()
    }
}

impl InFlight {
    pub(crate) fn done(&mut self) {
        self.done = true;
    }
}

impl Drop for InFlight {
    fn drop(&mut self) {
        if !self.done {
            self.activity
                .send_modify(|activity| activity.abandoned += 1);
        }
    }
}
