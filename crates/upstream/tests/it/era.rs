//! Which era is found, and when it is asked anew (field case 58).

mod turning;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use axum::response::Response;
use http::StatusCode;
use serde_json::{Value, json};
use upstream::{Effect, EraChoice, Upstream, UpstreamError};
use wire::Era;

use crate::raw_server::{Act, RawServer, id_of, response};
use crate::scripted::{
    INITIALIZED, Scripted, Seen, call, caller, config, empty, pass, reply, text, typed,
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
