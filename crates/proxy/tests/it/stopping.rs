//! How a proxy that is told to stop lets running requests end.

use demo_gateway::{DemoGateway, DemoSettings, Effect, Fault, Target};
use proxy::{App, Listeners};
use serde_json::Value;
use tokio::sync::oneshot;

use crate::proxied::{config, message, until};

#[tokio::test]
async fn readiness_ends_before_the_running_requests_do() {
    let settings = DemoSettings {
        faults: vec![Fault::new(Target::method("prompts/list"), Effect::Hang)],
        ..DemoSettings::default()
    };
    let gateway = DemoGateway::start(settings).await.unwrap();
    let flags = ["--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0"];
    let config = config(&gateway.url(), &flags);
    let listeners = Listeners::bind(&config).await.unwrap();
    let url = format!("http://{}/mcp", listeners.main.local_addr().unwrap());
    let admin = listeners.admin.as_ref().unwrap().local_addr().unwrap();
    let (stop, stopped) = oneshot::channel::<()>();
    let serving = tokio::spawn(App::build(config).unwrap().serve(listeners, async {
        stopped.await.unwrap_or_default();
    }));
    let client = reqwest::Client::builder().build().unwrap();
    let ready = || async {
        let answer = client.get(format!("http://{admin}/readyz")).send();
        answer.await.unwrap().status().as_u16()
    };
    assert_eq!(ready().await, 200);
    let call = client
        .post(&url)
        .body(message("prompts/list", Value::Null))
        .send();
    let call = tokio::spawn(call);
    gateway.until(|_| gateway.count("prompts/list") > 0).await;
    stop.send(()).unwrap();
    until(async || ready().await != 200).await;
    assert_eq!(ready().await, 503);
    // New work is refused at the door; what runs goes on until its caller has enough.
    assert!(
        client
            .post(&url)
            .body("{}")
            .send()
            .await
            .unwrap_err()
            .is_connect()
    );
    assert!(!call.is_finished() && !serving.is_finished());
    call.abort();
    serving.await.unwrap();
}
