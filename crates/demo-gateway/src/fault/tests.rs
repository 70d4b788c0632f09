use std::io::Read;

use flate2::read::GzDecoder;
use http::Method;
use serde_json::{Value, json};
use tokio::time::{Instant, timeout};

use super::*;
use crate::probe::{Answer, Probe, body};
use crate::settings::{AnswerFormat, DemoCaller, DemoEra, DemoSettings};

fn probe(target: Target, effect: Effect) -> Probe {
    with(vec![Fault::new(target, effect)])
}

fn with(faults: Vec<Fault>) -> Probe {
    Probe::new(DemoSettings {
        faults,
        page_size: 25,
        ..DemoSettings::default()
    })
}

fn raw(text: &str) -> Box<RawValue> {
    RawValue::from_string(text.to_owned()).unwrap()
}

async fn list(probe: &Probe) -> Answer {
    probe.legacy("tools/list", json!({})).await
}

fn names(page: &Answer) -> Vec<Value> {
    let tools = page.result()["tools"].clone();
    let tools = tools.as_array().unwrap().iter();
    tools.map(|tool| tool["name"].clone()).collect()
}

#[tokio::test]
async fn a_fault_meets_only_its_target() {
    let error = || Effect::Error(RpcError::new(-7, "scripted"));
    for (target, listing, call) in [
        (Target::Every, true, true),
        (Target::method("tools/list"), true, false),
        (Target::tool("mail__list_mail_folders"), false, true),
        (Target::tool("mail__send_message"), false, false),
        (Target::Page(1), true, false),
        (Target::Page(2), false, false),
    ] {
        let probe = probe(target.clone(), error());
        let called = probe
            .legacy("tools/call", json!({"name": "mail__list_mail_folders"}))
            .await;
        let failed = |answer: &Answer| answer.json()["error"]["code"] == json!(-7);
        assert_eq!(
            (failed(&list(&probe).await), failed(&called)),
            (listing, call),
            "{target:?}"
        );
    }
}

#[tokio::test]
async fn a_fault_can_be_used_up() {
    let html = Effect::Reply(RawReply::html(StatusCode::BAD_GATEWAY));
    let probe = with(vec![Fault::new(Target::Every, html).times(2)]);
    for expected in [502, 502, 200, 200] {
        assert_eq!(list(&probe).await.status.as_u16(), expected);
    }
}

#[tokio::test]
async fn replies_are_sent_as_written() {
    for (reply, status, header) in [
        (
            RawReply::html(StatusCode::INTERNAL_SERVER_ERROR),
            500,
            ("content-type", "text/html"),
        ),
        (RawReply::too_many_requests("7"), 429, ("retry-after", "7")),
        (
            RawReply::redirect(StatusCode::TEMPORARY_REDIRECT, "/mcp/"),
            307,
            ("location", "/mcp/"),
        ),
    ] {
        let answer = list(&probe(Target::Every, Effect::Reply(reply))).await;
        assert_eq!(
            (answer.status.as_u16(), answer.header(header.0)),
            (status, header.1)
        );
    }
}

#[tokio::test]
async fn notifications_meet_faults_too() {
    let odd = RawReply::new(StatusCode::OK, "text/plain", "ok");
    let probe = probe(
        Target::method("notifications/initialized"),
        Effect::Reply(odd),
    );
    let notification = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
    let answer = probe.post(&[], notification).await;
    assert_eq!(
        (answer.status, answer.text().as_str()),
        (StatusCode::OK, "ok")
    );
}

#[tokio::test]
async fn pages_follow_each_other_to_the_end() {
    let probe = with(Vec::new());
    let mut names_seen = Vec::new();
    let mut cursor = Value::Null;
    let mut pages = 0;
    loop {
        let page = probe.legacy("tools/list", json!({"cursor": cursor})).await;
        names_seen.extend(names(&page));
        pages += 1;
        cursor = page.result()["nextCursor"].clone();
        if cursor.is_null() {
            break;
        }
    }
    assert_eq!((pages, names_seen.len()), (20, 500));
    let unknown = probe
        .legacy("tools/list", json!({"cursor": "no-such"}))
        .await;
    assert_eq!(unknown.refusal(), (200, wire::code::INVALID_PARAMS));
}

#[tokio::test]
async fn an_error_on_one_page_leaves_the_others() {
    let probe = probe(
        Target::Page(2),
        Effect::Error(RpcError::new(-32603, "boom")),
    );
    let first = list(&probe).await;
    let cursor = first.result()["nextCursor"].clone();
    let second = probe.legacy("tools/list", json!({"cursor": cursor})).await;
    assert_eq!(second.refusal(), (200, -32603));
}

#[tokio::test]
async fn endless_cursors_go_round() {
    let cursors = vec!["a".to_owned(), "b".to_owned()];
    let probe = probe(Target::method("tools/list"), Effect::EndlessCursor(cursors));
    let mut first_names = None;
    for (given, next) in [(Value::Null, "a"), (json!("a"), "b"), (json!("b"), "a")] {
        let page = probe.legacy("tools/list", json!({"cursor": given})).await;
        assert_eq!(page.result()["nextCursor"], next, "{given}");
        assert_eq!(
            *first_names.get_or_insert_with(|| names(&page)),
            names(&page)
        );
    }
}

#[tokio::test]
async fn lists_can_be_empty_or_hold_anything() {
    let empty = probe(Target::method("tools/list"), Effect::EmptyList);
    assert_eq!(names(&list(&empty).await), Vec::<Value>::new());
    let extra = vec![raw(r#"{"name":"bare"}"#), raw("null"), raw(r#"{"name":7}"#)];
    let odd = probe(Target::method("tools/list"), Effect::ExtraTools(extra));
    let text = list(&odd).await.text();
    assert!(
        text.contains(r#"{"name":"bare"},null,{"name":7}]"#),
        "{text}"
    );
}

#[tokio::test]
async fn results_and_errors_leave_as_written() {
    let odd = raw(r#"{"content":[],"x":1.0e+2}"#);
    let result = probe(Target::Every, Effect::Result(odd.clone()));
    for answer in [
        result.legacy("tools/list", json!({})).await,
        result.modern("tools/list", json!({})).await,
    ] {
        assert!(
            answer
                .text()
                .ends_with(&format!(r#""result":{}}}"#, odd.get()))
        );
    }
    let error = RpcError {
        data: Some(raw(r#"{"retry":2.50}"#)),
        ..RpcError::new(4711, "custom")
    };
    let answer = list(&probe(Target::Every, Effect::Error(error))).await;
    assert!(
        answer
            .text()
            .ends_with(r#""error":{"code":4711,"message":"custom","data":{"retry":2.50}}}"#)
    );
}

#[tokio::test]
async fn a_huge_text_has_its_size() {
    let probe = probe(Target::method("tools/call"), Effect::HugeText(3_000_000));
    let answer = probe
        .legacy("tools/call", json!({"name": "mail__list_mail_folders"}))
        .await;
    let text = answer.result()["content"][0]["text"].clone();
    assert_eq!(text.as_str().unwrap().len(), 3_000_000);
}

#[tokio::test(start_paused = true)]
async fn a_delay_delays_and_a_hang_never_ends() {
    let minute = Duration::from_mins(1);
    let slow = probe(Target::Every, Effect::Delay(minute));
    let start = Instant::now();
    assert_eq!(list(&slow).await.status, StatusCode::OK);
    assert_eq!(start.elapsed(), minute);
    for effect in [Effect::Hang, Effect::Disconnect] {
        let hung = probe(Target::Every, effect);
        assert!(timeout(minute * 60, list(&hung)).await.is_err());
        let activity = hung.gateway.recorder.activity();
        assert_eq!((activity.received, activity.abandoned), (1, 1));
    }
}

#[tokio::test]
async fn bodies_are_compressed_chunked_and_cut() {
    let whole = list(&with(Vec::new())).await.body;
    let gzip = list(&probe(Target::Every, Effect::Gzip)).await;
    assert_eq!(gzip.header("content-encoding"), "gzip");
    let mut unzipped = Vec::new();
    GzDecoder::new(&gzip.body[..])
        .read_to_end(&mut unzipped)
        .unwrap();
    assert_eq!(unzipped, whole);
    assert_eq!(
        list(&probe(Target::Every, Effect::Chunks(7))).await.body,
        whole
    );
    let cut = probe(Target::Every, Effect::CutAfter(100));
    let request = body("tools/list", json!({})).to_string();
    assert!(cut.send(Method::POST, "/mcp", &[], request).await.is_err());
}

#[tokio::test]
async fn a_stream_is_sent_piece_by_piece() {
    let pieces = vec![
        Piece::Bytes(Bytes::from_static(b": hello\n\n")),
        Piece::Answer,
    ];
    let answer = list(&probe(Target::Every, Effect::Stream(pieces))).await;
    assert_eq!(answer.header("content-type"), "text/event-stream");
    let text = answer.text();
    assert!(
        text.starts_with(": hello\n\nevent: message\ndata: {\"jsonrpc\""),
        "{text}"
    );
    let cut = probe(Target::Every, Effect::Stream(vec![Piece::Cut]));
    let request = body("tools/list", json!({})).to_string();
    assert!(cut.send(Method::POST, "/mcp", &[], request).await.is_err());
}

#[tokio::test(start_paused = true)]
async fn a_stream_that_is_given_up_is_noticed() {
    let pieces = vec![Piece::Answer, Piece::Hang];
    let probe = probe(Target::Every, Effect::Stream(pieces));
    assert!(timeout(Duration::from_mins(1), list(&probe)).await.is_err());
    assert_eq!(probe.gateway.recorder.activity().abandoned, 1);
}

#[tokio::test]
async fn a_stream_can_wait_for_the_client_to_respond() {
    let pieces = vec![Piece::AwaitResponse, Piece::Answer];
    let probe = probe(Target::method("tools/list"), Effect::Stream(pieces));
    let respond = async {
        probe
            .gateway
            .recorder
            .until(|activity| activity.received == 1)
            .await;
        let response =
            json!({"jsonrpc": "2.0", "id": "q1", "error": {"code": -32601, "message": ""}});
        probe.post(&[], response).await
    };
    let (answer, response) = tokio::join!(list(&probe), respond);
    assert_eq!(response.status, StatusCode::ACCEPTED);
    assert!(answer.text().contains("people__find_employee"));
}

#[tokio::test]
async fn events_carry_progress_for_those_who_ask() {
    let probe = Probe::new(DemoSettings {
        format: AnswerFormat::Sse,
        ..DemoSettings::default()
    });
    let params = json!({"_meta": {"progressToken": "pt1"}});
    let text = probe.legacy("tools/list", params).await.text();
    assert!(text.starts_with("id: 1\ndata:\n\n"), "{text}");
    assert!(
        text.contains(r#""params":{"progressToken":"pt1""#),
        "{text}"
    );
    assert!(text.ends_with("}\n\n"), "{text}");
    assert!(!list(&probe).await.text().contains("progress"));
}

#[tokio::test]
async fn sessions_can_be_forgotten() {
    let forget = Fault::new(Target::method("tools/list"), Effect::ForgetSessions).times(1);
    let probe = Probe::new(DemoSettings {
        era: DemoEra::LegacyStateful,
        faults: vec![forget],
        ..DemoSettings::default()
    });
    for expected in [404, 200] {
        let opened = probe.post(&[], body("initialize", json!({}))).await;
        let session = opened.header("mcp-session-id");
        let answer = probe
            .post(
                &[("mcp-session-id", session)],
                body("tools/list", json!({})),
            )
            .await;
        assert_eq!(answer.status.as_u16(), expected);
    }
}

#[tokio::test]
async fn callers_see_their_own_tools_and_strangers_a_challenge() {
    let caller = |token: &str| DemoCaller {
        token: token.to_owned(),
        tools: vec![raw(&format!(
            r#"{{"name":"of_{token}","inputSchema":{{"type":"object"}}}}"#
        ))],
    };
    let probe = Probe::new(DemoSettings {
        callers: vec![caller("a"), caller("b")],
        ..DemoSettings::default()
    });
    let ask = async |authorization: &str, method: &str, params: Value| {
        probe
            .post(&[("authorization", authorization)], body(method, params))
            .await
    };
    let listed = ask("Bearer a", "tools/list", json!({})).await;
    assert_eq!(names(&listed), [json!("of_a")]);
    let foreign = ask("Bearer b", "tools/call", json!({"name": "of_a"})).await;
    assert_eq!(foreign.refusal(), (200, wire::code::INVALID_PARAMS));
    let metadata = "resource_metadata=\"http://gateway/.well-known/oauth-protected-resource/mcp\"";
    for (authorization, error) in [
        ("", ""),
        ("Basic a", ""),
        ("Bearer c", "error=\"invalid_token\", "),
    ] {
        let refused = ask(authorization, "tools/list", json!({})).await;
        assert_eq!(refused.status, StatusCode::UNAUTHORIZED, "{authorization}");
        let challenge = format!("Bearer {error}{metadata}, scope=\"tools:read tools:write\"");
        assert_eq!(refused.header("www-authenticate"), challenge);
    }
    let document = probe
        .send(
            Method::GET,
            "/.well-known/oauth-protected-resource/mcp",
            &[],
            String::new(),
        )
        .await
        .unwrap();
    assert_eq!(document.json()["resource"], "http://gateway/mcp");
}

#[tokio::test]
async fn rights_can_be_refused_by_script() {
    let scope = probe(
        Target::Every,
        Effect::InsufficientScope("files:write".to_owned()),
    );
    let answer = list(&scope).await;
    assert_eq!(answer.status, StatusCode::FORBIDDEN);
    assert!(
        answer
            .header("www-authenticate")
            .contains(r#"scope="files:write""#)
    );
    let expired = list(&probe(Target::Every, Effect::Unauthorized)).await;
    assert_eq!(expired.status, StatusCode::UNAUTHORIZED);
    assert!(expired.header("www-authenticate").contains("invalid_token"));
}
