//! What tools are called.

use super::*;

/// What tools of these names are called.
fn called(format: Format, names: &[&str]) -> Vec<String> {
    let tools: Vec<Value> = names
        .iter()
        .map(|name| json!({"name": name, "inputSchema": {}}))
        .collect();
    let catalog = catalog(&tools);
    let found = all(&catalog);
    let definitions = Definitions::new(format, &found, &catalog);
    definitions
        .tools()
        .iter()
        .map(|tool| tool.called_as.clone())
        .collect()
}

#[test]
fn names_are_within_the_rules_and_never_two_alike() {
    let check = |format, names: &[&str], expected: &[&str]| {
        assert_eq!(called(format, names), expected, "{format:?}");
    };
    for format in [Format::OpenAi, Format::Anthropic, Format::Gemini] {
        check(
            format,
            &["list_files", "get-page"],
            &["list_files", "get-page"],
        );
        check(format, &["files.read", "č"], &["files_read", "_"]);
        // Whose name can stay keeps it; the others are marked.
        check(
            format,
            &["files.read", "files_read"],
            &["files_read_39cc8cb1", "files_read"],
        );
        check(
            format,
            &["files.read", "files/read"],
            &["files_read_39cc8cb1", "files_read_499b8415"],
        );
    }
    check(Format::Mcp, &["files.read", "č"], &["files.read", "č"]);
    check(Format::OpenAi, &["3d_print"], &["3d_print"]);
    check(Format::Gemini, &["3d_print", "-x"], &["_3d_print", "_-x"]);
}

#[test]
fn long_names_end_in_a_mark_of_the_whole() {
    for (format, max) in [
        (Format::OpenAi, 64),
        (Format::Anthropic, 128),
        (Format::Gemini, 64),
    ] {
        let fits = "a".repeat(max);
        let (one, other) = (format!("{fits}1"), format!("{fits}2"));
        let called = called(format, &[&fits, &one, &other]);
        assert_eq!(called[0], fits);
        assert!(called.iter().all(|name| name.len() == max), "{called:?}");
        assert_ne!(called[1], called[2]);
    }
}

#[test]
fn a_tool_is_called_the_same_whatever_else_is_found() {
    let check = |names: &[&str], expected: &[&str]| {
        let tools: Vec<Value> = names
            .iter()
            .map(|name| json!({"name": name, "inputSchema": {}}))
            .collect();
        let catalog = catalog(&tools);
        let found = all(&catalog);
        assert_eq!(called(Format::OpenAi, names), expected);
        for (hit, expected) in found.iter().zip(expected) {
            let alone = Definitions::new(Format::OpenAi, std::slice::from_ref(hit), &catalog);
            assert_eq!(alone.tools()[0].called_as, *expected);
        }
    };
    check(
        &["files.read", "files/read", "x"],
        &["files_read_39cc8cb1", "files_read_499b8415", "x"],
    );
    // A name that looks like what another becomes, whether it can stay or not.
    check(
        &["a.b", "a/b", "a b_cf525a7c"],
        &["a_b_cf525d0f", "a_b_796e173c", "a_b_cf525a7c"],
    );
    check(
        &["a b_cf525a7c", "a/b", "a.b"],
        &["a_b_cf525a7c", "a_b_796e173c", "a_b_cf525d0f"],
    );
    check(
        &["a.b", "a/b", "a_b_cf525a7c"],
        &["a_b_cf525d0f", "a_b_796e173c", "a_b_cf525a7c"],
    );
}
