//! How often a request runs when its connection breaks (field case 65).

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use upstream::{Effect, Upstream, UpstreamError};

use crate::raw_server::{Act, RawServer, id_of, response};
use crate::scripted::{CALL_TIMEOUT, call, calling, config, pass, text};

fn answer(request: &str) -> String {
    let id = id_of(request);
    response("", &format!(r#"{{"jsonrpc":"2.0","id":{id},"result":1}}"#))
}

fn client(url: &str) -> Upstream {
    calling(config(url))
}

#[tokio::test]
async fn a_call_cut_off_before_its_answer() {
    type Fault = fn() -> Act;
    let faults: [(&str, Fault); 2] = [
        ("closed", || Act::Close),
        ("reset", || Act::Reset(String::new())),
    ];
    for (name, fault) in faults {
        for (effect, runs) in [(Effect::Write, 1), (Effect::Read, 2)] {
            let upstream = RawServer::start(move |_, _| fault()).await;
            let error = call(&client(&upstream.url), effect).await.unwrap_err();
            assert!(
                matches!(error, UpstreamError::Broken(_)),
                "{name} {error:?}"
            );
            assert!(!error.surely_not_run());
            assert_eq!(upstream.count("tools/call"), runs, "{name} {effect:?}");
        }
    }
}

#[tokio::test]
async fn a_read_succeeds_the_second_time_with_a_new_id() {
    let upstream = RawServer::start(|request, number| match number {
        1 => Act::Close,
        _ => Act::Answer(answer(request)),
    })
    .await;
    let reply = call(&client(&upstream.url), Effect::Read).await.unwrap();
    assert_eq!(text(&reply), "1");
    assert_eq!(
        (upstream.count("\"id\":1"), upstream.count("\"id\":2")),
        (1, 1)
    );
}

#[tokio::test]
async fn nothing_is_repeated_once_an_answer_has_begun() {
    let beginnings = [
        "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 99\r\n\r\n{\"json",
        "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n",
        "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n5\r\ndata:\r\n",
    ];
    for beginning in beginnings {
        for effect in [Effect::Write, Effect::Read] {
            let upstream =
                RawServer::start(move |_, _| Act::AnswerAndClose(beginning.to_owned())).await;
            let error = call(&client(&upstream.url), effect).await.unwrap_err();
            assert!(matches!(error, UpstreamError::Broken(_)), "{error:?}");
            assert_eq!(upstream.count("tools/call"), 1, "{beginning}");
        }
    }
}

#[tokio::test]
async fn a_call_that_takes_too_long_is_not_repeated() {
    for effect in [Effect::Write, Effect::Read] {
        let upstream = RawServer::start(|_, _| Act::Silence).await;
        let client = client(&upstream.url);
        let called = tokio::spawn(async move { call(&client, effect).await });
        upstream.until("tools/call").await;
        pass(CALL_TIMEOUT).await;
        let error = called.await.unwrap().unwrap_err();
        assert!(matches!(error, UpstreamError::Timeout { .. }), "{error:?}");
        assert!(!error.surely_not_run());
        assert_eq!(upstream.count("tools/call"), 1);
    }
}

#[tokio::test]
async fn a_connection_that_went_stale_in_the_pool() {
    for effect in [Effect::Write, Effect::Read] {
        // Kept open by name, yet the second request on it finds nobody.
        let upstream = RawServer::start(|request, number| match number {
            2 => Act::Close,
            _ => Act::Answer(answer(request)),
        })
        .await;
        let client = client(&upstream.url);
        call(&client, effect).await.unwrap();
        let second = call(&client, effect).await;
        match effect {
            Effect::Write => {
                assert!(
                    matches!(second, Err(UpstreamError::Broken(_))),
                    "{second:?}"
                );
                assert_eq!(
                    (upstream.count("tools/call"), upstream.connections()),
                    (2, 1)
                );
            }
            Effect::Read => {
                assert_eq!(text(&second.unwrap()), "1");
                assert_eq!(
                    (upstream.count("tools/call"), upstream.connections()),
                    (3, 2)
                );
            }
        }
    }
}

#[tokio::test]
async fn a_server_that_closes_after_each_answer_gets_each_call_once() {
    let upstream = RawServer::start(|request, _| Act::AnswerAndClose(answer(request))).await;
    let client = client(&upstream.url);
    for _ in 0..20 {
        // Either the pool knows of the close, or the call fails without having run.
        match call(&client, Effect::Write).await {
            Ok(reply) => assert_eq!(text(&reply), "1"),
            Err(error) => assert!(matches!(error, UpstreamError::Broken(_)), "{error:?}"),
        }
    }
    assert!(upstream.count("tools/call") <= 20);
    let ids: Vec<usize> = (1..=20)
        .map(|id| upstream.count(&format!("\"id\":{id},")))
        .collect();
    assert!(ids.iter().all(|runs| *runs <= 1), "{ids:?}");
}

#[tokio::test]
async fn a_connection_killed_before_the_body_is_read() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/mcp", listener.local_addr().unwrap());
    let connections = Arc::new(std::sync::atomic::AtomicUsize::new(0));
    let opened = Arc::clone(&connections);
    let server = tokio::spawn(async move {
        while let Ok((mut connection, _)) = listener.accept().await {
            opened.fetch_add(1, Ordering::SeqCst);
            let mut first = [0; 16];
            connection.read_exact(&mut first).await.unwrap();
            connection.set_zero_linger().unwrap();
        }
    });
    for (effect, tries) in [(Effect::Write, 1), (Effect::Read, 2)] {
        connections.store(0, Ordering::SeqCst);
        let error = call(&client(&url), effect).await.unwrap_err();
        assert!(matches!(error, UpstreamError::Broken(_)), "{error:?}");
        assert_eq!(connections.load(Ordering::SeqCst), tries);
    }
    server.abort();
}

#[tokio::test]
async fn a_call_executed_before_the_break_runs_once() {
    let executed = Arc::new(AtomicBool::new(false));
    let once = Arc::clone(&executed);
    let upstream = RawServer::start(move |_, _| {
        assert!(!once.swap(true, Ordering::SeqCst), "executed twice");
        Act::Reset("HTTP/1.1 200 OK\r\n".to_owned())
    })
    .await;
    let error = call(&client(&upstream.url), Effect::Write)
        .await
        .unwrap_err();
    assert!(matches!(error, UpstreamError::Broken(_)), "{error:?}");
    assert!(executed.load(Ordering::SeqCst));
    assert_eq!(upstream.count("tools/call"), 1);
}

#[tokio::test]
async fn a_refused_connection_is_not_tried_again() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/mcp", listener.local_addr().unwrap());
    drop(listener);
    let error = call(&client(&url), Effect::Read).await.unwrap_err();
    assert!(matches!(error, UpstreamError::Connect(_)), "{error:?}");
    assert!(error.surely_not_run());
}

#[tokio::test]
async fn a_port_that_speaks_something_else_breaks() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/mcp", listener.local_addr().unwrap());
    let server = tokio::spawn(async move {
        let (mut connection, _) = listener.accept().await.unwrap();
        connection.write_all(b"220 smtp ready\r\n").await.unwrap();
    });
    let error = call(&client(&url), Effect::Write).await.unwrap_err();
    assert!(matches!(error, UpstreamError::Broken(_)), "{error:?}");
    server.await.unwrap();
}

#[tokio::test]
async fn a_connection_is_used_again_after_any_answer() {
    let upstream = RawServer::start(|request, number| {
        let id = id_of(request);
        let answer = format!(r#"{{"jsonrpc":"2.0","id":{id},"result":1}}"#);
        let event = format!("data: {answer}\n\n");
        Act::Answer(match number % 3 {
            0 => response("", &answer),
            1 => format!(
                "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n\
                 {:x}\r\n{event}\r\n0\r\n\r\n",
                event.len()
            ),
            _ => "HTTP/1.1 401 No\r\ncontent-length: 3\r\n\r\n...".to_owned(),
        })
    })
    .await;
    let client = client(&upstream.url);
    for _ in 0..9 {
        call(&client, Effect::Write).await.ok();
        // What is left of an answer is read beside.
        tokio::task::yield_now().await;
    }
    assert_eq!(upstream.count("tools/call"), 9);
    assert_eq!(upstream.connections(), 1);
}
