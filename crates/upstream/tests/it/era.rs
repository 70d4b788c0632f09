//! Which era is found, and when it is asked anew (field case 58).

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use axum::response::Response;
use http::StatusCode;
use serde_json::{Value, json};
use tokio::sync::Notify;
use upstream::{Effect, EraChoice, Reply, Upstream, UpstreamError};
use wire::Era;

use crate::raw_server::{Act, RawServer, id_of, response};
use crate::scripted::{
    DISCOVERED, INITIALIZED, Scripted, Seen, call, caller, config, empty, pass, reply, text, typed,
};

/// How an upstream answers `server/discover`.
type Refusal = fn(&Seen) -> Response;

#[tokio::test]
async fn whatever_refuses_discovery_is_legacy() {
    let refusals: [(&str, Refusal); 15] = [
        ("400 json", |seen| seen.error(400, -32000, "no session")),
        ("400 html", |_| typed(400, "text/html", "<html>")),
        ("404", |_| empty(404)),
        ("405", |_| empty(405)),
        ("406", |_| empty(406)),
        ("415", |_| empty(415)),
        ("500", |_| empty(500)),
        ("-32601", |seen| seen.error(200, -32601, "no method")),
        ("-32600", |seen| seen.error(200, -32600, "bad")),
        ("-32602", |seen| seen.error(200, -32602, "bad")),
        ("-32022 without list", |seen| seen.error(400, -32022, "no")),
        ("empty result", |seen| seen.result("{}")),
        ("null result", |seen| seen.result("null")),
        ("page", |_| typed(200, "text/html", "<html>")),
        ("202", |_| empty(202)),
    ];
    for (name, refusal) in refusals {
        let upstream = Scripted::start(move |seen| match seen.rpc_method().as_str() {
            "server/discover" => refusal(seen),
            "tools/call" => seen.result("1"),
            _ => seen.legacy(None).unwrap(),
        })
        .await;
        let client = upstream.client();
        for _ in 0..2 {
            let reply = call(&client, Effect::Write).await.unwrap();
            assert_eq!(text(&reply), "1", "{name}");
        }
        assert_eq!(client.era(), Some(Era::Legacy), "{name}");
        assert_eq!(upstream.count("server/discover"), 1, "{name}");
        assert_eq!(upstream.count("initialize"), 1, "{name}");
        assert_eq!(upstream.count("tools/call"), 2, "{name}");
    }
}

/// A legacy upstream that acts as `fault` says when asked for the modern era.
async fn deaf(fault: fn() -> Act) -> RawServer {
    RawServer::start(move |request, _| {
        let result = if request.contains("server/discover") {
            return fault();
        } else if request.contains("\"initialize\"") {
            INITIALIZED
        } else if request.contains("tools/list") {
            r#"{"tools":[{"name":"a"}]}"#
        } else {
            "1"
        };
        let id = if request.contains("\"id\"") {
            id_of(request)
        } else {
            0
        };
        let body = format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{result}}}"#);
        Act::Answer(response("", &body))
    })
    .await
}

#[tokio::test]
async fn a_broken_connection_is_legacy() {
    let upstream = deaf(|| Act::Reset(String::new())).await;
    let client = Upstream::new(config(&upstream.url)).unwrap();
    let reply = call(&client, Effect::Write).await.unwrap();
    assert_eq!(
        (text(&reply).as_str(), client.era()),
        ("1", Some(Era::Legacy))
    );
}

#[tokio::test]
async fn silence_is_legacy_while_there_is_time_left() {
    let long = Duration::from_mins(5);
    let short = Duration::from_secs(16);
    for (call_timeout, list_timeout, patience) in [
        (long, long, Duration::from_secs(10)),
        (long, short, short / 2),
        (short, long, short / 2),
    ] {
        let upstream = deaf(|| Act::Silence).await;
        let mut config = config(&upstream.url);
        (config.call_timeout, config.list_timeout) = (call_timeout, list_timeout);
        let client = Upstream::new(config).unwrap();
        let listed = tokio::spawn(async move {
            let listed = client.list(&caller("Bearer token")).await;
            (listed, client.era())
        });
        upstream.until("server/discover").await;
        pass(patience).await;
        let (listed, era) = listed.await.unwrap();
        assert_eq!((listed.unwrap().tools.len(), era), (1, Some(Era::Legacy)));
    }
}

#[tokio::test]
async fn a_handshake_that_hangs_keeps_no_other_caller_waiting() {
    let upstream = Scripted::start_async(|seen| async move {
        let hangs = seen.header("authorization") == Some("Bearer hangs");
        if hangs && seen.rpc_method() == "initialize" {
            std::future::pending::<()>().await;
        }
        seen.legacy(None).unwrap()
    })
    .await;
    let client = Arc::new(upstream.client());
    let first = Arc::clone(&client);
    let hanging = tokio::spawn(async move { first.list(&caller("Bearer hangs")).await });
    upstream
        .until(|seen| seen.rpc_method() == "initialize")
        .await;
    assert_eq!(client.era(), None);
    client.list(&caller("Bearer other")).await.unwrap();
    assert_eq!(client.era(), Some(Era::Legacy));
    assert_eq!(upstream.count("server/discover"), 1);
    hanging.abort();
}

/// The answer to `server/discover` that names `supported`: a result, or a refusal of our version.
fn naming(seen: &Seen, supported: &Value, as_result: bool) -> Response {
    if as_result {
        let result = json!({"supportedVersions": supported, "capabilities": {}});
        return seen.result(&result.to_string());
    }
    let error = json!({"code": -32022, "message": "no", "data": {"supported": supported}});
    let body = json!({"jsonrpc": "2.0", "id": null, "error": error});
    reply(StatusCode::BAD_REQUEST, &body.to_string())
}

#[tokio::test]
async fn a_list_of_versions_is_picked_from() {
    for (supported, expected) in [
        (
            json!(["2026-07-28", "2025-11-25"]),
            (Era::Modern, "2026-07-28"),
        ),
        (
            json!(["2025-03-26", "2025-06-18"]),
            (Era::Legacy, "2025-06-18"),
        ),
        (
            json!(["2027-01-01", "2024-11-05"]),
            (Era::Legacy, "2024-11-05"),
        ),
        (json!([]), (Era::Legacy, "2025-11-25")),
    ] {
        for as_result in [true, false] {
            let supported = supported.clone();
            let upstream = Scripted::start(move |seen| match seen.rpc_method().as_str() {
                "server/discover" => naming(seen, &supported, as_result),
                "tools/call" => seen.result("1"),
                _ => seen.legacy(None).unwrap(),
            })
            .await;
            let client = upstream.client();
            call(&client, Effect::Write).await.unwrap();
            assert_eq!(client.era(), Some(expected.0));
            let seen = upstream.seen();
            let asked = match expected.0 {
                Era::Modern => {
                    &seen.last().unwrap().body["params"]["_meta"]["io.modelcontextprotocol/protocolVersion"]
                }
                Era::Legacy => &seen[1].body["params"]["protocolVersion"],
            };
            assert_eq!(asked, expected.1);
        }
    }
}

#[tokio::test]
async fn a_list_of_unknown_versions_is_an_error_without_a_handshake() {
    for supported in [json!(["2027-01-01"]), json!(["2027-01-01", "draft"])] {
        for as_result in [true, false] {
            let supported = supported.clone();
            let upstream = Scripted::start(move |seen| match seen.rpc_method().as_str() {
                "server/discover" => naming(seen, &supported, as_result),
                "tools/call" => seen.result("1"),
                _ => seen.legacy(None).unwrap(),
            })
            .await;
            let client = upstream.client();
            let error = call(&client, Effect::Write).await.unwrap_err();
            assert!(matches!(error, UpstreamError::NoSharedVersion), "{error:?}");
            assert!(error.surely_not_run());
            assert_eq!(
                error.to_string(),
                "the upstream speaks none of the protocol versions spoken here \
                 (2024-11-05, 2025-03-26, 2025-06-18, 2025-11-25, 2026-07-28)"
            );
            assert_eq!(client.era(), None);
            assert_eq!(upstream.methods(), ["server/discover"]);
        }
    }
}

#[tokio::test]
async fn faults_that_say_nothing_of_the_era_are_errors_and_not_remembered() {
    type Check = fn(&UpstreamError) -> bool;
    let faults: [(u16, Check); 3] = [
        (401, |error| matches!(error, UpstreamError::Challenge(_))),
        (403, |error| matches!(error, UpstreamError::Challenge(_))),
        (429, |error| {
            matches!(error, UpstreamError::RateLimited { .. })
        }),
    ];
    for (status, check) in faults {
        let upstream = Scripted::start(move |_| empty(status)).await;
        let client = upstream.client();
        for asked in 1..=2 {
            assert!(
                check(&call(&client, Effect::Read).await.unwrap_err()),
                "{status}"
            );
            assert_eq!(client.era(), None);
            assert_eq!(upstream.methods(), vec!["server/discover"; asked]);
        }
    }
    let client = Upstream::new(config("http://127.0.0.1:9/mcp")).unwrap();
    let error = call(&client, Effect::Read).await.unwrap_err();
    assert!(matches!(error, UpstreamError::Connect(_)), "{error:?}");
    assert_eq!(client.era(), None);
}

#[tokio::test]
async fn an_upstream_that_is_down_is_not_taken_for_a_legacy_one() {
    let down = Arc::new(AtomicBool::new(true));
    let switch = Arc::clone(&down);
    let upstream = Scripted::start(move |seen| {
        if switch.load(Ordering::SeqCst) {
            return empty(502);
        }
        seen.modern().unwrap_or_else(|| seen.result("1"))
    })
    .await;
    let client = upstream.client();
    let error = call(&client, Effect::Read).await.unwrap_err();
    assert!(
        matches!(error, UpstreamError::Status { status: 502 }),
        "{error:?}"
    );
    down.store(false, Ordering::SeqCst);
    call(&client, Effect::Read).await.unwrap();
    assert_eq!(client.era(), Some(Era::Modern));
}

#[tokio::test]
async fn many_first_callers_ask_once() {
    let upstream = Scripted::start(|seen| seen.modern().unwrap_or_else(|| seen.result("1"))).await;
    let client = upstream.client();
    let calls = (0..20).map(|_| call(&client, Effect::Read));
    for answered in futures_util::future::join_all(calls).await {
        answered.unwrap();
    }
    assert_eq!(upstream.count("server/discover"), 1);
}

#[tokio::test]
async fn a_fixed_era_asks_nothing() {
    for (era, expected) in [
        (Era::Modern, &["tools/call"][..]),
        (
            Era::Legacy,
            &["initialize", "notifications/initialized", "tools/call"],
        ),
    ] {
        let upstream = Scripted::start(|seen| match seen.rpc_method().as_str() {
            "tools/call" => seen.result("1"),
            _ => seen.legacy(None).unwrap(),
        })
        .await;
        let mut config = upstream.config();
        config.era = EraChoice::Fixed(era);
        let client = Upstream::new(config).unwrap();
        assert_eq!(client.era(), Some(era));
        call(&client, Effect::Read).await.unwrap();
        assert_eq!(upstream.methods(), expected);
    }
}

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

#[tokio::test]
async fn initialize_is_repeated_once_with_a_listed_version() {
    for (message, expected) in [
        (
            "Unsupported version (supported: 2025-06-18, 2024-11-05)",
            &["2025-11-25", "2025-06-18"][..],
        ),
        ("no", &["2025-11-25"]),
    ] {
        let initialized = Arc::new(AtomicUsize::new(0));
        let upstream = Scripted::start(move |seen| match seen.rpc_method().as_str() {
            "initialize" if initialized.fetch_add(1, Ordering::SeqCst) == 0 => {
                seen.error(400, -32000, message)
            }
            _ => seen.legacy(None).unwrap(),
        })
        .await;
        let listed = upstream.client().list(&caller("Bearer token")).await;
        assert_eq!(listed.is_ok(), expected.len() == 2);
        let asked: Vec<_> = upstream
            .seen()
            .iter()
            .filter(|seen| seen.rpc_method() == "initialize")
            .map(|seen| {
                seen.body["params"]["protocolVersion"]
                    .as_str()
                    .unwrap()
                    .to_owned()
            })
            .collect();
        assert_eq!(asked, expected);
    }
}
