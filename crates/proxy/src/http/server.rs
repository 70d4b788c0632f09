//! Connections: accepted until the proxy is told to stop, then drained.

use std::future::Future;
use std::pin::pin;
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;

use super::stall::Unstalled;

/// Serves `routes` until `stop` resolves, then lets the requests in flight end, at most for
/// `drain`. What is still open after that is cut.
pub(crate) async fn serve(
    listener: TcpListener,
    routes: Router,
    stop: impl Future<Output = ()>,
    drain: Duration,
) {
    let mut stop = pin!(stop);
    let graceful = GracefulShutdown::new();
    let mut connections = JoinSet::new();
    loop {
        tokio::select! {
            () = &mut stop => break,
            stream = accept(&listener) => {
                let service = TowerToHyperService::new(routes.clone());
                let connection = graceful.watch(http().serve_connection(stream, service));
                connections.spawn(async move {
                    if let Err(error) = connection.await {
                        tracing::debug!(error = %error, "a connection broke off");
                    }
                });
            }
            Some(_ended) = connections.join_next() => {}
        }
    }
    drop(listener);
    if tokio::time::timeout(drain, graceful.shutdown())
        .await
        .is_err()
    {
        tracing::warn!("requests were still running when the time to stop was over");
    }
}

async fn accept(listener: &TcpListener) -> TokioIo<Unstalled<TcpStream>> {
    loop {
        match listener.accept().await {
            Ok((stream, _peer)) => {
                if let Err(error) = stream.set_nodelay(true) {
                    tracing::debug!(error = %error, "a connection can't send without delay");
                }
                return TokioIo::new(Unstalled::new(stream));
            }
            Err(error) => {
                tracing::warn!(error = %error, "a connection can't be accepted");
                tokio::time::sleep(ACCEPT_PAUSE).await;
            }
        }
    }
}

fn http() -> http1::Builder {
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new())
        .header_read_timeout(HEADER_TIMEOUT);
    http
}

/// Also how long an idle connection is kept.
const HEADER_TIMEOUT: Duration = Duration::from_mins(1);
/// When the system is out of file descriptors, asking again at once helps nobody.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);

#[cfg(test)]
mod tests {
    use axum::routing::get;
    use tokio::io::AsyncWriteExt;
    use tokio::sync::{mpsc, oneshot};

    use super::*;

    #[tokio::test]
    async fn a_stuck_request_is_cut_when_the_time_to_drain_is_over() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (entered, mut entries) = mpsc::channel::<()>(1);
        let stuck = get(move || async move {
            entered.send(()).await.unwrap();
            std::future::pending::<()>().await;
        });
        let (stop, stopped) = oneshot::channel::<()>();
        let stopped = async { stopped.await.unwrap_or_default() };
        let routes = Router::new().route("/", stuck);
        let serving = tokio::spawn(serve(listener, routes, stopped, Duration::from_millis(1)));
        let mut caller = TcpStream::connect(address).await.unwrap();
        caller.write_all(b"GET / HTTP/1.1\r\n\r\n").await.unwrap();
        entries.recv().await.unwrap();
        stop.send(()).unwrap();
        serving.await.unwrap();
        // The handler is gone, and its sender with it.
        assert_eq!(entries.recv().await, None);
    }
}
