//! Listing page by page (field cases 29, 30).

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use axum::response::Response;
use serde_json::{Value, json};
use upstream::{Listing, Upstream, UpstreamError};
use wire::Era;

use crate::scripted::{LIST_TIMEOUT, Scripted, Seen, caller, empty, pass};

/// A modern upstream whose pages come from `page`, given the cursor (`null` at first).
async fn paged(page: impl Fn(&Value) -> String + Send + Sync + 'static) -> Scripted {
    Scripted::start(move |seen| match seen.rpc_method().as_str() {
        "tools/list" => seen.result(&page(&seen.body["params"]["cursor"])),
        _ => seen.modern().unwrap(),
    })
    .await
}

async fn list(upstream: &Scripted) -> Result<Listing, UpstreamError> {
    upstream.client().list(&caller("Bearer token")).await
}

fn names(listing: &Listing) -> Vec<String> {
    let name = |tool: &serde_json::value::RawValue| {
        let tool: Value = serde_json::from_str(tool.get()).unwrap();
        tool["name"].as_str().unwrap().to_owned()
    };
    listing.tools.iter().map(|tool| name(tool)).collect()
}

#[tokio::test]
async fn all_pages_are_read_in_order() {
    let upstream = paged(|cursor| {
        let page = cursor
            .as_str()
            .map_or(0, |cursor| cursor.parse::<usize>().unwrap());
        let tools: Vec<_> = (0..50)
            .map(|tool| json!({"name": format!("t{page}_{tool}")}))
            .collect();
        let next = (page < 36).then(|| (page + 1).to_string());
        json!({"tools": tools, "nextCursor": next}).to_string()
    })
    .await;
    let listing = list(&upstream).await.unwrap();
    assert_eq!((listing.tools.len(), listing.pages), (1_850, 37));
    assert_eq!(names(&listing).last().unwrap(), "t36_49");
    assert_eq!(listing.cut_short, None);
    assert_eq!(listing.handshake.instructions.as_deref(), Some("modern"));
    assert_eq!(
        listing.handshake.capabilities.unwrap().get(),
        r#"{"tools":{}}"#
    );
}

#[tokio::test]
async fn cursors_that_repeat_end_the_listing_with_each_tool_once() {
    type Page = fn(&Value) -> String;
    let cases: [(&str, Page, &[&str], usize); 4] = [
        (
            "always the same",
            |_| r#"{"tools":[{"name":"a"},{"name":"b"}],"nextCursor":"8"}"#.to_owned(),
            &["a", "b"],
            2,
        ),
        (
            "there and back",
            |cursor| match cursor.as_str() {
                None => r#"{"tools":[{"name":"a"}],"nextCursor":"A"}"#.to_owned(),
                Some("A") => r#"{"tools":[{"name":"b"}],"nextCursor":"B"}"#.to_owned(),
                _ => r#"{"tools":[{"name":"c"}],"nextCursor":"A"}"#.to_owned(),
            },
            &["a", "b", "c"],
            3,
        ),
        (
            "always empty",
            |_| r#"{"tools":[{"name":"a"}],"nextCursor":""}"#.to_owned(),
            &["a"],
            2,
        ),
        (
            "always new",
            |cursor| {
                let next = cursor.as_u64().unwrap_or(0) + 1;
                format!(r#"{{"tools":[{{"name":"a"}}],"nextCursor":{next}}}"#)
            },
            &["a"],
            1_000,
        ),
    ];
    for (name, page, expected, pages) in cases {
        let listing = list(&paged(page).await).await.unwrap();
        assert_eq!(names(&listing), expected, "{name}");
        assert_eq!(listing.pages, pages, "{name}");
        assert!(listing.cut_short.is_some(), "{name}");
    }
}

#[tokio::test]
async fn doubles_of_a_healthy_listing_stay() {
    let upstream =
        paged(|_| r#"{"tools":[{"name":"a"},{"name":"a"}],"nextCursor":null}"#.to_owned()).await;
    let listing = list(&upstream).await.unwrap();
    assert_eq!(names(&listing), ["a", "a"]);
}

#[tokio::test]
async fn only_null_and_absence_end_a_listing() {
    let upstream = paged(|cursor| match cursor.as_str() {
        None => r#"{"tools":[{"name":"a"}],"nextCursor":""}"#.to_owned(),
        Some("") => r#"{"tools":[{"name":"b"}],"nextCursor":"\u0061"}"#.to_owned(),
        _ => r#"{"tools":[{"name":"c"}]}"#.to_owned(),
    })
    .await;
    let listing = list(&upstream).await.unwrap();
    assert_eq!(names(&listing), ["a", "b", "c"]);
    assert_eq!(listing.cut_short, None);
    assert!(
        upstream
            .seen()
            .last()
            .unwrap()
            .text
            .contains(r#""cursor":"\u0061""#)
    );
}

#[tokio::test]
async fn a_fault_on_any_page_fails_the_listing() {
    type Fault = fn(&Seen) -> Response;
    let faults: [(&str, Fault, &str); 8] = [
        ("status", |_| empty(500), "Status { status: 500 }"),
        (
            "error",
            |seen| seen.error(200, -32603, "x"),
            r#"Refused { method: "tools/list", code: -32603 }"#,
        ),
        (
            "no method",
            |seen| seen.error(404, -32601, "x"),
            r#"Refused { method: "tools/list", code: -32601 }"#,
        ),
        ("no tools", |seen| seen.result("{}"), "Malformed"),
        (
            "no array",
            |seen| seen.result(r#"{"tools":{}}"#),
            "Malformed",
        ),
        ("null", |seen| seen.result("null"), "Malformed"),
        (
            "a question",
            |seen| seen.result(r#"{"tools":[],"resultType":"input_required"}"#),
            "Malformed",
        ),
        ("challenge", |_| empty(401), "Challenge"),
    ];
    for (name, fault, expected) in faults {
        let upstream = Scripted::start(move |seen| {
            if seen.body["params"]["cursor"] == "2" {
                return fault(seen);
            }
            match seen.rpc_method().as_str() {
                "tools/list" => seen.result(r#"{"tools":[{"name":"a"}],"nextCursor":"2"}"#),
                _ => seen.modern().unwrap(),
            }
        })
        .await;
        let error = list(&upstream).await.unwrap_err();
        assert!(format!("{error:?}").contains(expected), "{name}: {error:?}");
    }
}

/// A legacy upstream that loses the sessions in `lost` after their second page.
async fn forgetful(lost: &'static [&'static str]) -> Scripted {
    let opened = AtomicUsize::new(0);
    Scripted::start(move |seen| match seen.rpc_method().as_str() {
        "initialize" => {
            let id = format!("s{}", opened.fetch_add(1, Ordering::SeqCst));
            seen.legacy(Some(&id)).unwrap()
        }
        "tools/list" => {
            let session = seen.header("mcp-session-id").unwrap();
            match seen.body["params"]["cursor"].as_str() {
                None => seen.result(&format!(
                    r#"{{"tools":[{{"name":"a{session}"}}],"nextCursor":"{session}1"}}"#
                )),
                Some(cursor) if !cursor.starts_with(session) => seen.error(200, -32602, "cursor"),
                Some(cursor) if cursor.ends_with('1') => seen.result(&format!(
                    r#"{{"tools":[{{"name":"b{session}"}}],"nextCursor":"{session}2"}}"#
                )),
                Some(_) if lost.contains(&session) => empty(404),
                Some(_) => seen.result(r#"{"tools":[{"name":"c"}]}"#),
            }
        }
        _ => seen.legacy(None).unwrap(),
    })
    .await
}

#[tokio::test]
async fn a_session_lost_between_pages_starts_the_listing_anew_once() {
    let upstream = forgetful(&["s0"]).await;
    let listing = list(&upstream).await.unwrap();
    assert_eq!(names(&listing), ["as1", "bs1", "c"]);
    assert_eq!((upstream.count("initialize"), listing.pages), (2, 3));

    let upstream = forgetful(&["s0", "s1"]).await;
    let error = list(&upstream).await.unwrap_err();
    assert!(
        matches!(error, UpstreamError::Status { status: 404 }),
        "{error:?}"
    );
    assert_eq!(upstream.count("initialize"), 2);
}

/// An upstream of `era` that declares `capabilities` and answers `tools/list` as `script` says.
async fn declaring(
    era: Era,
    capabilities: &'static str,
    script: fn(&Seen) -> Response,
) -> Scripted {
    Scripted::start(move |seen| match (era, seen.rpc_method().as_str()) {
        (_, "tools/list") => script(seen),
        (Era::Modern, "server/discover") => seen.result(&format!(
            r#"{{"supportedVersions":["2026-07-28"]{capabilities}}}"#
        )),
        (Era::Legacy, "initialize") => seen.result(&format!(
            r#"{{"protocolVersion":"2025-11-25"{capabilities}}}"#
        )),
        _ => seen.legacy(None).unwrap(),
    })
    .await
}

#[tokio::test]
async fn an_upstream_that_declares_no_tools_is_asked_and_may_have_none() {
    type Script = fn(&Seen) -> Response;
    let unknown: Script = |seen| seen.error(200, -32601, "Method not found");
    let unknown_by_status: Script = |seen| seen.error(404, -32601, "Method not found");
    let failing: Script = |seen| seen.error(200, -32603, "x");
    let some: Script = |seen| seen.result(r#"{"tools":[{"name":"a"}]}"#);
    let (prompts, tools) = (
        r#","capabilities":{"prompts":{}}"#,
        r#","capabilities":{"tools":{}}"#,
    );
    for (capabilities, script, expected) in [
        (prompts, unknown, Ok(0)),
        (prompts, unknown_by_status, Ok(0)),
        (prompts, some, Ok(1)),
        (prompts, failing, Err(-32603)),
        (tools, unknown, Err(-32601)),
        ("", unknown, Err(-32601)),
    ] {
        for era in [Era::Modern, Era::Legacy] {
            let upstream = declaring(era, capabilities, script).await;
            let client = upstream.client();
            for _ in 0..2 {
                let found = match client.list(&caller("Bearer token")).await {
                    Ok(listing) => Ok(listing.tools.len()),
                    Err(UpstreamError::Refused { method, code }) => {
                        assert_eq!(method, "tools/list");
                        Err(code)
                    }
                    Err(error) => panic!("{error:?}"),
                };
                assert_eq!(found, expected, "{era:?} {capabilities}");
            }
            assert_eq!(upstream.count("tools/list"), 2);
            assert_eq!(client.era(), Some(era));
        }
    }
}

#[tokio::test]
async fn the_shortest_sensible_ttl_counts() {
    for (first, second, expected) in [
        ("60000", "5000", Some(5_000)),
        ("0", "5000", Some(0)),
        ("-1", "5000", Some(5_000)),
        ("\"7\"", "1.5", None),
        ("1e3", "null", None),
    ] {
        let (first, second) = (first.to_owned(), second.to_owned());
        let upstream = paged(move |cursor| match cursor.as_str() {
            None => format!(r#"{{"tools":[],"ttlMs":{first},"nextCursor":"2"}}"#),
            _ => format!(r#"{{"tools":[],"ttlMs":{second}}}"#),
        })
        .await;
        let listing = list(&upstream).await.unwrap();
        assert_eq!(listing.ttl, expected.map(Duration::from_millis));
    }
}

#[tokio::test]
async fn bytes_count_over_all_pages() {
    let upstream = paged(|cursor| {
        let page = cursor.as_u64().unwrap_or(0);
        format!(
            r#"{{"tools":[{{"name":"{page}","description":"{}"}}],"nextCursor":{}}}"#,
            "d".repeat(1_000),
            page + 1
        )
    })
    .await;
    let mut config = upstream.config();
    config.max_listing_bytes = 5_000;
    let client = Upstream::new(config).unwrap();
    let error = client.list(&caller("")).await.unwrap_err();
    let expected = matches!(
        error,
        UpstreamError::TooLarge {
            max_bytes: 5_000,
            ..
        }
    );
    assert!(expected, "{error:?}");
    assert_eq!(upstream.count("tools/list"), 5);
}

#[tokio::test]
async fn time_counts_over_all_pages() {
    let upstream = Scripted::start_async(|seen| async move {
        if seen.body["params"]["cursor"].is_string() {
            std::future::pending::<()>().await;
        }
        match seen.rpc_method().as_str() {
            "tools/list" => seen.result(r#"{"tools":[],"nextCursor":"2"}"#),
            _ => seen.modern().unwrap(),
        }
    })
    .await;
    let client = upstream.client();
    let listed = tokio::spawn(async move { client.list(&caller("")).await });
    upstream
        .until(|seen| seen.body["params"]["cursor"].is_string())
        .await;
    pass(LIST_TIMEOUT).await;
    let error = listed.await.unwrap().unwrap_err();
    assert!(matches!(error, UpstreamError::Timeout { .. }), "{error:?}");
}

#[tokio::test]
async fn discovery_is_asked_once_a_listing() {
    let upstream = Scripted::start(|seen| seen.modern().unwrap()).await;
    let client = upstream.client();
    for _ in 0..2 {
        client.list(&caller("")).await.unwrap();
    }
    let expected = [
        "server/discover",
        "tools/list",
        "server/discover",
        "tools/list",
    ];
    assert_eq!(upstream.methods(), expected);
}

#[tokio::test]
async fn a_page_is_asked_for_once_more_if_the_connection_breaks_first() {
    let broken = AtomicBool::new(false);
    let upstream = crate::raw_server::RawServer::start(move |request, _| {
        use crate::raw_server::{Act, id_of, response};
        if request.contains("tools/list") && !broken.swap(true, Ordering::SeqCst) {
            return Act::Close;
        }
        let result = if request.contains("server/discover") {
            crate::scripted::DISCOVERED
        } else {
            r#"{"tools":[{"name":"a"}]}"#
        };
        let body = format!(
            r#"{{"jsonrpc":"2.0","id":{},"result":{result}}}"#,
            id_of(request)
        );
        Act::Answer(response("", &body))
    })
    .await;
    let client = Upstream::new(crate::scripted::config(&upstream.url)).unwrap();
    assert_eq!(client.list(&caller("")).await.unwrap().tools.len(), 1);
    assert_eq!(upstream.count("tools/list"), 2);
}
