//! In which form a body comes, and how large and slow it may be.

use std::time::Duration;

use axum::body::Body;
use bytes::Bytes;
use futures_util::stream;

use super::{PING, ping, proxy};

#[tokio::test]
async fn a_body_comes_as_it_is() {
    let proxy = proxy(&[]);
    for (headers, status, taken) in [
        (&[("content-encoding", "identity")][..], 200, None),
        (&[("content-encoding", "")], 200, None),
        (&[("content-encoding", "gzip")], 415, Some("identity")),
        (
            &[("content-encoding", "identity, br")],
            415,
            Some("identity"),
        ),
        (
            &[
                ("content-encoding", "identity"),
                ("content-encoding", "gzip"),
            ],
            415,
            Some("identity"),
        ),
    ] {
        let headers = [&[("host", "localhost")], headers].concat();
        let answer = ping(&proxy, &headers).await;
        assert_eq!(answer.status, status, "{headers:?}");
        assert_eq!(answer.header("accept-encoding"), taken, "{headers:?}");
        if status == 415 {
            let message = answer.json()["error"]["message"].to_string();
            assert!(message.contains("Content-Encoding"), "{message}");
        }
    }
}

#[tokio::test]
async fn a_body_is_json_or_unsaid() {
    let proxy = proxy(&[]);
    for (content_type, status) in [
        (None, 200),
        (Some("application/json"), 200),
        (Some("Application/JSON; charset=utf-8"), 200),
        (Some("text/plain"), 415),
        (Some("application/x-www-form-urlencoded"), 415),
    ] {
        let headers: Vec<_> = [
            Some(("host", "localhost")),
            content_type.map(|it| ("content-type", it)),
        ]
        .into_iter()
        .flatten()
        .collect();
        assert_eq!(
            ping(&proxy, &headers).await.status,
            status,
            "{content_type:?}"
        );
    }
    let json = ("content-type", "application/json");
    let twice = ping(&proxy, &[("host", "localhost"), json, json]).await;
    assert_eq!(twice.error(), (415, -32600));
    assert_eq!(twice.header("accept"), Some("application/json"));
}

#[tokio::test]
async fn large_bodies_pass_up_to_the_limit() {
    let by_default = proxy(&[]);
    let small = proxy(&["--max-body", "1KiB"]);
    let padded = |bytes: usize| {
        let padding = " ".repeat(bytes - PING.len());
        format!("{padding}{PING}")
    };
    for (proxy, bytes, status) in [
        (&by_default, 3 << 20, 200),
        (&by_default, (10 << 20) + 1, 413),
        (&small, 1024, 200),
        (&small, 1025, 413),
    ] {
        let answer = proxy.post(&[], padded(bytes)).await;
        assert_eq!(answer.status, status, "{bytes}");
        if status == 413 {
            assert_eq!(answer.error(), (413, -32600));
            assert!(
                answer.json()["error"]["message"]
                    .to_string()
                    .contains("--max-body")
            );
        }
    }
    let unannounced =
        stream::iter((0..3).map(|_| Ok::<_, std::io::Error>(Bytes::from(vec![b' '; 512]))));
    assert_eq!(
        small.post(&[], Body::from_stream(unannounced)).await.status,
        413
    );
}

#[tokio::test]
async fn a_body_that_announces_too_much_isnt_read() {
    let endless = stream::poll_fn(
        |_| -> std::task::Poll<Option<Result<Bytes, std::io::Error>>> {
            panic!("the body was read")
        },
    );
    let body = Announced(Body::from_stream(endless));
    assert_eq!(proxy(&[]).post(&[], Body::new(body)).await.status, 413);
}

/// A body that says it has a gigabyte.
struct Announced(Body);

impl http_body::Body for Announced {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: std::pin::Pin<&mut Self>,
        context: &mut std::task::Context<'_>,
    ) -> std::task::Poll<Option<Result<http_body::Frame<Bytes>, axum::Error>>> {
        std::pin::Pin::new(&mut self.0).poll_frame(context)
    }

    fn size_hint(&self) -> http_body::SizeHint {
        http_body::SizeHint::with_exact(1 << 30)
    }
}

#[tokio::test(start_paused = true)]
async fn a_body_that_trickles_in_is_given_up() {
    let started = tokio::time::Instant::now();
    let trickle = stream::unfold((), |()| async {
        tokio::time::sleep(Duration::from_secs(3)).await;
        Some((Ok::<_, std::io::Error>(Bytes::from_static(b" ")), ()))
    });
    let answer = proxy(&[]).post(&[], Body::from_stream(trickle)).await;
    assert_eq!(answer.error(), (408, -32600));
    assert_eq!(started.elapsed().as_secs(), 30);
}

#[tokio::test]
async fn a_body_that_breaks_off_is_refused() {
    let broken = stream::iter([
        Ok(Bytes::from_static(b"{")),
        Err(std::io::Error::other("gone")),
    ]);
    assert_eq!(
        proxy(&[])
            .post(&[], Body::from_stream(broken))
            .await
            .error(),
        (400, -32600)
    );
}
