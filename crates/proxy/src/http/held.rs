//! What a request holds until its answer has left: a slow reader must count as long as it costs
//! memory.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use axum::body::Body;
use axum::response::Response;
use bytes::Bytes;
use http_body::{Frame, SizeHint};

/// `response`, which keeps `held` until its body is dropped and every byte of it is written: a
/// server takes a body's end before the peer has taken its bytes.
pub(crate) fn hold(response: Response, held: impl Send + Sync + 'static) -> Response {
    let held = Arc::new(held);
    response.map(|body| Body::new(HeldBody { body, held }))
}

struct HeldBody<T> {
    body: Body,
    held: Arc<T>,
}

struct HeldBytes<T> {
    bytes: Bytes,
    _held: Arc<T>,
}

impl<T: Send + Sync + 'static> http_body::Body for HeldBody<T> {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let held = Arc::clone(&self.held);
        let frame = Pin::new(&mut self.body).poll_frame(context);
        frame.map_ok(|frame| {
            frame.map_data(|bytes| Bytes::from_owner(HeldBytes { bytes, _held: held }))
        })
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

impl<T> AsRef<[u8]> for HeldBytes<T> {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;
    use std::time::Duration;

    use axum::Router;
    use axum::routing::get;
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::{TcpListener, TcpStream};
    use tokio::sync::mpsc;
    use tokio::sync::mpsc::error::TryRecvError;

    use super::*;
    use crate::http::serve;

    /// A caller of whose answer only the first byte was read, and what ends once nothing holds it.
    async fn slow_reader() -> (TcpStream, mpsc::Receiver<()>) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (held, released) = mpsc::channel::<()>(1);
        let held = Arc::new(Mutex::new(Some(held)));
        let answer = move || {
            let held = held.lock().unwrap().take();
            let response = hold(Response::new(Body::from(vec![b'x'; LENGTH])), held);
            std::future::ready(response)
        };
        let routes = Router::new().route("/", get(answer));
        tokio::spawn(serve(
            listener,
            routes,
            std::future::pending(),
            Duration::ZERO,
        ));
        let mut caller = TcpStream::connect(address).await.unwrap();
        let request = b"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
        caller.write_all(request).await.unwrap();
        caller.read_u8().await.unwrap();
        (caller, released)
    }

    #[tokio::test]
    async fn what_is_held_is_held_until_the_answer_is_read() {
        let (mut caller, mut released) = slow_reader().await;
        assert_eq!(released.try_recv(), Err(TryRecvError::Empty));
        let mut answer = Vec::new();
        caller.read_to_end(&mut answer).await.unwrap();
        assert!(answer.len() > LENGTH);
        assert_eq!(released.recv().await, None);
    }

    #[tokio::test]
    async fn what_is_held_is_let_go_with_the_connection() {
        let (caller, mut released) = slow_reader().await;
        assert_eq!(released.try_recv(), Err(TryRecvError::Empty));
        drop(caller);
        assert_eq!(released.recv().await, None);
    }

    /// More than sockets buffer.
    const LENGTH: usize = 64 << 20;
}
