//! Who may depend on whom, and that a version stands once, in the workspace's manifest.

use super::tree::{File, Problem, Tree};

pub(super) fn check(tree: &Tree) -> Vec<Problem> {
    let manifests = tree
        .with_extension("toml")
        .filter_map(|file| Some((crate_name(file)?, file)));
    manifests
        .flat_map(|(name, file)| check_manifest(name, file))
        .collect()
}

/// The folder of a member, which is also its name.
fn crate_name(file: &File) -> Option<&str> {
    let folder = file.path.strip_suffix("/Cargo.toml")?;
    Some(folder.strip_prefix("crates/").unwrap_or(folder))
}

fn check_manifest(name: &str, file: &File) -> Vec<Problem> {
    let Some((_, below)) = DIRECTION.iter().find(|(member, _)| *member == name) else {
        return vec![file.problem("a new crate: say in xtask's tidy what it may depend on")];
    };
    let mut problems = Vec::new();
    let mut kind = None;
    for (number, line) in file.lines() {
        if let Some(section) = line.strip_prefix('[') {
            kind = Kind::of_section(section);
            if section.contains("dependencies.") {
                problems.push(
                    file.problem_at(number, "one line a dependency: `name.workspace = true`"),
                );
            }
            continue;
        }
        let (Some(kind), Some((key, value))) = (kind, line.split_once('=')) else {
            continue;
        };
        let dependency = key.trim().trim_end_matches(".workspace");
        if !is_inherited(key, value) {
            let message = format!("`{dependency}`: versions stand once, in the root Cargo.toml");
            problems.push(file.problem_at(number, message));
        }
        if !is_allowed(name, below, dependency, kind) {
            problems.push(
                file.problem_at(number, format!("`{name}` may not depend on `{dependency}`")),
            );
        }
    }
    problems
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Normal,
    Dev,
}

impl Kind {
    fn of_section(section: &str) -> Option<Self> {
        match section.trim_end_matches(']') {
            "dependencies" | "build-dependencies" => Some(Self::Normal),
            "dev-dependencies" => Some(Self::Dev),
            _ => None,
        }
    }
}

fn is_inherited(key: &str, value: &str) -> bool {
    key.trim().ends_with(".workspace") || value.contains("workspace = true")
}

fn is_allowed(name: &str, below: &[&str], dependency: &str, kind: Kind) -> bool {
    if DIRECTION.iter().any(|(member, _)| *member == dependency) {
        return below.contains(&dependency) || (kind == Kind::Dev && dependency == "demo-gateway");
    }
    FENCED
        .iter()
        .filter(|fence| fence.dependency == dependency)
        .all(|fence| {
            fence.users.contains(&name) || (kind == Kind::Dev && fence.test_users.contains(&name))
        })
}

/// Each crate and the ones it may depend on. Nothing points up.
const DIRECTION: &[(&str, &[&str])] = &[
    (
        "proxy",
        &[
            "catalog",
            "demo-gateway",
            "embedding",
            "eval",
            "ranking",
            "upstream",
            "wire",
        ],
    ),
    ("eval", &["catalog", "ranking", "upstream", "wire"]),
    ("catalog", &["ranking", "upstream", "wire"]),
    ("upstream", &["wire"]),
    ("demo-gateway", &["wire"]),
    ("ranking", &["embedding"]),
    ("embedding", &[]),
    ("wire", &[]),
    ("xtask", &[]),
];

/// A dependency that only some crates may use.
struct Fence {
    dependency: &'static str,
    users: &'static [&'static str],
    test_users: &'static [&'static str],
}

impl Fence {
    const fn new(dependency: &'static str, users: &'static [&'static str]) -> Self {
        Self {
            dependency,
            users,
            test_users: &[],
        }
    }

    const fn in_tests_of(mut self, test_users: &'static [&'static str]) -> Self {
        self.test_users = test_users;
        self
    }
}

const FENCED: &[Fence] = &[
    Fence::new("axum", &["proxy", "demo-gateway"]).in_tests_of(&["upstream"]),
    Fence::new("clap", &["proxy"]),
    Fence::new("clap_complete", &["proxy"]),
    Fence::new("indicatif", &["proxy"]),
    Fence::new("memmap2", &["embedding"]),
    Fence::new("jsonschema", &["catalog"]).in_tests_of(&["demo-gateway", "proxy"]),
    Fence::new("prometheus-client", &["proxy"]),
    Fence::new("reqwest", &["proxy", "upstream"]),
    Fence::new("snowball_stemmers_rs", &["ranking"]),
    Fence::new("tokenizers", &["embedding"]),
    Fence::new("tokio", &["catalog", "demo-gateway", "proxy", "upstream"]),
    Fence::new("tracing-subscriber", &["proxy"]),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::tree::findings;

    fn check_line(path: &str, section: &str, line: &str, expected: &[&str]) {
        let path = format!("{path}/Cargo.toml");
        let text = format!("[package]\nname = \"x\"\n\n[{section}]\n{line}\n");
        let expected: Vec<String> = expected
            .iter()
            .map(|message| format!("{path}:5: {message}"))
            .collect();
        assert_eq!(
            findings(check, &[(&path, &text)]),
            expected,
            "{path} {line}"
        );
    }

    #[test]
    fn only_named_crates_use_a_fenced_dependency() {
        check_line(
            "crates/upstream",
            "dependencies",
            "reqwest.workspace = true",
            &[],
        );
        check_line(
            "crates/proxy",
            "dev-dependencies",
            "reqwest.workspace = true",
            &[],
        );
        check_line(
            "crates/catalog",
            "dependencies",
            "reqwest.workspace = true",
            &["`catalog` may not depend on `reqwest`"],
        );
        check_line(
            "crates/wire",
            "dev-dependencies",
            "tokio = { workspace = true, features = [\"rt\"] }",
            &["`wire` may not depend on `tokio`"],
        );
    }

    #[test]
    fn crates_depend_only_on_those_below() {
        check_line(
            "crates/proxy",
            "dependencies",
            "catalog.workspace = true",
            &[],
        );
        check_line(
            "crates/catalog",
            "dev-dependencies",
            "demo-gateway.workspace = true",
            &[],
        );
        check_line(
            "crates/catalog",
            "dependencies",
            "demo-gateway.workspace = true",
            &["`catalog` may not depend on `demo-gateway`"],
        );
        check_line(
            "crates/ranking",
            "dependencies",
            "wire.workspace = true",
            &["`ranking` may not depend on `wire`"],
        );
    }

    #[test]
    fn versions_stand_once() {
        check_line(
            "crates/wire",
            "dependencies",
            "serde = \"1.0\"",
            &["`serde`: versions stand once, in the root Cargo.toml"],
        );
        check_line("crates/wire", "lints", "workspace = true", &[]);
        let split = "[dependencies.serde]\nversion = \"1\"\n";
        let found = findings(check, &[("crates/wire/Cargo.toml", split)]);
        assert_eq!(
            found,
            ["crates/wire/Cargo.toml:1: one line a dependency: `name.workspace = true`"]
        );
    }

    #[test]
    fn a_new_crate_must_be_placed() {
        let found = findings(check, &[("crates/novel/Cargo.toml", "[package]\n")]);
        let message = "a new crate: say in xtask's tidy what it may depend on";
        assert_eq!(found, [format!("crates/novel/Cargo.toml: {message}")]);
        assert!(findings(check, &[("Cargo.toml", "[workspace]\n")]).is_empty());
    }
}
