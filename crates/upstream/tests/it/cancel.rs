//! A caller who gives up (field case 66).

use std::sync::Arc;

use serde_json::json;
use tokio::sync::Notify;
use upstream::{Effect, UpstreamError};

use crate::scripted::{CALL_TIMEOUT, PATIENCE, Scripted, call, empty, pass, typed};

/// An upstream that works on calls for ever; `gone` is told when it stops.
async fn busy(era: wire::Era, gone: Arc<Notify>) -> Scripted {
    Scripted::start_async(move |seen| {
        let gone = Arc::clone(&gone);
        async move {
            if seen.rpc_method() == "tools/call" {
                let _told = TellOnDrop(gone);
                std::future::pending::<()>().await;
            }
            match era {
                wire::Era::Modern => seen.modern().unwrap_or_else(|| empty(500)),
                wire::Era::Legacy => seen.legacy(Some("s")).unwrap_or_else(|| empty(500)),
            }
        }
    })
    .await
}

struct TellOnDrop(Arc<Notify>);

impl Drop for TellOnDrop {
    fn drop(&mut self) {
        self.0.notify_one();
    }
}

#[tokio::test]
async fn a_dropped_call_stops_the_upstream() {
    for era in [wire::Era::Modern, wire::Era::Legacy] {
        let gone = Arc::new(Notify::new());
        let upstream = busy(era, Arc::clone(&gone)).await;
        let client = upstream.client();
        let called = tokio::spawn(async move { call(&client, Effect::Write).await });
        let sent = upstream
            .until(|seen| seen.rpc_method() == "tools/call")
            .await;
        called.abort();
        tokio::time::timeout(PATIENCE, gone.notified())
            .await
            .expect("the upstream's connection was closed");
        if era == wire::Era::Legacy {
            let told = upstream
                .until(|seen| seen.rpc_method() == "notifications/cancelled")
                .await;
            assert_eq!(told.body["params"], json!({"requestId": sent.body["id"]}));
            assert_eq!(told.header("authorization"), Some("Bearer token"));
            assert_eq!(told.header("mcp-session-id"), Some("s"));
        } else {
            assert_eq!(upstream.methods(), ["server/discover", "tools/call"]);
        }
    }
}

#[tokio::test]
async fn a_call_that_takes_too_long_is_cancelled_too() {
    let gone = Arc::new(Notify::new());
    let upstream = busy(wire::Era::Legacy, Arc::clone(&gone)).await;
    let client = upstream.client();
    let called = tokio::spawn(async move { call(&client, Effect::Write).await });
    upstream
        .until(|seen| seen.rpc_method() == "tools/call")
        .await;
    pass(CALL_TIMEOUT).await;
    let error = called.await.unwrap().unwrap_err();
    assert!(matches!(error, UpstreamError::Timeout { .. }), "{error:?}");
    upstream
        .until(|seen| seen.rpc_method() == "notifications/cancelled")
        .await;
    gone.notified().await;
    assert_eq!(upstream.count("tools/call"), 1);
}

#[tokio::test]
async fn an_answered_call_is_not_cancelled() {
    let upstream =
        Scripted::start(|seen| seen.legacy(Some("s")).unwrap_or_else(|| seen.result("1"))).await;
    let client = upstream.client();
    for _ in 0..3 {
        call(&client, Effect::Write).await.unwrap();
    }
    assert_eq!(upstream.count("notifications/cancelled"), 0);
}

#[tokio::test]
async fn a_call_whose_answer_breaks_off_is_cancelled() {
    let upstream = Scripted::start(|seen| {
        seen.legacy(Some("s"))
            .unwrap_or_else(|| typed(200, "text/event-stream", ": on\n\n"))
    })
    .await;
    let error = call(&upstream.client(), Effect::Write).await.unwrap_err();
    assert!(matches!(error, UpstreamError::Broken(_)), "{error:?}");
    upstream
        .until(|seen| seen.rpc_method() == "notifications/cancelled")
        .await;
    assert_eq!(upstream.count("tools/call"), 1);
}
