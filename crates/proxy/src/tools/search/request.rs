//! What a search asks for.

use serde_json::value::RawValue;

use crate::tools::input::{Input, Refusal};

/// A search as it will be run.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct SearchRequest {
    pub(super) queries: Queries,
    pub(super) options: Options,
}

/// What a search asks for beside its queries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Options {
    /// Hits per query.
    pub(super) limit: usize,
    /// Whether the best hits come with their schema.
    pub(super) schemas: bool,
    /// Whether `limit` isn't what was asked for.
    pub(super) clamped: bool,
}

/// One query, or several that are answered one by one, in order; the same one twice too.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Queries {
    One(String),
    Several(Vec<String>),
}

impl SearchRequest {
    pub(super) fn read(arguments: Option<&RawValue>) -> Result<Self, Refusal> {
        let input = Input::read(arguments)?;
        Ok(Self {
            queries: Queries::read(input.string("query")?, input.strings("queries")?)?,
            options: Options::read(&input)?,
        })
    }
}

impl Options {
    pub(super) fn read(input: &Input<'_>) -> Result<Self, Refusal> {
        let asked = input.integer("limit")?.unwrap_or(DEFAULT_LIMIT);
        let limit = asked.clamp(1, MAX_LIMIT);
        Ok(Self {
            limit: usize::try_from(limit).unwrap_or(1),
            schemas: input.flag("schemas")?.unwrap_or(true),
            clamped: limit != asked,
        })
    }
}

impl Queries {
    fn read(query: Option<String>, queries: Option<Vec<String>>) -> Result<Self, Refusal> {
        let read = match (query, queries) {
            (Some(query), None) => Self::One(query),
            (None, Some(queries)) => Self::Several(queries),
            (Some(_), Some(_)) => return refuse("give either `query` or `queries`, not both"),
            (None, None) => {
                return refuse(
                    "say what to find: `\"query\": \"create an invoice\"`, or up to five needs in \
                     `queries`",
                );
            }
        };
        read.checked()
    }

    fn checked(self) -> Result<Self, Refusal> {
        match self.as_slice() {
            [] => refuse("`queries` is empty: put one to five strings in it"),
            many if many.len() > MAX_QUERIES => refuse(&format!(
                "`queries` holds {}, at most {MAX_QUERIES} are answered at once: send the rest in \
                 another search",
                many.len()
            )),
            texts => texts.iter().try_for_each(|text| said(text)).map(|()| self),
        }
    }

    pub(super) fn as_slice(&self) -> &[String] {
        match self {
            Self::One(query) => std::slice::from_ref(query),
            Self::Several(queries) => queries,
        }
    }
}

/// Refuses a query that says nothing.
pub(super) fn said(query: &str) -> Result<(), Refusal> {
    if query.trim().is_empty() {
        return Err(Refusal(
            "a query is blank: say in a few words what you want to do".to_owned(),
        ));
    }
    Ok(())
}

fn refuse(text: &str) -> Result<Queries, Refusal> {
    Err(Refusal(text.to_owned()))
}

pub(super) const MAX_LIMIT: i64 = 25;
const DEFAULT_LIMIT: i64 = 8;
const MAX_QUERIES: usize = 5;

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<SearchRequest, Refusal> {
        let raw = RawValue::from_string(text.to_owned()).unwrap();
        SearchRequest::read(Some(&raw))
    }

    #[test]
    fn what_can_be_meant_is_read() {
        let check = |text: &str, queries: Queries, limit: usize, clamped: bool| {
            let request = read(text).unwrap();
            let asked = request.options;
            assert_eq!((request.queries, asked.limit), (queries, limit), "{text}");
            assert_eq!(asked.clamped, clamped, "{text}");
        };
        let one = || Queries::One("a".to_owned());
        let several =
            |texts: &[&str]| Queries::Several(texts.iter().map(|&text| text.to_owned()).collect());
        check(r#"{"query":"a"}"#, one(), 8, false);
        check(
            r#"{"query":"a","queries":null,"limit":null,"extra":1}"#,
            one(),
            8,
            false,
        );
        check(r#"{"query":"a","limit":25.0}"#, one(), 25, false);
        check(r#"{"query":"a","limit":100}"#, one(), 25, true);
        check(r#"{"query":"a","limit":0}"#, one(), 1, true);
        check(r#"{"query":"a","limit":-5}"#, one(), 1, true);
        check(r#"{"queries":["a"]}"#, several(&["a"]), 8, false);
        check(r#"{"queries":["a","a"]}"#, several(&["a", "a"]), 8, false);
        check(r#"{"queries":"a"}"#, several(&["a"]), 8, false);
    }

    #[test]
    fn what_cannot_be_meant_is_refused_with_the_fix() {
        let refusals: Vec<String> = [
            "{}",
            "[]",
            r#"{"query":"a","queries":["b"]}"#,
            r#"{"query":"a","queries":[]}"#,
            r#"{"queries":[]}"#,
            r#"{"queries":["1","2","3","4","5","6"]}"#,
            r#"{"query":"  "}"#,
            r#"{"queries":["a",""]}"#,
            r#"{"query":["a"]}"#,
            r#"{"query":7}"#,
            r#"{"queries":[1]}"#,
            r#"{"query":"a","limit":"5"}"#,
            r#"{"query":"a","limit":2.5}"#,
            r#"{"query":"a","schemas":"no"}"#,
        ]
        .into_iter()
        .map(|text| format!("{text}\n  {}", read(text).unwrap_err().0))
        .collect();
        insta::assert_snapshot!(refusals.join("\n"));
    }
}
