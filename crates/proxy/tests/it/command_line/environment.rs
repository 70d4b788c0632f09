//! Settings from the environment.

use serde_json::json;

use super::{Running, complaint, proxy, text};

#[test]
fn settings_come_from_the_environment_too() {
    let output = proxy(&[])
        .env("TOOLSEARCH_UPSTREAM", "http://127.0.0.1:1/mcp")
        .env("TOOLSEARCH_MAX_BODY", "big")
        .output();
    let said = complaint(&output.unwrap(), 2);
    assert!(said.contains("'big' for '--max-body"), "{said}");
}

#[test]
fn a_bad_value_names_the_variable_that_holds_it() {
    let upstream = ["--upstream", "http://127.0.0.1:1/mcp"];
    let check = |variables: &[(&str, &str)], flags: &[&str], end: &str| {
        let mut command = proxy(&[&upstream[..], flags].concat());
        let said = complaint(
            &command.envs(variables.iter().copied()).output().unwrap(),
            2,
        );
        assert!(said.ends_with(end), "{said}");
    };
    let long = "such as 10MiB";
    check(
        &[("TOOLSEARCH_MAX_BODY", "big")],
        &[],
        &format!("{long} (set by TOOLSEARCH_MAX_BODY)"),
    );
    check(
        &[("TOOLSEARCH_MAX_BODY", "1KiB")],
        &["--max-body=big"],
        long,
    );
    check(&[], &["--max-body", "big"], long);
    check(
        &[("TOOLSEARCH_ALLOWED_HOSTS", "a,https://b")],
        &[],
        "(set by TOOLSEARCH_ALLOWED_HOSTS)",
    );
    check(
        &[("TOOLSEARCH_ADMIN_TOKEN", "hunter2")],
        &[],
        "(set by TOOLSEARCH_ADMIN_TOKEN)",
    );
    check(
        &[
            ("TOOLSEARCH_MODEL_DIR", "a"),
            ("TOOLSEARCH_EMBEDDER", "none"),
        ],
        &[],
        "(set by TOOLSEARCH_EMBEDDER and TOOLSEARCH_MODEL_DIR)",
    );
    // Also where it can be read and not used.
    for (variable, path) in [
        ("TOOLSEARCH_TEMPLATES", "no-such-file.toml"),
        ("TOOLSEARCH_MODEL_DIR", "no-such-model"),
        ("TOOLSEARCH_UPSTREAM_CA", "no-such-file.pem"),
        ("TOOLSEARCH_AUDIT_LOG", "/dev/null"),
    ] {
        check(&[(variable, path)], &[], &format!("(set by {variable})"));
    }
}

#[test]
fn a_variable_that_is_no_setting_is_warned_of() {
    let mut command = proxy(&["--upstream", "http://127.0.0.1:1/mcp"]);
    command.args(["--listen", "127.0.0.1:0"]);
    let variables = [
        ("TOOLSEARCH_MAX_BODDY", "1KiB"),
        ("TOOLSEARCH_SERVICE_HOST", "10.0.0.1"),
    ];
    let mut running = Running::of(command.envs(variables));
    let said = "a variable is no setting";
    let misspelt = running.logged(said);
    assert_eq!(
        (&misspelt["variable"], &misspelt["nearest"]),
        (
            &json!("TOOLSEARCH_MAX_BODDY"),
            &json!("TOOLSEARCH_MAX_BODY")
        )
    );
    let other = running.logged(said);
    assert_eq!(
        (&other["variable"], other.get("nearest")),
        (&json!("TOOLSEARCH_SERVICE_HOST"), None)
    );
    let output = proxy(&["search", "--demo", "--json", "invoices"])
        .envs(variables)
        .output()
        .unwrap();
    assert!(output.status.success());
    let expected = "warning: TOOLSEARCH_MAX_BODDY is no setting; did you mean TOOLSEARCH_MAX_BODY?\n\
                    warning: TOOLSEARCH_SERVICE_HOST is no setting\n";
    assert_eq!(text(&output.stderr), expected);
}
