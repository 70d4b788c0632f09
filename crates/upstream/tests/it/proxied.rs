//! Proxies that the environment names. Its variables belong to a whole process, so that each case
//! runs a test of this binary in another one.

use std::process::{Command, Output};

use upstream::Effect;

use crate::scripted::{Scripted, call, calling, config, text};

/// Runs the test `name` with `variables` as the only ones about proxies.
async fn run(name: &'static str, variables: &[(&str, &str)]) -> Output {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", name, "--nocapture"]);
    for known in ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY"] {
        command.env_remove(known);
        command.env_remove(known.to_ascii_lowercase());
    }
    command.envs(variables.iter().copied());
    tokio::task::spawn_blocking(move || command.output().unwrap())
        .await
        .unwrap()
}

fn check(output: &Output) {
    let told = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{told}");
    assert!(told.contains("1 passed"), "{told}");
}

#[tokio::test]
async fn this_machine_is_reached_without_one() {
    let proxy = Scripted::start(|_| panic!("the proxy was asked")).await;
    for variable in ["HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"] {
        let name = "answers::names_and_both_kinds_of_address_are_reached";
        check(&run(name, &[(variable, &proxy.origin)]).await);
    }
    assert_eq!(proxy.seen().len(), 0);
}

#[tokio::test]
async fn another_machine_is_reached_through_one() {
    if std::env::var_os(ELSEWHERE).is_some() {
        let client = calling(config("http://gateway.test/mcp"));
        let reply = call(&client, Effect::Write).await.unwrap();
        assert_eq!(text(&reply), "1");
        return;
    }
    let proxy = Scripted::start(|seen| seen.result("1")).await;
    let variables = [("HTTP_PROXY", proxy.origin.as_str()), (ELSEWHERE, "1")];
    let name = "proxied::another_machine_is_reached_through_one";
    check(&run(name, &variables).await);
    assert_eq!(proxy.last().header("host"), Some("gateway.test"));
}

/// Set in the process that makes the call.
const ELSEWHERE: &str = "TOOLSEARCH_TEST_ELSEWHERE";
