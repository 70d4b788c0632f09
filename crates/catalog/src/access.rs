//! Which tools only read.

use std::fmt;
use std::str::Chars;

use wire::{Hint, ToolView};

/// What calling a tool may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ToolAccess {
    /// Reads only: literally `readOnlyHint: true`, not `destructiveHint: true`, and not on the
    /// operator's list.
    Read,
    /// Anything else.
    Write,
}

/// An exact name or a glob (`*`, `?`) over names. Case-sensitive, nothing trimmed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolPattern(String);

/// A pattern that can't be meant.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum InvalidPattern {
    /// Nothing, or nothing but blanks.
    #[error("a tool pattern is a name or a glob such as `jira_delete_*`, not a blank text")]
    Blank,
    /// It holds what no name has that a person writes.
    #[error("a tool pattern has no control characters, for which `?` may stand: {0:?}")]
    Control(String),
}

/// The operator's list of tools that count as writes whatever they say.
#[derive(Debug, Clone, Default)]
pub struct WriteTools(pub Vec<ToolPattern>);

impl ToolPattern {
    /// Reads a pattern.
    pub fn parse(text: &str) -> Result<Self, InvalidPattern> {
        if text.trim().is_empty() {
            Err(InvalidPattern::Blank)
        } else if text.contains(char::is_control) {
            Err(InvalidPattern::Control(text.to_owned()))
        } else {
            Ok(Self(text.to_owned()))
        }
    }

    /// The one name that matches; `None` for a glob.
    pub(crate) fn as_name(&self) -> Option<&str> {
        (!self.0.contains(['*', '?'])).then_some(&self.0)
    }

    /// Whether `name` matches, in time that grows with pattern times name at worst.
    pub fn matches(&self, name: &str) -> bool {
        let mut pattern = self.0.chars();
        let mut rest = name.chars();
        // After a star: what follows it, and where in the name that was last tried.
        let mut retry: Option<(Chars<'_>, Chars<'_>)> = None;
        loop {
            let (mut next_pattern, mut next_rest) = (pattern.clone(), rest.clone());
            match (next_pattern.next(), next_rest.next()) {
                (None, None) => return true,
                (Some('*'), _) => {
                    pattern = next_pattern;
                    retry = Some((pattern.clone(), rest.clone()));
                }
                (Some(wanted), Some(found)) if wanted == '?' || wanted == found => {
                    pattern = next_pattern;
                    rest = next_rest;
                }
                _ => {
                    let Some((after_star, tried)) = &mut retry else {
                        return false;
                    };
                    if tried.next().is_none() {
                        return false;
                    }
                    pattern = after_star.clone();
                    rest = tried.clone();
                }
            }
        }
    }
}

impl fmt::Display for ToolPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl WriteTools {
    /// The access of the tool `name`, whose listing says `hinted`.
    pub(crate) fn access(&self, name: &str, hinted: ToolAccess) -> ToolAccess {
        if self.0.iter().any(|pattern| pattern.matches(name)) {
            ToolAccess::Write
        } else {
            hinted
        }
    }
}

impl ToolAccess {
    /// What `tool` says of itself.
    pub(crate) fn hinted(tool: &ToolView<'_>) -> Self {
        if tool.read_only == Hint::True && tool.destructive != Hint::True {
            Self::Read
        } else {
            Self::Write
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::value::RawValue;

    use super::*;

    fn matches(pattern: &str, name: &str) -> bool {
        ToolPattern::parse(pattern).unwrap().matches(name)
    }

    #[test]
    fn patterns_are_names_or_globs() {
        for (pattern, name, expected) in [
            ("a", "a", true),
            ("a", "A", false),
            ("a", "ab", false),
            (" a", "a", false),
            ("*", "", true),
            ("*", "anything", true),
            ("jira_*", "jira_delete", true),
            ("jira_*", "jira", false),
            ("*_delete_*", "jira_delete_issue", true),
            ("*_delete_*", "jira_delete", false),
            ("*a*b", "xaxbxab", true),
            ("*a*b", "xaxbxac", false),
            ("?", "", false),
            ("?", "ž", true),
            ("a?c", "abc", true),
            ("a**c", "ac", true),
            ("[ab]", "a", false),
        ] {
            assert_eq!(matches(pattern, name), expected, "{pattern} {name}");
        }
        for blank in ["", " ", "\t"] {
            assert_eq!(ToolPattern::parse(blank), Err(InvalidPattern::Blank));
        }
        for unseen in ["a\0*", "\u{1b}[31m", "a\nb"] {
            let expected = InvalidPattern::Control(unseen.to_owned());
            assert_eq!(ToolPattern::parse(unseen), Err(expected));
        }
    }

    #[test]
    fn many_stars_end_soon() {
        let pattern = "a*".repeat(200) + "b";
        assert!(!matches(&pattern, &"a".repeat(2_000)));
    }

    #[test]
    fn reads_say_so_literally_and_are_not_on_the_list() {
        let writes = WriteTools(vec![ToolPattern::parse("w_*").unwrap()]);
        for (name, annotations, expected) in [
            ("a", r#"{"readOnlyHint":true}"#, ToolAccess::Read),
            ("b", r#"{"readOnlyHint":"true"}"#, ToolAccess::Write),
            (
                "c",
                r#"{"readOnlyHint":true,"destructiveHint":true}"#,
                ToolAccess::Write,
            ),
            (
                "d",
                r#"{"readOnlyHint":true,"destructiveHint":false}"#,
                ToolAccess::Read,
            ),
            ("e", r#"{"title":"E"}"#, ToolAccess::Write),
            ("w_x", r#"{"readOnlyHint":true}"#, ToolAccess::Write),
        ] {
            let text =
                format!(r#"{{"name":"{name}","inputSchema":{{}},"annotations":{annotations}}}"#);
            let raw = RawValue::from_string(text).unwrap();
            let (view, _) = ToolView::read(&raw).unwrap();
            let hinted = ToolAccess::hinted(&view);
            assert_eq!(writes.access(&view.name, hinted), expected, "{name}");
        }
    }

    /// The obvious way, exponential.
    fn naive(pattern: &[char], name: &[char]) -> bool {
        match (pattern, name) {
            ([], []) => true,
            (['*', after @ ..], _) => {
                naive(after, name) || matches!(name, [_, rest @ ..] if naive(pattern, rest))
            }
            ([wanted, after @ ..], [found, rest @ ..]) => {
                (*wanted == '?' || wanted == found) && naive(after, rest)
            }
            _ => false,
        }
    }

    proptest! {
        #[test]
        fn agrees_with_the_obvious_way(pattern in "[ab*?]{1,8}", name in "[abc]{0,10}") {
            let chars: Vec<char> = pattern.chars().collect();
            let letters: Vec<char> = name.chars().collect();
            prop_assert_eq!(matches(&pattern, &name), naive(&chars, &letters));
        }
    }
}
