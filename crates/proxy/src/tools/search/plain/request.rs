//! What the body of a plain search asks for.

use serde_json::value::RawValue;

use crate::tools::formats::Format;
use crate::tools::input::{Input, Refusal, kind};
use crate::tools::search::request::{Options, said};

/// A body that can be meant. Members that it doesn't know are ignored.
#[derive(Debug)]
pub(super) struct PlainRequest {
    /// `None` where a template's set is all that is asked for.
    pub(super) query: Option<String>,
    pub(super) options: Options,
    /// The name of a template.
    pub(super) prompt: Option<String>,
    /// For which API definitions are wanted, if for any.
    pub(super) format: Option<Format>,
}

impl PlainRequest {
    pub(super) fn read(body: &[u8]) -> Result<Self, Refusal> {
        let body = body.strip_prefix(b"\xef\xbb\xbf").unwrap_or(body);
        let raw: &RawValue = serde_json::from_slice(body).map_err(|error| {
            Refusal(format!(
                "the body isn't JSON ({error}): send an object such as \
                 {{\"query\": \"create an invoice\"}}"
            ))
        })?;
        if !raw.get().starts_with('{') {
            let found = kind(raw);
            return Err(Refusal(format!(
                "the body must be an object such as {{\"query\": \"create an invoice\"}}, not {found}"
            )));
        }
        let input = Input::read(Some(raw))?;
        let prompt = input.string("prompt")?;
        let query = input.string("query")?;
        match &query {
            Some(query) => said(query)?,
            None if prompt.is_some() => {}
            None => {
                return Err(Refusal(
                    "say what to find: `\"query\": \"create an invoice\"`".to_owned(),
                ));
            }
        }
        let options = Options::read(&input)?;
        let format = match input.string("format")? {
            Some(name) => Some(Format::parse(&name)?),
            None => None,
        };
        if format.is_some() && !options.schemas {
            return Err(Refusal(
                "a definition has its schema: leave out `format`, or `\"schemas\": false`"
                    .to_owned(),
            ));
        }
        Ok(Self {
            query,
            options,
            prompt,
            format,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_meant_is_refused_with_the_fix() {
        let refusals: Vec<String> = [
            "",
            "{",
            "[]",
            "\"overdue invoices\"",
            "null",
            "{}",
            r#"{"query":" "}"#,
            r#"{"query":["a"]}"#,
            r#"{"queries":["a"]}"#,
            r#"{"query":"a","query":"b"}"#,
            r#"{"query":"a","limit":"5"}"#,
            r#"{"query":"a","schemas":1}"#,
            r#"{"query":"a","format":"bedrock"}"#,
            r#"{"query":"a","format":"mcp","schemas":false}"#,
            r#"{"prompt":7}"#,
        ]
        .into_iter()
        .map(|text| {
            let refusal = PlainRequest::read(text.as_bytes()).unwrap_err();
            format!("{text}\n  {}", refusal.0)
        })
        .collect();
        insta::assert_snapshot!(refusals.join("\n"));
    }
}
