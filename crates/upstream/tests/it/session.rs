//! Sessions of legacy upstreams (field cases 56, 59, 71, 96).

use std::collections::HashSet;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use axum::response::Response;
use http::StatusCode;
use upstream::{Effect, Upstream, UpstreamError};

use crate::scripted::{Scripted, Seen, call, caller, empty, reply, stream, text, typed};

/// How a server says that it doesn't know a session.
type Loss = fn(&Seen) -> Response;

/// An upstream whose sessions `s1`, `s2`, … live until [`Self::restart`].
struct Stateful {
    upstream: Scripted,
    live: Arc<Mutex<HashSet<String>>>,
}

impl Stateful {
    async fn start(loss: Loss) -> Self {
        let live = Arc::<Mutex<HashSet<String>>>::default();
        let (sessions, opened) = (Arc::clone(&live), AtomicUsize::new(0));
        let upstream = Scripted::start(move |seen| match seen.rpc_method().as_str() {
            "server/discover" | "initialize" => {
                let id = format!("s{}", opened.fetch_add(1, Ordering::SeqCst));
                let response = seen.legacy(Some(&id)).unwrap();
                sessions.lock().unwrap().insert(id);
                response
            }
            "DELETE" => empty(405),
            _ => match seen.header("mcp-session-id") {
                Some(id) if sessions.lock().unwrap().contains(id) => {
                    seen.legacy(None).unwrap_or_else(|| seen.result("1"))
                }
                _ => loss(seen),
            },
        })
        .await;
        Self { upstream, live }
    }

    fn restart(&self) {
        self.live.lock().unwrap().clear();
    }
}

const LOSSES: [(&str, Loss, bool); 7] = [
    ("404 empty", |_| empty(404), false),
    (
        "404 -32600",
        |seen| seen.error(404, -32600, "Session not found"),
        true,
    ),
    (
        "404 -32001",
        |seen| seen.error(404, -32001, "Session not found"),
        true,
    ),
    ("404 page", |_| typed(404, "text/html", "<html>"), false),
    (
        "400 -32600",
        |seen| seen.error(400, -32600, "Missing session ID"),
        true,
    ),
    (
        "400 -32000",
        |seen| seen.error(400, -32000, "No valid session ID provided"),
        true,
    ),
    (
        "400 text",
        |_| typed(400, "text/plain", "Invalid Session"),
        true,
    ),
];

#[tokio::test]
async fn a_lost_session_is_opened_anew_once() {
    for (name, loss, ended) in LOSSES {
        let stateful = Stateful::start(loss).await;
        let client = stateful.upstream.client();
        for _ in 0..2 {
            call(&client, Effect::Write).await.unwrap();
        }
        stateful.restart();
        for _ in 0..2 {
            let reply = call(&client, Effect::Write).await.unwrap();
            assert_eq!(text(&reply), "1", "{name}");
        }
        assert_eq!(stateful.upstream.count("initialize"), 2, "{name}");
        assert_eq!(stateful.upstream.count("tools/call"), 5, "{name}");
        assert_eq!(stateful.upstream.count("server/discover"), 1, "{name}");
        if ended {
            stateful
                .upstream
                .until(|seen| seen.method == "DELETE")
                .await;
        }
    }
}

#[tokio::test]
async fn fifty_calls_open_one_session_anew() {
    let stateful = Stateful::start(|_| empty(404)).await;
    let client = stateful.upstream.client();
    call(&client, Effect::Write).await.unwrap();
    stateful.restart();
    let calls = (0..50).map(|_| call(&client, Effect::Write));
    for answered in futures_util::future::join_all(calls).await {
        assert_eq!(text(&answered.unwrap()), "1");
    }
    assert_eq!(stateful.upstream.count("initialize"), 2);
}

#[tokio::test]
async fn a_session_lost_again_at_once_is_an_error() {
    let losses: [(Loss, &str); 3] = [
        (|_| empty(404), "Status"),
        (|seen| seen.error(400, -32000, "no session"), "Error"),
        (|seen| seen.error(404, -32600, "no session"), "Error"),
    ];
    for (loss, expected) in losses {
        let upstream = Scripted::start(move |seen| match seen.rpc_method().as_str() {
            "tools/call" => loss(seen),
            "DELETE" => empty(200),
            _ => seen.legacy(Some("s")).unwrap(),
        })
        .await;
        let answered = call(&upstream.client(), Effect::Write).await;
        assert!(format!("{answered:?}").contains(expected), "{answered:?}");
        assert_eq!(upstream.count("tools/call"), 2);
        assert_eq!(upstream.count("initialize"), 2);
    }
}

#[tokio::test]
async fn a_tool_that_talks_of_sessions_runs_once() {
    let texts = [
        "chat session 42 was closed while sending",
        "Invalid state: chat session 42 was closed",
        "no session 42 is open, so that the message waits",
        "Session not found",
    ];
    for (status, code, is_tools_own) in [
        (400, -32_603, true),
        (400, -32_602, true),
        (400, -32_000, false),
        (404, -32_603, true),
        (404, -32_602, true),
        (404, -32_000, false),
    ] {
        // Under a code that servers use for their sessions, only the words tell the two apart.
        let texts = if is_tools_own {
            &texts[..]
        } else {
            &texts[..2]
        };
        for (message, id) in texts
            .iter()
            .flat_map(|text| [(*text, None), (text, Some("s"))])
        {
            let upstream = Scripted::start(move |seen| {
                seen.legacy(id)
                    .unwrap_or_else(|| seen.error(status, code, message))
            })
            .await;
            let reply = call(&upstream.client(), Effect::Write).await.unwrap();
            assert!(text(&reply).contains(message), "{reply:?}");
            assert_eq!(upstream.count("tools/call"), 1, "{status} {code} {message}");
            assert_eq!(upstream.count("initialize"), 1, "{status} {code} {message}");
        }
    }
}

#[tokio::test]
async fn without_a_session_only_the_want_of_one_is_a_loss() {
    for (message, calls) in [("Missing session ID", 2), ("Invalid session", 1)] {
        let upstream = Scripted::start(move |seen| {
            seen.legacy(None)
                .unwrap_or_else(|| seen.error(400, -32_600, message))
        })
        .await;
        call(&upstream.client(), Effect::Write).await.unwrap();
        assert_eq!(upstream.count("tools/call"), calls, "{message}");
    }
}

#[tokio::test]
async fn a_loss_told_in_unknown_words_is_found_out_by_a_read() {
    let stateful = Stateful::start(|seen| seen.error(404, -32_603, "gone")).await;
    let client = stateful.upstream.client();
    call(&client, Effect::Write).await.unwrap();
    stateful.restart();
    let write = call(&client, Effect::Write).await.unwrap();
    assert!(text(&write).contains("gone"), "{write:?}");
    assert_eq!(stateful.upstream.count("tools/call"), 2);
    for effect in [Effect::Read, Effect::Write] {
        assert_eq!(text(&call(&client, effect).await.unwrap()), "1");
    }
    assert_eq!(stateful.upstream.count("initialize"), 2);
}

#[tokio::test]
async fn an_upstream_without_sessions_is_greeted_once() {
    let upstream = Scripted::start(|seen| match seen.rpc_method().as_str() {
        "tools/call" if seen.body["params"]["name"] == "t" => {
            seen.error(404, -32601, "no such tool")
        }
        _ => seen.legacy(None).unwrap(),
    })
    .await;
    let client = upstream.client();
    for _ in 0..3 {
        let reply = call(&client, Effect::Write).await.unwrap();
        assert!(text(&reply).starts_with("error "), "{reply:?}");
    }
    assert_eq!(upstream.count("initialize"), 1);
    assert_eq!(upstream.count("tools/call"), 3);
    assert!(
        upstream
            .seen()
            .iter()
            .all(|seen| seen.header("mcp-session-id").is_none())
    );
}

#[tokio::test]
async fn each_caller_has_a_session_and_none_is_opened_beside_it() {
    let stateful = Stateful::start(|_| empty(404)).await;
    let client = stateful.upstream.client();
    for _ in 0..3 {
        for token in ["Bearer a", "Bearer b", ""] {
            client.list(&caller(token)).await.unwrap();
        }
    }
    assert_eq!(stateful.upstream.count("initialize"), 3);
    let mut pairs = HashSet::new();
    for seen in stateful.upstream.seen() {
        if let Some(session) = seen.header("mcp-session-id") {
            pairs.insert((
                session.to_owned(),
                seen.header("authorization").map(str::to_owned),
            ));
        }
    }
    assert_eq!(pairs.len(), 3, "{pairs:?}");
}

#[tokio::test]
async fn a_refused_caller_opens_no_session_and_harms_no_other() {
    let upstream = Scripted::start(|seen| match seen.header("authorization") {
        Some("Bearer good") => seen.legacy(Some("s")).unwrap(),
        _ => empty(401),
    })
    .await;
    let client = upstream.client();
    client.list(&caller("Bearer good")).await.unwrap();
    for _ in 0..2 {
        let error = client.list(&caller("Bearer bad")).await.unwrap_err();
        assert!(matches!(error, UpstreamError::Challenge(_)), "{error:?}");
    }
    client.list(&caller("Bearer good")).await.unwrap();
    assert_eq!(upstream.count("initialize"), 3);
}

#[tokio::test]
async fn any_reply_to_the_initialized_notification_will_do() {
    type Answer = fn() -> Response;
    let replies: [(&str, Answer); 11] = [
        ("202", || empty(202)),
        ("200 empty", || empty(200)),
        ("200 chunked", || stream("application/json", Vec::new())),
        ("200 null", || reply(StatusCode::OK, "null")),
        ("200 object", || reply(StatusCode::OK, "{}")),
        ("200 text", || typed(200, "text/plain", "ok")),
        ("204", || empty(204)),
        ("200 sse", || stream("text/event-stream", Vec::new())),
        ("400", || empty(400)),
        ("405", || empty(405)),
        ("500", || empty(500)),
    ];
    for (name, answer) in replies {
        let upstream = Scripted::start(move |seen| match seen.rpc_method().as_str() {
            "notifications/initialized" => answer(),
            _ => seen.legacy(Some("s")).unwrap(),
        })
        .await;
        let listing = upstream.client().list(&caller("")).await;
        assert_eq!(listing.unwrap().tools.len(), 1, "{name}");
    }
}

#[tokio::test]
async fn a_handshake_may_come_as_a_stream_after_other_messages() {
    let upstream = Scripted::start(|seen| match seen.rpc_method().as_str() {
        "initialize" => {
            let other = r#"{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}"#;
            let result = seen.result_text(crate::scripted::INITIALIZED);
            let text =
                format!("event: message\ndata: {other}\n\nevent: message\ndata: {result}\n\n");
            let mut response = stream("text/event-stream", vec![text.into_bytes()]);
            response
                .headers_mut()
                .insert("mcp-session-id", "s".parse().unwrap());
            response
        }
        "tools/list" => {
            assert_eq!(seen.header("mcp-session-id"), Some("s"));
            seen.legacy(None).unwrap()
        }
        _ => seen.legacy(None).unwrap(),
    })
    .await;
    let listing = upstream.client().list(&caller("")).await.unwrap();
    assert_eq!(listing.handshake.instructions.as_deref(), Some("legacy"));
}

#[tokio::test]
async fn requests_carry_the_headers_of_their_era() {
    let stateful = Stateful::start(|_| empty(404)).await;
    call(&stateful.upstream.client(), Effect::Write)
        .await
        .unwrap();
    for seen in stateful.upstream.seen() {
        let method = seen.rpc_method();
        assert_eq!(
            seen.header("accept"),
            Some("application/json, text/event-stream"),
            "{method}"
        );
        assert_eq!(seen.header("content-type"), Some("application/json"));
        let (version, session) = match method.as_str() {
            "server/discover" => (Some("2026-07-28"), None),
            "initialize" => (None, None),
            _ => (Some("2025-06-18"), Some("s1")),
        };
        assert_eq!(seen.header("mcp-protocol-version"), version, "{method}");
        assert_eq!(seen.header("mcp-session-id"), session, "{method}");
    }
    let initialize = &stateful.upstream.seen()[1].body["params"];
    assert_eq!(initialize["capabilities"], serde_json::json!({}));
    assert_eq!(initialize["protocolVersion"], "2025-11-25");
    assert_eq!(initialize["clientInfo"]["name"], "mcp-toolsearch-proxy");
}

#[tokio::test]
async fn no_stream_is_ever_opened_for_its_own_sake() {
    let stateful = Stateful::start(|_| empty(404)).await;
    let client: Upstream = stateful.upstream.client();
    client.list(&caller("")).await.unwrap();
    call(&client, Effect::Read).await.unwrap();
    assert_eq!(stateful.upstream.count("GET"), 0);
}
