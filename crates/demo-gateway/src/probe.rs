//! Drives the gateway's router without a socket.

use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use bytes::Bytes;
use http::{HeaderMap, Method, Request, StatusCode};
use http_body_util::BodyExt;
use serde_json::{Value, json};
use tower::ServiceExt;
use wire::meta_key;

use crate::gateway::Gateway;
use crate::server::router;
use crate::settings::DemoSettings;

/// A gateway and its router.
#[derive(Debug)]
pub(crate) struct Probe {
    pub(crate) gateway: Arc<Gateway>,
    router: Router,
}

/// An answer, read to its end.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
}

impl Probe {
    pub(crate) fn new(settings: DemoSettings) -> Self {
        let gateway = Arc::new(Gateway::new(settings, "http://gateway".to_owned()));
        Self {
            router: router(Arc::clone(&gateway)),
            gateway,
        }
    }

    /// Sends a request of 2026-07-28 as an SDK client does.
    pub(crate) async fn modern(&self, method: &str, params: Value) -> Answer {
        let named = params.get("name").or_else(|| params.get("uri"));
        let name = named.and_then(Value::as_str).unwrap_or_default().to_owned();
        let headers = [
            ("mcp-protocol-version", "2026-07-28"),
            ("mcp-method", method),
            ("mcp-name", &name),
        ];
        self.post(&headers, modern_body(method, params)).await
    }

    /// Sends a request of 2025-11-25 without a session.
    pub(crate) async fn legacy(&self, method: &str, params: Value) -> Answer {
        let headers = [("mcp-protocol-version", "2025-11-25")];
        self.post(&headers, body(method, params)).await
    }

    pub(crate) async fn post(&self, headers: &[(&str, &str)], body: Value) -> Answer {
        self.send(Method::POST, "/mcp", headers, body.to_string())
            .await
            .unwrap()
    }

    /// Sends anything; an error where the answer breaks off.
    pub(crate) async fn send(
        &self,
        method: Method,
        path: &str,
        headers: &[(&str, &str)],
        body: String,
    ) -> Result<Answer, axum::Error> {
        let mut request = Request::builder().method(method).uri(path);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let request = request.body(Body::from(body)).unwrap();
        let response = self.router.clone().oneshot(request).await.unwrap();
        let (parts, body) = response.into_parts();
        Ok(Answer {
            status: parts.status,
            headers: parts.headers,
            body: body.collect().await?.to_bytes(),
        })
    }
}

impl Answer {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap()
    }

    pub(crate) fn result(&self) -> Value {
        self.json()["result"].clone()
    }

    /// Status and JSON-RPC code.
    pub(crate) fn refusal(&self) -> (u16, i64) {
        (
            self.status.as_u16(),
            self.json()["error"]["code"].as_i64().unwrap(),
        )
    }

    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers
            .get(name)
            .map_or("", |value| value.to_str().unwrap())
    }

    pub(crate) fn text(&self) -> String {
        String::from_utf8(self.body.to_vec()).unwrap()
    }
}

pub(crate) fn body(method: &str, params: Value) -> Value {
    let mut message = json!({"jsonrpc": "2.0", "id": 7, "method": method});
    message["params"] = params;
    message
}

pub(crate) fn modern_body(method: &str, mut params: Value) -> Value {
    params["_meta"][meta_key::PROTOCOL_VERSION] = json!("2026-07-28");
    params["_meta"][meta_key::CLIENT_CAPABILITIES] = json!({});
    body(method, params)
}
