//! The `eval` command.

mod lint;
mod platform;
mod servers;

use std::path::Path;
use std::process::{Command, Output};

use serde_json::{Value, json};
use tempfile::TempDir;

/// A folder with tools and questions of a made-up library, where the command runs.
struct Library(TempDir);

impl Library {
    fn new() -> Self {
        let library = Self(TempDir::new().unwrap());
        library.write("tools.json", &json!({"tools": tools()}).to_string());
        library.write("questions.jsonl", &questions().join("\n"));
        library
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn write(&self, name: &str, text: &str) {
        fs_err::write(self.path().join(name), text).unwrap();
    }

    /// Runs `eval` with `arguments`, which may name files of the folder. Words alone leave some of
    /// these few questions without their tools, so that every figure has something to say.
    fn eval(&self, arguments: &str) -> Output {
        self.eval_with("none", arguments)
    }

    fn eval_with(&self, embedder: &str, arguments: &str) -> Output {
        let mut command = self.command(arguments);
        command.env("TOOLSEARCH_EMBEDDER", embedder);
        command.output().unwrap()
    }

    fn command(&self, arguments: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_mcp-toolsearch-proxy"));
        command
            .arg("eval")
            .args(arguments.split_whitespace())
            .current_dir(self.path())
            .env_clear();
        command
    }

    fn measure(&self, arguments: &str) -> Output {
        self.eval(&format!(
            "--tools tools.json --queries questions.jsonl {arguments}"
        ))
    }
}

fn tools() -> Vec<Value> {
    [
        ("find_book", "Finds a book by title or author"),
        ("lend_book", "Lends a book to a reader"),
        ("return_book", "Takes a book back from a reader"),
        ("list_overdue_loans", "Lists loans that should have ended"),
        ("add_reader", "Registers a new reader"),
        ("reserve_room", "Reserves a reading room for an hour"),
    ]
    .map(|(name, description)| {
        let schema = json!({"type": "object"});
        json!({"name": name, "description": description, "inputSchema": schema})
    })
    .to_vec()
}

fn questions() -> Vec<String> {
    [
        json!({"id": "find", "query": "find a book by its author", "lang": "en",
            "relevant": ["find_book"], "kind": "single"}),
        json!({"id": "late", "query": "who is late with a book", "lang": "en",
            "relevant": ["list_overdue_loans"], "kind": "single"}),
        json!({"id": "move-in", "query": "register a reader and lend them a book", "lang": "en",
            "relevant": ["add_reader", "lend_book"], "kind": "two",
            "alternatives": {"lend_book": ["reserve_room"]}}),
        json!({"id": "suche", "query": "ein Zimmer für eine Stunde", "lang": "de",
            "relevant": ["reserve_room"], "kind": "single"}),
        json!({"id": "pizza", "query": "order a pizza with mushrooms", "lang": "en",
            "relevant": [], "kind": "none"}),
        json!({"id": "print", "query": "print a book", "lang": "en",
            "relevant": [], "kind": "none"}),
    ]
    .map(|question| question.to_string())
    .to_vec()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

fn report(output: &Output) -> String {
    assert!(output.status.success(), "{}", text(&output.stderr));
    // No terminal, so no progress.
    assert_eq!(text(&output.stderr), "");
    text(&output.stdout)
}

/// Numbers to four places, which every machine agrees on.
fn rounded(value: Value) -> Value {
    match value {
        Value::Number(number) if number.is_f64() => {
            let number = number.as_f64().unwrap();
            json!((number * 1e4).round() / 1e4)
        }
        Value::Array(values) => values.into_iter().map(rounded).collect(),
        Value::Object(members) => members
            .into_iter()
            .map(|(key, value)| (key, rounded(value)))
            .collect(),
        other => other,
    }
}

#[test]
fn people_get_tables() {
    let table = report(&Library::new().measure("--by lang,kind"));
    assert!(table.lines().all(|line| line.chars().count() <= 100));
    insta::assert_snapshot!(table);
}

#[test]
fn programs_get_a_json_report() {
    let print = || report(&Library::new().measure("--by lang --json"));
    let printed = print();
    assert_eq!(printed, print(), "the same files give the same report");
    let printed: Value = serde_json::from_str(&printed).unwrap();
    insta::assert_snapshot!(serde_json::to_string_pretty(&rounded(printed)).unwrap());
}

#[test]
fn a_gate_that_is_not_met_fails_the_command() {
    let library = Library::new();
    for (gate, code, said) in [
        ("recall@5=0.5", 0, ""),
        ("recall@5=0.5,doubted=0.9", 0, ""),
        ("kind=single+two:recall@5=0.5,lang=en:recall@5=0.6", 0, ""),
        (
            "lang=de:recall@5=0.5,lang=en+de:doubted=0.1",
            1,
            "gate: lang=de: recall@5 is 0.0000, wanted at least 0.5: 0.5000 too low\n\
             gate: lang=en+de: doubted is 0.2500, wanted at most 0.1: 0.1500 too high\n",
        ),
        (
            "recall@1=0.9,mrr=0.1",
            1,
            "gate: recall@1 is 0.3750, wanted at least 0.9: 0.5250 too low\n",
        ),
        (
            "doubted=0.1",
            1,
            "gate: doubted is 0.2500, wanted at most 0.1: 0.1500 too high\n",
        ),
    ] {
        let output = library.measure(&format!("--gate {gate}"));
        let error = text(&output.stderr);
        assert_eq!(
            (output.status.code(), error.as_str()),
            (Some(code), said),
            "{gate}"
        );
        assert!(text(&output.stdout).contains("recall@5"), "{gate}");
    }
}

#[test]
fn distractors_fill_the_catalog_up() {
    let library = Library::new();
    let distractors = ["find_book", "bake_bread", "feed_cat"];
    let lines = distractors.map(|name| json!({"name": name, "inputSchema": {}}).to_string());
    library.write("more.jsonl", &lines.join("\n"));
    let tools =
        |total: &str| library.measure(&format!("--json --distractors more.jsonl --total {total}"));
    for (total, expected) in [("6", 6), ("7", 7), ("8", 8)] {
        let report: Value = serde_json::from_str(&report(&tools(total))).unwrap();
        assert_eq!(report["tools"], expected);
    }
    for (total, said) in [("5", "6 tools already"), ("9", "there are 8 tools")] {
        let output = tools(total);
        let error = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{error}");
        assert!(
            error.starts_with("error: --total: ") && error.contains(said),
            "{error}"
        );
    }
}

#[test]
fn reports_are_compared_question_by_question() {
    let library = Library::new();
    library.write("old.json", &report(&library.measure("--json")));
    let mut fewer = tools();
    fewer.retain(|tool| tool["name"] != "lend_book");
    fewer[2]["description"] = json!("Lists readers who are late with a book");
    library.write("tools.json", &json!({"tools": fewer}).to_string());

    let tables = report(&library.measure("--compare old.json"));
    insta::assert_snapshot!(tables);

    library.write("new.json", &report(&library.measure("--json")));
    let of_saved = report(&library.eval("--compare old.json new.json"));
    assert_eq!(of_saved, tables);

    let json = report(&library.eval("--compare old.json new.json --json"));
    let json: Value = serde_json::from_str(&json).unwrap();
    insta::assert_snapshot!(
        serde_json::to_string_pretty(&rounded(json["comparison"].clone())).unwrap()
    );
}

#[test]
fn words_alone_are_compared_with_words_and_meaning() {
    let library = Library::new();
    library.write("words.json", &report(&library.measure("--json")));
    let measured = "--tools tools.json --queries questions.jsonl --compare words.json --by lang";
    let tables = report(&library.eval_with("builtin", measured));
    for part in [
        "6 questions before (6 tools, words only) and now (6 tools, words and meaning)",
        "better now      before  now\n",
        "\nsuche           – weak  1\n",
    ] {
        assert!(tables.contains(part), "{tables}");
    }
    let at_once = "--tools tools.json --queries questions.jsonl --compare embedder=none --by lang";
    assert_eq!(report(&library.eval_with("builtin", at_once)), tables);
}

#[test]
fn other_tools_are_compared_with_at_once() {
    let library = Library::new();
    let mut fewer = tools();
    fewer.truncate(4);
    library.write("fewer.json", &json!({"tools": fewer}).to_string());
    let of_fewer = library.eval("--tools fewer.json --queries questions.jsonl --json");
    library.write("saved.json", &report(&of_fewer));
    assert_eq!(
        report(&library.measure("--compare tools=fewer.json")),
        report(&library.measure("--compare saved.json"))
    );
}

#[test]
fn what_cannot_be_measured_is_one_line() {
    let library = Library::new();
    library.write("broken.jsonl", "{\"id\": 1}\n");
    let other = questions().swap_remove(0).replace("\"find\"", "\"other\"");
    library.write("others.jsonl", &other);
    let others = library.eval("--tools tools.json --queries others.jsonl --json");
    library.write("others.json", &report(&others));
    let mut said = String::new();
    for args in UNMEASURABLE {
        let output = library.eval(args);
        let error = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {error}");
        assert_eq!(error.lines().count(), 1, "{args:?}: {error}");
        assert_eq!(text(&output.stdout), "", "{args:?}");
        // Systems number their errors differently.
        let line = error.trim_end().split(" (os error").next();
        said.extend(line);
        said.push('\n');
    }
    insta::assert_snapshot!(said);
}

/// Arguments that nothing can be measured with.
const UNMEASURABLE: &[&str] = &[
    "",
    "--tools tools.json",
    "--queries questions.jsonl",
    "--tools tools.json --queries broken.jsonl",
    "--tools gone.json --queries questions.jsonl",
    "--upstream http://127.0.0.1:1/mcp --queries questions.jsonl",
    "--queries questions.jsonl --distractors tools.json",
    "--queries questions.jsonl --gate recall@3=0.5",
    "--tools tools.json --queries questions.jsonl --gate lang=en:mrr=0,lang=de+lv:mrr=0.1",
    "--compare others.json others.json --gate style=terse:mrr=0",
    "--queries questions.jsonl --by need",
    "--compare others.json",
    "--compare tools.json tools.json",
    "--compare others.json others.json --queries questions.jsonl",
    "--compare others.json embedder=none",
    "--tools tools.json --queries questions.jsonl --compare embedder=bulitin",
    "--tools tools.json --queries questions.jsonl --compare tools=gone.json",
    "--tools tools.json --through http://127.0.0.1:1/mcp --queries questions.jsonl",
    "--embedder none --through http://127.0.0.1:1/mcp --queries questions.jsonl",
    "--through http://127.0.0.1:1/mcp --queries questions.jsonl --compare embedder=none",
    "--through http://127.0.0.1:1/mcp --queries questions.jsonl",
    "--tools tools.json --queries questions.jsonl --compare others.json",
    "--lint",
    "--tools gone.json --lint",
    "--tools tools.json --lint --queries questions.jsonl",
    "--tools tools.json --lint --gate recall@5=0.9",
    "--lint --through http://127.0.0.1:1/mcp",
];
