//! The `search` command.

use std::io::Write;
use std::process::{Command, Output};

use demo_gateway::{DemoCaller, DemoGateway, DemoSettings, company_tools};
use serde_json::{Value, json};
use tempfile::NamedTempFile;

fn search(args: &[&str], environment: &[(&str, &str)]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_mcp-toolsearch-proxy"))
        .arg("search")
        .args(args)
        .env_clear()
        .envs(environment.iter().copied())
        .output()
        .unwrap()
}

fn company() -> NamedTempFile {
    let mut file = NamedTempFile::new().unwrap();
    file.write_all(json!({"tools": company_tools()}).to_string().as_bytes())
        .unwrap();
    file
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

#[test]
fn a_file_of_tools_is_searched() {
    let file = company();
    let path = file.path().to_str().unwrap();
    let output = search(
        &["--tools", path, "--limit", "3", "overdue", "invoices"],
        &[],
    );
    let table = text(&output.stdout);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let first = table.lines().nth(1).unwrap();
    assert!(
        first.contains("read    invoices__list_overdue_invoices"),
        "{table}"
    );
    assert_eq!(
        table.lines().last(),
        Some("3 of 500 tools, searched by words and meaning.")
    );
}

#[test]
fn without_a_model_words_alone_are_searched() {
    let file = company();
    let path = file.path().to_str().unwrap();
    let found = |embedder: &str| {
        let args = ["--tools", path, "--json", "kas rytoj dirba parduotuvėje"];
        let output = search(&args, &[("TOOLSEARCH_EMBEDDER", embedder)]);
        let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
        (answer["mode"].clone(), answer["tools"][0]["name"].clone())
    };
    assert_eq!(
        found("builtin"),
        (json!("hybrid"), json!("shifts__list_shifts"))
    );
    assert_eq!(found("none"), (json!("words"), Value::Null));
}

#[test]
fn programs_get_json() {
    let file = company();
    let path = file.path().to_str().unwrap();
    let output = search(&["--tools", path, "--json", "overdue invoices"], &[]);
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(
        (&answer["query"], &answer["total"]),
        (&json!("overdue invoices"), &json!(500))
    );
    let first = &answer["tools"][0];
    assert_eq!(first["name"], "invoices__list_overdue_invoices");
    assert_eq!(
        (&first["readOnly"], &first["weak"]),
        (&json!(true), &json!(false))
    );
    assert!(first["score"].as_f64().unwrap() > 0.0);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_upstream_is_searched_as_whoever_the_environment_names() {
    let caller = DemoCaller {
        token: "t".to_owned(),
        tools: company_tools(),
    };
    let settings = DemoSettings {
        callers: vec![caller],
        ..DemoSettings::default()
    };
    let gateway = DemoGateway::start(settings).await.unwrap();
    let url = gateway.url();
    let ask = |environment: Vec<(&'static str, &'static str)>| {
        let url = url.clone();
        tokio::task::spawn_blocking(move || {
            search(
                &["--upstream", &url, "--json", "overdue invoices"],
                &environment,
            )
        })
    };
    let output = ask(vec![("TOOLSEARCH_AUTHORIZATION", "Bearer t")])
        .await
        .unwrap();
    assert!(output.status.success(), "{}", text(&output.stderr));
    let refused = ask(Vec::new()).await.unwrap();
    assert_eq!(refused.status.code(), Some(1));
    let expected = "error: the tools can't be listed: \
                    the upstream answered 401 to a request without Authorization\n";
    assert_eq!(text(&refused.stderr), expected);
}

#[test]
fn what_cannot_be_searched_is_one_line() {
    let file = company();
    let path = file.path().to_str().unwrap();
    for (args, code, said) in [
        (vec!["--tools", path], 2, "QUERY"),
        (vec!["invoices"], 2, "--tools"),
        (
            vec!["--tools", path, "--upstream", "http://127.0.0.1:1/mcp", "x"],
            2,
            "--upstream",
        ),
        (vec!["--tools", path, "  "], 1, "blank"),
        (
            vec!["--tools", "/nonexistent.json", "x"],
            1,
            "/nonexistent.json",
        ),
        (
            vec!["--upstream", "http://127.0.0.1:1/mcp", "x"],
            1,
            "can't be reached",
        ),
        (
            vec!["--upstream", "ftp://127.0.0.1/mcp", "x"],
            2,
            "a URL begins with",
        ),
        (
            vec!["--upstream", "http://u:p@127.0.0.1/mcp", "x"],
            2,
            "holds credentials",
        ),
        (
            vec![
                "--upstream",
                "http://127.0.0.1:1/mcp",
                "--upstream-ca",
                "/nonexistent.pem",
                "x",
            ],
            2,
            "/nonexistent.pem",
        ),
    ] {
        let output = search(&args, &[]);
        let error = text(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{args:?}: {error}");
        assert_eq!(error.lines().count(), 1, "{args:?}: {error}");
        assert_eq!(error.matches(said).count(), 1, "{args:?}: {error}");
    }
}

#[test]
fn a_file_that_is_named_goes_before_a_server_of_the_environment() {
    let file = company();
    let path = file.path().to_str().unwrap();
    let environment = [("TOOLSEARCH_UPSTREAM", "http://127.0.0.1:1/mcp")];
    let named = search(&["--tools", path, "overdue invoices"], &environment);
    assert!(named.status.success(), "{}", text(&named.stderr));
    let unnamed = search(&["overdue invoices"], &environment);
    assert_eq!(unnamed.status.code(), Some(1));
    let error = text(&unnamed.stderr);
    assert!(error.contains("can't be reached"), "{error}");
}
