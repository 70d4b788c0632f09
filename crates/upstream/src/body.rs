//! A response body, read no further than a limit.

use std::time::Duration;

use bytes::Bytes;
use reqwest::Response;
use tokio::time::timeout;

use crate::error::UpstreamError;
use crate::transport::fault;

/// All bytes of `response`, if they are at most `max_bytes` after decompression.
///
/// `Content-Length` is believed first, so that a body known to be too large is never read.
pub(crate) async fn collect(
    mut response: Response,
    max_bytes: usize,
) -> Result<Bytes, UpstreamError> {
    let announced = response.content_length();
    let too_large = UpstreamError::TooLarge {
        max_bytes,
        announced,
    };
    let expected = usize::try_from(announced.unwrap_or(0)).unwrap_or(usize::MAX);
    if expected > max_bytes {
        return Err(too_large);
    }
    let mut body = Vec::new();
    let mut chunk = response.chunk().await.map_err(fault)?;
    while let Some(bytes) = chunk {
        if bytes.len() > max_bytes - body.len() {
            return Err(too_large);
        }
        chunk = response.chunk().await.map_err(fault)?;
        if body.is_empty() {
            if chunk.is_none() {
                return Ok(bytes);
            }
            body.reserve(expected.min(MAX_PREALLOCATED));
        }
        body.extend_from_slice(&bytes);
    }
    Ok(body.into())
}

/// Reads what is left of `response` beside, so that its connection can be used again.
///
/// A connection whose answer wasn't read to the end has to be closed, and a stream of events ends
/// a moment after the answer that was waited for. Nobody waits for it: when the process ends, it is
/// dropped with its connection, which harms nothing.
pub(crate) fn drain(mut response: Response) {
    tokio::spawn(timeout(MAX_DRAINING, async move {
        while let Ok(Some(_)) = response.chunk().await {}
    }));
}

/// An upstream may announce what it never sends.
const MAX_PREALLOCATED: usize = 1 << 20;
const MAX_DRAINING: Duration = Duration::from_secs(1);
