//! A proxy before a demo gateway, asked through its router without a socket of its own.

use std::time::Duration;

use axum::Router;
use axum::body::Body;
use bytes::Bytes;
use clap::{Args, Command, FromArgMatches};
use demo_gateway::{DemoGateway, DemoSettings};
use http::{HeaderMap, Request, StatusCode};
use http_body_util::BodyExt;
use proxy::{App, Config, Settings};
use serde_json::{Value, json};
use tower::ServiceExt;

/// The two together.
pub(crate) struct Proxied {
    pub(crate) gateway: DemoGateway,
    pub(crate) proxy: Proxy,
}

/// A proxy before any upstream.
#[derive(Clone)]
pub(crate) struct Proxy {
    routes: Router,
}

/// An HTTP answer, read to its end.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
}

impl Proxied {
    /// A proxy with these flags before a gateway with these settings.
    pub(crate) async fn start(settings: DemoSettings, flags: &[&str]) -> Self {
        let gateway = DemoGateway::start(settings).await.unwrap();
        let proxy = Proxy::before(&gateway.url(), flags);
        Self { gateway, proxy }
    }
}

impl Proxy {
    /// A proxy with these flags before the server at `upstream`.
    pub(crate) fn before(upstream: &str, flags: &[&str]) -> Self {
        Self::of(&App::build(config(upstream, flags)).unwrap())
    }

    /// What `app` serves.
    pub(crate) fn of(app: &App) -> Self {
        Self {
            routes: app.router(),
        }
    }

    /// The answer as the server gets it, its body unread.
    pub(crate) async fn answer(&self, request: Request<Body>) -> http::Response<Body> {
        self.routes.clone().oneshot(request).await.unwrap()
    }

    pub(crate) async fn send(&self, request: Request<Body>) -> Answer {
        let (head, body) = self.answer(request).await.into_parts();
        Answer {
            status: head.status,
            headers: head.headers,
            // Copied, because the proxy's own bytes count as on their way for as long as they live.
            body: Bytes::copy_from_slice(&body.collect().await.unwrap().to_bytes()),
        }
    }

    pub(crate) async fn get(&self, path: &str) -> Answer {
        self.send(local(Request::get(path)).body(Body::empty()).unwrap())
            .await
    }

    /// Posts `body` with these headers beside those that every client sends.
    pub(crate) async fn post(&self, headers: &[(&str, &str)], body: impl Into<Body>) -> Answer {
        self.post_to("/mcp", headers, body).await
    }

    /// The same to any path.
    pub(crate) async fn post_to(
        &self,
        path: &str,
        headers: &[(&str, &str)],
        body: impl Into<Body>,
    ) -> Answer {
        let mut request = local(Request::post(path))
            .header("content-type", "application/json")
            .header("accept", "application/json, text/event-stream");
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        self.send(request.body(body.into()).unwrap()).await
    }

    /// A request of 2025-11-25.
    pub(crate) async fn legacy(&self, method: &str, params: Value) -> Answer {
        self.post(
            &[("mcp-protocol-version", "2025-11-25")],
            message(method, params),
        )
        .await
    }

    /// A request of 2026-07-28, whose headers say what its body says.
    pub(crate) async fn modern(&self, method: &str, params: Value) -> Answer {
        let (headers, body) = modern(method, params);
        let headers: Vec<_> = headers
            .iter()
            .map(|(name, value)| (*name, value.as_str()))
            .collect();
        self.post(&headers, body).await
    }
}

impl Answer {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body)
            .unwrap_or_else(|error| panic!("{error}: {:?}", String::from_utf8_lossy(&self.body)))
    }

    /// The result of a successful answer.
    pub(crate) fn result(&self) -> Value {
        let mut json = self.json();
        assert_eq!(self.status, StatusCode::OK, "{json}");
        assert!(json.get("error").is_none(), "{json}");
        json["result"].take()
    }

    /// Status and code of a refusal.
    pub(crate) fn error(&self) -> (u16, i64) {
        let json = self.json();
        let code = json["error"]["code"].as_i64();
        (
            self.status.as_u16(),
            code.unwrap_or_else(|| panic!("no error: {json}")),
        )
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).map(|value| value.to_str().unwrap())
    }
}

/// The settings that these flags make; a busy machine cuts no check of arguments and no first
/// listing short.
pub(crate) fn config(upstream: &str, flags: &[&str]) -> Config {
    let mut flags = flags.to_vec();
    if !flags.contains(&FIRST_LISTING_WAIT) {
        flags.extend([FIRST_LISTING_WAIT, "1m"]);
    }
    let command = Settings::augment_args(Command::new("test")).no_binary_name(true);
    let settings = Settings::from_arg_matches(&command.get_matches_from(flags)).unwrap();
    Config::new(upstream.parse().unwrap(), &settings)
        .unwrap()
        .with_check_time(AMPLE)
}

/// Asks until `holds` says so, and fails the test if it never does.
pub(crate) async fn until(holds: impl AsyncFn() -> bool) {
    let asking = async {
        while !holds().await {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(AMPLE, asking).await.unwrap();
}

/// A JSON-RPC request; `params: null` leaves them out.
pub(crate) fn message(method: &str, params: Value) -> String {
    let mut message = json!({"jsonrpc": "2.0", "id": 7, "method": method});
    if !params.is_null() {
        message["params"] = params;
    }
    message.to_string()
}

/// Headers and body of a request of 2026-07-28.
pub(crate) fn modern(method: &str, params: Value) -> (Vec<(&'static str, String)>, String) {
    let mut params = if params.is_null() { json!({}) } else { params };
    for (key, value) in envelope().as_object().unwrap() {
        params["_meta"][key] = value.clone();
    }
    let mut headers = vec![
        ("mcp-protocol-version", "2026-07-28".to_owned()),
        ("mcp-method", method.to_owned()),
    ];
    let name = params.get("name").or_else(|| params.get("uri"));
    if let Some(name) = name.and_then(Value::as_str) {
        headers.push(("mcp-name", wire::encode_header(name).into_owned()));
    }
    (headers, message(method, params))
}

/// The `_meta` of a request of 2026-07-28.
pub(crate) fn envelope() -> Value {
    json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
    })
}

fn local(request: http::request::Builder) -> http::request::Builder {
    request.header("host", "localhost:8080")
}

const FIRST_LISTING_WAIT: &str = "--first-listing-wait";
const AMPLE: Duration = Duration::from_mins(1);
