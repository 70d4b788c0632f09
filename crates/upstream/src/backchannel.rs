//! Talking back to a legacy upstream while it works on a request.

use std::time::Duration;

use bytes::Bytes;
use http::header::{ACCEPT, CONTENT_TYPE};
use http::{HeaderMap, HeaderName, HeaderValue};
use reqwest::Response;
use serde_json::value::RawValue;
use tokio::time::timeout;
use wire::{Request, RpcError, code, to_raw};

use crate::body;
use crate::credential::Authorization;
use crate::envelope;
use crate::error::UpstreamError;
use crate::session::Session;
use crate::transport::Transport;

/// Sends messages within a session, beside the request that is under way.
#[derive(Debug, Clone)]
pub(crate) struct Backchannel<'a> {
    pub(crate) transport: &'a Transport,
    pub(crate) session: &'a Session,
    pub(crate) authorization: Option<&'a Authorization>,
}

/// Tells a legacy upstream to stop working, if dropped before [`Self::answered`].
///
/// A legacy upstream doesn't take a closed connection for it (2025-11-25, cancellation). The
/// message is sent beside everything else; a process that ends at once may take it along.
#[derive(Debug)]
pub(crate) struct CancelOnDrop<'a> {
    backchannel: Backchannel<'a>,
    id: Option<u64>,
}

impl<'a> Backchannel<'a> {
    fn headers(&self) -> HeaderMap {
        envelope::session_headers(self.session, self.authorization)
    }

    /// Answers a request of the upstream: a ping is alive, anything else isn't done here, because
    /// we declare no capability for it.
    pub(crate) fn answer(&self, request: &Request<'_>) -> impl Future<Output = ()> + use<> {
        let message = if request.method == "ping" {
            request.id.result(envelope::empty_object())
        } else {
            let error = RpcError::new(
                code::METHOD_NOT_FOUND,
                "this client answers no requests but ping",
            );
            request.id.error(&error.to_raw())
        };
        send(self.transport.clone(), self.headers(), message.into())
    }

    /// Asks for the rest of a stream after the event `last_id`.
    pub(crate) async fn resume(&self, last_id: &str) -> Result<Option<Response>, UpstreamError> {
        let Ok(last_id) = HeaderValue::from_str(last_id) else {
            return Ok(None);
        };
        let mut headers = self.headers();
        headers.remove(CONTENT_TYPE);
        headers.insert(ACCEPT, HeaderValue::from_static("text/event-stream"));
        headers.insert(LAST_EVENT_ID, last_id);
        let endpoint = self.transport.endpoint().clone();
        self.transport.get(endpoint, headers).await.map(Some)
    }

    /// Starts watching over the request `id`.
    pub(crate) fn cancel_on_drop(self, id: u64) -> CancelOnDrop<'a> {
        CancelOnDrop {
            backchannel: self,
            id: Some(id),
        }
    }
}

impl CancelOnDrop<'_> {
    /// The upstream is done with the request.
    pub(crate) fn answered(mut self) {
        self.id = None;
    }
}

impl Drop for CancelOnDrop<'_> {
    fn drop(&mut self) {
        let Some(id) = self.id else { return };
        let Ok(runtime) = tokio::runtime::Handle::try_current() else {
            return;
        };
        let id: Box<RawValue> = to_raw(&id);
        let message = envelope::notification("notifications/cancelled", &[("requestId", &id)]);
        let transport = self.backchannel.transport.clone();
        runtime.spawn(send(transport, self.backchannel.headers(), message));
    }
}

/// Tells the upstream that `session` isn't needed any more, without waiting for it.
pub(crate) fn end(transport: &Transport, session: &Session, authorization: Option<&Authorization>) {
    if session.id.is_none() {
        return;
    }
    let headers = envelope::session_headers(session, authorization);
    let transport = transport.clone();
    tokio::spawn(async move {
        let ended = timeout(PATIENCE, transport.delete(headers)).await;
        tracing::debug!(ok = matches!(ended, Ok(Ok(_))), "session ended");
    });
}

async fn send(transport: Transport, headers: HeaderMap, message: Bytes) {
    let sent = timeout(PATIENCE, transport.post(headers, message)).await;
    tracing::debug!(
        ok = matches!(sent, Ok(Ok(_))),
        "message sent beside a request"
    );
    if let Ok(Ok(response)) = sent {
        body::drain(response);
    }
}

const LAST_EVENT_ID: HeaderName = HeaderName::from_static("last-event-id");
/// Nobody waits for these messages, so that they may not stay long.
const PATIENCE: Duration = Duration::from_secs(5);
