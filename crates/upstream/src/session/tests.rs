use tokio::time::advance;

use super::*;
use crate::credential::CallerKeys;

fn key(token: &str) -> CallerKey {
    let value = HeaderValue::from_str(token).unwrap();
    let authorization = crate::Authorization::parse([value].iter()).unwrap();
    CallerKeys::new([3; 32]).caller(authorization).key
}

async fn open(sessions: &Sessions, token: &str, id: &'static str) -> Arc<Session> {
    let opened = async {
        Ok(Session {
            id: Some(HeaderValue::from_static(id)),
            version: HeaderValue::from_static("2025-11-25"),
            handshake: Handshake::default(),
        })
    };
    sessions
        .get_or_open(key(token), None, opened)
        .await
        .unwrap()
}

async fn opened_id(sessions: &Sessions, token: &str, fresh: &'static str) -> String {
    let session = open(sessions, token, fresh).await;
    session.id.as_ref().unwrap().to_str().unwrap().to_owned()
}

#[tokio::test(start_paused = true)]
async fn the_least_recently_used_goes_first() {
    let sessions = Sessions::new(2);
    for (token, fresh, expected) in [
        ("a", "a1", "a1"),
        ("b", "b1", "b1"),
        ("a", "a2", "a1"),
        ("c", "c1", "c1"),
        ("a", "a3", "a1"),
        ("b", "b2", "b2"),
    ] {
        advance(Duration::from_secs(1)).await;
        assert_eq!(
            opened_id(&sessions, token, fresh).await,
            expected,
            "{token}"
        );
        assert!(sessions.slots().by_caller.len() <= 2);
    }
}

#[tokio::test(start_paused = true)]
async fn idle_sessions_make_room_together() {
    let sessions = Sessions::new(3);
    open(&sessions, "a", "a1").await;
    open(&sessions, "b", "b1").await;
    advance(MAX_IDLE).await;
    open(&sessions, "c", "c1").await;
    open(&sessions, "d", "d1").await;
    assert_eq!(sessions.slots().by_caller.len(), 2);
    assert_eq!(opened_id(&sessions, "c", "c2").await, "c1");
}

#[tokio::test(start_paused = true)]
async fn an_idle_session_goes_though_there_is_room() {
    let sessions = Sessions::new(100);
    open(&sessions, "idle", "i1").await;
    open(&sessions, "busy", "b1").await;
    advance(MAX_IDLE / 2).await;
    assert_eq!(opened_id(&sessions, "busy", "b2").await, "b1");
    assert_eq!(sessions.slots().by_caller.len(), 2);
    advance(MAX_IDLE / 2).await;
    assert_eq!(opened_id(&sessions, "busy", "b3").await, "b1");
    assert_eq!(sessions.slots().by_caller.len(), 1);
    assert_eq!(opened_id(&sessions, "idle", "i2").await, "i2");
}

#[tokio::test]
async fn a_failure_leaves_nothing_behind() {
    let sessions = Sessions::new(2);
    let failed = async { Err(UpstreamError::Status { status: 500 }) };
    assert!(sessions.get_or_open(key("a"), None, failed).await.is_err());
    assert!(sessions.slots().by_caller.is_empty());
}

#[tokio::test]
async fn only_the_lost_session_is_replaced() {
    let sessions = Sessions::new(2);
    let first = open(&sessions, "a", "a1").await;
    let again = async {
        Ok(Session {
            id: None,
            version: HeaderValue::from_static("2025-11-25"),
            handshake: Handshake::default(),
        })
    };
    let second = sessions
        .get_or_open(key("a"), Some(&first), again)
        .await
        .unwrap();
    assert!(second.id.is_none());
    let unused = async { Err(UpstreamError::Status { status: 500 }) };
    let third = sessions
        .get_or_open(key("a"), Some(&first), unused)
        .await
        .unwrap();
    assert!(Arc::ptr_eq(&second, &third));
    assert!(sessions.take(key("a")).is_some());
    assert!(sessions.take(key("a")).is_none());
}
