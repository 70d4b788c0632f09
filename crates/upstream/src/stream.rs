//! Finding one answer in a stream of server-sent events.

use std::time::Duration;

use futures_util::StreamExt;
use futures_util::future::BoxFuture;
use futures_util::stream::FuturesUnordered;
use http::StatusCode;
use reqwest::Response;
use wire::{EventTooLarge, Message, Request, SseDecoder};

use crate::answer::{Content, Expected, fault_of, is_event_stream, malformed};
use crate::body;
use crate::error::UpstreamError;
use crate::transport::fault;

/// Reads events until the answer comes, answering the upstream's own requests meanwhile.
pub(crate) struct EventStream<'a> {
    expected: Expected<'a>,
    decoder: SseDecoder,
    /// Answers to the upstream's requests, being sent.
    replies: FuturesUnordered<BoxFuture<'static, ()>>,
    bytes: usize,
    /// What was wrong with an event, told if the answer never comes.
    unreadable: Option<&'static str>,
}

/// Why reading one response stopped.
enum Stop {
    Answered(Content),
    Ended(UpstreamError),
}

impl<'a> EventStream<'a> {
    pub(crate) fn new(expected: Expected<'a>) -> Self {
        Self {
            decoder: SseDecoder::new(expected.max_bytes),
            expected,
            replies: FuturesUnordered::new(),
            bytes: 0,
            unreadable: None,
        }
    }

    /// The answer and how many bytes were read for it.
    ///
    /// A legacy upstream may close early once it has given an event id, and is then asked for the
    /// rest (2025-11-25, resumability).
    pub(crate) async fn answer(
        mut self,
        mut response: Response,
    ) -> Result<(Content, usize), UpstreamError> {
        let mut resumptions = 0;
        loop {
            let error = match self.read(response).await? {
                Stop::Answered(content) => return Ok((content, self.bytes)),
                Stop::Ended(error) => error,
            };
            if resumptions == MAX_RESUMPTIONS {
                return Err(error);
            }
            resumptions += 1;
            let Some(next) = self.resume().await else {
                return Err(error);
            };
            response = next;
        }
    }

    async fn read(&mut self, mut response: Response) -> Result<Stop, UpstreamError> {
        loop {
            let chunk = tokio::select! {
                chunk = response.chunk() => chunk,
                Some(()) = self.replies.next() => continue,
            };
            let chunk = match chunk {
                Ok(Some(chunk)) => chunk,
                Ok(None) => return Ok(Stop::Ended(self.ended(&response))),
                Err(error) => return Ok(Stop::Ended(fault(error))),
            };
            self.bytes = self.bytes.saturating_add(chunk.len());
            let events = self
                .decoder
                .push(&chunk)
                .map_err(|EventTooLarge { max_bytes }| UpstreamError::TooLarge {
                    max_bytes,
                    announced: None,
                })?;
            for data in events {
                if let Some(content) = self.take(response.status(), &data) {
                    body::drain(response);
                    return Ok(Stop::Answered(content));
                }
            }
        }
    }

    /// The answer, if `data` holds it.
    fn take(&mut self, status: StatusCode, data: &str) -> Option<Content> {
        match Message::parse(data.as_bytes()) {
            Ok(Message::Request(request)) => {
                self.reply(&request);
                None
            }
            Ok(message) => self.expected.own_content(status, message),
            Err(invalid) => {
                self.unreadable = Some(fault_of(data.as_bytes(), &invalid));
                None
            }
        }
    }

    /// Modern upstreams may not ask (2026-07-28), so that they get no reply.
    fn reply(&self, request: &Request<'_>) {
        if let Some(backchannel) = &self.expected.backchannel
            && self.replies.len() < MAX_REPLIES
        {
            self.replies.push(Box::pin(backchannel.answer(request)));
        }
    }

    fn ended(&self, response: &Response) -> UpstreamError {
        match self.unreadable {
            Some(fault) => malformed(response.status(), response.headers(), fault),
            None => UpstreamError::Broken("the stream ended before the answer".into()),
        }
    }

    /// The rest of the stream, if the upstream has said where it can be resumed.
    async fn resume(&mut self) -> Option<Response> {
        let backchannel = self.expected.backchannel.as_ref()?;
        let last_id = self.decoder.last_event_id()?.to_owned();
        let pause = self.decoder.retry_ms().map(Duration::from_millis);
        tokio::time::sleep(pause.unwrap_or(DEFAULT_PAUSE).min(MAX_PAUSE)).await;
        let response = backchannel.resume(&last_id).await.ok()??;
        if !response.status().is_success() || !is_event_stream(response.headers()) {
            return None;
        }
        self.decoder.restart();
        Some(response)
    }
}

const MAX_RESUMPTIONS: usize = 3;
const DEFAULT_PAUSE: Duration = Duration::from_millis(500);
const MAX_PAUSE: Duration = Duration::from_secs(3);
/// A request of the upstream past these gets no reply.
const MAX_REPLIES: usize = 16;
