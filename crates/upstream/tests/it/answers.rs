//! Answers in every form that servers give them (field cases 60, 63, 68, 72).

use axum::response::Response;
use upstream::Effect;

use crate::raw_server::{Act, RawServer, id_of, response};
use crate::scripted::{
    Scripted, Seen, answered, call, calling, config, gzipped, stream, text, typed,
};

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
        ("gzip", gzipped),
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
        let client = calling(upstream.config());
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
        let reply = call(&calling(config(&upstream.url)), Effect::Write)
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
            let client = calling(config(&format!("http://{name}:{port}/mcp")));
            assert_eq!(
                text(&call(&client, Effect::Write).await.unwrap()),
                "1",
                "{name}"
            );
        }
    }
}
