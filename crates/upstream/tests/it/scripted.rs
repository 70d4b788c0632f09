//! An upstream that answers as a closure says, and remembers what it was asked.

use std::io::Write;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::Request;
use axum::response::Response;
use flate2::Compression;
use flate2::write::GzEncoder;
use http::{HeaderMap, Method, StatusCode};
use serde_json::value::RawValue;
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::task::JoinHandle;
use upstream::{
    Authorization, Caller, CallerKeys, Effect, EraChoice, Forward, Reply, Upstream, UpstreamConfig,
    UpstreamError,
};

/// A request as it reached the upstream.
#[derive(Debug, Clone)]
pub(crate) struct Seen {
    pub(crate) method: Method,
    pub(crate) path: String,
    pub(crate) headers: HeaderMap,
    pub(crate) text: String,
    pub(crate) body: Value,
}

/// A running upstream; ends when dropped.
pub(crate) struct Scripted {
    pub(crate) origin: String,
    seen: Arc<Mutex<Vec<Seen>>>,
    changed: watch::Receiver<usize>,
    server: JoinHandle<()>,
}

impl Scripted {
    /// Answers every request with what `script` returns.
    pub(crate) async fn start(script: impl Fn(&Seen) -> Response + Send + Sync + 'static) -> Self {
        let script = Arc::new(script);
        Self::start_async(move |seen| std::future::ready(script(&seen))).await
    }

    /// The same with answers that take time.
    pub(crate) async fn start_async<F, A>(script: F) -> Self
    where
        F: Fn(Seen) -> A + Clone + Send + Sync + 'static,
        A: Future<Output = Response> + Send,
    {
        Self::start_on("127.0.0.1", script).await.unwrap()
    }

    /// The same on another address, if this machine has it.
    pub(crate) async fn start_on<F, A>(host: &str, script: F) -> std::io::Result<Self>
    where
        F: Fn(Seen) -> A + Clone + Send + Sync + 'static,
        A: Future<Output = Response> + Send,
    {
        let seen = Arc::<Mutex<Vec<Seen>>>::default();
        let (counter, changed) = watch::channel(0);
        let log = Arc::clone(&seen);
        let answer = move |request: Request| {
            let (script, log, counter) = (script.clone(), Arc::clone(&log), counter.clone());
            async move {
                let request = Seen::read(request).await;
                log.lock().unwrap().push(request.clone());
                counter.send_modify(|count| *count += 1);
                script(request).await
            }
        };
        let listener = TcpListener::bind(format!("{host}:0")).await?;
        let origin = format!("http://{}", listener.local_addr().unwrap());
        let app = axum::Router::new().fallback(answer);
        let server = tokio::spawn(async move { axum::serve(listener, app).await.unwrap() });
        Ok(Self {
            origin,
            seen,
            changed,
            server,
        })
    }

    pub(crate) fn config(&self) -> UpstreamConfig {
        config(&format!("{}/mcp", self.origin))
    }

    pub(crate) fn client(&self) -> Upstream {
        Upstream::new(self.config()).unwrap()
    }

    pub(crate) fn seen(&self) -> Vec<Seen> {
        self.seen.lock().unwrap().clone()
    }

    pub(crate) fn last(&self) -> Seen {
        self.seen.lock().unwrap().last().unwrap().clone()
    }

    /// The JSON-RPC methods in order; HTTP's own for requests without a body.
    pub(crate) fn methods(&self) -> Vec<String> {
        self.seen().iter().map(Seen::rpc_method).collect()
    }

    pub(crate) fn count(&self, method: &str) -> usize {
        let methods = self.methods();
        methods.iter().filter(|found| *found == method).count()
    }

    /// Waits until a request satisfies `wanted`.
    pub(crate) async fn until(&self, wanted: impl Fn(&Seen) -> bool) -> Seen {
        let mut changed = self.changed.clone();
        let found = async {
            loop {
                changed.borrow_and_update();
                if let Some(found) = self.seen().into_iter().find(&wanted) {
                    return found;
                }
                changed.changed().await.unwrap();
            }
        };
        tokio::time::timeout(PATIENCE, found)
            .await
            .expect("the upstream was never asked for it")
    }
}

impl Drop for Scripted {
    fn drop(&mut self) {
        self.server.abort();
    }
}

impl Seen {
    async fn read(request: Request) -> Self {
        let (parts, body) = request.into_parts();
        let bytes = axum::body::to_bytes(body, 1 << 20)
            .await
            .unwrap_or_default();
        Self {
            method: parts.method,
            path: parts.uri.path().to_owned(),
            headers: parts.headers,
            body: serde_json::from_slice(&bytes).unwrap_or_default(),
            text: String::from_utf8_lossy(&bytes).into_owned(),
        }
    }

    pub(crate) fn rpc_method(&self) -> String {
        match self.body["method"].as_str() {
            Some(method) => method.to_owned(),
            None if self.body.is_object() => "response".to_owned(),
            None => self.method.to_string(),
        }
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).map(|value| value.to_str().unwrap())
    }

    /// The answer with `result`, verbatim.
    pub(crate) fn result(&self, result: &str) -> Response {
        reply(StatusCode::OK, &self.result_text(result))
    }

    pub(crate) fn result_text(&self, result: &str) -> String {
        let id = &self.body["id"];
        format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{result}}}"#)
    }

    /// A JSON-RPC error under `status`.
    pub(crate) fn error(&self, status: u16, code: i64, message: &str) -> Response {
        let id = &self.body["id"];
        let body = json!({"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": message}});
        reply(StatusCode::from_u16(status).unwrap(), &body.to_string())
    }

    /// The answers of a modern upstream to everything but calls.
    pub(crate) fn modern(&self) -> Option<Response> {
        match self.rpc_method().as_str() {
            "server/discover" => Some(self.result(DISCOVERED)),
            "tools/list" => {
                Some(self.result(r#"{"resultType":"complete","tools":[{"name":"a"}]}"#))
            }
            _ => None,
        }
    }

    /// The answers of a legacy upstream that opens the session `id` to everything but calls.
    pub(crate) fn legacy(&self, id: Option<&str>) -> Option<Response> {
        match self.rpc_method().as_str() {
            "server/discover" => Some(self.error(400, -32601, "unknown method")),
            "initialize" => {
                let mut response = self.result(INITIALIZED);
                if let Some(id) = id {
                    response
                        .headers_mut()
                        .insert("mcp-session-id", id.parse().unwrap());
                }
                Some(response)
            }
            "tools/list" => Some(self.result(r#"{"tools":[{"name":"a"}]}"#)),
            notification if notification.starts_with("notifications/") => Some(empty(202)),
            _ => None,
        }
    }
}

pub(crate) fn config(url: &str) -> UpstreamConfig {
    UpstreamConfig {
        url: url.parse().unwrap(),
        era: EraChoice::Auto,
        connect_timeout: PATIENCE,
        call_timeout: CALL_TIMEOUT,
        list_timeout: LIST_TIMEOUT,
        max_result_bytes: 1 << 20,
        max_listing_bytes: 1 << 20,
        extra_roots_pem: None,
    }
}

pub(crate) fn caller(authorization: &str) -> Caller {
    let value = authorization.parse().unwrap();
    let authorization = Authorization::parse([value].iter()).unwrap();
    CallerKeys::new([1; 32]).caller(authorization)
}

/// Calls the tool `t` without arguments.
pub(crate) async fn call(client: &Upstream, effect: Effect) -> Result<Reply, UpstreamError> {
    let name = RawValue::from_string("\"t\"".to_owned()).unwrap();
    let request = Forward {
        method: "tools/call",
        params: vec![("name", &name)],
        meta: None,
        name: Some("t"),
        param_headers: Vec::new(),
        effect,
    };
    client.forward(&caller("Bearer token"), request).await
}

/// A client of the modern era that sends calls and nothing else.
pub(crate) fn calling(mut config: UpstreamConfig) -> Upstream {
    config.era = EraChoice::Fixed(wire::Era::Modern);
    Upstream::new(config).unwrap()
}

/// What becomes of a call that is answered as `script` says.
pub(crate) async fn answered(
    script: impl Fn(&Seen) -> Response + Send + Sync + 'static,
) -> Result<Reply, UpstreamError> {
    let upstream = Scripted::start(script).await;
    call(&calling(upstream.config()), Effect::Write).await
}

/// The text of the result, or of the error after "error ".
pub(crate) fn text(reply: &Reply) -> String {
    match reply {
        Reply::Result { result, .. } => result.get().to_owned(),
        Reply::Error(error) => format!("error {}", error.get()),
    }
}

pub(crate) fn reply(status: StatusCode, body: &str) -> Response {
    typed(status.as_u16(), "application/json", body.to_owned())
}

pub(crate) fn typed(status: u16, content_type: &str, body: impl Into<Body>) -> Response {
    Response::builder()
        .status(status)
        .header("content-type", content_type)
        .body(body.into())
        .unwrap()
}

/// JSON as a gzipped body.
pub(crate) fn gzipped(text: &str) -> Response {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(text.as_bytes()).unwrap();
    let mut response = typed(200, "application/json", encoder.finish().unwrap());
    response
        .headers_mut()
        .insert("content-encoding", "gzip".parse().unwrap());
    response
}

pub(crate) fn empty(status: u16) -> Response {
    Response::builder()
        .status(status)
        .body(Body::empty())
        .unwrap()
}

pub(crate) fn redirect(status: u16, location: &str) -> Response {
    Response::builder()
        .status(status)
        .header("location", location)
        .body(Body::empty())
        .unwrap()
}

/// A stream of `chunks`, each sent on its own.
pub(crate) fn stream(content_type: &str, chunks: Vec<Vec<u8>>) -> Response {
    let chunks = chunks
        .into_iter()
        .map(|chunk| Ok::<_, std::io::Error>(Bytes::from(chunk)));
    let body = Body::from_stream(futures_util::stream::iter(chunks));
    typed(200, content_type, body)
}

/// Lets `time` pass at once for every timer of this runtime. What must have happened before is to
/// be waited for first.
pub(crate) async fn pass(time: Duration) {
    tokio::time::pause();
    tokio::time::advance(time).await;
    tokio::time::resume();
}

/// For what comes by itself, however busy the machine.
pub(crate) const PATIENCE: Duration = Duration::from_mins(1);
pub(crate) const CALL_TIMEOUT: Duration = Duration::from_mins(5);
pub(crate) const LIST_TIMEOUT: Duration = Duration::from_mins(4);
pub(crate) const DISCOVERED: &str = r#"{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},"instructions":"modern","ttlMs":60000,"cacheScope":"private"}"#;
pub(crate) const INITIALIZED: &str = r#"{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"},"instructions":"legacy"}"#;
