//! Rules for every text file: clean line ends, and no word of a machine that isn't the reader's.

use super::tree::{File, Problem, Tree};

pub(super) fn check(tree: &Tree) -> Vec<Problem> {
    tree.files
        .iter()
        .filter(|file| !is_verbatim(&file.path))
        .flat_map(check_file)
        .collect()
}

fn check_file(file: &File) -> Vec<Problem> {
    let mut problems: Vec<Problem> = file
        .lines()
        .flat_map(|(number, line)| {
            let blank = (line.trim_end() != line).then(|| {
                file.problem_at(
                    number,
                    "blanks at the end of the line (or a carriage return)",
                )
            });
            let foreign = FOREIGN
                .iter()
                .find(|word| line.contains(**word))
                .map(|word| {
                    file.problem_at(
                        number,
                        format!("`{word}` means nothing on a reader's machine"),
                    )
                });
            [blank, foreign]
        })
        .flatten()
        .collect();
    if !file.text.is_empty() && (!file.text.ends_with('\n') || file.text.ends_with("\n\n")) {
        problems.push(file.problem("a file ends with one line break"));
    }
    problems
}

/// Files that a tool wrote or that are other people's bytes.
fn is_verbatim(path: &str) -> bool {
    path == "Cargo.lock"
        || path.contains("/proptest-regressions/")
        || path
            .rsplit('.')
            .next()
            .is_some_and(|end| end == "snap" || end == "proptest-regressions")
}

/// Put together here so that this file keeps its own rule.
const FOREIGN: &[&str] = &[
    concat!("/ho", "me/"),
    concat!("/ro", "ot/"),
    concat!("/Us", "ers/"),
    concat!("/wo", "rk/"),
    concat!("/tm", "p/"),
    concat!("sha", "red/"),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::tree::findings;

    fn check_text(text: &str, expected: &[&str]) {
        assert_eq!(findings(check, &[("a.md", text)]), expected, "{text:?}");
    }

    #[test]
    fn line_ends_are_clean() {
        check_text("", &[]);
        check_text("one\ntwo\n", &[]);
        check_text(
            "one \n",
            &["a.md:1: blanks at the end of the line (or a carriage return)"],
        );
        check_text(
            "a\nb\t\n",
            &["a.md:2: blanks at the end of the line (or a carriage return)"],
        );
        check_text("one", &["a.md: a file ends with one line break"]);
        check_text("one\n\n", &["a.md: a file ends with one line break"]);
        assert!(findings(check, &[("a/b.snap", "one ")]).is_empty());
    }

    #[test]
    fn no_paths_of_somebody_elses_machine() {
        let path = concat!("/ho", "me/me/x");
        let found = findings(check, &[("a.rs", &format!("ok\nsee {path}\n"))]);
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].starts_with("a.rs:2: "), "{found:?}");
        check_text("homework, rooted, share\n", &[]);
    }
}
