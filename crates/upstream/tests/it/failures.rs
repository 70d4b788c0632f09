//! Answers that are no result, and answers that never come (field cases 55, 62, 67, 68, 84).

mod refusals;

use std::time::Duration;

use axum::response::Response;
use upstream::{Effect, Forward, UpstreamError};

use crate::raw_server::{Act, RawServer};
use crate::scripted::{
    CALL_TIMEOUT, PATIENCE, Scripted, Seen, answered, call, caller, calling, config, empty,
    gzipped, pass, redirect, stream, text, typed,
};

type Unreadable = fn(&Seen) -> Response;

/// Answers that can't be read, and what is said of each.
const UNREADABLE: [(Unreadable, &str); 12] = [
    (|_| typed(200, "application/json", ""), "the body is empty"),
    (
        |_| typed(200, "application/json", "null"),
        "no JSON-RPC message",
    ),
    (|_| typed(200, "application/json", "[]"), "a JSON array"),
    (
        |_| typed(200, "application/json", "{\"jsonrpc\":\"2.0\",\"canary"),
        "cut off",
    ),
    (
        |_| typed(200, "application/json", "canary"),
        "it isn't JSON",
    ),
    (
        |_| typed(200, "application/json", "{\"canary\":1}"),
        "no JSON-RPC message",
    ),
    (
        |_| {
            typed(
                200,
                "application/json",
                r#"{"jsonrpc":"2.0","id":99,"result":"canary"}"#,
            )
        },
        "no request of ours",
    ),
    (
        |seen| typed(200, "application/json", seen.text.clone()),
        "no request of ours",
    ),
    (
        |_| empty(202),
        "status 202, no content type: it holds no answer",
    ),
    (|_| empty(204), "status 204"),
    (
        |_| Response::new("".into()),
        "no content type: the body is empty",
    ),
    (
        |_| typed(200, "text/event-stream", "data: {\"canary\n\n"),
        "cut off",
    ),
];

#[tokio::test]
async fn what_is_no_answer_is_told_in_one_line_without_its_content() {
    for (form, expected) in UNREADABLE {
        let error = answered(form).await.unwrap_err();
        assert!(
            matches!(error, UpstreamError::Malformed { .. }),
            "{error:?}"
        );
        let told = format!("{error} {error:?}");
        assert!(told.contains(expected), "{told}");
        assert!(!told.contains("canary"), "{told}");
    }
}

#[tokio::test]
async fn a_web_page_is_named_as_one() {
    for (content_type, body) in [
        ("text/html", "<html>canary"),
        ("Text/HTML; charset=utf-8", "canary"),
        ("text/html", ""),
        ("application/json", " <!doctype html>canary"),
    ] {
        let error = answered(move |_| typed(200, content_type, body))
            .await
            .unwrap_err();
        let expected = "the upstream answered with a web page (HTTP status 200), not with MCP";
        assert_eq!(error.to_string(), expected);
        assert!(!format!("{error:?}").contains("canary"));
    }
    // A message is taken whatever it is called.
    let reply = answered(|seen| typed(200, "text/html", seen.result_text("1"))).await;
    assert_eq!(text(&reply.unwrap()), "1");
}

#[tokio::test]
async fn a_wrong_address_is_told_from_other_faults() {
    let forms: [(Unreadable, bool); 12] = [
        (|_| empty(404), true),
        (|_| typed(404, "text/html", "<html>"), true),
        (|_| empty(405), true),
        (|_| typed(200, "text/html", "<html>"), true),
        (|_| redirect(302, "/login"), true),
        (|_| redirect(307, "javascript:alert(1)"), true),
        (|_| empty(400), false),
        (|_| empty(401), false),
        (|_| empty(429), false),
        (|_| empty(503), false),
        (|_| typed(200, "application/json", "{}"), false),
        (|_| empty(202), false),
    ];
    for (form, expected) in forms {
        let error = answered(form).await.unwrap_err();
        assert_eq!(error.is_misconfigured(), expected, "{error}");
    }
    let upstream = Scripted::start(|_| empty(404)).await;
    let listed = upstream.client().list(&caller("Bearer token")).await;
    assert!(listed.unwrap_err().is_misconfigured());
}

#[tokio::test]
async fn a_stream_without_the_answer_is_a_broken_connection() {
    for text in [
        "",
        ": only comments\n\n",
        "data: {\"jsonrpc\":\"2.0\",\"id\":99,\"result\":1}\n\n",
        "data: {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":1}",
        "id: 7\ndata:\n\n",
    ] {
        let error = answered(move |_| typed(200, "text/event-stream", text))
            .await
            .unwrap_err();
        assert!(
            matches!(error, UpstreamError::Broken(_)),
            "{text:?}: {error:?}"
        );
    }
}

#[tokio::test]
async fn waiting_ends() {
    let endless = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n: on\n\n";
    let half = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n{";
    for beginning in ["", endless, half] {
        let upstream = RawServer::start(move |_, _| Act::Answer(beginning.to_owned())).await;
        let client = calling(config(&upstream.url));
        let called = tokio::spawn(async move { call(&client, Effect::Read).await });
        upstream.until("tools/call").await;
        pass(CALL_TIMEOUT).await;
        let error = called.await.unwrap().unwrap_err();
        assert!(matches!(error, UpstreamError::Timeout { .. }), "{error:?}");
        assert_eq!(upstream.count("tools/call"), 1);
    }
}

#[tokio::test]
async fn errors_keep_their_bytes_under_any_status() {
    let error = r#"{ "code":-32042,"message":"open \u0061 link", "data":{"url":"https://a.test","n":1.50} }"#;
    for status in [200, 400, 404, 500] {
        for id in ["1", "null", "\"server-error\""] {
            if status == 200 && id.starts_with('"') {
                continue;
            }
            let body = format!(r#"{{"jsonrpc":"2.0","id":{id},"error":{error}}}"#);
            let reply = answered(move |_| typed(status, "application/json", body.clone())).await;
            assert_eq!(
                text(&reply.unwrap()),
                format!("error {error}"),
                "{status} {id}"
            );
        }
    }
    for code in [-32601, -32602, -32603, -32000, -32020, -32021] {
        let reply = answered(move |seen| seen.error(400, code, "m"))
            .await
            .unwrap();
        assert!(text(&reply).contains(&code.to_string()), "{reply:?}");
    }
}

#[tokio::test]
async fn statuses_without_a_message_are_errors() {
    for status in [400, 404, 405, 413, 500, 502, 503] {
        for body in [
            "<html>canary",
            "",
            "{}",
            r#"{"jsonrpc":"2.0","id":1,"result":"canary"}"#,
        ] {
            let error = answered(move |_| typed(status, "text/html", body))
                .await
                .unwrap_err();
            assert!(matches!(error, UpstreamError::Status { status: found } if found == status));
            assert!(!format!("{error:?}").contains("canary"));
        }
    }
}

#[tokio::test]
async fn an_answer_over_the_limit_is_refused() {
    type Form = fn(&str) -> Response;
    let large = format!("\"{}\"", "x".repeat(5_000));
    let forms: [(&str, Form, bool); 4] = [
        (
            "announced",
            |body| typed(200, "application/json", body.to_owned()),
            true,
        ),
        (
            "counted",
            |body| stream("application/json", chunks(body.as_bytes(), 100)),
            false,
        ),
        ("inflated", gzipped, false),
        (
            "event",
            |body| typed(200, "text/event-stream", format!("data: {body}\n\n")),
            false,
        ),
    ];
    for (name, form, says) in forms {
        let large = large.clone();
        let upstream = Scripted::start(move |seen| form(&seen.result_text(&large))).await;
        let mut config = upstream.config();
        config.max_result_bytes = 5_000;
        let error = call(&calling(config), Effect::Write).await.unwrap_err();
        let UpstreamError::TooLarge {
            max_bytes,
            announced,
        } = error
        else {
            panic!("{name}: {error:?}")
        };
        assert_eq!((max_bytes, announced.is_some()), (5_000, says), "{name}");
        let mut config = upstream.config();
        config.max_result_bytes = 6_000;
        call(&calling(config), Effect::Write).await.unwrap();
    }
}

#[tokio::test]
async fn a_single_answer_may_be_allowed_less_and_never_more() {
    let upstream = Scripted::start(|seen| {
        let result = format!(r#"{{"text":"{}"}}"#, "x".repeat(5_000));
        typed(200, "application/json", seen.result_text(&result))
    })
    .await;
    let cap = async |setting: usize, wanted: usize| {
        let mut config = upstream.config();
        config.max_result_bytes = setting;
        let request = Forward {
            method: "tools/call",
            params: Vec::new(),
            meta: None,
            name: Some("t"),
            param_headers: Vec::new(),
            effect: Effect::Read,
        };
        let client = calling(config);
        match client
            .forward_up_to(&caller("Bearer token"), request, wanted)
            .await
        {
            Ok(_) => None,
            Err(UpstreamError::TooLarge { max_bytes, .. }) => Some(max_bytes),
            Err(other) => panic!("{other:?}"),
        }
    };
    assert_eq!(cap(10_000, 6_000).await, None);
    assert_eq!(cap(10_000, 4_000).await, Some(4_000));
    assert_eq!(cap(3_000, 6_000).await, Some(3_000));
}

fn chunks(bytes: &[u8], size: usize) -> Vec<Vec<u8>> {
    bytes.chunks(size).map(<[u8]>::to_vec).collect()
}

#[test]
fn broken_calls_leave_no_task_behind() {
    let servers = tokio::runtime::Runtime::new().unwrap();
    let beginnings = [
        "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\ndata: half",
        "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n{",
        "HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: 6\r\n\r\n<html>",
        "",
    ];
    let upstream = servers.block_on(RawServer::start(move |_, number| {
        Act::AnswerAndClose(beginnings[number % beginnings.len()].to_owned())
    }));
    let clients = tokio::runtime::Runtime::new().unwrap();
    clients.block_on(async {
        let client = calling(config(&upstream.url));
        for _ in 0..200 {
            call(&client, Effect::Read).await.unwrap_err();
        }
    });
    let alive = || clients.metrics().num_alive_tasks();
    clients.block_on(async {
        let quiet = async {
            while alive() > 0 {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        };
        tokio::time::timeout(PATIENCE, quiet)
            .await
            .unwrap_or_else(|_elapsed| panic!("{} tasks are left", alive()));
    });
}
