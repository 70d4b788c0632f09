use super::*;

/// The text of each tool in a file of this name and content.
fn tools(name: &str, content: &str) -> Result<Vec<String>, String> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    fs_err::write(&path, content).unwrap();
    read(&path, folder.path())
}

fn read(path: &Path, folder: &Path) -> Result<Vec<String>, String> {
    match read_dump(path) {
        Ok(tools) => Ok(tools.iter().map(|tool| tool.get().to_owned()).collect()),
        Err(error) => Err(error
            .to_string()
            .replace(&folder.display().to_string(), "DIR")),
    }
}

#[test]
fn every_shape_of_a_listing_is_read() {
    let tool = r#"{"name":"a", "inputSchema":{ }}"#;
    for content in [
        format!(r#"{{"tools":[{tool}]}}"#),
        format!(r#"{{"jsonrpc":"2.0","id":1,"result":{{"tools":[{tool}]}}}}"#),
        format!(r#"{{"source":{{}},"instructions":null,"tools":[{tool}]}}"#),
        format!("[{tool}]"),
        tool.to_owned(),
        format!("{tool}\n"),
        format!("\u{FEFF}{{\"tools\":[{tool}]}}"),
    ] {
        assert_eq!(tools("x.json", &content).unwrap(), [tool], "{content}");
    }
    let lines = r#"{"name":"a","server":"s"}

{"name":"b"}
{"tools":[{"name":"c"}]}"#;
    assert_eq!(
        tools("x.jsonl", lines).unwrap(),
        [
            r#"{"name":"a","server":"s"}"#,
            r#"{"name":"b"}"#,
            r#"{"name":"c"}"#
        ]
    );
    assert_eq!(tools("x.json", r#"{"tools":[]}"#).unwrap().len(), 0);
}

#[test]
fn errors_name_the_file_and_the_line() {
    for (content, expected) in [
        ("{\n\"tools\": [,]}", "DIR/x:2:11: not JSON: expected value"),
        (
            "{\"name\":\"a\"}\n{\"name\":",
            "DIR/x:2:8: not JSON: EOF while parsing a value",
        ),
        (
            "{\"cursor\":1}",
            "DIR/x: no tools: wanted a tools/list result, an object with a `tools` array, or JSON lines",
        ),
        (
            "",
            "DIR/x: no tools: wanted a tools/list result, an object with a `tools` array, or JSON lines",
        ),
    ] {
        assert_eq!(tools("x", content).unwrap_err(), expected, "{content}");
    }
    let missing = read_dump(Path::new("/nowhere/x.json")).unwrap_err();
    assert_eq!(
        missing.to_string(),
        "/nowhere/x.json: no such file or directory"
    );
}

#[test]
fn a_folder_prefixes_names_and_changes_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, content: &str| {
        fs_err::write(folder.path().join(name), content).unwrap();
    };
    write(
        "b.json",
        r#"{"tools":[{ "title":"name" ,"name" : "x\"y" , "n":1.0},{"no":1}]}"#,
    );
    write("a.jsonl", "{\"name\":\"one\"}\n");
    write("_index.tsv", "name\ttools");
    write("_index.json", "[");
    write(".hidden.json", "[");
    write("README.md", "text");
    assert_eq!(
        read(folder.path(), folder.path()).unwrap(),
        [
            r#"{"name":"a__one"}"#,
            r#"{ "title":"name" ,"name" : "b__x\"y" , "n":1.0}"#,
            r#"{"no":1}"#,
        ]
    );
}

#[test]
fn a_folder_without_dumps_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(
        read(folder.path(), folder.path()).unwrap_err(),
        "DIR: no .json or .jsonl file in this folder"
    );
}
