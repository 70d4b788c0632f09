//! The gateway as a server on loopback.

use std::convert::Infallible;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;

use axum::Router;
use axum::extract::{DefaultBodyLimit, Extension, State};
use axum::response::Response;
use axum::routing::{any, get};
use bytes::Bytes;
use http::{HeaderMap, Method};
use hyper::server::conn::http1;
use hyper_util::rt::TokioIo;
use hyper_util::service::TowerToHyperService;
use serde_json::value::RawValue;
use tokio::net::{TcpListener, TcpStream};
use tokio::task::{JoinHandle, JoinSet};

use crate::access::METADATA_PATH;
use crate::fault::Fault;
use crate::gateway::Gateway;
use crate::hangup::Hangup;
use crate::record::{Activity, ReceivedRequest};
use crate::settings::DemoSettings;

/// A running gateway. Stops when dropped, with all of its connections.
#[derive(Debug)]
pub struct DemoGateway {
    /// Where it listens.
    pub address: SocketAddr,
    gateway: Arc<Gateway>,
    serving: JoinHandle<Infallible>,
}

impl DemoGateway {
    /// Starts listening where the settings say; the default is a free loopback port.
    pub async fn start(settings: DemoSettings) -> io::Result<Self> {
        let listener = TcpListener::bind(settings.address).await?;
        let address = listener.local_addr()?;
        let gateway = Arc::new(Gateway::new(settings, format!("http://{address}")));
        let serving = tokio::spawn(serve(listener, router(Arc::clone(&gateway))));
        Ok(Self {
            address,
            gateway,
            serving,
        })
    }

    /// The MCP endpoint.
    pub fn url(&self) -> String {
        format!("http://{}/mcp", self.address)
    }

    /// What arrived at the MCP endpoint so far, oldest first.
    pub fn requests(&self) -> Vec<ReceivedRequest> {
        self.gateway.recorder.requests()
    }

    /// How many messages of one JSON-RPC method arrived so far.
    pub fn count(&self, method: &str) -> usize {
        self.requests()
            .iter()
            .filter(|request| request.method() == method)
            .count()
    }

    /// How much has happened so far.
    pub fn activity(&self) -> Activity {
        self.gateway.recorder.activity()
    }

    /// Waits until what has happened satisfies `enough`.
    pub async fn until(&self, enough: impl FnMut(&Activity) -> bool) -> Activity {
        self.gateway.recorder.until(enough).await
    }

    /// Replaces the faults in force.
    pub fn set_faults(&self, faults: Vec<Fault>) {
        self.gateway.script.replace(faults);
    }

    /// Replaces what is listed and callable where no callers are named.
    pub fn set_tools(&self, tools: Vec<Box<RawValue>>) {
        self.gateway.access.replace_tools(tools);
    }
}

impl Drop for DemoGateway {
    fn drop(&mut self) {
        self.serving.abort();
    }
}

/// The gateway's routes.
pub(crate) fn router(gateway: Arc<Gateway>) -> Router {
    Router::new()
        .route("/mcp", any(endpoint))
        .route("/mcp/", any(endpoint))
        .route(METADATA_PATH, get(metadata))
        .layer(DefaultBodyLimit::max(MAX_BODY_BYTES))
        .with_state(gateway)
}

async fn endpoint(
    State(gateway): State<Arc<Gateway>>,
    hangup: Option<Extension<Hangup>>,
    http_method: Method,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let received = ReceivedRequest {
        http_method,
        headers,
        body,
    };
    let hangup = hangup.map(|Extension(hangup)| hangup).unwrap_or_default();
    gateway.respond(received, &hangup).await
}

async fn metadata(State(gateway): State<Arc<Gateway>>) -> Response {
    gateway.access.metadata()
}

/// Takes connections for ever. The set ends them all when this is dropped.
async fn serve(listener: TcpListener, router: Router) -> Infallible {
    let mut connections = JoinSet::new();
    loop {
        if let Ok((stream, _)) = listener.accept().await {
            connections.spawn(connection(stream, router.clone()));
        }
        while connections.try_join_next().is_some() {}
    }
}

async fn connection(stream: TcpStream, router: Router) {
    let hangup = Hangup::default();
    let service = router.layer(Extension(hangup.clone()));
    let serving = http1::Builder::new()
        .serve_connection(TokioIo::new(stream), TowerToHyperService::new(service));
    tokio::select! {
        // A client that breaks the protocol or goes away ends only its own connection.
        _ = serving => {}
        () = hangup.hung_up() => {}
    }
}

/// Far above what a well-behaved proxy sends.
const MAX_BODY_BYTES: usize = 64 << 20;

#[cfg(test)]
mod tests;
