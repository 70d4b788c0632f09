//! What the documents promise has a test, and what the code cites stands in the documents.

use std::borrow::Cow;
use std::collections::BTreeSet;

use super::tree::{File, Problem, Tree};

pub(super) fn check(tree: &Tree) -> Vec<Problem> {
    let tests = test_names(tree);
    let mut problems = Vec::new();
    if let Some(architecture) = tree.file(ARCHITECTURE) {
        problems.extend(check_invariants(architecture, &tests));
    }
    if let Some(cases) = tree.file(FIELD_CASES) {
        problems.extend(check_cases(cases, &tests));
        problems.extend(check_cited(tree, cases));
    }
    problems
}

/// Every test of the Rust files, and every part of the end-to-end checks as the command that runs it.
fn test_names(tree: &Tree) -> BTreeSet<Cow<'_, str>> {
    let functions = tree.with_extension("rs").flat_map(tests_of);
    let parts = tree.files.iter().filter_map(|file| {
        let name = file.path.strip_prefix("e2e/parts/")?.strip_suffix(".py")?;
        Some(Cow::from(format!("e2e/run {name}")))
    });
    functions.map(Cow::from).chain(parts).collect()
}

/// The functions with a test's attribute: nothing but other attributes and comments stands between.
fn tests_of(file: &File) -> impl Iterator<Item = &str> {
    let mut is_test = false;
    file.text.lines().filter_map(move |line| {
        let line = line.trim_start();
        is_test |= TEST_ATTRIBUTES.iter().any(|start| line.starts_with(start));
        let (_, name) = line.split_once("fn ")?;
        std::mem::take(&mut is_test)
            .then_some(name)?
            .split(['(', '<'])
            .next()
    })
}

/// An invariant is one paragraph; it ends with its tests, as "Test: `name`." or "Tests: `a`, `b`."
fn check_invariants(file: &File, tests: &BTreeSet<Cow<'_, str>>) -> Vec<Problem> {
    let mut problems = Vec::new();
    for (number, paragraph) in paragraphs(file) {
        if !paragraph.contains("**Invariant:**") {
            continue;
        }
        let ending = paragraph
            .split_once("Test: ")
            .or_else(|| paragraph.split_once("Tests: "));
        match ending {
            Some((_, names)) => problems.extend(unknown(file, number, names, tests)),
            None => problems.push(file.problem_at(number, "an invariant names its test")),
        }
    }
    problems
}

/// Paragraphs and list items, each with the number of its first line.
fn paragraphs(file: &File) -> Vec<(usize, String)> {
    let mut paragraphs: Vec<(usize, String)> = Vec::new();
    let mut open = false;
    for (number, line) in file.lines() {
        let starts = !open || line.starts_with("- ") || line.starts_with('#');
        open = !line.trim().is_empty();
        if !open {
            continue;
        }
        match paragraphs.last_mut() {
            Some((_, text)) if !starts => {
                text.push(' ');
                text.push_str(line.trim());
            }
            _ => paragraphs.push((number, line.to_owned())),
        }
    }
    paragraphs
}

/// A row of the table is `| N | rule | source | tests, a link to a document, or "later: …" |`.
fn check_cases(file: &File, tests: &BTreeSet<Cow<'_, str>>) -> Vec<Problem> {
    let mut problems = Vec::new();
    for (number, line) in file.lines() {
        if case_number(line).is_none() {
            continue;
        }
        let held_by = line
            .trim_end_matches(['|', ' '])
            .rsplit('|')
            .next()
            .unwrap_or_default();
        if !["`", ".md)", "later"]
            .iter()
            .any(|sign| held_by.contains(sign))
        {
            problems.push(
                file.problem_at(number, "a case names its test or document, or says `later`"),
            );
        }
        problems.extend(unknown(file, number, held_by, tests));
    }
    problems
}

fn case_number(line: &str) -> Option<u32> {
    line.strip_prefix("| ")?.split(' ').next()?.parse().ok()
}

fn unknown(
    file: &File,
    number: usize,
    names: &str,
    tests: &BTreeSet<Cow<'_, str>>,
) -> Vec<Problem> {
    let quoted = names.split('`').skip(1).step_by(2);
    let missing = quoted.filter(|name| !tests.contains(*name));
    missing
        .map(|name| file.problem_at(number, format!("no test is called `{name}`")))
        .collect()
}

/// "field case N" and "field cases N, M and O" in the code.
fn check_cited(tree: &Tree, cases: &File) -> Vec<Problem> {
    let known: BTreeSet<u32> = cases.text.lines().filter_map(case_number).collect();
    let mut problems = Vec::new();
    for file in tree
        .with_extension("rs")
        .filter(|file| !file.path.starts_with("xtask/"))
    {
        for (number, line) in file.lines() {
            for case in cited(line).filter(|case| !known.contains(case)) {
                problems.push(
                    file.problem_at(number, format!("no field case {case} in {FIELD_CASES}")),
                );
            }
        }
    }
    problems
}

fn cited(line: &str) -> impl Iterator<Item = u32> {
    let places = line.match_indices("ield case").filter_map(|(start, word)| {
        line.split_at(start)
            .1
            .strip_prefix(word)?
            .trim_start_matches('s')
            .strip_prefix(' ')
    });
    places.flat_map(|rest| {
        let list = rest
            .split(|c: char| !(c.is_ascii_digit() || ", and".contains(c)))
            .next();
        let numbers = list
            .unwrap_or_default()
            .split(|c: char| !c.is_ascii_digit());
        numbers.filter_map(|number| number.parse().ok())
    })
}

const TEST_ATTRIBUTES: [&str; 2] = ["#[test]", "#[tokio::test"];
const ARCHITECTURE: &str = "ARCHITECTURE.md";
const FIELD_CASES: &str = "docs/field-cases.md";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::tree::findings;

    const CODE: (&str, &str) = (
        "crates/wire/src/a.rs",
        "    #[test]\n    fn bytes_stay() {}\n#[tokio::test(start_paused = true)]\n// Why.\n\
         async fn other<T>() {}\nfn gone() {}\n",
    );

    fn check_document(path: &str, text: &str, expected: &[&str]) {
        assert_eq!(findings(check, &[CODE, (path, text)]), expected, "{text}");
    }

    #[test]
    fn an_invariant_names_a_test_that_exists() {
        let path = ARCHITECTURE;
        check_document(
            path,
            "**Invariant:** Bytes stay. Test: `bytes_stay`.\n",
            &[],
        );
        check_document(
            path,
            "- **Invariant:** Bytes\n  stay. Tests: `bytes_stay`,\n  `other`.\n",
            &[],
        );
        check_document(
            path,
            "# A\n\n**Invariant:** Bytes stay. Test: `gone`.\n",
            &["ARCHITECTURE.md:3: no test is called `gone`"],
        );
        check_document(
            path,
            "- **Invariant:** Bytes stay.\n- Test: `bytes_stay`.\n",
            &["ARCHITECTURE.md:1: an invariant names its test"],
        );
    }

    #[test]
    fn a_field_case_names_a_test_or_says_later() {
        let path = FIELD_CASES;
        check_document(
            path,
            "| 7 | rule | a #1 | `bytes_stay` |\n| 8 | r | b | later |\n| 9 | r | c | [d](d.md) |\n",
            &[],
        );
        check_document(
            path,
            "| 7 | rule | a #1 | `gone` |\n| 8 | rule | b | |\n",
            &[
                "docs/field-cases.md:1: no test is called `gone`",
                "docs/field-cases.md:2: a case names its test or document, or says `later`",
            ],
        );
    }

    #[test]
    fn a_part_of_the_end_to_end_checks_is_named_by_its_command() {
        let row = "| 7 | rule | a #1 | `e2e/run gateways`, `e2e/run gone` |\n";
        let files = [(FIELD_CASES, row), ("e2e/parts/gateways.py", "")];
        let expected = ["docs/field-cases.md:1: no test is called `e2e/run gone`"];
        assert_eq!(findings(check, &files), expected);
    }

    #[test]
    fn a_cited_field_case_is_documented() {
        let cases = (
            FIELD_CASES,
            "| 7 | rule | a | later |\n| 12 | rule | a | later |\n",
        );
        let code = "// Field cases 7 and 12 (not 5).\n// See field case 9, and so on.\n";
        let found = findings(check, &[cases, ("crates/a/src/b.rs", code)]);
        assert_eq!(
            found,
            ["crates/a/src/b.rs:2: no field case 9 in docs/field-cases.md"]
        );
    }
}
