//! What a definition says otherwise than the tool that it is made from.

use std::fmt::Display;

use crate::tools::text::shorten;

/// Sentences about one tool, for whoever passes its definition on.
#[derive(Debug, Default)]
pub(super) struct Changes {
    texts: Vec<String>,
    /// Beyond those that are told.
    more: usize,
}

impl Changes {
    /// Notes a change of the tool itself. What upstreams write may be of any length.
    pub(super) fn note(&mut self, text: &str) {
        let text = shorten(text, CHARS);
        if self.texts.iter().any(|told| *told == text) {
        } else if self.texts.len() < TOLD {
            self.texts.push(text.into_owned());
        } else {
            self.more += 1;
        }
    }

    /// Notes a change at the JSON pointer `at` of its input schema.
    pub(super) fn at(&mut self, at: &str, what: impl Display) {
        match at {
            "" => self.note(&format!("schema: {what}")),
            at => self.note(&format!("schema at {}: {what}", shorten(at, AT_CHARS))),
        }
    }

    /// All of them; past a dozen, how many more there are.
    pub(super) fn into_texts(mut self) -> Vec<String> {
        match self.more {
            0 => {}
            1 => self.texts.push("1 more change".to_owned()),
            more => self.texts.push(format!("{more} more changes")),
        }
        self.texts
    }
}

const TOLD: usize = 12;
const CHARS: usize = 300;
/// Leaves room for what changed there.
const AT_CHARS: usize = 150;
