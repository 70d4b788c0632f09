//! Inside `proxy`: app → http → protocol → tools. A layer doesn't know the ones above it, the edge
//! doesn't know a single tool, and only the composition root knows the settings as a whole.

use super::tree::{File, Problem, Tree};

pub(super) fn check(tree: &Tree) -> Vec<Problem> {
    tree.with_extension("rs").flat_map(check_file).collect()
}

fn check_file(file: &File) -> Vec<Problem> {
    let Some((_, forbidden)) = LAYERS.iter().find(|(layer, _)| is_in(&file.path, layer)) else {
        return Vec::new();
    };
    let mut problems = Vec::new();
    for (number, line) in file.lines() {
        let code = line.split("//").next().unwrap_or_default();
        for word in *forbidden {
            if names(code, word) {
                problems.push(file.problem_at(number, format!("this layer may not name `{word}`")));
            }
        }
    }
    problems
}

/// True for `LAYER.rs` and for what stands in `LAYER/`.
fn is_in(path: &str, layer: &str) -> bool {
    path.strip_prefix(layer)
        .is_some_and(|rest| rest == ".rs" || rest.starts_with('/'))
}

/// True if `code` holds `word` as a path of its own, not as the tail or the start of a longer name.
fn names(code: &str, word: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    code.match_indices(word).any(|(start, _)| {
        let (before, from) = code.split_at(start);
        let after = from.strip_prefix(word).unwrap_or_default();
        let goes_on = word.ends_with(is_part) && after.starts_with(is_part);
        !before.ends_with(is_part) && !goes_on
    })
}

/// The layer and what its code may not name.
const LAYERS: &[(&str, &[&str])] = &[
    (
        "crates/proxy/src/http",
        &[
            "reqwest",
            "crate::app",
            "crate::cli",
            "crate::config",
            "crate::tools",
        ],
    ),
    (
        "crates/proxy/src/protocol",
        &[
            "axum",
            "reqwest",
            "crate::app",
            "crate::cli",
            "crate::config",
            "crate::http",
            "crate::metrics",
        ],
    ),
    (
        "crates/proxy/src/tools",
        &[
            "axum",
            "http::",
            "reqwest",
            "crate::app",
            "crate::cli",
            "crate::config",
            "crate::http",
            "crate::metrics",
            "crate::protocol",
        ],
    ),
    ("crates/proxy/src/config", &["crate::app"]),
    // What every layer may name, and so can name none.
    ("crates/proxy/src/curation", &["crate::"]),
    ("crates/proxy/src/instructions", &["crate::"]),
    (
        "crates/proxy/src/searches",
        &[
            "axum",
            "crate::app",
            "crate::cli",
            "crate::config",
            "crate::curation",
            "crate::http",
            "crate::metrics",
            "crate::protocol",
            "crate::tools",
        ],
    ),
    ("crates/proxy/src/times", &["crate::"]),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::tree::findings;

    fn check_line(path: &str, line: &str, expected: &[&str]) {
        let path = format!("crates/proxy/src/{path}");
        let expected: Vec<String> = expected
            .iter()
            .map(|word| format!("{path}:1: this layer may not name `{word}`"))
            .collect();
        assert_eq!(findings(check, &[(&path, line)]), expected, "{line}");
    }

    #[test]
    fn a_layer_does_not_name_what_is_above_it() {
        check_line("http.rs", "use crate::tools::MetaTool;", &["crate::tools"]);
        check_line(
            "http/mcp.rs",
            "crate::tools::definitions()",
            &["crate::tools"],
        );
        check_line("http/mcp.rs", "use axum::Router;", &[]);
        check_line("http_date.rs", "use crate::tools::MetaTool;", &[]);
        check_line("protocol.rs", "fn f(r: axum::Request) {}", &["axum"]);
        check_line("protocol.rs", "use crate::tools::MetaTool;", &[]);
        check_line("tools/search.rs", "use http::StatusCode;", &["http::"]);
        check_line("tools/search.rs", "use tower_http::cors;", &[]);
        check_line(
            "tools/search.rs",
            "use crate::http::Limits;",
            &["http::", "crate::http"],
        );
        check_line(
            "http/status.rs",
            "use crate::config::Config;",
            &["crate::config"],
        );
        check_line("http/status.rs", "crate::cli::run()", &["crate::cli"]);
        check_line("protocol.rs", "use crate::http::Edge;", &["crate::http"]);
        check_line("config.rs", "use crate::app::App;", &["crate::app"]);
        check_line("config.rs", "use crate::cli::Settings;", &[]);
        check_line("app.rs", "use crate::config::Config;", &[]);
        check_line("curation.rs", "use crate::tools::Tool;", &["crate::"]);
        check_line("tools.rs", "// unlike axum, http::Request", &[]);
        check_line("tools.rs", "let axum_like = 1;", &[]);
    }
}
