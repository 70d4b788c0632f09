//! `search`: one query over a list of tools, to see what a model would be shown.

mod table;

use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;
use catalog::{Catalog, Found, ToolAccess, WriteTools, read_dump};
use http::HeaderValue;
use ranking::Confidence;
use serde::Serialize;
use upstream::{Authorization, Caller, CallerKeys, Handshake, Upstream};
use url::Url;

use super::UpstreamSettings;

/// The arguments of `search`.
#[derive(Debug, clap::Args)]
#[command(after_help = AUTHORIZATION_HELP)]
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
    upstream_settings: UpstreamSettings,
}

/// Where the tools come from.
#[derive(Debug, clap::Args)]
#[group(required = true, multiple = false)]
struct Source {
    /// File of tools: a tools/list result, a dump, JSON lines, or a folder of these
    #[arg(long, value_name = "PATH")]
    tools: Option<PathBuf>,
    /// URL of an MCP server whose tools to search
    #[arg(long, env = "TOOLSEARCH_UPSTREAM", value_name = "URL")]
    upstream: Option<Url>,
}

/// Searches and prints.
#[expect(clippy::print_stderr, reason = "the command's own last word")]
#[expect(
    clippy::needless_pass_by_value,
    reason = "every command takes its arguments whole"
)]
pub(crate) fn run(args: Args) -> ExitCode {
    match search(&args) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn search(args: &Args) -> anyhow::Result<()> {
    let catalog = match (&args.source.tools, &args.source.upstream) {
        (Some(path), _) => Catalog::build(
            read_dump(path)?,
            Handshake::default(),
            &WriteTools::default(),
        ),
        (None, Some(url)) => list(url.clone(), &args.upstream_settings)?,
        (None, None) => anyhow::bail!("give --tools PATH or --upstream URL"),
    };
    let query = args.query.join(" ");
    anyhow::ensure!(
        !query.trim().is_empty(),
        "the query is blank: say what to look for"
    );
    let found = catalog.search(&query, args.limit);
    let text = if args.json {
        json(&query, &catalog, &found)?
    } else {
        table::render(&catalog, &found, width())
    };
    // A reader that has seen enough (`| head`) closes the pipe.
    match io::stdout().write_all(text.as_bytes()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error.into()),
        _ => Ok(()),
    }
}

fn list(url: Url, settings: &UpstreamSettings) -> anyhow::Result<Catalog> {
    let upstream = Upstream::new(settings.config(url, NO_RESULTS)?)?;
    let caller = caller()?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let listing = runtime
        .block_on(upstream.list(&caller))
        .context("the tools can't be listed")?;
    Ok(Catalog::build(
        listing.tools,
        listing.handshake,
        &WriteTools::default(),
    ))
}

/// Whoever the environment says.
fn caller() -> anyhow::Result<Caller> {
    let authorization = match std::env::var_os(AUTHORIZATION) {
        Some(value) => {
            let value = HeaderValue::from_bytes(value.as_encoded_bytes())
                .with_context(|| format!("{AUTHORIZATION} can't be sent as a header"))?;
            Authorization::parse(std::iter::once(&value)).context(AUTHORIZATION)?
        }
        None => None,
    };
    // The only caller of this process: nothing is kept under their key.
    Ok(CallerKeys::new([0; 32]).caller(authorization))
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

fn json(query: &str, catalog: &Catalog, found: &[Found]) -> anyhow::Result<String> {
    let tools: Vec<FoundJson<'_>> = found
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
    let answer = serde_json::json!({"query": query, "total": catalog.len(), "tools": tools});
    Ok(serde_json::to_string_pretty(&answer)? + "\n")
}

/// How many characters a line may have.
fn width() -> usize {
    let terminal = terminal_size::terminal_size().filter(|_| io::stdout().is_terminal());
    terminal.map_or(FILE_WIDTH, |(width, _)| usize::from(width.0).max(MIN_WIDTH))
}

const AUTHORIZATION: &str = "TOOLSEARCH_AUTHORIZATION";
const AUTHORIZATION_HELP: &str = "TOOLSEARCH_AUTHORIZATION in the environment is sent to the \
    --upstream as the Authorization header, for example `Bearer …`.";
const FILE_WIDTH: usize = 120;
const MIN_WIDTH: usize = 40;
/// No tool is called here.
const NO_RESULTS: usize = 0;
