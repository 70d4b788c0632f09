//! What a definition says otherwise than the tool that it is made from.

use std::fmt::Display;

/// Sentences about one tool, for whoever passes its definition on.
#[derive(Debug, Default)]
pub(super) struct Changes {
    texts: Vec<String>,
    /// Beyond those that are told.
    more: usize,
}

impl Changes {
    /// Notes a change of the tool itself.
    pub(super) fn note(&mut self, text: impl Into<String>) {
        if self.texts.len() < TOLD {
            self.texts.push(text.into());
        } else {
            self.more += 1;
        }
    }

    /// Notes a change at the JSON pointer `at` of its input schema.
    pub(super) fn at(&mut self, at: &str, what: impl Display) {
        match at {
            "" => self.note(format!("schema: {what}")),
            at => self.note(format!("schema at {at}: {what}")),
        }
    }

    /// All of them; past a dozen, how many more there are.
    pub(super) fn into_texts(mut self) -> Vec<String> {
        if self.more > 0 {
            self.texts.push(format!("{} more changes", self.more));
        }
        self.texts
    }
}

const TOLD: usize = 12;
