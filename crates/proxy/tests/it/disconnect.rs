//! A caller that goes away takes its upstream request along.

use demo_gateway::{DemoSettings, Effect, Fault, Target};
use proxy::{App, Listeners};
use serde_json::value::RawValue;
use serde_json::{Value, json};
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;

use crate::proxied::{Proxied, config, message};

#[tokio::test]
async fn a_caller_that_hangs_up_cancels_its_upstream_request() {
    let tool = r#"{"name":"act","inputSchema":{"type":"object"}}"#;
    let settings = DemoSettings {
        tools: vec![RawValue::from_string(tool.to_owned()).unwrap()],
        faults: vec![
            Fault::new(Target::method("prompts/list"), Effect::Hang),
            Fault::new(Target::method("tools/call"), Effect::Hang),
        ],
        ..DemoSettings::default()
    };
    let gateway = demo_gateway::DemoGateway::start(settings).await.unwrap();
    let config = config(&gateway.url(), &["--listen", "127.0.0.1:0"]);
    let listeners = Listeners::bind(&config).await.unwrap();
    let address = listeners.main.local_addr().unwrap();
    let app = App::build(config).unwrap();
    let serving = tokio::spawn(app.serve(listeners, std::future::pending()));
    let write = json!({"name": "call_write_tool", "arguments": {"name": "act"}});
    for (abandoned, (method, params)) in [("prompts/list", Value::Null), ("tools/call", write)]
        .into_iter()
        .enumerate()
    {
        let body = message(method, params);
        let mut caller = TcpStream::connect(address).await.unwrap();
        let length = body.len();
        let request = format!(
            "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: {length}\r\n\r\n{body}"
        );
        caller.write_all(request.as_bytes()).await.unwrap();
        gateway.until(|_| gateway.count(method) > 0).await;
        assert_eq!(gateway.activity().abandoned, abandoned);
        drop(caller);
        gateway
            .until(|activity| activity.abandoned > abandoned)
            .await;
    }
    serving.abort();
}

#[tokio::test]
async fn a_caller_cancels_their_own_request_by_its_id() {
    let settings = DemoSettings {
        faults: vec![Fault::new(Target::method("prompts/list"), Effect::Hang)],
        ..DemoSettings::default()
    };
    let proxied = Proxied::start(settings, &[]).await;
    let proxy = proxied.proxy.clone();
    let own = [("authorization", "Bearer own")];
    let asked = tokio::spawn(async move {
        let body = message("prompts/list", Value::Null);
        proxy.post(&own, body).await
    });
    let gateway = &proxied.gateway;
    gateway.until(|_| gateway.count("prompts/list") > 0).await;
    for (authorization, id) in [("Bearer other", 7), ("Bearer own", 8), ("Bearer own", 7)] {
        assert_eq!(gateway.activity().abandoned, 0, "{authorization} {id}");
        assert!(!asked.is_finished(), "{authorization} {id}");
        let cancel = json!({"jsonrpc": "2.0", "method": "notifications/cancelled",
            "params": {"requestId": id}});
        let headers = [("authorization", authorization)];
        let answer = proxied.proxy.post(&headers, cancel.to_string()).await;
        assert_eq!((answer.status.as_u16(), answer.body.len()), (202, 0));
    }
    let answer = asked.await.unwrap();
    assert_eq!(answer.error(), (200, 499));
    assert_eq!(answer.json()["id"], 7);
    gateway.until(|activity| activity.abandoned > 0).await;
}

/// Callers without a token are all one, and count their requests alike.
#[tokio::test]
async fn nobody_without_a_token_cancels_anothers_request() {
    let settings = DemoSettings {
        faults: vec![Fault::new(Target::method("prompts/list"), Effect::Hang)],
        ..DemoSettings::default()
    };
    let proxied = Proxied::start(settings, &[]).await;
    let proxy = proxied.proxy.clone();
    let gateway = &proxied.gateway;
    let asked = tokio::spawn(async move {
        let body = message("prompts/list", Value::Null);
        proxy.post(&[], body).await
    });
    gateway.until(|_| gateway.count("prompts/list") > 0).await;
    let cancel = json!({"jsonrpc": "2.0", "method": "notifications/cancelled",
        "params": {"requestId": 7}});
    let answer = proxied.proxy.post(&[], cancel.to_string()).await;
    assert_eq!(answer.status.as_u16(), 202);
    let ping = message("ping", Value::Null);
    assert_eq!(proxied.proxy.post(&[], ping).await.status.as_u16(), 200);
    assert!(!asked.is_finished());
    assert_eq!(gateway.activity().abandoned, 0);
    asked.abort();
}
