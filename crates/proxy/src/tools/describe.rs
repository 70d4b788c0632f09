//! `describe_tool`: everything about tools whose names are known.

use std::borrow::Cow;
use std::collections::BTreeMap;

use catalog::{Catalog, CatalogView, Freshness, Missing, Tool, ToolAccess};
use serde::Serialize;
use serde_json::value::RawValue;
use wire::to_raw;

use super::input::{Input, Refusal};
use super::text::{short_name, wait};
use super::{MetaTool, ToolContext, ToolReply};

pub(super) async fn run(context: ToolContext<'_>, arguments: Option<&RawValue>) -> ToolReply {
    let names = match names(arguments) {
        Ok(names) => names,
        Err(refusal) => {
            return ToolReply::refused(&format!("Nothing was described: {}.", refusal.0));
        }
    };
    match catalog_with(context, &names).await {
        Ok(view) => describe(&names, &view),
        Err(missing) => context.no_catalog(&missing),
    }
}

async fn catalog_with(context: ToolContext<'_>, names: &[String]) -> Result<CatalogView, Missing> {
    let view = context.catalog().await?;
    if names.iter().all(|name| view.catalog.get(name).is_some()) {
        return Ok(view);
    }
    context.relisted(view).await
}

/// The names asked for, each once.
fn names(arguments: Option<&RawValue>) -> Result<Vec<String>, Refusal> {
    let given = Input::read(arguments)?
        .strings("names")?
        .unwrap_or_default();
    let mut names: Vec<String> = Vec::with_capacity(given.len());
    for name in given {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    match names.len() {
        0 => Err(Refusal(
            "say which tools: `\"names\": [\"exact_name\"]`, as search_tools gives them".to_owned(),
        )),
        1..=MAX_NAMES => Ok(names),
        count => Err(Refusal(format!(
            "`names` holds {count}, at most {MAX_NAMES} are described at once: ask for the rest \
             in another call"
        ))),
    }
}

#[derive(Serialize)]
struct Answer<'a> {
    tools: Vec<Box<RawValue>>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    similar: BTreeMap<Cow<'a, str>, Vec<String>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    unknown: Vec<Cow<'a, str>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    omitted: Vec<Cow<'a, str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
}

/// Everything about a tool.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ToolJson<'a> {
    name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<&'a str>,
    description: &'a str,
    read_only: bool,
    call: &'static str,
    input_schema: &'a RawValue,
    #[serde(skip_serializing_if = "Option::is_none")]
    output_schema: Option<&'a RawValue>,
    #[serde(skip_serializing_if = "Option::is_none")]
    annotations: Option<&'a RawValue>,
}

fn describe(names: &[String], view: &CatalogView) -> ToolReply {
    let catalog = &view.catalog;
    let mut answer = Answer {
        tools: Vec::new(),
        similar: BTreeMap::new(),
        unknown: Vec::new(),
        omitted: Vec::new(),
        note: note(view),
    };
    let mut bytes = 0;
    for name in names {
        let Some(tool) = catalog.get(name) else {
            answer.unknown.push(short_name(name));
            let similar = similar(catalog, name);
            if !similar.is_empty() {
                answer.similar.insert(short_name(name), similar);
            }
            continue;
        };
        let json = to_raw(&ToolJson::of(tool));
        bytes += json.get().len();
        if bytes <= ANSWER_BYTES || answer.tools.is_empty() {
            answer.tools.push(json);
        } else {
            bytes -= json.get().len();
            answer.omitted.push(short_name(name));
        }
    }
    let reply = ToolReply::json(&to_raw(&answer));
    match names {
        [name] if catalog.get(name).is_some() => reply.about(name),
        _ => reply,
    }
}

impl<'a> ToolJson<'a> {
    pub(super) fn of(tool: &'a Tool) -> Self {
        Self {
            name: tool.name(),
            title: tool.title(),
            description: tool.description(),
            read_only: tool.access() == ToolAccess::Read,
            call: MetaTool::that_calls(tool).name(),
            input_schema: tool.input_schema(),
            output_schema: tool.output_schema(),
            annotations: tool.annotations(),
        }
    }
}

fn similar(catalog: &Catalog, name: &str) -> Vec<String> {
    catalog
        .near(name, SIMILAR)
        .iter()
        .map(|tool| short_name(tool.name()).into_owned())
        .collect()
}

fn note(view: &CatalogView) -> Option<String> {
    (view.freshness == Freshness::StaleAfterFailure).then(|| {
        format!(
            "The list of tools is {} old: the upstream couldn't be asked for a new one.",
            wait(view.age)
        )
    })
}

const MAX_NAMES: usize = 10;
const SIMILAR: usize = 5;
/// What passes this is listed in `omitted`, but for the first tool, which always comes whole.
const ANSWER_BYTES: usize = 256 * 1024;

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Vec<String>, Refusal> {
        let raw = RawValue::from_string(text.to_owned()).unwrap();
        names(Some(&raw))
    }

    #[test]
    fn names_are_asked_for_once_each() {
        assert_eq!(read(r#"{"names":["b","a","b"]}"#).unwrap(), ["b", "a"]);
        assert_eq!(read(r#"{"names":"a"}"#).unwrap(), ["a"]);
        let twelve_of_two = r#"{"names":["a","b","a","b","a","b","a","b","a","b","a","b"]}"#;
        assert_eq!(read(twelve_of_two).unwrap(), ["a", "b"]);
    }

    #[test]
    fn refusals_show_the_fix() {
        let refusals: Vec<String> = [
            "{}",
            r#"{"names":[]}"#,
            r#"{"names":{"a":1}}"#,
            r#"{"names":["1","2","3","4","5","6","7","8","9","10","11"]}"#,
        ]
        .into_iter()
        .map(|text| format!("{text}\n  {}", read(text).unwrap_err().0))
        .collect();
        insta::assert_snapshot!(refusals.join("\n"));
    }
}
