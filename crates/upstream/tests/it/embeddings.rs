//! The client of an embedding service against scripted ones.

use std::time::Duration;

use axum::response::Response;
use http::StatusCode;
use serde_json::{Value, json};
use upstream::{Embeddings, EmbeddingsConfig, EmbeddingsError, EmbeddingsKey};

use crate::scripted::{PATIENCE, Scripted, Seen, empty, gzipped, pass, redirect, reply, typed};

const KEY: &str = "keycanary-1";
const TEXT: &str = "textcanary";
const LIMIT: Duration = Duration::from_secs(20);

fn config(service: &Scripted) -> EmbeddingsConfig {
    EmbeddingsConfig {
        url: format!("{}/v1/embeddings?api-version=7", service.origin)
            .parse()
            .unwrap(),
        model: "made-up".to_owned(),
        dimensions: 2,
        key: Some(EmbeddingsKey::parse(KEY).unwrap()),
        connect_timeout: PATIENCE,
        extra_roots_pem: None,
    }
}

/// Vectors as the API has them: the number of each text's letters, and its place.
fn vectors(seen: &Seen) -> Value {
    let texts = seen.body["input"].as_array().unwrap().iter();
    let vector = |(place, text): (usize, &Value)| {
        let letters = text.as_str().unwrap().len();
        json!({"object": "embedding", "index": place, "embedding": [letters, place]})
    };
    let data: Vec<Value> = texts.enumerate().map(vector).collect();
    json!({"object": "list", "data": data, "model": "made-up"})
}

fn answer(seen: &Seen) -> Response {
    reply(StatusCode::OK, &vectors(seen).to_string())
}

async fn embed(client: &Embeddings) -> Result<Vec<Vec<f32>>, EmbeddingsError> {
    client.embed(&[TEXT, "b"], LIMIT).await
}

/// What is said where the service answers as `script` does; nothing of it is a secret.
async fn failure(script: impl Fn(&Seen) -> Response + Send + Sync + 'static) -> EmbeddingsError {
    let service = Scripted::start(script).await;
    let error = embed(&Embeddings::new(config(&service)).unwrap())
        .await
        .unwrap_err();
    let told = format!("{error:?} {}", error.with_causes());
    assert!(!told.contains("canary"), "{told}");
    error
}

#[tokio::test]
async fn one_request_has_all_texts_the_key_and_the_model() {
    let service = Scripted::start(answer).await;
    let client = Embeddings::new(config(&service)).unwrap();
    assert_eq!(embed(&client).await.unwrap(), [[10.0, 0.0], [1.0, 1.0]]);
    assert_eq!(service.seen().len(), 1);
    let seen = service.last();
    assert_eq!(
        (seen.method.as_str(), &*seen.path),
        ("POST", "/v1/embeddings")
    );
    assert_eq!(seen.header("authorization"), Some("Bearer keycanary-1"));
    assert_eq!(seen.header("content-type"), Some("application/json"));
    let expected = json!({
        "model": "made-up",
        "input": [TEXT, "b"],
        "encoding_format": "float",
        "dimensions": 2,
    });
    assert_eq!(seen.body, expected);
    assert!(!format!("{client:?}").contains("canary"));
}

#[tokio::test]
async fn without_a_key_none_is_sent_and_gzip_is_read() {
    let service = Scripted::start(|seen| gzipped(&vectors(seen).to_string())).await;
    let config = EmbeddingsConfig {
        key: None,
        ..config(&service)
    };
    let client = Embeddings::new(config).unwrap();
    assert_eq!(embed(&client).await.unwrap().len(), 2);
    assert_eq!(service.last().header("authorization"), None);
}

#[tokio::test]
async fn a_model_that_refuses_to_be_told_its_dimensions_is_told_once() {
    let script = |seen: &Seen| match seen.body.get("dimensions") {
        Some(_) => reply(StatusCode::BAD_REQUEST, r#"{"error":{"message":"canary"}}"#),
        None => answer(seen),
    };
    let service = Scripted::start(script).await;
    let client = Embeddings::new(config(&service)).unwrap();
    for requests in [2, 3, 4] {
        assert_eq!(embed(&client).await.unwrap().len(), 2);
        assert_eq!(service.seen().len(), requests);
    }
}

#[tokio::test]
async fn a_status_says_what_to_do() {
    for (status, kind, part) in [
        (400, "refused", "check the model's name"),
        (401, "key", "TOOLSEARCH_EMBEDDINGS_KEY"),
        (403, "key", "TOOLSEARCH_EMBEDDINGS_KEY"),
        (404, "status", "mostly ends with /v1/embeddings"),
        (413, "refused", "--embeddings-batch"),
        (422, "refused", "--embeddings-batch"),
        (204, "status", "HTTP status 204"),
        (500, "status", "HTTP status 500"),
        (503, "status", "HTTP status 503"),
    ] {
        let error = failure(move |_| typed(status, "application/json", r#"{"error":"canary"}"#));
        let error = error.await;
        assert_eq!(error.kind(), kind, "{status}");
        assert!(EmbeddingsError::KINDS.contains(&kind));
        assert!(error.to_string().contains(part), "{status}: {error}");
        assert_eq!(error.is_of_the_request(), kind == "refused");
        assert_eq!(error.retry_after(), None);
    }
}

#[tokio::test]
async fn how_long_to_wait_is_read_in_either_form() {
    for (status, value, expected) in [
        (429, Some("7"), Some(7)),
        (503, Some("7"), Some(7)),
        (429, Some("Mon, 01 Jan 2024 00:00:00 GMT"), Some(0)),
        (429, Some("soon"), None),
        (429, None, None),
    ] {
        let error = failure(move |_| {
            let mut response = empty(status);
            if let Some(value) = value {
                let headers = response.headers_mut();
                headers.insert("retry-after", value.parse().unwrap());
            }
            response
        });
        let error = error.await;
        assert_eq!(error.kind(), "rate_limited", "{status} {value:?}");
        assert_eq!(error.retry_after(), expected.map(Duration::from_secs));
    }
}

#[tokio::test]
async fn no_redirect_is_followed() {
    let other = Scripted::start(answer).await;
    for status in [301, 302, 303, 307, 308] {
        for location in [format!("{}/v1/embeddings", other.origin), "/v2".to_owned()] {
            let error = failure(move |seen| match seen.path.as_str() {
                "/v2" => answer(seen),
                _ => redirect(status, &location),
            });
            assert!(matches!(error.await, EmbeddingsError::Redirect { .. }));
        }
    }
    assert!(other.seen().is_empty());
}

#[tokio::test]
async fn other_bodies_than_all_vectors_are_told_apart() {
    for (body, kind) in [
        ("", "malformed"),
        ("<html>canary</html>", "malformed"),
        (r#"{"error":{"message":"canary"}}"#, "malformed"),
        (
            r#"{"data":[{"embedding":[NaN,1]},{"embedding":[1,1]}]}"#,
            "malformed",
        ),
        (r#"{"data":[{"embedding":[1,1]}]}"#, "malformed"),
        (
            r#"{"data":[{"embedding":[1e99,1]},{"embedding":[1,1]}]}"#,
            "malformed",
        ),
        (
            r#"{"data":[{"embedding":[1,1,1]},{"embedding":[1,1,1]}]}"#,
            "dimensions",
        ),
    ] {
        let error = failure(move |_| reply(StatusCode::OK, body)).await;
        assert_eq!(error.kind(), kind, "{body}: {error}");
    }
    let error = failure(|_| reply(StatusCode::OK, &" ".repeat(1 << 20))).await;
    assert!(
        matches!(error, EmbeddingsError::TooLarge { .. }),
        "{error:?}"
    );
}

#[tokio::test]
async fn waiting_for_vectors_ends() {
    let service = Scripted::start_async(|_| std::future::pending()).await;
    let client = Embeddings::new(config(&service)).unwrap();
    let asked = tokio::spawn(async move { embed(&client).await });
    service.until(|_| true).await;
    pass(LIMIT).await;
    let error = asked.await.unwrap().unwrap_err();
    assert_eq!(error.kind(), "timeout");
    assert!(error.to_string().ends_with("within 20s"), "{error}");
}

#[tokio::test]
async fn nobody_there_is_said_without_the_address() {
    let mut config = config(&Scripted::start(answer).await);
    config.url = "http://127.0.0.1:1/v1/embeddings?canary=1".parse().unwrap();
    let error = embed(&Embeddings::new(config).unwrap()).await.unwrap_err();
    assert!(matches!(error, EmbeddingsError::Connect(_)), "{error:?}");
    assert!(!error.with_causes().contains("canary"));
}

#[tokio::test]
async fn a_url_that_cannot_be_used_is_refused_at_once() {
    let service = Scripted::start(answer).await;
    for (url, part) in [
        ("ftp://host.test/v1/embeddings", "http:// or https://"),
        (
            "https://u:canary@host.test/v1/embeddings",
            "its own setting",
        ),
    ] {
        let config = EmbeddingsConfig {
            url: url.parse().unwrap(),
            ..config(&service)
        };
        let error = Embeddings::new(config).unwrap_err().to_string();
        assert!(error.contains(part) && !error.contains("canary"), "{error}");
    }
    let config = EmbeddingsConfig {
        extra_roots_pem: Some(b"canary".to_vec()),
        ..config(&service)
    };
    let error = Embeddings::new(config).unwrap_err().to_string();
    assert_eq!(
        error,
        "the embedding service's CA file holds no PEM certificate"
    );
}
