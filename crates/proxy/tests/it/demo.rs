//! The `demo` command as somebody sees it who has just built it.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, Stdio};

use serde_json::json;

/// A running demo. Ends when dropped.
struct Demo {
    child: Child,
    output: String,
}

impl Demo {
    /// Starts it and reads what it shows up to its last line.
    fn start(args: &[&str]) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_mcp-toolsearch-proxy"))
            .args(["demo", "--listen", "127.0.0.1:0"])
            .args(args)
            .env_clear()
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut output = String::new();
        for line in BufReader::new(child.stdout.take().unwrap()).lines() {
            output += &line.unwrap();
            output.push('\n');
            if output.contains("\nServing on ") {
                break;
            }
        }
        Self { child, output }
    }

    fn url(&self) -> &str {
        self.output
            .rsplit_once("Serving on ")
            .unwrap()
            .1
            .split_once(' ')
            .unwrap()
            .0
    }
}

impl Drop for Demo {
    fn drop(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

#[test]
fn it_shows_the_proxy_at_work() {
    let demo = Demo::start(&[]);
    let address = demo
        .url()
        .strip_prefix("http://")
        .unwrap()
        .strip_suffix("/mcp")
        .unwrap();
    insta::assert_snapshot!(demo.output.replace(address, "127.0.0.1:8080"));
}

#[tokio::test]
async fn it_keeps_serving_and_its_curl_line_works() {
    let demo = Demo::start(&[]);
    let line = demo
        .output
        .lines()
        .find(|line| line.contains("curl"))
        .unwrap();
    let body = line
        .split_once("-d '")
        .unwrap()
        .1
        .strip_suffix('\'')
        .unwrap()
        .to_owned();
    let client = reqwest::Client::builder().build().unwrap();
    let answer = client
        .post(demo.url())
        .header("content-type", "application/json")
        .body(body)
        .send()
        .await
        .unwrap();
    let answer: serde_json::Value = serde_json::from_slice(&answer.bytes().await.unwrap()).unwrap();
    let first = &answer["result"]["structuredContent"]["tools"][0]["name"];
    assert_eq!(first, "invoices__list_overdue_invoices");
}

#[test]
fn it_takes_somebodys_own_tools() {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    let tools = json!({"tools": [
        {"name": "find_file", "description": "Searches for a file by name.", "inputSchema": {"type": "object"}},
        {"name": "bare"},
    ]});
    file.write_all(tools.to_string().as_bytes()).unwrap();
    let demo = Demo::start(&["--tools", file.path().to_str().unwrap()]);
    assert!(
        demo.output.starts_with("Your tools, 2 of them"),
        "{}",
        demo.output
    );
    assert!(demo.output.contains("find_file"), "{}", demo.output);
}

#[test]
fn what_cannot_be_started_is_one_line() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    for (args, code, said) in [
        (vec!["--listen", &address], 1, "can't listen on"),
        (vec!["--tools", "/nonexistent.json"], 1, "/nonexistent.json"),
        (vec!["--listen", "nowhere"], 2, "nowhere"),
        (
            vec!["--upstream-ca", "/nonexistent.pem"],
            2,
            "/nonexistent.pem",
        ),
    ] {
        let output = Command::new(env!("CARGO_BIN_EXE_mcp-toolsearch-proxy"))
            .arg("demo")
            .args(args)
            .env_clear()
            .output()
            .unwrap();
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(code), "{error}");
        assert_eq!(error.lines().count(), 1, "{error}");
        assert_eq!(error.matches(said).count(), 1, "{error}");
        assert!(output.stdout.is_empty());
    }
}
