//! Relative links of the Markdown files lead somewhere.

use super::tree::{File, Problem, Tree};

pub(super) fn check(tree: &Tree) -> Vec<Problem> {
    tree.with_extension("md")
        .flat_map(|file| check_file(tree, file))
        .collect()
}

fn check_file(tree: &Tree, file: &File) -> Vec<Problem> {
    let mut problems = Vec::new();
    let mut in_code = false;
    for (number, line) in file.lines() {
        in_code ^= line.trim_start().starts_with("```");
        if in_code {
            continue;
        }
        for target in targets(line).filter(|target| !is_outside(target)) {
            let path = target.split('#').next().unwrap_or_default();
            let found = match resolve(&file.path, path) {
                Some(resolved) => resolved.is_empty() || tree.has(&resolved),
                None => false,
            };
            if !found {
                problems.push(file.problem_at(number, format!("`{target}` leads nowhere")));
            }
        }
    }
    problems
}

/// What stands in the round brackets of `[text](target)`.
fn targets(line: &str) -> impl Iterator<Item = &str> {
    line.split("](")
        .skip(1)
        .filter_map(|rest| rest.split(')').next())
}

fn is_outside(target: &str) -> bool {
    target.contains("://") || target.starts_with("mailto:") || target.starts_with('#')
}

/// The path that `target` means when it stands in the file `from`; none if it leaves the tree.
fn resolve(from: &str, target: &str) -> Option<String> {
    let mut parts: Vec<&str> = from.split('/').collect();
    parts.pop();
    for part in target.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            _ => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::tree::findings;

    fn check_link(path: &str, text: &str, expected: &[&str]) {
        let files = [
            (path, text),
            ("docs/privacy.md", ""),
            ("crates/wire/src/lib.rs", ""),
        ];
        assert_eq!(findings(check, &files), expected, "{text}");
    }

    #[test]
    fn relative_links_lead_somewhere() {
        check_link(
            "README.md",
            "[a](docs/privacy.md), [b](docs/privacy.md#logs)",
            &[],
        );
        check_link(
            "README.md",
            "[a](crates/wire) [b](#here) [c](https://example.com/x)",
            &[],
        );
        check_link(
            "docs/clients.md",
            "[a](privacy.md) [b](../crates/wire/src/lib.rs)",
            &[],
        );
        check_link(
            "README.md",
            "see [a](docs/gone.md)",
            &["README.md:1: `docs/gone.md` leads nowhere"],
        );
        check_link(
            "README.md",
            "[a](../x.md)",
            &["README.md:1: `../x.md` leads nowhere"],
        );
        check_link(
            "README.md",
            "```\n[a](gone.md)\n```\n[b](gone.md)",
            &["README.md:4: `gone.md` leads nowhere"],
        );
    }
}
