//! The command line: every command, and the only list of settings.
#![expect(
    clippy::doc_markdown,
    rustdoc::bare_urls,
    reason = "doc comments are help texts, read on a terminal"
)]

pub(crate) mod completions;
#[cfg(test)]
mod configuration_docs;
pub(crate) mod demo;
mod embedding_service;
pub(crate) mod environment;
pub(crate) mod eval;
pub(crate) mod fetch_model;
pub(crate) mod health;
mod meanings;
mod output;
pub(crate) mod search;
pub(crate) mod serve;
mod settings;
mod source;
mod usage;
pub(crate) mod values;
pub(crate) mod verify_model;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

pub(crate) use embedding_service::EmbeddingServiceSettings;
pub use settings::Settings;
pub(crate) use settings::{
    CatalogSettings, ListenSettings, LogSettings, SearchSettings, UpstreamSettings,
};
pub use usage::UsageError;

/// An MCP server that shows a model five tools instead of hundreds: it finds the right ones in the
/// model's own words and calls them on the server behind it.
#[derive(Debug, Parser)]
#[command(name = "mcp-toolsearch-proxy", version, after_help = DEFAULT_COMMAND)]
pub struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Serve the five tools before an MCP server
    Serve(serve::Args),
    /// Serve them before a made-up company with tools to try
    Demo(demo::Args),
    /// Search a list of tools once and print what is found
    Search(search::Args),
    /// Measure how well questions find their tools
    Eval(eval::Args),
    /// Fetch a larger model than the one inside
    FetchModel(fetch_model::Args),
    /// Check that a model's directory is whole
    VerifyModel(verify_model::Args),
    /// Ask a running proxy whether it is alive
    Health(health::Args),
    /// Print a completion script for a shell
    Completions(completions::Args),
}

impl Cli {
    /// Reads `args`, the first of which is the program. Without a command it is `serve`.
    pub fn read(args: impl IntoIterator<Item = OsString>) -> Result<Self, UsageError> {
        let mut args: Vec<OsString> = args.into_iter().collect();
        let first = args.get(1).and_then(|first| first.to_str());
        let names_command = first.is_some_and(|first| {
            !first.starts_with('-') || matches!(first, "-h" | "--help" | "-V" | "--version")
        });
        if !names_command {
            let position = args.len().min(1);
            args.insert(position, "serve".into());
        }
        Self::try_parse_from(&args).map_err(|error| UsageError::new(error, &args))
    }

    /// Runs the command to its end.
    pub fn run(self) -> ExitCode {
        // Those that serve say it in their log; the others take no settings.
        if matches!(self.command, Command::Search(_) | Command::Eval(_)) {
            environment::warn_of_unknown();
        }
        match self.command {
            Command::Serve(args) => serve::run(args),
            Command::Demo(args) => demo::run(args),
            Command::Search(args) => search::run(args),
            Command::Eval(args) => eval::run(args),
            Command::FetchModel(args) => fetch_model::run(args),
            Command::VerifyModel(args) => verify_model::run(&args),
            Command::Health(args) => health::run(&args),
            Command::Completions(args) => completions::run(&args),
        }
    }
}

pub(crate) const DEFAULT_LISTEN: &str = "127.0.0.1:8080";
const DEFAULT_COMMAND: &str = "Without a command it serves: mcp-toolsearch-proxy --upstream URL. \
    `mcp-toolsearch-proxy serve --help` lists the settings.";
