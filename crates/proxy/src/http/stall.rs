//! Connections whose peer takes nothing are given up.

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Instant, Sleep, sleep};

/// A connection that fails once its peer has taken no byte of what is written for [`MAX_STALL`].
/// Otherwise a peer that reads nothing would keep an answer in memory for ever.
pub(crate) struct Unstalled<S> {
    stream: S,
    stall: Pin<Box<Sleep>>,
    is_stalled: bool,
}

impl<S> Unstalled<S> {
    pub(crate) fn new(stream: S) -> Self {
        Self {
            stream,
            stall: Box::pin(sleep(MAX_STALL)),
            is_stalled: false,
        }
    }

    /// `written`, or an error if nothing could be written for too long.
    fn in_time<T>(
        &mut self,
        context: &mut Context<'_>,
        written: Poll<io::Result<T>>,
    ) -> Poll<io::Result<T>> {
        if written.is_ready() {
            self.is_stalled = false;
            return written;
        }
        if !self.is_stalled {
            self.is_stalled = true;
            self.stall.as_mut().reset(Instant::now() + MAX_STALL);
        }
        ready!(self.stall.as_mut().poll(context));
        Poll::Ready(Err(io::Error::new(
            io::ErrorKind::TimedOut,
            "the peer takes no bytes",
        )))
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Unstalled<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Unstalled<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.in_time(context, written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(context, bytes);
        self.in_time(context, written)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let flushed = Pin::new(&mut self.stream).poll_flush(context);
        self.in_time(context, flushed)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let shut = Pin::new(&mut self.stream).poll_shutdown(context);
        self.in_time(context, shut)
    }
}

/// Far longer than a network's hiccup, and than a client that is busy takes to read on.
const MAX_STALL: Duration = Duration::from_secs(30);

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt, AsyncWriteExt, duplex};

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_peer_that_takes_nothing_is_given_up_after_half_a_minute() {
        let (near, _far) = duplex(8);
        let started = Instant::now();
        let error = Unstalled::new(near).write_all(&[0; 9]).await.unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
        assert_eq!(started.elapsed(), MAX_STALL);
    }

    #[tokio::test(start_paused = true)]
    async fn a_peer_that_takes_little_at_a_time_gets_everything() {
        let (near, mut far) = duplex(8);
        let reading = tokio::spawn(async move {
            for _ in 0..4 {
                sleep(Duration::from_secs(29)).await;
                far.read_exact(&mut [0; 8]).await.unwrap();
            }
            far
        });
        let mut near = Unstalled::new(near);
        near.write_all(&[0; 32]).await.unwrap();
        // Time without anything to write counts for nothing.
        let _far = reading.await.unwrap();
        sleep(MAX_STALL * 2).await;
        near.write_all(&[0; 8]).await.unwrap();
    }
}
