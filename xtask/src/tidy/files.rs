//! Names and sizes of Rust and Python files.

use super::tree::{File, Problem, Tree};

pub(super) fn check(tree: &Tree) -> Vec<Problem> {
    tree.with_extension("rs")
        .chain(tree.with_extension("py"))
        .flat_map(|file| [name(file), size(file)])
        .flatten()
        .collect()
}

fn name(file: &File) -> Option<Problem> {
    let (stem, extension) = file.path.rsplit('/').next()?.rsplit_once('.')?;
    if (stem, extension) == ("mod", "rs") {
        return Some(file.problem("a module `foo` stands in foo.rs, not in foo/mod.rs"));
    }
    let vague = stem.split('_').any(|word| VAGUE.contains(&word));
    vague.then(|| file.problem("name the file after the idea it holds, in the domain's words"))
}

fn size(file: &File) -> Option<Problem> {
    let lines = code_lines(file);
    let excused = file.text.contains(EXCUSE);
    (lines > MAX_LINES && !excused).then(|| {
        file.problem(format!(
            "{lines} lines, tests apart; split it by idea, or give the reason in a comment `{EXCUSE} …`"
        ))
    })
}

/// The lines of a file without its tests, which stand last.
fn code_lines(file: &File) -> usize {
    if file.path.ends_with("/tests.rs") || file.path.contains("/tests/") {
        return 0;
    }
    file.text
        .lines()
        .take_while(|line| *line != "#[cfg(test)]")
        .count()
}

const MAX_LINES: usize = 400;
const EXCUSE: &str = "tidy: long because";
const VAGUE: &[&str] = &[
    "common", "helper", "helpers", "manager", "misc", "types", "util", "utils",
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::tree::findings;

    fn check_names(path: &str, expected: &[&str]) {
        assert_eq!(findings(check, &[(path, "")]), expected, "{path}");
    }

    #[test]
    fn file_names_say_what_is_inside() {
        let vague = "name the file after the idea it holds, in the domain's words";
        check_names("crates/wire/src/sse.rs", &[]);
        check_names("crates/proxy/src/utility_bill.rs", &[]);
        check_names("a/util.rs", &[&format!("a/util.rs: {vague}")]);
        check_names("a/helpers.py", &[&format!("a/helpers.py: {vague}")]);
        check_names(
            "a/session_manager.rs",
            &[&format!("a/session_manager.rs: {vague}")],
        );
        let module = "a module `foo` stands in foo.rs, not in foo/mod.rs";
        check_names("a/tools/mod.rs", &[&format!("a/tools/mod.rs: {module}")]);
        check_names("docs/types.md", &[]);
    }

    #[test]
    fn long_files_need_a_reason() {
        let long = "x\n".repeat(MAX_LINES + 1);
        let found = findings(check, &[("a/b.rs", &long)]);
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(
            found[0].starts_with("a/b.rs: 401 lines, tests apart;"),
            "{found:?}"
        );

        assert_eq!(findings(check, &[("a/b.py", &long)]).len(), 1);
        assert!(findings(check, &[("a/b.rs", &"x\n".repeat(MAX_LINES))]).is_empty());
        assert!(findings(check, &[("a/tests.rs", &long)]).is_empty());
        assert!(findings(check, &[("a/tests/it/b.rs", &long)]).is_empty());
        assert!(findings(check, &[("a/b.rs", &format!("#[cfg(test)]\n{long}"))]).is_empty());
        assert!(
            findings(
                check,
                &[("a/b.rs", &format!("// {EXCUSE} it is a table.\n{long}"))]
            )
            .is_empty()
        );
    }
}
