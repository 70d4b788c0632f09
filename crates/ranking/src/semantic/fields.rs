//! The texts that stand for a document, and what each is worth.

use std::borrow::Cow;

use embedding::split_identifiers;

use crate::Document;

/// A text of a document, and its weight beside the others.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Field {
    pub(super) text: String,
    pub(super) weight: f32,
}

/// The fields of `document` that have a text; where two have the same one, that counts for both.
///
/// The first sentence says what a tool does, the rest of a description more about how.
pub(super) fn fields(document: &Document<'_>) -> Vec<Field> {
    let description = document.description.trim();
    let texts = [
        (NAME, name(document)),
        (SENTENCE, sentence(document).into()),
        (DESCRIPTION, cut(description, MAX_DESCRIPTION).into()),
        (PARAMETERS, parameters(document).into()),
    ];
    let mut fields: Vec<Field> = Vec::with_capacity(texts.len());
    for (weight, text) in texts {
        let text = split_identifiers(&text);
        if let Some(same) = fields.iter_mut().find(|field| field.text == text) {
            same.weight += weight;
        } else if !text.is_empty() {
            fields.push(Field { text, weight });
        }
    }
    fields
}

/// What a service is to read of a query: as it reads the tools' texts. Empty where there is neither
/// letter nor number.
pub fn query_text(query: &str) -> String {
    let text = split_identifiers(query);
    if text.contains(char::is_alphanumeric) {
        text.trim().to_owned()
    } else {
        String::new()
    }
}

/// The name, which begins with the server's where a gateway puts it there, and the title.
pub(super) fn name<'a>(document: &Document<'a>) -> Cow<'a, str> {
    let (name, title) = (cut(document.name, MAX_NAME), cut(document.title, MAX_NAME));
    if title.is_empty() {
        name.into()
    } else {
        format!("{name} {title}").into()
    }
}

/// The first sentence of the description.
pub(super) fn sentence<'a>(document: &Document<'a>) -> &'a str {
    cut(first_sentence(document.description.trim()), MAX_SENTENCE)
}

fn parameters(document: &Document<'_>) -> String {
    let mut text = String::new();
    for parameter in &document.parameters {
        if text.len() >= MAX_PARAMETERS {
            break;
        }
        for part in [
            cut(parameter.name, MAX_NAME),
            cut(parameter.description, MAX_PARAMETER),
        ] {
            text.push_str(part);
            text.push(' ');
        }
    }
    cut(text.trim_end(), MAX_PARAMETERS).to_owned()
}

/// The first sentence of `text`: up to a full stop before a space, a full stop that needs none, or a
/// line's end.
pub fn first_sentence(text: &str) -> &str {
    let mut before = ' ';
    let end = text.char_indices().find(|&(_, c)| {
        let ends =
            c == '\n' || before == '。' || (c.is_whitespace() && FULL_STOPS.contains(&before));
        before = c;
        ends
    });
    end.and_then(|(end, _)| text.get(..end)).unwrap_or(text)
}

/// The first `chars` characters.
fn cut(text: &str, chars: usize) -> &str {
    let end = text.char_indices().nth(chars).map(|(at, _)| at);
    end.and_then(|end| text.get(..end)).unwrap_or(text)
}

/// The weights were chosen on fifteen development sets. They are flat: without parameters R@5 is a
/// point lower, without the first sentence, or by the name alone, seven or more.
const NAME: f32 = 1.0;
const SENTENCE: f32 = 1.0;
const DESCRIPTION: f32 = 0.5;
const PARAMETERS: f32 = 0.6;

/// Longer texts are manuals: examples, limits, warnings.
/// Bounds the memory that one word takes to be cut into tokens.
const MAX_NAME: usize = 300;
const MAX_SENTENCE: usize = 300;
const MAX_DESCRIPTION: usize = 1500;
const MAX_PARAMETER: usize = 80;
const MAX_PARAMETERS: usize = 1000;

const FULL_STOPS: [char; 3] = ['.', '!', '?'];

#[cfg(test)]
mod tests {
    use super::{Field, MAX_DESCRIPTION, fields, first_sentence};
    use crate::{Document, Parameter};

    #[track_caller]
    fn check_sentence(text: &str, expected: &str) {
        assert_eq!(first_sentence(text), expected, "{text:?}");
    }

    #[test]
    fn a_sentence_ends_at_a_full_stop_and_a_space() {
        check_sentence("Creates an issue. Needs a token.", "Creates an issue.");
        check_sentence("Reads v1.2 files", "Reads v1.2 files");
        check_sentence("Reads\nwrites", "Reads");
        check_sentence("作成します。続き", "作成します。");
        check_sentence("", "");
    }

    fn check(document: &Document<'_>, expected: &[(&str, f32)]) {
        let expected: Vec<Field> = expected
            .iter()
            .map(|&(text, weight)| Field {
                text: text.to_owned(),
                weight,
            })
            .collect();
        assert_eq!(fields(document), expected);
    }

    #[test]
    fn a_document_is_its_name_sentence_description_and_parameters() {
        let parameter = Parameter {
            name: "repoName",
            description: "Where to.",
            ..Parameter::default()
        };
        check(
            &Document {
                name: "github__createIssue",
                title: "New issue",
                description: "Creates an issue. Needs a token.",
                parameters: vec![parameter.clone(), parameter],
                ..Document::default()
            },
            &[
                ("github create Issue New issue", 1.0),
                ("Creates an issue ", 1.0),
                ("Creates an issue  Needs a token ", 0.5),
                ("repo Name Where to  repo Name Where to ", 0.6),
            ],
        );
    }

    #[test]
    fn equal_texts_are_one_and_empty_ones_none() {
        let tool = |description| Document {
            name: "search",
            description,
            ..Document::default()
        };
        check(&tool("search"), &[("search", 2.5)]);
        check(&tool(""), &[("search", 1.0)]);
        check(&Document::default(), &[]);
    }

    #[test]
    fn no_text_is_taken_whole_however_long() {
        let long = "a".repeat(100_000);
        let document = Document {
            name: &long,
            title: &long,
            description: &long,
            parameters: vec![Parameter {
                name: &long,
                ..Parameter::default()
            }],
            ..Document::default()
        };
        for field in fields(&document) {
            assert!(field.text.len() <= MAX_DESCRIPTION, "{}", field.text.len());
        }
    }
}
