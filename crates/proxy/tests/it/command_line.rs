//! The binary: its help, what it says of bad settings, and how it starts and stops.

mod environment;
mod running;

use std::net::TcpListener;
use std::process::{Command, Output};

pub(crate) use running::Running;

fn proxy(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mcp-toolsearch-proxy"));
    command.args(args).env_clear();
    command
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// What a command says on standard error when it fails, which must be one line.
fn complaint(output: &Output, code: i32) -> String {
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{said}");
    assert_eq!(said.lines().count(), 1, "{said}");
    assert!(output.stdout.is_empty());
    said.trim_end().to_owned()
}

#[test]
fn help_of_every_command() {
    for command in [
        "",
        "serve",
        "demo",
        "search",
        "eval",
        "fetch-model",
        "verify-model",
        "health",
        "completions",
    ] {
        let args: Vec<&str> = [command, "--help"]
            .into_iter()
            .filter(|arg| !arg.is_empty())
            .collect();
        let output = proxy(&args).output().unwrap();
        assert!(output.status.success());
        insta::assert_snapshot!(format!("help_{command}"), text(&output.stdout));
    }
}

#[test]
fn version() {
    let output = proxy(&["--version"]).output().unwrap();
    let expected = format!("mcp-toolsearch-proxy {}\n", env!("CARGO_PKG_VERSION"));
    assert_eq!(text(&output.stdout), expected);
}

#[test]
fn completions_know_the_settings() {
    for shell in ["bash", "zsh", "fish"] {
        let output = proxy(&["completions", shell]).output().unwrap();
        assert!(output.status.success());
        assert!(text(&output.stdout).contains("catalog-ttl"), "{shell}");
    }
}

const SERVICE: [&str; 6] = [
    "--embedder",
    "openai",
    "--embeddings-url",
    "https://127.0.0.1:1/v1/embeddings",
    "--embeddings-model",
    "made-up",
];

#[test]
fn bad_settings_are_told_in_one_line() {
    let upstream = ["--upstream", "http://127.0.0.1:1/mcp"];
    let mut said = String::new();
    for flags in [
        &["--max-body", "10MB"][..],
        &["--max-in-flight", "0"],
        &["--call-timeout", "5"],
        &["--listen", "8080"],
        &["--log-level", "loud"],
        &["--oauth-metadata", "maybe"],
        &["--upstream-era", "future"],
        &["--write-tools", "a,,b"],
        &["--allowed-origins", "app.example"],
        &["--allowed-origins", "https://app.example/path"],
        &["--allowed-hosts", "https://tools.example"],
        &["--public-url", "https://us.example/mcp?x=1"],
        &["--upstream-ca", "no-such-file.pem"],
        &["--pin", ""],
        &["--templates", "no-such-file.toml"],
        &["--model-dir", "no-such-model"],
        &["--model-dir", "tests"],
        &["--model-dir", "no-such-model", "--embedder", "none"],
        &["--embedder", "openai"],
        &["--embeddings-dimensions", "0"],
        &[&SERVICE[..], &["--embeddings-key-file", "no-such-file"]].concat(),
        &[&SERVICE[..], &["--embeddings-key-file", "Cargo.toml"]].concat(),
        &[&SERVICE[..], &["--embeddings-ca", "Cargo.toml"]].concat(),
        &["--no-such-flag"],
        &["surplus"],
    ] {
        let output = proxy(&[&upstream[..], flags].concat()).output().unwrap();
        said.push_str(&complaint(&output, 2));
        said.push('\n');
    }
    for args in [
        &[][..],
        &["--upstream", "gateway"],
        &["--upstream", "ftp://x/"],
        &["sevre"],
        &["--upstrem", "http://127.0.0.1:1/mcp"],
        &["serve", "--embedder", "bulitin"],
        &["search", "--find-this"],
        &["health", "--listen", "x"],
    ] {
        said.push_str(&complaint(&proxy(args).output().unwrap(), 2));
        said.push('\n');
    }
    insta::assert_snapshot!(said);
}

/// Fails if a mistake or help tells the value of a setting, or of `variable`.
fn check_hidden(args: &[&str], variable: &str, value: &str) {
    let output = proxy(args).env(variable, value).output().unwrap();
    let said = text(&output.stderr);
    assert!(
        said.starts_with("error: ") && !said.contains("hunter2"),
        "{said}"
    );
    let help = proxy(&["serve", "--help"])
        .env(variable, value)
        .output()
        .unwrap();
    assert!(!text(&help.stdout).contains("hunter2"), "{variable}");
}

#[test]
fn what_may_be_a_secret_is_never_shown() {
    let upstream = ["--upstream", "http://127.0.0.1:1/mcp"];
    let check = check_hidden;
    check(&upstream, "TOOLSEARCH_ADMIN_TOKEN", "hunter2-secret");
    check(&upstream, "TOOLSEARCH_PUBLIC_URL", "me:hunter2@us.example");
    check(
        &upstream,
        "TOOLSEARCH_PUBLIC_URL",
        "https://us.example/mcp?key=hunter2",
    );
    check(&upstream, "TOOLSEARCH_EMBEDDINGS_KEY", "hunter2 and more");
    check(
        &[
            &upstream[..],
            &["--embedder", "openai", "--embeddings-model", "x"],
        ]
        .concat(),
        "TOOLSEARCH_EMBEDDINGS_URL",
        "http://me:hunter2@service.example/v1/embeddings",
    );
    check(&[], "TOOLSEARCH_UPSTREAM", "me:hunter2@gateway.example/mcp");
    check(
        &[],
        "TOOLSEARCH_UPSTREAM",
        "http://me:hunter2@gateway.example/mcp",
    );
    check(
        &["search", "x"],
        "TOOLSEARCH_UPSTREAM",
        "ftp://me:hunter2@x.example",
    );
    check(
        &["search", "x", "--upstream", "http://127.0.0.1:1/mcp"],
        "TOOLSEARCH_AUTHORIZATION",
        "hunter2\n",
    );
    for flags in [
        &["--admin-token", "hunter2"][..],
        &["--admin-token", "--hunter2"],
        &["--embeddings-key", "--hunter2 x"],
        &["--embeddings-url", "hunter2"],
        &["--public-url", "hunter2"],
    ] {
        check(&[&upstream[..], flags].concat(), "UNUSED", "");
    }
    let eval = ["eval", "--queries", "x", "--tools", "x"];
    for flags in [
        ["--through", "me:hunter2@x.example"],
        ["--compare", "through=me:hunter2@x.example"],
        ["--compare", "upstream=me:hunter2@x.example"],
    ] {
        check(&[&eval[..], &flags[..]].concat(), "UNUSED", "");
    }
}

#[test]
fn an_audit_log_is_a_plain_file() {
    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("audit.jsonl");
    assert!(
        Command::new("mkfifo")
            .arg(&pipe)
            .status()
            .unwrap()
            .success()
    );
    for path in [pipe.to_str().unwrap(), "/dev/null", "tests"] {
        let flags = ["--upstream", "http://127.0.0.1:1/mcp", "--audit-log", path];
        let said = complaint(&proxy(&flags).output().unwrap(), 2);
        let expected = format!("error: --audit-log can't be used: {path} isn't a plain file");
        assert_eq!(said, expected);
    }
}

#[test]
fn a_busy_port_is_told_in_one_line() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let output = proxy(&["--upstream", "http://127.0.0.1:1/mcp", "--listen", &address])
        .output()
        .unwrap();
    let said = complaint(&output, 1);
    let expected = format!("error: can't listen on {address}: ");
    assert!(
        said.starts_with(&expected) && said.ends_with("set another with --listen"),
        "{said}"
    );
}
