//! The file of `--templates`.

use std::collections::BTreeMap;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use catalog::ToolPattern;
use ranking::is_invisible;
use serde::Deserialize;
use serde::de::{Deserializer, Error};

use super::Template;

/// Why the file of `--templates` can't be used.
#[derive(Debug, thiserror::Error)]
pub enum InvalidTemplates {
    /// It can't be read.
    #[error(transparent)]
    Unreadable(#[from] io::Error),
    /// It is a pipe or a folder, which may never end.
    #[error("{} isn't a plain file", .0.display())]
    NoFile(PathBuf),
    /// It is longer than anything to be read by people.
    #[error("{} is larger than {MAX_BYTES} bytes", .0.display())]
    TooLarge(PathBuf),
    /// There is nothing in it, as while it is being written.
    #[error("{} is empty, as a file is that is being written; a comment in it says that it is meant", .0.display())]
    Empty(PathBuf),
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
    // Opening a pipe waits for somebody to write.
    if fs_err::metadata(path).is_ok_and(|file| !file.is_file()) {
        return Err(InvalidTemplates::NoFile(path.to_owned()));
    }
    let mut text = String::new();
    let file = fs_err::File::open(path)?;
    file.take(MAX_BYTES + 1).read_to_string(&mut text)?;
    if text.len() as u64 > MAX_BYTES {
        return Err(InvalidTemplates::TooLarge(path.to_owned()));
    }
    if text.trim().is_empty() {
        return Err(InvalidTemplates::Empty(path.to_owned()));
    }
    parse(&text)
}

fn parse(text: &str) -> Result<Contents, InvalidTemplates> {
    let file: FileToml = toml::from_str(text).map_err(|error| InvalidTemplates::Line {
        line: line_at(text, error.span().map_or(0, |span| span.start)),
        message: error.message().trim().replace(char::is_control, " "),
    })?;
    let template = |(name, template): (TemplateName, TemplateToml)| Template {
        name: name.0,
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
    templates: BTreeMap<TemplateName, TemplateToml>,
}

#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct TemplateName(String);

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TemplateToml {
    title: Option<String>,
    description: Option<String>,
    #[serde(deserialize_with = "some_patterns")]
    tools: Vec<ToolPattern>,
}

impl<'de> Deserialize<'de> for TemplateName {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        if name.trim().is_empty() {
            return Err(D::Error::custom("a template has a name"));
        }
        if name.chars().any(is_unseen) {
            return Err(D::Error::custom(format!(
                "a template's name has no characters that can't be seen: {name:?}"
            )));
        }
        Ok(Self(name))
    }
}

/// Whether `char` is none that a reader can see, or tell from another.
fn is_unseen(char: char) -> bool {
    char.is_control() || is_invisible(char) || matches!(char, '\u{2028}' | '\u{2029}')
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

const MAX_BYTES: u64 = 1 << 20;

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
    fn what_may_never_end_is_not_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("templates.toml");
        let check = |path: &Path, expected: &str| {
            let error = read(path).unwrap_err().to_string();
            assert_eq!(error, format!("{} {expected}", path.display()));
        };
        check(folder.path(), "isn't a plain file");
        let made = std::process::Command::new("mkfifo").arg(&path).status();
        assert!(made.unwrap().success());
        check(&path, "isn't a plain file");
        fs_err::remove_file(&path).unwrap();
        fs_err::write(&path, "#".repeat(1 << 20)).unwrap();
        assert_eq!(read(&path).unwrap(), Contents::default());
        fs_err::write(&path, "#".repeat((1 << 20) + 1)).unwrap();
        check(&path, "is larger than 1048576 bytes");
        let empty =
            "is empty, as a file is that is being written; a comment in it says that it is meant";
        for text in ["", " \n"] {
            fs_err::write(&path, text).unwrap();
            check(&path, empty);
        }
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
            "[templates.x]\ntools = ['a']\n[templates.'']\ntools = ['a']",
            "[templates.' ']\ntools = ['a']",
            "[templates.\"a\\u0007\"]\ntools = ['a']",
            "[templates.\"a\\u202Eb\"]\ntools = ['a']",
            "[templates.x]\ntools = [\"jobs\\u0000*\"]",
            "\"a\\u001B[31m\" = 1",
        ]
        .into_iter()
        .map(|text| format!("{text:?}\n  {}", parse(text).unwrap_err()))
        .collect();
        insta::assert_snapshot!(errors.join("\n"));
    }
}
