//! An upstream whose era becomes another one.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use axum::response::Response;
use tokio::sync::Notify;
use upstream::{Effect, Reply};
use wire::Era;

use super::Refusal;
use crate::scripted::{DISCOVERED, Scripted, Seen, call, caller, empty, text};

/// An upstream that turns from one era to the other when told.
async fn turning(from: Era, turned: Arc<AtomicBool>) -> Scripted {
    Scripted::start(move |seen| {
        let modern = (from == Era::Modern) != turned.load(Ordering::SeqCst);
        let is_modern_request = seen.header("mcp-method").is_some();
        match (modern, seen.rpc_method().as_str()) {
            (true, "initialize") => seen.error(404, -32601, "no method"),
            (true, "DELETE") => empty(405),
            (true, _) if !is_modern_request => seen.error(400, -32602, "no _meta"),
            (true, "server/discover") => seen.result(DISCOVERED),
            (false, "tools/call") if seen.header("mcp-session-id") != Some("s1") => {
                seen.error(400, -32600, "Missing session ID")
            }
            (_, "tools/call") => seen.result("1"),
            (false, _) => seen.legacy(Some("s1")).unwrap(),
            (true, _) => seen.modern().unwrap(),
        }
    })
    .await
}

#[tokio::test]
async fn an_upstream_that_changes_is_asked_anew() {
    for (from, to) in [(Era::Modern, Era::Legacy), (Era::Legacy, Era::Modern)] {
        let turned = Arc::new(AtomicBool::new(false));
        let upstream = turning(from, Arc::clone(&turned)).await;
        let client = upstream.client();
        call(&client, Effect::Write).await.unwrap();
        assert_eq!(client.era(), Some(from));
        turned.store(true, Ordering::SeqCst);
        for _ in 0..2 {
            assert_eq!(text(&call(&client, Effect::Write).await.unwrap()), "1");
        }
        assert_eq!(client.era(), Some(to));
        assert_eq!(upstream.count("server/discover"), 2);
        assert_eq!(upstream.count("tools/call"), 4);
        client.list(&caller("Bearer token")).await.unwrap();
    }
}

/// The answer of an upstream that speaks `era` and refuses requests of the other so.
fn strict(seen: &Seen, era: Era, (status, code): (u16, i64)) -> Response {
    let is_modern_request = seen.header("mcp-method").is_some();
    let known = match (era, seen.rpc_method().as_str()) {
        (_, "DELETE") => Some(empty(405)),
        _ if is_modern_request != (era == Era::Modern) => None,
        (_, "tools/call") => Some(seen.result("1")),
        (Era::Modern, _) => seen.modern(),
        (Era::Legacy, _) => seen.legacy(Some("s1")),
    };
    known.unwrap_or_else(|| seen.error(status, code, "not so"))
}

#[tokio::test]
async fn an_upstream_that_refuses_its_former_era_is_asked_anew() {
    for (from, to) in [(Era::Modern, Era::Legacy), (Era::Legacy, Era::Modern)] {
        for (refusal, lists) in [
            ((200, -32601), false),
            ((404, -32601), false),
            ((400, -32600), false),
            ((200, -32601), true),
            ((404, -32601), true),
            ((400, -32600), true),
        ] {
            let turned = Arc::new(AtomicBool::new(false));
            let switch = Arc::clone(&turned);
            let upstream = Scripted::start(move |seen| {
                let era = if switch.load(Ordering::SeqCst) {
                    to
                } else {
                    from
                };
                strict(seen, era, refusal)
            })
            .await;
            let client = upstream.client();
            client.list(&caller("Bearer token")).await.unwrap();
            call(&client, Effect::Write).await.unwrap();
            turned.store(true, Ordering::SeqCst);
            if lists {
                let listing = client.list(&caller("Bearer token")).await.unwrap();
                assert_eq!((listing.tools.len(), listing.handshake.era), (1, to));
            }
            assert_eq!(text(&call(&client, Effect::Write).await.unwrap()), "1");
            assert_eq!(client.era(), Some(to), "{refusal:?}");
            // Before the turn, after it on the old terms unless a listing found out, on the new.
            assert_eq!(upstream.count("tools/call"), if lists { 2 } else { 3 });
        }
    }
}

#[tokio::test]
async fn a_result_is_of_the_era_it_was_asked_for_in() {
    let (turned, release) = (Arc::new(AtomicBool::new(false)), Arc::new(Notify::new()));
    let (switch, released) = (Arc::clone(&turned), Arc::clone(&release));
    let upstream = Scripted::start_async(move |seen| {
        let modern = switch.load(Ordering::SeqCst);
        let released = Arc::clone(&released);
        async move {
            let is_modern_request = seen.header("mcp-method").is_some();
            match (modern, seen.rpc_method().as_str()) {
                (false, "tools/call") => {
                    released.notified().await;
                    seen.result("1")
                }
                (false, _) => seen.legacy(None).unwrap(),
                (true, _) if !is_modern_request => seen.error(400, -32022, "too old"),
                (true, _) => seen.modern().unwrap_or_else(|| seen.result("1")),
            }
        }
    })
    .await;
    let client = Arc::new(upstream.client());
    let first = Arc::clone(&client);
    let early = tokio::spawn(async move { call(&first, Effect::Write).await });
    upstream
        .until(|seen| seen.rpc_method() == "tools/call")
        .await;
    turned.store(true, Ordering::SeqCst);
    let late = call(&client, Effect::Write).await.unwrap();
    assert_eq!(client.era(), Some(Era::Modern));
    release.notify_one();
    let early = early.await.unwrap().unwrap();
    for (reply, expected) in [(early, Era::Legacy), (late, Era::Modern)] {
        let Reply::Result { era, .. } = reply else {
            panic!("{reply:?}")
        };
        assert_eq!(era, expected);
    }
}

#[tokio::test]
async fn a_session_is_ended_when_the_upstream_turns_modern() {
    let turned = Arc::new(AtomicBool::new(false));
    let upstream = turning(Era::Legacy, Arc::clone(&turned)).await;
    let client = upstream.client();
    call(&client, Effect::Write).await.unwrap();
    turned.store(true, Ordering::SeqCst);
    call(&client, Effect::Write).await.unwrap();
    let ended = upstream.until(|seen| seen.method == "DELETE").await;
    assert_eq!(ended.header("mcp-session-id"), Some("s1"));
    assert_eq!(ended.header("authorization"), Some("Bearer token"));
}

#[tokio::test]
async fn a_refusal_that_stands_is_returned_without_a_loop() {
    let refusals: [(Refusal, usize); 3] = [
        (|seen| seen.error(400, -32022, "version"), 2),
        (|seen| seen.error(400, -32020, "header"), 1),
        (|seen| seen.error(400, -32600, "bad"), 1),
    ];
    for (refusal, sent) in refusals {
        let upstream =
            Scripted::start(move |seen| seen.modern().unwrap_or_else(|| refusal(seen))).await;
        let client = upstream.client();
        let reply = call(&client, Effect::Write).await.unwrap();
        assert!(text(&reply).starts_with("error "), "{reply:?}");
        assert_eq!(upstream.count("tools/call"), sent);
        assert!(upstream.count("server/discover") <= 2);
    }
}

#[tokio::test]
async fn a_legacy_tool_s_own_codes_are_not_taken_for_the_protocol_s() {
    for (status, code) in [(200, -32022), (200, -32020), (500, -32000), (400, -32602)] {
        let upstream = Scripted::start(move |seen| {
            seen.legacy(Some("s"))
                .unwrap_or_else(|| seen.error(status, code, "mine"))
        })
        .await;
        let reply = call(&upstream.client(), Effect::Write).await.unwrap();
        assert!(text(&reply).contains("mine"), "{reply:?}");
        assert_eq!(upstream.count("tools/call"), 1, "{status} {code}");
    }
}

#[tokio::test]
async fn a_tool_s_own_refusals_ask_for_the_era_once_at_most() {
    let refusals: [(Era, Refusal, usize); 10] = [
        (Era::Legacy, |seen| seen.error(400, -32602, "mine"), 1),
        (Era::Legacy, |seen| seen.error(400, -32022, "mine"), 2),
        (Era::Legacy, |seen| seen.error(200, -32601, "mine"), 2),
        (Era::Legacy, |seen| seen.error(404, -32601, "mine"), 2),
        (Era::Legacy, |seen| seen.error(400, -32600, "mine"), 2),
        (Era::Legacy, |_| empty(400), 1),
        (Era::Modern, |seen| seen.error(400, -32602, "mine"), 1),
        (Era::Modern, |seen| seen.error(404, -32601, "mine"), 2),
        (Era::Modern, |_| empty(400), 2),
        (Era::Modern, |_| empty(404), 2),
    ];
    for (era, refusal, asked) in refusals {
        let upstream = Scripted::start(move |seen| {
            let own = match era {
                Era::Modern => seen.modern(),
                Era::Legacy => seen.legacy(None),
            };
            own.unwrap_or_else(|| refusal(seen))
        })
        .await;
        let client = upstream.client();
        for _ in 0..4 {
            call(&client, Effect::Write).await.ok();
        }
        assert_eq!(upstream.count("server/discover"), asked, "{era:?}");
        assert_eq!(upstream.count("tools/call"), 4, "{era:?}");
        assert_eq!(client.era(), Some(era));
    }
}
