//! Servers and topics, as far as tool names tell them.

use std::borrow::Cow;
use std::collections::HashMap;

use super::Area;
use super::hidden::readable;

/// The area of each of `names`, in their order.
///
/// An explicit separator (`__`, `/`, `.`, `:`) ends a name's area. Without one, the part before the
/// first `_` or `-` counts if at least three names share it and it is no verb.
pub(super) fn prefixes<'a>(names: impl Iterator<Item = &'a str> + Clone) -> Vec<Option<&'a str>> {
    let mut shared: HashMap<&str, usize> = HashMap::new();
    for name in names.clone().filter(|name| explicit(name).is_none()) {
        if let Some(part) = first_part(name) {
            *shared.entry(part).or_default() += 1;
        }
    }
    names
        .map(|name| {
            explicit(name).or_else(|| {
                first_part(name)
                    .filter(|part| shared.get(part).is_some_and(|&tools| tools >= SHARED_BY))
            })
        })
        .collect()
}

/// The areas that several of `prefixes` name, largest first, then by name. Without what can't be
/// seen, and those that don't read as one line not at all.
pub(super) fn areas(prefixes: &[Option<&str>]) -> Vec<Area> {
    let mut counts: HashMap<Cow<'_, str>, usize> = HashMap::new();
    for name in prefixes
        .iter()
        .flatten()
        .filter_map(|prefix| readable(prefix))
    {
        *counts.entry(name).or_default() += 1;
    }
    let mut areas: Vec<Area> = counts
        .into_iter()
        .filter(|&(_, tools)| tools > 1)
        .map(|(name, tools)| Area {
            name: name.into_owned(),
            tools,
        })
        .collect();
    areas.sort_by(|one, other| {
        (other.tools, one.name.as_str()).cmp(&(one.tools, other.name.as_str()))
    });
    areas
}

/// What stands before the first explicit separator.
fn explicit(name: &str) -> Option<&str> {
    let end = SEPARATORS
        .iter()
        .filter_map(|separator| name.find(separator))
        .min()?;
    name.get(..end).filter(|prefix| !prefix.is_empty())
}

fn first_part(name: &str) -> Option<&str> {
    let end = name.find(['_', '-'])?;
    name.get(..end)
        .filter(|part| !part.is_empty() && !VERBS.contains(&part.to_ascii_lowercase().as_str()))
}

const SEPARATORS: [&str; 4] = ["__", "/", ".", ":"];

/// How many names make an undeclared prefix an area.
const SHARED_BY: usize = 3;

/// First parts that say what a tool does, not where it belongs.
const VERBS: [&str; 40] = [
    "add", "append", "archive", "assign", "batch", "bulk", "cancel", "check", "close", "copy",
    "create", "delete", "describe", "disable", "download", "edit", "enable", "execute", "export",
    "fetch", "find", "generate", "get", "import", "list", "manage", "move", "open", "query",
    "read", "remove", "run", "search", "send", "set", "start", "stop", "update", "upload", "write",
];

#[cfg(test)]
mod tests {
    use super::*;

    fn check(names: &[&str], expected: &[Option<&str>]) {
        assert_eq!(prefixes(names.iter().copied()), expected, "{names:?}");
    }

    #[test]
    fn separators_tell_the_area() {
        check(
            &[
                "github__create_issue",
                "a/b.c:d",
                "mail.send",
                "x:y",
                "__odd",
                "plain",
            ],
            &[
                Some("github"),
                Some("a"),
                Some("mail"),
                Some("x"),
                None,
                None,
            ],
        );
    }

    #[test]
    fn a_shared_first_part_is_an_area_unless_it_is_a_verb() {
        check(
            &[
                "jira_get",
                "jira_add",
                "jira-link",
                "slack_post",
                "slack_read",
            ],
            &[Some("jira"), Some("jira"), Some("jira"), None, None],
        );
        check(&["get_a", "get_b", "get_c"], &[None, None, None]);
    }

    #[test]
    fn the_largest_area_comes_first() {
        let names = [
            "b__1",
            "b__2",
            "a__1",
            "a__2",
            "c__1",
            "c__2",
            "\u{200B}c__3",
            "d__1",
            "x\n__1",
            "x\n__2",
        ];
        let areas = areas(&prefixes(names.into_iter()));
        let areas: Vec<_> = areas
            .iter()
            .map(|area| (area.name.as_str(), area.tools))
            .collect();
        assert_eq!(areas, [("c", 3), ("a", 2), ("b", 2)]);
    }
}
