//! A command in the README is one that the end-to-end checks run, or says why it isn't.

use super::tree::{File, Problem, Tree};

pub(super) fn check(tree: &Tree) -> Vec<Problem> {
    let Some(readme) = tree.file("README.md") else {
        return Vec::new();
    };
    let runner = tree.file(RUNNER).map_or("", |file| file.text.as_str());
    blocks(readme)
        .filter_map(|block| check_block(readme, runner, &block))
        .collect()
}

/// A command block and the line before it.
struct Block<'a> {
    line: usize,
    before: &'a str,
}

fn blocks(readme: &File) -> impl Iterator<Item = Block<'_>> {
    let pairs = readme.text.lines().zip(readme.text.lines().skip(1));
    pairs
        .enumerate()
        .filter(|(_, (_, fence))| *fence == "```sh")
        .map(|(index, (before, _))| Block {
            line: index + 2,
            before,
        })
}

fn check_block(readme: &File, runner: &str, block: &Block<'_>) -> Option<Problem> {
    let marker = block
        .before
        .strip_prefix("<!-- ")
        .and_then(|rest| rest.strip_suffix(" -->"));
    match marker.and_then(|marker| marker.split_once(": ")) {
        Some(("tested", name)) if runner.contains(&format!("\"{name}\"")) => None,
        Some(("tested", name)) => Some(readme.problem_at(
            block.line,
            format!("{RUNNER} doesn't run the block \"{name}\""),
        )),
        Some(("not tested", reason)) if !reason.trim().is_empty() => None,
        _ => Some(readme.problem_at(
            block.line,
            "mark the block with `<!-- tested: NAME -->` or `<!-- not tested: REASON -->`",
        )),
    }
}

const RUNNER: &str = "e2e/parts/readme.py";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::tree::findings;

    fn check_block(before: &str, expected: &[&str]) {
        let readme = format!("# A\n\n{before}\n```sh\nls\n```\n");
        let files = [
            ("README.md", readme.as_str()),
            (RUNNER, "BLOCKS = {\"demo\": run_demo}\n"),
        ];
        assert_eq!(findings(check, &files), expected, "{before}");
    }

    #[test]
    fn commands_of_the_readme_are_run() {
        check_block("<!-- tested: demo -->", &[]);
        check_block("<!-- not tested: needs an account -->", &[]);
        check_block(
            "<!-- tested: other -->",
            &["README.md:4: e2e/parts/readme.py doesn't run the block \"other\""],
        );
        let unmarked = "README.md:4: mark the block with `<!-- tested: NAME -->` or \
             `<!-- not tested: REASON -->`";
        check_block("Run this:", &[unmarked]);
        check_block("<!-- not tested:  -->", &[unmarked]);
    }
}
