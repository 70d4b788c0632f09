//! What the demo shows, each step a request to the running proxy.

use std::io::{self, Write};

use anyhow::Context;
use serde::Deserialize;
use serde_json::json;
use serde_json::value::RawValue;
use url::Url;
use wire::{RawObject, to_raw};

use super::savings::{percent_less, tokens};
use super::visitor::Visitor;
use crate::tools::{MetaTool, example_arguments, shorten};

/// What to ask for.
#[derive(Debug)]
pub(super) struct Script {
    what: &'static str,
    pub(super) query: &'static str,
    lithuanian: &'static str,
}

impl Script {
    /// For the made-up company.
    pub(super) const COMPANY: Self = Self {
        what: "The tools of Brightwater Bicycles, a made-up company",
        query: "which invoices are overdue",
        lithuanian: "kas rytoj dirba parduotuvėje",
    };
    /// For tools of which nothing is known.
    pub(super) const ANY: Self = Self {
        what: "Your tools",
        query: "search for a file",
        lithuanian: "ieškoti failo",
    };
}

/// Shows the tools, two searches, a described and a called tool, and a write that isn't run.
pub(super) async fn run(
    tools: &[Box<RawValue>],
    script: &Script,
    visitor: &Visitor,
    out: &mut (impl Write + Send),
) -> anyhow::Result<()> {
    let five = visitor.tools().await?;
    let found = search(visitor, script.query).await?;
    let total = found.total.context("the tools take too long to load")?;
    writeln!(
        out,
        "{}, {} of them, behind these five:",
        script.what,
        grouped(total)
    )?;
    writeln!(out, "  {}\n", MetaTool::ALL.map(MetaTool::name).join(", "))?;
    show_hits(&found, script.query, "", out)?;
    let lithuanian = search(visitor, script.lithuanian).await?;
    show_hits(&lithuanian, script.lithuanian, " (Lithuanian)", out)?;
    if let Some(hit) = found
        .tools
        .iter()
        .find(|hit| hit.read_only)
        .or_else(|| found.tools.first())
    {
        describe_and_call(visitor, hit, out).await?;
    }
    let mut hits = found.tools.iter().chain(&lithuanian.tools);
    if let Some(write) = hits.find(|hit| !hit.read_only) {
        refuse(visitor, write, out).await?;
    }
    let all = tokens(tools.iter().map(AsRef::as_ref));
    let shown = tokens(five.iter().map(AsRef::as_ref));
    writeln!(
        out,
        "What a model reads of the definitions: about {} tokens for all tools, {} for the \
         five: {} % fewer.\n(An estimate: one token for every four characters.)\n",
        grouped(all),
        grouped(shown),
        percent_less(all, shown)
    )?;
    Ok(())
}

/// The lines that add the proxy to a client, and one that tries it without.
pub(super) fn how_to_connect(endpoint: &Url, query: &str, out: &mut impl Write) -> io::Result<()> {
    let call = json!({
        "jsonrpc": "2.0",
        "id": 1,
        "method": "tools/call",
        "params": {"name": MetaTool::Search.name(), "arguments": {"query": query}},
    });
    writeln!(out, "Add it to a client:")?;
    writeln!(out, "  claude mcp add --transport http tools {endpoint}")?;
    writeln!(out, "Or try it at once:")?;
    writeln!(
        out,
        "  curl -s {endpoint} -H 'Content-Type: application/json' -d '{call}'\n"
    )?;
    writeln!(out, "Serving on {endpoint} until Ctrl-C.")?;
    out.flush()
}

#[derive(Deserialize)]
struct SearchAnswer {
    total: Option<usize>,
    tools: Vec<HitAnswer>,
    #[serde(default)]
    note: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct HitAnswer {
    name: String,
    #[serde(default)]
    description: String,
    read_only: bool,
    #[serde(default)]
    weak: bool,
}

async fn search(visitor: &Visitor, query: &str) -> anyhow::Result<SearchAnswer> {
    let arguments = to_raw(&json!({"query": query}));
    let result = visitor.call(MetaTool::Search.name(), &arguments).await?;
    let answer = structured(&result).context("the search has no structured answer")?;
    Ok(serde_json::from_str(answer.get())?)
}

fn show_hits(
    found: &SearchAnswer,
    query: &str,
    language: &str,
    out: &mut impl Write,
) -> io::Result<()> {
    writeln!(out, "search_tools \"{query}\"{language}")?;
    let shown = found.tools.get(..HITS).unwrap_or(&found.tools);
    let width = shown
        .iter()
        .map(|hit| hit.name.chars().count())
        .max()
        .unwrap_or_default();
    for hit in shown {
        let access = if hit.read_only { "read" } else { "write" };
        let weak = if hit.weak { "(weak match) " } else { "" };
        let description = hit.description.lines().next().unwrap_or("");
        let description = shorten(description, LINE_CHARS.saturating_sub(width));
        writeln!(
            out,
            "  {access:<5}  {:<width$}  {weak}{description}",
            hit.name
        )?;
    }
    if found.tools.is_empty() {
        writeln!(out, "  nothing. {}", found.note)?;
    }
    writeln!(out)
}

async fn describe_and_call(
    visitor: &Visitor,
    hit: &HitAnswer,
    out: &mut (impl Write + Send),
) -> anyhow::Result<()> {
    let name = &hit.name;
    let described = visitor
        .call(
            MetaTool::Describe.name(),
            &to_raw(&json!({"names": [name]})),
        )
        .await?;
    let schema = input_schema(&described).context("the described tool has no schema")?;
    writeln!(
        out,
        "describe_tool {name}\n  takes {}\n",
        shorten(schema.get(), 2 * LINE_CHARS)
    )?;
    if !hit.read_only {
        return Ok(());
    }
    let call = to_raw(&json!({"name": name, "arguments": example_arguments(&schema)}));
    let result = visitor.call(MetaTool::CallRead.name(), &call).await?;
    let text = first_text(&result).unwrap_or_else(|| result.get().to_owned());
    writeln!(
        out,
        "call_read_tool {}\n  answers {}\n",
        call.get(),
        shorten(&text, 3 * LINE_CHARS)
    )?;
    Ok(())
}

/// Asks to read with a tool that writes.
async fn refuse(
    visitor: &Visitor,
    hit: &HitAnswer,
    out: &mut (impl Write + Send),
) -> anyhow::Result<()> {
    let call = to_raw(&json!({"name": hit.name, "arguments": {}}));
    let result = visitor.call(MetaTool::CallRead.name(), &call).await?;
    let text = first_text(&result).context("the refusal has no text")?;
    let reason = text.lines().next().unwrap_or_default();
    writeln!(out, "call_read_tool {}\n  refuses. {reason}\n", call.get())?;
    Ok(())
}

/// `number` with a comma before every three digits.
fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

fn structured(result: &RawValue) -> Option<&RawValue> {
    RawObject::read(result)?.get("structuredContent")
}

fn input_schema(described: &RawValue) -> Option<Box<RawValue>> {
    let tools = RawObject::read(structured(described)?)?.get("tools")?;
    let tools: Vec<&RawValue> = serde_json::from_str(tools.get()).ok()?;
    let schema = RawObject::read(tools.first()?)?.get("inputSchema")?;
    Some(schema.to_owned())
}

fn first_text(result: &RawValue) -> Option<String> {
    let content = RawObject::read(result)?.get("content")?;
    let blocks: Vec<&RawValue> = serde_json::from_str(content.get()).ok()?;
    Some(
        RawObject::read(blocks.first()?)?
            .get_str("text")?
            .into_owned(),
    )
}

const HITS: usize = 3;
const LINE_CHARS: usize = 100;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_stand_in_groups_of_three() {
        let texts = [0, 965, 1_000, 60_383, 1_234_567].map(grouped);
        assert_eq!(texts, ["0", "965", "1,000", "60,383", "1,234,567"]);
    }
}
