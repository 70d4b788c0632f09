//! What a legacy upstream says and asks while it works (field cases 62, 70).

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use axum::body::{Body, Bytes};
use axum::response::Response;
use futures_util::StreamExt;
use serde_json::{Value, json};
use tokio::sync::mpsc;
use upstream::{Effect, UpstreamError};

use crate::scripted::{Scripted, Seen, call, empty, text, typed};

/// Sends `first`, then `last` once `replies` messages came beside the call.
fn waiting(first: String, last: String, replies: usize, heard: Arc<Heard>) -> Response {
    let beginning = futures_util::stream::once(async move { first });
    let end = futures_util::stream::once(async move {
        for _ in 0..replies {
            heard.next().await;
        }
        last
    });
    let body = beginning
        .chain(end)
        .map(|text| Ok::<_, std::io::Error>(Bytes::from(text)));
    typed(200, "text/event-stream", Body::from_stream(body))
}

struct Heard {
    sender: mpsc::UnboundedSender<()>,
    receiver: tokio::sync::Mutex<mpsc::UnboundedReceiver<()>>,
}

impl Heard {
    fn new() -> Arc<Self> {
        let (sender, receiver) = mpsc::unbounded_channel();
        Arc::new(Self {
            sender,
            receiver: tokio::sync::Mutex::new(receiver),
        })
    }

    async fn next(&self) {
        self.receiver.lock().await.recv().await.unwrap();
    }
}

#[tokio::test]
async fn questions_are_declined_and_pings_answered_while_the_call_waits() {
    let asked = [
        "elicitation/create",
        "sampling/createMessage",
        "roots/list",
        "ping",
    ];
    let heard = Heard::new();
    let upstream = Scripted::start(move |seen| match seen.rpc_method().as_str() {
        "tools/call" => {
            let questions: Vec<String> = asked
                .iter()
                .enumerate()
                .map(|(number, method)| {
                    let question = json!({"jsonrpc": "2.0", "id": format!("q{number}"),
                        "method": method, "params": {}});
                    format!("data: {question}\n\n")
                })
                .collect();
            let last = format!("data: {}\n\n", seen.result_text("1"));
            waiting(questions.concat(), last, asked.len(), Arc::clone(&heard))
        }
        "response" => {
            heard.sender.send(()).unwrap();
            empty(202)
        }
        _ => seen.legacy(Some("s")).unwrap(),
    })
    .await;
    let reply = call(&upstream.client(), Effect::Write).await.unwrap();
    assert_eq!(text(&reply), "1");
    let mut replies: Vec<Seen> = upstream.seen();
    replies.retain(|seen| seen.rpc_method() == "response");
    replies.sort_by_key(|seen| seen.body["id"].as_str().unwrap().to_owned());
    assert_eq!(replies.len(), 4);
    for (number, seen) in replies.iter().enumerate() {
        assert_eq!(seen.body["id"], format!("q{number}"));
        assert_eq!(seen.header("mcp-session-id"), Some("s"));
        assert_eq!(seen.header("authorization"), Some("Bearer token"));
        match asked[number] {
            "ping" => assert_eq!(seen.body["result"], json!({})),
            _ => assert_eq!(seen.body["error"]["code"], -32601),
        }
    }
}

#[tokio::test]
async fn a_modern_upstream_that_asks_gets_no_reply() {
    let upstream = Scripted::start(|seen| {
        seen.modern().unwrap_or_else(|| {
            let question = json!({"jsonrpc": "2.0", "id": 1, "method": "roots/list"});
            let text = format!("data: {question}\n\ndata: {}\n\n", seen.result_text("1"));
            typed(200, "text/event-stream", text)
        })
    })
    .await;
    assert_eq!(
        text(&call(&upstream.client(), Effect::Write).await.unwrap()),
        "1"
    );
    assert_eq!(upstream.count("response"), 0);
}

/// A legacy upstream that closes the stream of a call early and gives the answer at the `last`th
/// attempt to resume, `0` for never.
async fn closing(last: usize) -> Scripted {
    let resumed = AtomicUsize::new(0);
    let call = std::sync::Mutex::new(Value::Null);
    Scripted::start(move |seen| match seen.rpc_method().as_str() {
        "tools/call" => {
            *call.lock().unwrap() = seen.body["id"].clone();
            typed(
                200,
                "text/event-stream",
                "id: e0\nretry: 1\ndata:\n\nid: lost\ndata: {\"half",
            )
        }
        "GET" => {
            let number = resumed.fetch_add(1, Ordering::SeqCst) + 1;
            let id = call.lock().unwrap().clone();
            let answer = json!({"jsonrpc": "2.0", "id": id, "result": 1});
            let text = if number == last {
                format!("data: {answer}\n\n")
            } else {
                format!("id: e{number}\ndata:\n\n")
            };
            typed(200, "text/event-stream", text)
        }
        _ => seen.legacy(Some("s")).unwrap(),
    })
    .await
}

#[tokio::test]
async fn a_stream_closed_early_is_resumed_where_it_stopped() {
    for last in 1..=3 {
        let upstream = closing(last).await;
        assert_eq!(
            text(&call(&upstream.client(), Effect::Write).await.unwrap()),
            "1"
        );
        let gets: Vec<Seen> = upstream
            .seen()
            .into_iter()
            .filter(|seen| seen.method == "GET")
            .collect();
        let ids: Vec<_> = gets
            .iter()
            .map(|seen| seen.header("last-event-id").unwrap())
            .collect();
        assert_eq!(ids, ["e0", "e1", "e2"][..last]);
        for seen in &gets {
            assert_eq!(seen.header("accept"), Some("text/event-stream"));
            assert_eq!(seen.header("mcp-session-id"), Some("s"));
            assert_eq!(seen.header("authorization"), Some("Bearer token"));
        }
        assert_eq!(upstream.count("tools/call"), 1);
    }
}

#[tokio::test]
async fn resuming_ends() {
    let upstream = closing(0).await;
    let error = call(&upstream.client(), Effect::Write).await.unwrap_err();
    assert!(matches!(error, UpstreamError::Broken(_)), "{error:?}");
    assert_eq!(
        (upstream.count("GET"), upstream.count("tools/call")),
        (3, 1)
    );
}

#[tokio::test]
async fn an_upstream_that_resumes_nothing_is_asked_once() {
    for refusal in [404, 405, 204] {
        let upstream = Scripted::start(move |seen| match seen.rpc_method().as_str() {
            "tools/call" => typed(200, "text/event-stream", "id: e0\nretry: 1\ndata:\n\n"),
            "GET" => empty(refusal),
            _ => seen.legacy(Some("s")).unwrap(),
        })
        .await;
        let error = call(&upstream.client(), Effect::Write).await.unwrap_err();
        assert!(matches!(error, UpstreamError::Broken(_)), "{error:?}");
        assert_eq!(upstream.count("GET"), 1);
    }
}
