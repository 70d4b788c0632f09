//! Vectors of an embedding service: found by meaning with it, by words without, and told which.

use std::sync::{Arc, Mutex};

use axum::body::Body;
use axum::extract::Request;
use axum::response::Response;
use demo_gateway::DemoSettings;
use futures_util::future::join_all;
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

use crate::proxied::{Proxied, until};

const STATUS: &str = "/mcp/tool-search/status";
const FOR_NOW: &str = "Searched by words only for now, not by meaning: the embedding service gives \
                       no vectors.";

/// An embedding service that answers as it is told, and remembers what it was asked.
struct Service {
    url: String,
    state: Arc<Mutex<State>>,
    server: JoinHandle<()>,
}

#[derive(Default)]
struct State {
    does: Does,
    asked: Vec<Value>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Does {
    #[default]
    Well,
    Status(u16),
    RateLimit,
    Nothing,
    Garbage,
    OtherDimensions,
    OneTooFew,
    NoNumbers,
    Redirect,
}

impl Service {
    async fn start() -> Self {
        let state = Arc::<Mutex<State>>::default();
        let shared = Arc::clone(&state);
        let answer = move |request: Request| {
            let state = Arc::clone(&shared);
            async move {
                let body = axum::body::to_bytes(request.into_body(), 1 << 20)
                    .await
                    .unwrap();
                let question: Value = serde_json::from_slice(&body).unwrap();
                let does = {
                    let mut state = state.lock().unwrap();
                    state.asked.push(question.clone());
                    state.does
                };
                does.answer(&question).await
            }
        };
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/v1/embeddings", listener.local_addr().unwrap());
        let app = axum::Router::new().fallback(answer);
        let server = tokio::spawn(async move { axum::serve(listener, app).await.unwrap() });
        Self { url, state, server }
    }

    fn does(&self, does: Does) {
        self.state.lock().unwrap().does = does;
    }

    fn requests(&self) -> usize {
        self.state.lock().unwrap().asked.len()
    }

    fn last(&self) -> Value {
        self.state.lock().unwrap().asked.last().unwrap().clone()
    }

    /// A proxy that uses it, before tools whose vectors are there.
    async fn proxied(&self) -> Proxied {
        let proxied = self.unfilled().await;
        search(&proxied, "anything").await;
        until(async || {
            let status = status(&proxied).await;
            let service = &status["embedding_service"];
            service["tools_waiting"] == 0 && service["requests_answered"] != 0
        })
        .await;
        proxied
    }

    async fn unfilled(&self) -> Proxied {
        let settings = DemoSettings {
            tools: tools(),
            ..DemoSettings::default()
        };
        let flags = [
            &["--embedder", "openai", "--embeddings-url", &self.url][..],
            &[
                "--embeddings-model",
                "modelcanary",
                "--embeddings-dimensions",
                "3",
            ],
            &["--embeddings-key", "keycanary", "--embeddings-batch", "3"],
            &[
                "--embeddings-timeout",
                "400ms",
                "--embeddings-batch-timeout",
                "1m",
            ],
        ];
        Proxied::start(settings, &flags.concat()).await
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        self.server.abort();
    }
}

impl Does {
    async fn answer(self, question: &Value) -> Response {
        let texts = question["input"].as_array().unwrap().iter();
        let mut vectors: Vec<Value> = texts
            .map(|text| json!({"embedding": vector(text.as_str().unwrap())}))
            .collect();
        let body = match self {
            Self::Well => json!({"data": vectors}).to_string(),
            Self::OneTooFew => {
                vectors.pop();
                json!({"data": vectors}).to_string()
            }
            Self::OtherDimensions => {
                for vector in &mut vectors {
                    vector["embedding"].as_array_mut().unwrap().push(json!(1));
                }
                json!({"data": vectors}).to_string()
            }
            Self::NoNumbers => json!({"data": vectors}).to_string().replace("0.5", "NaN"),
            Self::Garbage => "<html>bodycanary</html>".to_owned(),
            Self::Nothing => std::future::pending().await,
            Self::Status(_) | Self::RateLimit | Self::Redirect => "bodycanary".to_owned(),
        };
        let response = match self {
            Self::Status(status) => Response::builder().status(status),
            Self::RateLimit => Response::builder().status(429).header("retry-after", "1"),
            Self::Redirect => Response::builder().status(307).header("location", "/other"),
            _ => Response::builder(),
        };
        response.body(Body::from(body)).unwrap()
    }
}

/// How much a text is of invoices and of mail, in two languages.
fn vector(text: &str) -> [f32; 3] {
    let says = |words: [&str; 2]| {
        let text = text.to_lowercase();
        if words.iter().any(|word| text.contains(word)) {
            2.0
        } else {
            0.0
        }
    };
    [says(["invoice", "sąskait"]), says(["mail", "laišk"]), 0.5]
}

fn tools() -> Vec<Box<serde_json::value::RawValue>> {
    [
        ("list_invoices", "Lists what customers owe."),
        ("send_mail", "Sends a message."),
        ("restart_server", "Restarts a machine."),
        ("get_weather", "Tells the forecast."),
        ("read_calendar", "Reads events."),
    ]
    .map(|(name, description)| {
        wire::to_raw(&json!({"name": name, "description": description, "inputSchema": {}}))
    })
    .to_vec()
}

async fn search(proxied: &Proxied, query: &str) -> Value {
    let body = json!({"query": query, "limit": 2}).to_string();
    proxied
        .proxy
        .post_to("/mcp/tool-search", &[], body)
        .await
        .json()
}

async fn status(proxied: &Proxied) -> Value {
    proxied.proxy.get(STATUS).await.json()
}

fn note(found: &Value) -> &str {
    found["note"].as_str().unwrap_or_default()
}

#[tokio::test]
async fn tools_are_found_by_the_meaning_that_the_service_tells() {
    let service = Service::start().await;
    let proxied = service.proxied().await;
    for (query, expected) in [
        ("neapmokėta sąskaita", "list_invoices"),
        ("laiškas", "send_mail"),
    ] {
        let found = search(&proxied, query).await;
        assert_eq!(
            (&found["mode"], &found["tools"][0]["name"]),
            (&json!("hybrid"), &json!(expected))
        );
        assert!(!note(&found).contains("words only"), "{found}");
        assert_eq!(service.last()["input"], json!([query]));
    }
    let requests = service.requests();
    search(&proxied, "laiškas").await;
    assert_eq!(service.requests(), requests, "the same query again");

    let several = json!({"queries": ["sąskaitos", "laiškai", "laiškas"]});
    let call = json!({"name": "search_tools", "arguments": several});
    let result = proxied.proxy.legacy("tools/call", call).await.result();
    let results = &result["structuredContent"]["results"];
    assert_eq!(results[0]["tools"][0]["name"], "list_invoices");
    assert_eq!(results[1]["tools"][0]["name"], "send_mail");
    assert_eq!(service.requests(), requests + 1);
    assert_eq!(service.last()["input"], json!(["sąskaitos", "laiškai"]));
    assert_eq!(service.last()["model"], "modelcanary");
}

#[tokio::test]
async fn the_status_tells_the_service_without_its_secrets() {
    let service = Service::start().await;
    let proxied = service.proxied().await;
    let told = status(&proxied).await;
    assert_eq!(
        (&told["mode"], &told["embedder"]),
        (&json!("hybrid"), &json!("openai"))
    );
    assert_eq!(
        told["model"],
        json!({"dimensions": 3, "pieces": null, "digest": null})
    );
    let expected = json!({
        "ok": true,
        "paused_ms": 0,
        "tools_waiting": 0,
        "tools_refused": 0,
        "requests_answered": told["embedding_service"]["requests_answered"],
        "requests_failed": {},
        "last_error": null,
    });
    assert_eq!(told["embedding_service"], expected);
    assert_eq!(told["configured"]["embeddings_key"], true);
    assert!(!told.to_string().contains("canary"), "{told}");
}

/// Lets the service fail in one way: words find tools, all are told, and then it is back.
async fn check(does: Does, outcome: &'static str, message: &'static str) {
    let service = Service::start().await;
    let proxied = service.proxied().await;
    service.does(does);
    let found = search(&proxied, "restart the server").await;
    assert_eq!(
        (&found["mode"], note(&found)),
        (&json!("words"), FOR_NOW),
        "{does:?}"
    );
    assert_eq!(found["tools"][0]["name"], "restart_server");
    let requests = service.requests();
    let found = search(&proxied, "weather").await;
    assert_eq!(note(&found), FOR_NOW, "{does:?}");
    if outcome != "refused" {
        assert_eq!(
            service.requests(),
            requests,
            "{does:?}: nobody else waits for it"
        );
    }
    let told = status(&proxied).await;
    let is_of_the_service = outcome != "refused";
    let mode = if is_of_the_service { "words" } else { "hybrid" };
    assert_eq!(told["mode"], mode, "{does:?}");
    let told = &told["embedding_service"];
    assert_eq!(told["ok"], !is_of_the_service, "{does:?}");
    let said = told["last_error"]["message"].as_str().unwrap();
    assert!(said.contains(message) && !said.contains("canary"), "{said}");
    let metrics = proxied.proxy.get("/metrics").await.body;
    let metrics = String::from_utf8_lossy(&metrics);
    let counted = format!("toolsearch_embedding_requests_total{{outcome=\"{outcome}\"}} ");
    let line = metrics.lines().find_map(|line| line.strip_prefix(&counted));
    assert_ne!(line.unwrap(), "0", "{does:?}");

    service.does(Does::Well);
    until(async || search(&proxied, "laiškas").await["mode"] == "hybrid").await;
    assert_eq!(status(&proxied).await["embedding_service"]["ok"], true);
}

#[tokio::test]
async fn whatever_fails_the_search_goes_on_by_words_and_says_so() {
    let checks = [
        (Does::Status(500), "status", "HTTP status 500"),
        (Does::Status(401), "key", "TOOLSEARCH_EMBEDDINGS_KEY"),
        (Does::Status(404), "status", "must be the endpoint itself"),
        (Does::Status(400), "refused", "check the model's name"),
        (Does::RateLimit, "rate_limited", "limits the rate"),
        (Does::Nothing, "timeout", "didn't answer within 400ms"),
        (Does::Garbage, "malformed", "can't be read"),
        (
            Does::OtherDimensions,
            "dimensions",
            "have 4 dimensions, not 3",
        ),
        (Does::OneTooFew, "malformed", "0 vectors to 1 texts"),
        (Does::NoNumbers, "malformed", "can't be read"),
        (Does::Redirect, "status", "isn't followed"),
    ];
    join_all(checks.map(|(does, outcome, message)| check(does, outcome, message))).await;
}

#[tokio::test]
async fn the_first_search_waits_for_no_vector() {
    let service = Service::start().await;
    service.does(Does::Nothing);
    let proxied = service.unfilled().await;
    let found = search(&proxied, "restart the server").await;
    assert_eq!((&found["mode"], note(&found)), (&json!("words"), FOR_NOW));
    assert_eq!(found["tools"][0]["name"], "restart_server");
    until(async || service.requests() == 1).await;
    assert_eq!(
        service.last()["input"].as_array().unwrap().len(),
        2,
        "one tool's texts"
    );
}
