//! The document of the routes has what they answer.

use axum::body::Body;
use demo_gateway::{DemoSettings, Effect, Fault, RawReply, Target};
use http::Request;
use serde_json::Value;

use crate::proxied::Proxied;

/// What the document says of answers with `status` to `method` at `path`.
fn documented(proxy_says: &Value, method: &str, path: &str, status: &str) -> Value {
    let operations = &proxy_says["paths"][path];
    // A method that a path doesn't have stands beside one that it has.
    let operation = match operations.get(method.to_ascii_lowercase()) {
        Some(operation) => operation,
        None => operations.as_object().unwrap().values().next().unwrap(),
    };
    let answer = &operation["responses"][status];
    match answer["$ref"].as_str() {
        Some(place) => proxy_says
            .pointer(place.trim_start_matches('#'))
            .unwrap()
            .clone(),
        None => answer.clone(),
    }
}

#[tokio::test]
async fn what_is_answered_is_in_the_document_with_its_headers() {
    let limited = Effect::Reply(RawReply::too_many_requests("7"));
    let settings = DemoSettings {
        faults: vec![
            Fault::new(Target::method("tools/list"), limited.clone()),
            Fault::new(Target::method("prompts/list"), limited),
        ],
        ..DemoSettings::default()
    };
    let proxied = Proxied::start(settings, &["--admin-listen", "127.0.0.1:0"]).await;
    let proxy = &proxied.proxy;
    let document = proxy.get("/openapi.json").await.json();
    for &(method, path, headers, body, status) in ASKED {
        let mut request = Request::builder()
            .method(method)
            .uri(path.replace("{name}", "a"));
        request = request.header("host", "localhost");
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let answer = proxy
            .send(request.body(Body::from(body.to_owned())).unwrap())
            .await;
        assert_eq!(answer.status.as_str(), status, "{method} {path}");
        let documented = documented(&document, method, path, status);
        assert!(
            documented["description"].is_string(),
            "{method} {path} {status}"
        );
        for header in ["allow", "accept", "accept-encoding", "retry-after"] {
            if answer.header(header).is_some() {
                let headers = documented["headers"].as_object();
                let mut names = headers.into_iter().flat_map(|headers| headers.keys());
                assert!(
                    names.any(|name| name.eq_ignore_ascii_case(header)),
                    "{method} {path} {status} {header}"
                );
            }
        }
    }
}

type Headers = &'static [(&'static str, &'static str)];

const QUERY: &str = r#"{"query": "a"}"#;
/// Method, path, headers and body of requests, and the status of their answers.
const ASKED: &[(&str, &str, Headers, &str, &str)] = &[
    ("GET", "/healthz", &[], "", "404"),
    ("GET", "/readyz", &[], "", "404"),
    ("GET", "/metrics", &[], "", "404"),
    ("GET", "/mcp", &[], "", "405"),
    ("DELETE", "/mcp", &[], "", "405"),
    ("POST", "/mcp", &[("content-encoding", "gzip")], "{}", "415"),
    (
        "POST",
        "/mcp/tool-search",
        &[("content-type", "text/plain")],
        "{}",
        "415",
    ),
    ("POST", "/mcp/tool-search", &[], QUERY, "429"),
    ("GET", "/mcp/prompts/{name}", &[], "", "429"),
    (
        "GET",
        "/mcp/tool-search/status",
        &[("host", "a")],
        "",
        "400",
    ),
    (
        "GET",
        "/.well-known/oauth-protected-resource",
        &[("host", "a")],
        "",
        "400",
    ),
    (
        "GET",
        "/.well-known/oauth-protected-resource/mcp",
        &[],
        "",
        "404",
    ),
];
