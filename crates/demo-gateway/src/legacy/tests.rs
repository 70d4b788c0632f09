use http::Method;
use serde_json::Value;
use wire::code;

use super::*;
use crate::probe::{Probe, body};
use crate::settings::{DemoEra, DemoSettings};

fn probe(era: DemoEra) -> Probe {
    Probe::new(DemoSettings {
        era,
        ..DemoSettings::default()
    })
}

#[tokio::test]
async fn the_handshake_echoes_known_versions() {
    let probe = probe(DemoEra::Dual);
    for (asked, answered) in [
        (json!("2024-11-05"), "2024-11-05"),
        (json!("2025-06-18"), "2025-06-18"),
        (json!("2025-11-25"), "2025-11-25"),
        (json!("2026-07-28"), "2025-11-25"),
        (json!("2027-01-01"), "2025-11-25"),
        (Value::Null, "2025-11-25"),
    ] {
        let request = body("initialize", json!({"protocolVersion": asked}));
        let answer = probe.post(&[], request).await;
        let result = answer.result();
        assert_eq!(result["protocolVersion"], answered, "{asked}");
        assert_eq!(result["serverInfo"]["name"], "demo-gateway");
        assert!(result["instructions"].as_str().unwrap().len() < 1000);
        assert_eq!(answer.header("mcp-session-id"), "");
    }
}

#[tokio::test]
async fn a_gateway_may_have_nothing_to_say() {
    let probe = Probe::new(DemoSettings {
        instructions: None,
        ..DemoSettings::default()
    });
    for answer in [
        probe.legacy("initialize", json!({})).await,
        probe.modern("server/discover", json!({})).await,
    ] {
        assert_eq!(answer.result().get("instructions"), None);
    }
}

#[tokio::test]
async fn results_carry_nothing_of_the_modern_era() {
    let result = probe(DemoEra::Dual)
        .legacy("tools/list", json!({}))
        .await
        .result();
    let keys: Vec<_> = result.as_object().unwrap().keys().collect();
    assert_eq!(keys, ["tools"]);
    assert_eq!(result["tools"].as_array().unwrap().len(), 500);
}

#[tokio::test]
async fn small_talk() {
    let probe = probe(DemoEra::LegacyStateless);
    assert_eq!(probe.legacy("ping", json!({})).await.result(), json!({}));
    let unknown = probe.legacy("completion/complete", json!({})).await;
    assert_eq!(unknown.refusal(), (200, code::METHOD_NOT_FOUND));
    let notification = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
    let answer = probe.post(&[], notification).await;
    assert_eq!(
        (answer.status, answer.body.len()),
        (StatusCode::ACCEPTED, 0)
    );
    let response = json!({"jsonrpc": "2.0", "id": 1, "result": {}});
    assert_eq!(probe.post(&[], response).await.status, StatusCode::ACCEPTED);
    assert_eq!(probe.gateway.recorder.activity().responses, 1);
}

#[tokio::test]
async fn servers_of_this_era_do_not_understand_discovery() {
    let stateless = probe(DemoEra::LegacyStateless);
    let answer = stateless.modern("server/discover", json!({})).await;
    assert_eq!(answer.refusal(), (400, SERVER_ERROR));
    let stateful = probe(DemoEra::LegacyStateful);
    let answer = stateful.modern("server/discover", json!({})).await;
    assert_eq!(answer.refusal(), (400, code::INVALID_REQUEST));
}

#[tokio::test]
async fn a_session_is_needed_and_can_end() {
    let probe = probe(DemoEra::LegacyStateful);
    let opened = probe.post(&[], body("initialize", json!({}))).await;
    let session = opened.header("mcp-session-id");
    let within = [("mcp-session-id", session)];
    let list = || body("tools/list", json!({}));
    assert_eq!(probe.post(&within, list()).await.status, StatusCode::OK);

    let without = probe.post(&[], list()).await;
    assert_eq!(without.refusal(), (400, code::INVALID_REQUEST));
    let unknown = probe
        .post(&[("mcp-session-id", "session-99")], list())
        .await;
    assert_eq!(unknown.refusal(), (404, code::INVALID_REQUEST));
    let foreign = [("mcp-session-id", session), ("authorization", "Bearer b")];
    assert_eq!(
        probe.post(&foreign, list()).await.refusal(),
        (404, code::INVALID_REQUEST)
    );
    let outside = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
    assert_eq!(
        probe.post(&[], outside).await.status,
        StatusCode::BAD_REQUEST
    );

    let end = || probe.send(Method::DELETE, "/mcp", &within, String::new());
    assert_eq!(end().await.unwrap().status, StatusCode::NO_CONTENT);
    assert_eq!(end().await.unwrap().status, StatusCode::NOT_FOUND);
    assert_eq!(
        probe.post(&within, list()).await.status,
        StatusCode::NOT_FOUND
    );
    let activity = probe.gateway.recorder.activity();
    assert_eq!((activity.sessions_opened, activity.sessions), (1, 0));
}
