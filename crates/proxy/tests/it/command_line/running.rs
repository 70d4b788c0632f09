//! The binary while it runs: its log, its signals, and how it stops.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::os::fd::AsFd;
use std::process::{Child, ChildStderr, Command, ExitStatus, Stdio};
use std::thread;

use demo_gateway::{DemoGateway, DemoSettings, Effect, Fault, Piece, Target};
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::{complaint, proxy, text};
use crate::proxied::message;

/// What is logged at the first signal.
const STOPPING: &str = "stopping: no new requests, running ones may end";

/// A running proxy. Killed when dropped.
pub(crate) struct Running {
    child: Child,
    log: BufReader<ChildStderr>,
    /// The line that says where it serves.
    start: Value,
}

impl Running {
    fn start(args: &[&str]) -> Self {
        Self::of(&mut proxy(args))
    }

    pub(super) fn of(command: &mut Command) -> Self {
        let mut child = command
            .stderr(Stdio::piped())
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        let mut log = BufReader::new(child.stderr.take().unwrap());
        let mut line = String::new();
        log.read_line(&mut line).unwrap();
        let start = serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}"));
        Self { child, log, start }
    }

    pub(crate) fn before(upstream: &str, flags: &[&str]) -> Self {
        let args = ["--upstream", upstream, "--listen", "127.0.0.1:0"];
        Self::start(&[&args[..], flags].concat())
    }

    /// The same, whose log nobody reads: unread, it would stop the proxy once the pipe is full.
    pub(crate) fn unwatched(self) -> Self {
        let log = self.log.get_ref().as_fd().try_clone_to_owned().unwrap();
        thread::spawn(move || io::copy(&mut File::from(log), &mut io::sink()));
        self
    }

    pub(crate) fn url(&self) -> &str {
        self.start["url"].as_str().unwrap()
    }

    fn address(&self) -> &str {
        self.url()
            .trim_start_matches("http://")
            .trim_end_matches("/mcp")
    }

    fn signal(&self, name: &str) {
        let process = self.child.id().to_string();
        assert!(
            Command::new("kill")
                .args([name, &process])
                .status()
                .unwrap()
                .success()
        );
    }

    /// The next line of the log that says `message`.
    pub(super) fn logged(&mut self, message: &str) -> Value {
        loop {
            let mut line = String::new();
            assert!(self.log.read_line(&mut line).unwrap() > 0, "no {message}");
            let line: Value = serde_json::from_str(&line).unwrap();
            if line["message"] == message {
                return line;
            }
        }
    }

    fn end(mut self) -> (ExitStatus, String) {
        let mut rest = String::new();
        self.log.read_to_string(&mut rest).unwrap();
        (self.child.wait().unwrap(), rest)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // An error means that it ended already.
        self.child.kill().unwrap_or_default();
    }
}

async fn post(url: String, body: String) -> reqwest::Result<(u16, String)> {
    let client = reqwest::Client::builder().build()?;
    let request = client
        .post(url)
        .header("content-type", "application/json")
        .body(body);
    let response = request.send().await?;
    Ok((response.status().as_u16(), response.text().await?))
}

/// A gateway whose tool answers once somebody posts a response to it.
fn held_gateway() -> DemoSettings {
    let tool = r#"{"name":"act","inputSchema":{"type":"object"}}"#;
    DemoSettings {
        tools: vec![RawValue::from_string(tool.to_owned()).unwrap()],
        faults: vec![Fault::new(
            Target::tool("act"),
            Effect::Stream(vec![Piece::AwaitResponse, Piece::Answer]),
        )],
        ..DemoSettings::default()
    }
}

fn act() -> String {
    message(
        "tools/call",
        json!({"name": "call_write_tool", "arguments": {"name": "act"}}),
    )
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_write_that_runs_when_the_proxy_is_stopped_completes() {
    let gateway = DemoGateway::start(held_gateway()).await.unwrap();
    for signal in ["-TERM", "-INT"] {
        let mut running = Running::before(&gateway.url(), &[]);
        let sent = gateway.count("tools/call");
        let call = tokio::spawn(post(running.url().to_owned(), act()));
        gateway.until(|_| gateway.count("tools/call") > sent).await;
        running.signal(signal);
        running.logged(STOPPING);
        let release = r#"{"jsonrpc":"2.0","id":1,"result":{}}"#;
        post(gateway.url(), release.to_owned()).await.unwrap();
        let (status, body) = call.await.unwrap().unwrap();
        assert_eq!(status, 200);
        assert!(body.contains("\"content\""), "{body}");
        let (status, log) = running.end();
        assert_eq!(status.code(), Some(0), "{log}");
        assert!(log.contains("\"stopped\""), "{log}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_second_signal_stops_at_once() {
    let settings = DemoSettings {
        faults: vec![Fault::new(Target::method("prompts/list"), Effect::Hang)],
        ..DemoSettings::default()
    };
    let gateway = DemoGateway::start(settings).await.unwrap();
    let mut running = Running::before(&gateway.url(), &[]);
    let call = tokio::spawn(post(
        running.url().to_owned(),
        message("prompts/list", Value::Null),
    ));
    gateway.until(|_| gateway.count("prompts/list") > 0).await;
    running.signal("-INT");
    running.logged(STOPPING);
    running.signal("-INT");
    let (status, log) = running.end();
    assert_eq!(status.code(), Some(1), "{log}");
    assert!(call.await.unwrap().is_err());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_line_about_a_request_names_it_and_the_last_says_what_failed() {
    let mut running = Running::before("http://127.0.0.1:1/mcp", &[]);
    let search = json!({"name": "search_tools", "arguments": {"query": "x"}});
    post(running.url().to_owned(), message("tools/call", search))
        .await
        .unwrap();
    let listing = running.logged("listing the tools failed");
    let request = running.logged("request");
    let id = &request["request_id"];
    assert!(id.is_string(), "{request}");
    assert_eq!(&listing["span"]["request_id"], id);
    assert_ne!(request["reason"], Value::Null, "{request}");
    let list = message("prompts/list", Value::Null);
    post(running.url().to_owned(), list).await.unwrap();
    let request = running.logged("request");
    let reason = request["reason"].as_str().unwrap();
    assert!(reason.contains("can't be reached: "), "{reason}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_upstream_that_gets_tokens_unencrypted_is_warned_of() {
    let warning = "tokens go to the upstream unencrypted: its URL begins with http://";
    for (upstream, is_warned_of) in [
        ("http://gateway.example/mcp", true),
        ("http://192.0.2.1:8080/mcp", true),
        ("https://gateway.example/mcp", false),
        ("http://localhost:1/mcp", false),
        ("http://127.0.0.1:1/mcp", false),
        ("http://[::1]:1/mcp", false),
    ] {
        let mut running = Running::before(upstream, &[]);
        let ping = message("ping", Value::Null);
        post(running.url().to_owned(), ping).await.unwrap();
        let mut log = String::new();
        while !log.contains("\"ping\"") {
            assert!(running.log.read_line(&mut log).unwrap() > 0, "{log}");
        }
        assert_eq!(log.contains(warning), is_warned_of, "{upstream}: {log}");
    }
}

#[test]
fn templates_are_read_again_on_sighup() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("templates.toml");
    let flag = format!("--templates={}", file.display());
    fs_err::write(&file, "pin = ['a']").unwrap();
    let mut running = Running::before("http://127.0.0.1:1/mcp", &[&flag]);
    fs_err::write(&file, "pin = ['a'").unwrap();
    running.signal("-HUP");
    let refused =
        running.logged("the file of templates can't be used: what was read before stays in force");
    assert_eq!(refused["level"], "ERROR");
    let error = refused["error"].as_str().unwrap();
    assert!(error.starts_with("line 1: "), "{error}");
    fs_err::write(&file, "pin = ['a', 'b']\n[templates.t]\ntools = ['a']").unwrap();
    running.signal("-HUP");
    let read = running.logged("the templates, pins and write tools are read again");
    assert_eq!((&read["templates"], &read["pins"]), (&json!(1), &json!(2)));
    fs_err::write(&file, "[templates.t]").unwrap();
    let output = proxy(&["--upstream", "http://127.0.0.1:1/mcp", &flag]).output();
    let said = complaint(&output.unwrap(), 2);
    assert_eq!(
        said,
        "error: --templates can't be used: line 1: missing field `tools`"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn health_asks_the_running_proxy() {
    let running = Running::before(
        "http://127.0.0.1:1/mcp?key=canary",
        &["--admin-listen", "127.0.0.1:0"],
    );
    assert_eq!(running.start["upstream"], "http://127.0.0.1:1/mcp");
    let admin = running.start["admin"].as_str().unwrap();
    let alive = proxy(&["health", "--listen", "127.0.0.1:1", "--admin-listen", admin])
        .output()
        .unwrap();
    assert!(alive.status.success());
    assert_eq!(text(&alive.stdout), format!("{admin} is alive\n"));
    // The first address serves MCP alone, so nobody is found to be alive there.
    let other = proxy(&["health", "--listen", running.address()])
        .output()
        .unwrap();
    assert!(complaint(&other, 1).contains("on --admin-listen"));
    let nobody = proxy(&["health", "--listen", "127.0.0.1:1"])
        .output()
        .unwrap();
    assert!(complaint(&nobody, 1).starts_with("127.0.0.1:1 doesn't answer"));
}
