//! A scripted body, sent piece by piece.

use std::future::pending;
use std::{io, vec};

use axum::body::Body;
use bytes::Bytes;
use futures_util::stream;
use tokio::sync::watch;

use crate::fault::Piece;
use crate::record::{Activity, InFlight, Recorder};

/// What is left of a body.
#[derive(Debug)]
pub(crate) struct Playback {
    pieces: vec::IntoIter<Piece>,
    /// What stands for [`Piece::Answer`].
    answer: Bytes,
    activity: watch::Receiver<Activity>,
    responses_before: usize,
    in_flight: InFlight,
}

impl Playback {
    pub(crate) fn new(pieces: Vec<Piece>, answer: Bytes, recorder: &Recorder) -> Self {
        Self {
            pieces: pieces.into_iter(),
            answer,
            activity: recorder.watch(),
            responses_before: recorder.activity().responses,
            in_flight: recorder.in_flight(),
        }
    }

    pub(crate) fn into_body(self) -> Body {
        Body::from_stream(stream::unfold(self, Self::next))
    }

    async fn next(mut self) -> Option<(io::Result<Bytes>, Self)> {
        // A connection flushes what it has while its body isn't ready, so each piece leaves alone.
        tokio::task::yield_now().await;
        let Some(piece) = self.pieces.next() else {
            self.in_flight.done();
            return None;
        };
        let chunk = match piece {
            Piece::Bytes(bytes) => Ok(bytes),
            Piece::Answer => Ok(self.answer.clone()),
            Piece::AwaitResponse => self.await_response().await,
            Piece::Hang => pending().await,
            Piece::Cut => {
                self.in_flight.done();
                Err(io::Error::other("the script ends the connection here"))
            }
        };
        Some((chunk, self))
    }

    /// An empty chunk, once a client has posted a response.
    async fn await_response(&mut self) -> io::Result<Bytes> {
        let before = self.responses_before;
        self.activity
            .wait_for(|activity| activity.responses > before)
            .await
            .map(|_| Bytes::new())
            .map_err(io::Error::other)
    }
}
