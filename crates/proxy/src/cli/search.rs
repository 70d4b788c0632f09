//! `search`: one query over a list of tools, to see what a model would be shown.

mod table;

use std::io::{self, IsTerminal};
use std::process::ExitCode;

use catalog::{Catalog, Ranked, ToolAccess, WriteTools};
use ranking::{Confidence, VectorCache};
use serde::Serialize;
use upstream::Handshake;

use super::source::{AUTHORIZATION_HELP, Source};
use super::usage::fail;
use super::{SearchSettings, UpstreamSettings, meanings, output};

/// The arguments of `search`.
#[derive(Debug, clap::Args)]
#[command(after_help = AUTHORIZATION_HELP, mut_group("Source", |source| source.required(true)))]
pub(crate) struct Args {
    /// What to look for
    #[arg(required = true, value_name = "QUERY")]
    query: Vec<String>,
    #[command(flatten)]
    source: Source,
    /// How many tools to show at most
    #[arg(long, value_name = "COUNT", default_value = "10")]
    #[arg(value_parser = super::values::count)]
    limit: usize,
    /// Print JSON instead of a table
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    search_settings: SearchSettings,
    #[command(flatten)]
    upstream_settings: UpstreamSettings,
}

/// Searches and prints.
#[expect(
    clippy::needless_pass_by_value,
    reason = "every command takes its arguments whole"
)]
pub(crate) fn run(args: Args) -> ExitCode {
    match search(&args) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => fail(&error),
    }
}

fn search(args: &Args) -> anyhow::Result<()> {
    let query = args.query.join(" ");
    anyhow::ensure!(
        !query.trim().is_empty(),
        "the query is blank: say what to look for"
    );
    let vectors = meanings::vectors(&args.search_settings, &args.upstream_settings)?;
    let cache = VectorCache::new(vectors.embedder());
    let catalog = Catalog::build(
        args.source.list(&args.upstream_settings)?,
        Handshake::default(),
        &WriteTools::default(),
        &cache,
    );
    let made = meanings::made(&vectors, &cache, &[&query])?;
    let ranked = catalog.search_with(&query, made.get(0), args.limit);
    let text = if args.json {
        json(&query, &catalog, &ranked)?
    } else {
        table::render(&catalog, &ranked, width())
    };
    Ok(output::print(&text)?)
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct FoundJson<'a> {
    name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<&'a str>,
    description: &'a str,
    read_only: bool,
    score: f32,
    weak: bool,
}

fn json(query: &str, catalog: &Catalog, ranked: &Ranked) -> anyhow::Result<String> {
    let tools: Vec<FoundJson<'_>> = ranked
        .found
        .iter()
        .map(|found| FoundJson {
            name: found.tool.name(),
            title: found.tool.title(),
            description: found.tool.description(),
            read_only: found.tool.access() == ToolAccess::Read,
            score: found.score.0,
            weak: found.confidence == Confidence::Weak,
        })
        .collect();
    let answer = serde_json::json!({
        "query": query,
        "mode": ranked.mode.name(),
        "total": catalog.len(),
        "tools": tools,
    });
    Ok(serde_json::to_string_pretty(&answer)? + "\n")
}

/// How many characters a line may have.
fn width() -> usize {
    let terminal = terminal_size::terminal_size().filter(|_| io::stdout().is_terminal());
    terminal.map_or(FILE_WIDTH, |(width, _)| usize::from(width.0).max(MIN_WIDTH))
}

const FILE_WIDTH: usize = 120;
const MIN_WIDTH: usize = 40;
