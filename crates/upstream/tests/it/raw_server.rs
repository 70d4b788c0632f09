//! An upstream below HTTP: it can break connections at any point.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinHandle;

use crate::scripted::PATIENCE;

/// What to do with a request.
pub(crate) enum Act {
    /// Write these bytes, keep the connection.
    Answer(String),
    /// Write these bytes, then close.
    AnswerAndClose(String),
    /// Close without a byte.
    Close,
    /// Write these bytes, then reset the connection.
    Reset(String),
    /// Keep the connection and say nothing.
    Silence,
}

/// A running server; ends when dropped.
pub(crate) struct RawServer {
    pub(crate) url: String,
    requests: watch::Receiver<Vec<String>>,
    connections: Arc<AtomicUsize>,
    server: JoinHandle<()>,
}

impl RawServer {
    /// Acts on every whole request, given its text and its number, from 1.
    pub(crate) async fn start(act: impl Fn(&str, usize) -> Act + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/mcp", listener.local_addr().unwrap());
        let (log, requests) = watch::channel(Vec::new());
        let connections = Arc::<AtomicUsize>::default();
        let (opened, act) = (Arc::clone(&connections), Arc::new(act));
        let server = tokio::spawn(async move {
            while let Ok((connection, _)) = listener.accept().await {
                opened.fetch_add(1, Ordering::SeqCst);
                let (log, act) = (log.clone(), Arc::clone(&act));
                tokio::spawn(serve(connection, log, move |text, number| {
                    act(text, number)
                }));
            }
        });
        Self {
            url,
            requests,
            connections,
            server,
        }
    }

    /// How many requests hold `text`.
    pub(crate) fn count(&self, text: &str) -> usize {
        let requests = self.requests.borrow();
        requests
            .iter()
            .filter(|request| request.contains(text))
            .count()
    }

    /// Waits until a request holds `text`.
    pub(crate) async fn until(&self, text: &str) {
        let mut requests = self.requests.clone();
        let found = requests.wait_for(|requests| {
            let mut requests = requests.iter();
            requests.any(|request| request.contains(text))
        });
        tokio::time::timeout(PATIENCE, found)
            .await
            .expect("the upstream was never asked for it")
            .unwrap();
    }

    pub(crate) fn connections(&self) -> usize {
        self.connections.load(Ordering::SeqCst)
    }
}

impl Drop for RawServer {
    fn drop(&mut self) {
        self.server.abort();
    }
}

async fn serve(
    mut connection: TcpStream,
    log: watch::Sender<Vec<String>>,
    act: impl Fn(&str, usize) -> Act,
) {
    while let Some(request) = read(&mut connection).await {
        let mut number = 0;
        log.send_modify(|log| {
            log.push(request.clone());
            number = log.len();
        });
        match act(&request, number) {
            Act::Answer(text) => write(&mut connection, &text).await,
            Act::AnswerAndClose(text) => return write(&mut connection, &text).await,
            Act::Close => return,
            Act::Reset(text) => {
                write(&mut connection, &text).await;
                connection.set_zero_linger().unwrap();
                return;
            }
            Act::Silence => {
                let mut rest = Vec::new();
                connection.read_to_end(&mut rest).await.ok();
                return;
            }
        }
    }
}

/// The client may be gone already, which is its right.
async fn write(connection: &mut TcpStream, text: &str) {
    connection.write_all(text.as_bytes()).await.ok();
    connection.flush().await.ok();
}

async fn read(connection: &mut TcpStream) -> Option<String> {
    let mut bytes = Vec::new();
    loop {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        if let Some((head, body)) = text.split_once("\r\n\r\n")
            && body.len() >= content_length(head)
        {
            return Some(text);
        }
        if connection.read_buf(&mut bytes).await.ok()? == 0 {
            return None;
        }
    }
}

fn content_length(head: &str) -> usize {
    head.lines()
        .filter_map(|line| line.split_once(": "))
        .find(|(name, _)| name.eq_ignore_ascii_case("content-length"))
        .map_or(0, |(_, length)| length.parse().unwrap())
}

/// A response with `body` and these extra header lines, each ending in CRLF.
pub(crate) fn response(headers: &str, body: &str) -> String {
    let length = body.len();
    format!(
        "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n{headers}\r\n{body}"
    )
}

/// The id of the request in `text`.
pub(crate) fn id_of(text: &str) -> u64 {
    let (_, body) = text.split_once("\r\n\r\n").unwrap();
    let body: serde_json::Value = serde_json::from_str(body).unwrap();
    body["id"].as_u64().unwrap()
}
