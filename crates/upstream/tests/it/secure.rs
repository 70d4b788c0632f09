//! TLS and HTTP/2 (field case 72).

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use http::{Request, Response};
use http_body_util::{BodyExt, Full};
use hyper::body::{Bytes, Incoming};
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Notify;
use tokio::task::JoinHandle;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::pki_types::PrivateKeyDer;
use tokio_rustls::server::TlsStream;
use upstream::{
    Effect, Embeddings, EmbeddingsConfig, EraChoice, Upstream, UpstreamConfig, UpstreamError,
};
use wire::Era;

use crate::scripted::{PATIENCE, call, config, text};

/// A TLS server that answers every call with its protocol's name.
struct Secure {
    url: String,
    root_pem: String,
    requests: Arc<AtomicUsize>,
    connections: Arc<AtomicUsize>,
    /// Lets open HTTP/2 connections say goodbye.
    goodbye: Arc<Notify>,
    said_goodbye: Arc<Notify>,
    server: JoinHandle<()>,
}

impl Secure {
    async fn start(protocol: &'static str) -> Self {
        let made = rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();
        let key = PrivateKeyDer::try_from(made.signing_key.serialize_der()).unwrap();
        let mut tls = ServerConfig::builder()
            .with_no_client_auth()
            .with_single_cert(vec![made.cert.der().clone()], key)
            .unwrap();
        tls.alpn_protocols = vec![protocol.into()];
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let mut secure = Self {
            url: format!(
                "https://localhost:{}/mcp",
                listener.local_addr().unwrap().port()
            ),
            root_pem: made.cert.pem(),
            requests: Arc::default(),
            connections: Arc::default(),
            goodbye: Arc::default(),
            said_goodbye: Arc::default(),
            server: tokio::spawn(async {}),
        };
        secure.server = secure.serve(listener, TlsAcceptor::from(Arc::new(tls)), protocol);
        secure
    }

    fn serve(
        &self,
        listener: TcpListener,
        acceptor: TlsAcceptor,
        protocol: &'static str,
    ) -> JoinHandle<()> {
        let (requests, connections) = (Arc::clone(&self.requests), Arc::clone(&self.connections));
        let (goodbye, said_goodbye) = (Arc::clone(&self.goodbye), Arc::clone(&self.said_goodbye));
        tokio::spawn(async move {
            while let Ok((connection, _)) = listener.accept().await {
                let Ok(connection) = acceptor.accept(connection).await else {
                    continue;
                };
                connections.fetch_add(1, Ordering::SeqCst);
                let (goodbye, said) = (Arc::clone(&goodbye), Arc::clone(&said_goodbye));
                tokio::spawn(answer(
                    connection,
                    protocol,
                    Arc::clone(&requests),
                    goodbye,
                    said,
                ));
            }
        })
    }

    fn config(&self) -> UpstreamConfig {
        let mut config = config(&self.url);
        config.era = EraChoice::Fixed(Era::Modern);
        config.extra_roots_pem = Some(self.root_pem.clone().into_bytes());
        config
    }
}

impl Drop for Secure {
    fn drop(&mut self) {
        self.server.abort();
    }
}

async fn answer(
    connection: TlsStream<TcpStream>,
    protocol: &'static str,
    requests: Arc<AtomicUsize>,
    goodbye: Arc<Notify>,
    said_goodbye: Arc<Notify>,
) {
    let service = service_fn(move |request: Request<Incoming>| {
        requests.fetch_add(1, Ordering::SeqCst);
        async move {
            let body = request.into_body().collect().await?.to_bytes();
            let call: serde_json::Value = serde_json::from_slice(&body).unwrap();
            let answer =
                serde_json::json!({"jsonrpc": "2.0", "id": call["id"], "result": protocol});
            let answer = Response::builder()
                .header("content-type", "application/json")
                .header("x-long", "v".repeat(64_000))
                .body(Full::new(Bytes::from(answer.to_string())));
            Ok::<_, hyper::Error>(answer.unwrap())
        }
    });
    let connection = TokioIo::new(connection);
    if protocol == "http/1.1" {
        let http = hyper::server::conn::http1::Builder::new();
        http.serve_connection(connection, service).await.ok();
        return;
    }
    let http = hyper::server::conn::http2::Builder::new(TokioExecutor::new());
    let mut serving = std::pin::pin!(http.serve_connection(connection, service));
    tokio::select! {
        _ = &mut serving => return,
        () = goodbye.notified() => serving.as_mut().graceful_shutdown(),
    }
    serving.await.ok();
    said_goodbye.notify_one();
}

#[tokio::test]
async fn a_root_of_one_s_own_is_trusted_over_both_protocols() {
    for protocol in ["http/1.1", "h2"] {
        let upstream = Secure::start(protocol).await;
        let client = Upstream::new(upstream.config()).unwrap();
        for _ in 0..3 {
            let reply = call(&client, Effect::Write).await.unwrap();
            assert_eq!(text(&reply), format!("\"{protocol}\""));
        }
        assert_eq!(upstream.connections.load(Ordering::SeqCst), 1);
    }
}

#[tokio::test]
async fn an_unknown_root_is_not_trusted() {
    let upstream = Secure::start("h2").await;
    let other = Secure::start("h2").await;
    for roots in [None, Some(other.root_pem.clone().into_bytes())] {
        let mut config = upstream.config();
        config.extra_roots_pem = roots;
        let client = Upstream::new(config).unwrap();
        let error = call(&client, Effect::Write).await.unwrap_err();
        assert!(matches!(error, UpstreamError::Connect(_)), "{error:?}");
        assert!(error.surely_not_run());
    }
    assert_eq!(upstream.requests.load(Ordering::SeqCst), 0);
}

#[tokio::test]
async fn an_embedding_service_is_trusted_by_its_own_root() {
    let service = Secure::start("h2").await;
    for (roots, kind) in [
        (None, "unreachable"),
        (Some(service.root_pem.clone().into_bytes()), "malformed"),
    ] {
        let client = Embeddings::new(EmbeddingsConfig {
            url: service.url.parse().unwrap(),
            model: "made-up".to_owned(),
            dimensions: 2,
            key: None,
            connect_timeout: PATIENCE,
            extra_roots_pem: roots,
        });
        let error = client
            .unwrap()
            .embed(&["text"], PATIENCE)
            .await
            .unwrap_err();
        assert_eq!(error.kind(), kind, "{error:?}");
    }
    assert_eq!(service.requests.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn a_goodbye_between_two_calls_costs_nothing() {
    let upstream = Secure::start("h2").await;
    let client = Upstream::new(upstream.config()).unwrap();
    call(&client, Effect::Read).await.unwrap();
    upstream.goodbye.notify_one();
    upstream.said_goodbye.notified().await;
    call(&client, Effect::Read).await.unwrap();
    assert_eq!(upstream.connections.load(Ordering::SeqCst), 2);
    assert_eq!(upstream.requests.load(Ordering::SeqCst), 2);
}
