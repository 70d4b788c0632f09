//! The file of `--templates`.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;

use catalog::ToolPattern;
use serde::Deserialize;
use serde::de::{Deserializer, Error};

use super::Template;

/// Why the file of `--templates` can't be used.
#[derive(Debug, thiserror::Error)]
pub enum InvalidTemplates {
    /// It can't be read.
    #[error(transparent)]
    Unreadable(#[from] io::Error),
    /// It isn't what it should be.
    #[error("line {line}: {message}")]
    Line {
        /// Where, counted from 1.
        line: usize,
        /// What is wrong there.
        message: String,
    },
}

/// What the file says.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Contents {
    pub(super) pins: Vec<ToolPattern>,
    pub(super) write_tools: Vec<ToolPattern>,
    pub(super) templates: Vec<Template>,
}

/// Reads the file at `path`.
pub(super) fn read(path: &Path) -> Result<Contents, InvalidTemplates> {
    parse(&fs_err::read_to_string(path)?)
}

fn parse(text: &str) -> Result<Contents, InvalidTemplates> {
    let file: FileToml = toml::from_str(text).map_err(|error| InvalidTemplates::Line {
        line: line_at(text, error.span().map_or(0, |span| span.start)),
        message: error.message().trim().replace('\n', " "),
    })?;
    let template = |(name, template): (String, TemplateToml)| Template {
        name,
        title: template.title,
        description: template.description,
        tools: template.tools,
    };
    Ok(Contents {
        pins: file.pin,
        write_tools: file.write_tools,
        templates: file.templates.into_iter().map(template).collect(),
    })
}

fn line_at(text: &str, position: usize) -> usize {
    let before = text.bytes().take(position);
    before.filter(|byte| *byte == b'\n').count() + 1
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FileToml {
    #[serde(default, deserialize_with = "patterns")]
    pin: Vec<ToolPattern>,
    #[serde(default, deserialize_with = "patterns")]
    write_tools: Vec<ToolPattern>,
    #[serde(default)]
    templates: BTreeMap<String, TemplateToml>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TemplateToml {
    title: Option<String>,
    description: Option<String>,
    #[serde(deserialize_with = "some_patterns")]
    tools: Vec<ToolPattern>,
}

fn patterns<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<ToolPattern>, D::Error> {
    let texts = Vec::<String>::deserialize(deserializer)?;
    let read = texts.iter().map(|text| ToolPattern::parse(text));
    read.collect::<Result<_, _>>().map_err(D::Error::custom)
}

fn some_patterns<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<ToolPattern>, D::Error> {
    let patterns = patterns(deserializer)?;
    if patterns.is_empty() {
        return Err(D::Error::custom("a template names at least one tool"));
    }
    Ok(patterns)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tools(texts: &[&str]) -> Vec<ToolPattern> {
        let read = texts.iter().map(|text| ToolPattern::parse(text).unwrap());
        read.collect()
    }

    #[test]
    fn all_of_it_may_be_left_out() {
        assert_eq!(parse("").unwrap(), Contents::default());
        let text = "
            pin = ['jobs__poll']
            write_tools = ['jira_delete_*']
            [templates.close]
            tools = ['ledger__*', 'mail__send']
            [templates.'a b']
            title = 'A'
            description = 'First.'
            tools = ['a']";
        let expected = Contents {
            pins: tools(&["jobs__poll"]),
            write_tools: tools(&["jira_delete_*"]),
            templates: vec![
                Template {
                    name: "a b".to_owned(),
                    title: Some("A".to_owned()),
                    description: Some("First.".to_owned()),
                    tools: tools(&["a"]),
                },
                Template {
                    name: "close".to_owned(),
                    title: None,
                    description: None,
                    tools: tools(&["ledger__*", "mail__send"]),
                },
            ],
        };
        assert_eq!(parse(text).unwrap(), expected);
    }

    #[test]
    fn what_is_wrong_is_told_with_its_line() {
        let errors: Vec<String> = [
            "pin = 'one'",
            "pin = ['a',\n 7]",
            "\npin = [' ']",
            "pins = []",
            "[templates.x]",
            "[templates.x]\ntools = []",
            "[templates.x]\n\ntool = ['a']",
            "[templates.x]\ntools = ['a']\n[templates.x]\ntools = ['a']",
            "[templates.x",
        ]
        .into_iter()
        .map(|text| format!("{text:?}\n  {}", parse(text).unwrap_err()))
        .collect();
        insta::assert_snapshot!(errors.join("\n"));
    }
}
