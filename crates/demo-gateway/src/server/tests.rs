use tokio::io::{AsyncReadExt, AsyncWriteExt};

use super::*;
use crate::fault::{Effect, Target};

const LIST: &str = r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#;

async fn start(effect: Effect) -> DemoGateway {
    DemoGateway::start(DemoSettings {
        faults: vec![Fault::new(Target::Every, effect)],
        ..DemoSettings::default()
    })
    .await
    .unwrap()
}

async fn send(gateway: &DemoGateway, body: &str) -> TcpStream {
    let mut stream = TcpStream::connect(gateway.address).await.unwrap();
    let request = format!(
        "POST /mcp HTTP/1.1\r\nhost: localhost\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(request.as_bytes()).await.unwrap();
    stream
}

/// Everything that comes before the connection ends.
async fn read(mut stream: TcpStream) -> String {
    let mut answer = Vec::new();
    match stream.read_to_end(&mut answer).await {
        Ok(_) => {}
        Err(error) => assert_eq!(error.kind(), io::ErrorKind::ConnectionReset),
    }
    String::from_utf8(answer).unwrap()
}

#[tokio::test]
async fn it_answers_on_loopback_and_keeps_what_it_received() {
    let gateway = DemoGateway::start(DemoSettings::default()).await.unwrap();
    assert!(gateway.address.ip().is_loopback());
    assert_eq!(gateway.url(), format!("http://{}/mcp", gateway.address));
    let answer = read(send(&gateway, LIST).await).await;
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    assert_eq!(
        (gateway.count("tools/list"), gateway.count("tools/call")),
        (1, 0)
    );
    let request = &gateway.requests()[0];
    assert_eq!(
        (&request.body[..], request.header("host")),
        (LIST.as_bytes(), Some("localhost"))
    );
}

#[tokio::test]
async fn nothing_is_kept_where_nobody_looks() {
    let gateway = DemoGateway::start(DemoSettings {
        recording: crate::Recording::Off,
        ..DemoSettings::default()
    })
    .await
    .unwrap();
    read(send(&gateway, LIST).await).await;
    assert_eq!(
        (gateway.requests().len(), gateway.activity().received),
        (0, 1)
    );
}

#[tokio::test]
async fn bodies_of_megabytes_are_taken() {
    let gateway = DemoGateway::start(DemoSettings::default()).await.unwrap();
    let text = "x".repeat(3 << 20);
    let body = format!(
        r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"mail__save_draft","arguments":{{"subject":"s","body":"{text}"}}}}}}"#
    );
    let answer = read(send(&gateway, &body).await).await;
    assert!(answer.starts_with("HTTP/1.1 200"));
}

#[tokio::test]
async fn dropping_it_ends_hung_connections_and_frees_the_port() {
    let gateway = start(Effect::Hang).await;
    let hung = send(&gateway, LIST).await;
    gateway.until(|activity| activity.received == 1).await;
    let address = gateway.address;
    drop(gateway);
    assert_eq!(read(hung).await, "");
    TcpListener::bind(address).await.unwrap();
}

#[tokio::test]
async fn a_client_that_goes_away_is_noticed() {
    let gateway = start(Effect::Hang).await;
    let hung = send(&gateway, LIST).await;
    gateway.until(|activity| activity.received == 1).await;
    drop(hung);
    let activity = gateway.until(|activity| activity.abandoned == 1).await;
    assert_eq!(activity.received, 1);
}

#[tokio::test]
async fn a_disconnect_sends_no_byte_and_a_cut_sends_the_first() {
    let silent = start(Effect::Disconnect).await;
    assert_eq!(read(send(&silent, LIST).await).await, "");
    let cut = start(Effect::CutAfter(30)).await;
    let answer = read(send(&cut, LIST).await).await;
    assert!(
        answer.contains(r#"{"jsonrpc":"2.0","id":1,"resul"#),
        "{answer}"
    );
    assert!(!answer.contains("tools"), "{answer}");
}

#[tokio::test]
async fn faults_and_tools_change_while_it_runs() {
    let gateway = start(Effect::Unauthorized).await;
    assert!(
        read(send(&gateway, LIST).await)
            .await
            .starts_with("HTTP/1.1 401")
    );
    gateway.set_faults(Vec::new());
    gateway.set_tools(Vec::new());
    assert!(
        read(send(&gateway, LIST).await)
            .await
            .contains(r#""result":{"tools":[]}"#)
    );
}
