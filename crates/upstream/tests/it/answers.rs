//! Answers in every form that servers give them (field cases 55, 60, 62, 63, 67, 68, 70, 72).

use std::io::Write;
use std::time::Duration;

use axum::response::Response;
use flate2::Compression;
use flate2::write::GzEncoder;
use upstream::{
    ChallengeStatus, Effect, EraChoice, Reply, Upstream, UpstreamConfig, UpstreamError,
};
use wire::Era;

use crate::raw_server::{Act, RawServer, id_of, response};
use crate::scripted::{Scripted, Seen, call, config, empty, stream, text, typed};

/// A client that sends calls and nothing else.
fn client(mut config: UpstreamConfig) -> Upstream {
    config.era = EraChoice::Fixed(Era::Modern);
    Upstream::new(config).unwrap()
}

async fn answered(
    script: impl Fn(&Seen) -> Response + Send + Sync + 'static,
) -> Result<Reply, UpstreamError> {
    let upstream = Scripted::start(script).await;
    call(&client(upstream.config()), Effect::Write).await
}

fn gzipped(text: &str) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(text.as_bytes()).unwrap();
    encoder.finish().unwrap()
}

const RESULT: &str = r#"{ "b":1.0e+2, "a":"法令 ąčę 🙀\u0105", "n":12345678901234567890123 }"#;

#[tokio::test]
async fn a_result_is_read_from_any_honest_form() {
    type Form = fn(&str) -> Response;
    let forms: [(&str, Form); 10] = [
        ("json", |body| {
            typed(200, "application/json", body.to_owned())
        }),
        ("charset", |body| {
            typed(200, "Application/JSON; charset=utf-8", body.to_owned())
        }),
        ("text", |body| typed(200, "text/plain", body.to_owned())),
        ("no type", |body| Response::new(body.to_owned().into())),
        ("odd type", |body| typed(200, ";;", body.to_owned())),
        ("mark", |body| {
            typed(200, "application/json", format!("\u{feff}{body}"))
        }),
        ("blanks", |body| {
            typed(200, "application/json", format!("\r\n {body} \n"))
        }),
        ("201", |body| {
            typed(201, "application/json", body.to_owned())
        }),
        ("sse", |body| {
            typed(
                200,
                "Text/Event-Stream; charset=utf-8",
                format!("data: {body}\n\n"),
            )
        }),
        ("gzip", |body| {
            let mut response = typed(200, "application/json", gzipped(body));
            response
                .headers_mut()
                .insert("content-encoding", "gzip".parse().unwrap());
            response
        }),
    ];
    for (name, form) in forms {
        let reply = answered(move |seen| form(&seen.result_text(RESULT)))
            .await
            .unwrap();
        assert_eq!(text(&reply), RESULT, "{name}");
    }
}

#[tokio::test]
async fn the_answer_is_found_in_any_stream() {
    type Form = fn(&str) -> String;
    let streams: [(&str, Form); 9] = [
        ("named", |answer| {
            format!("event: message\nid: 1\ndata: {answer}\n\n")
        }),
        ("crlf", |answer| format!("data: {answer}\r\n\r\n")),
        ("cr", |answer| format!("data: {answer}\r\r")),
        ("comments", |answer| {
            format!(": hello\n\n: hello\ndata: {answer}\n\n")
        }),
        ("priming", |answer| {
            format!("id: 1\nretry: 5\ndata:\n\ndata: {answer}\n\n")
        }),
        ("notifications", |answer| {
            let other = r#"{"jsonrpc":"2.0","method":"notifications/progress","params":{}}"#;
            format!("data: {other}\n\ndata: {answer}\n\n")
        }),
        ("others", |answer| {
            format!("data: {{\"jsonrpc\":\"2.0\",\"id\":99,\"result\":2}}\n\ndata: {answer}\n\n")
        }),
        ("not json", |answer| {
            format!("data: hello\n\ndata: {answer}\n\n")
        }),
        ("lines", |answer| {
            let (before, after) = answer.split_once(',').unwrap();
            format!("data: {before}\ndata: ,{after}\n\n")
        }),
    ];
    for (name, form) in streams {
        let reply =
            answered(move |seen| typed(200, "text/event-stream", form(&seen.result_text(RESULT))))
                .await
                .unwrap();
        assert_eq!(text(&reply), RESULT, "{name}");
    }
}

type Unreadable = fn(&Seen) -> Response;

/// Answers that can't be read, and what is said of each.
const UNREADABLE: [(Unreadable, &str); 13] = [
    (
        |_| typed(200, "text/html", "<html>canary"),
        "status 200, text/html: it is a page, not JSON",
    ),
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
        let mut config = config(&upstream.url);
        config.call_timeout = Duration::from_millis(50);
        let error = call(&client(config), Effect::Read).await.unwrap_err();
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
async fn challenges_come_whole() {
    let values = [
        "Bearer error=\"insufficient_scope\", scope=\"a b\", resource_metadata=\"https://a.test/x\"",
        "DPoP algs=\"ES256\"",
    ];
    for (status, expected) in [
        (401, ChallengeStatus::Unauthorized),
        (403, ChallengeStatus::Forbidden),
    ] {
        for count in 0..=2 {
            let error = answered(move |seen| {
                let mut response = seen.error(status, -32001, "who are you");
                for value in values.iter().take(count) {
                    response
                        .headers_mut()
                        .append("www-authenticate", value.parse().unwrap());
                }
                response
            })
            .await
            .unwrap_err();
            let UpstreamError::Challenge(challenge) = error else {
                panic!("{error:?}")
            };
            assert_eq!(challenge.status, expected);
            assert_eq!(challenge.www_authenticate, &values[..count]);
        }
    }
}

#[tokio::test]
async fn rate_limits_say_how_long() {
    for (value, expected) in [(Some("7"), Some(Duration::from_secs(7))), (None, None)] {
        let error = answered(move |_| {
            let mut response = empty(429);
            if let Some(value) = value {
                response
                    .headers_mut()
                    .insert("retry-after", value.parse().unwrap());
            }
            response
        })
        .await
        .unwrap_err();
        let UpstreamError::RateLimited { retry_after } = error else {
            panic!("{error:?}")
        };
        assert_eq!(retry_after, expected);
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
        (
            "inflated",
            |body| {
                let mut response = typed(200, "application/json", gzipped(body));
                response
                    .headers_mut()
                    .insert("content-encoding", "gzip".parse().unwrap());
                response
            },
            false,
        ),
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
        let error = call(&client(config), Effect::Write).await.unwrap_err();
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
        call(&client(config), Effect::Write).await.unwrap();
    }
}

fn chunks(bytes: &[u8], size: usize) -> Vec<Vec<u8>> {
    bytes.chunks(size).map(<[u8]>::to_vec).collect()
}

#[tokio::test]
async fn a_character_may_be_cut_anywhere() {
    let result = "\"法令 ąčę 🙀\"";
    for content_type in ["application/json", "text/event-stream"] {
        let upstream = Scripted::start(move |seen| {
            let cut = usize::try_from(seen.body["id"].as_u64().unwrap()).unwrap();
            let mut body = seen.result_text(result);
            if content_type == "text/event-stream" {
                body = format!("data: {body}\n\n");
            }
            let (before, after) = body.as_bytes().split_at(cut.min(body.len()));
            stream(content_type, vec![before.to_vec(), after.to_vec()])
        })
        .await;
        let client = client(upstream.config());
        for _ in 0..80 {
            assert_eq!(text(&call(&client, Effect::Write).await.unwrap()), result);
        }
    }
}

#[tokio::test]
async fn large_response_heads_are_read() {
    let many: Vec<String> = (0..640)
        .map(|n| format!("x-{n}: {}\r\n", "v".repeat(90)))
        .collect();
    let long = format!("x-long: {}\r\n", "v".repeat(64_000));
    for headers in [many.concat(), long] {
        let upstream = RawServer::start(move |request, _| {
            let id = id_of(request);
            Act::Answer(response(
                &headers,
                &format!(r#"{{"jsonrpc":"2.0","id":{id},"result":1}}"#),
            ))
        })
        .await;
        let reply = call(&client(config(&upstream.url)), Effect::Write)
            .await
            .unwrap();
        assert_eq!(text(&reply), "1");
    }
}

#[tokio::test]
async fn names_and_both_kinds_of_address_are_reached() {
    for (host, names) in [
        ("127.0.0.1", &["127.0.0.1", "localhost"][..]),
        ("[::1]", &["[::1]"]),
    ] {
        let script = |seen: Seen| std::future::ready(seen.result("1"));
        let Ok(upstream) = Scripted::start_on(host, script).await else {
            println!("skipped: {host} isn't available here");
            continue;
        };
        let port = upstream.origin.rsplit(':').next().unwrap();
        for name in names {
            let client = client(config(&format!("http://{name}:{port}/mcp")));
            assert_eq!(
                text(&call(&client, Effect::Write).await.unwrap()),
                "1",
                "{name}"
            );
        }
    }
}
