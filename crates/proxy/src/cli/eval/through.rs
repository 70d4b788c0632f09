//! The argument that has a running proxy asked.

use clap::error::ErrorKind;
use clap::parser::ValueSource;
use clap::{ArgMatches, Args, Command, FromArgMatches};
use url::Url;

use crate::cli::values;

/// `--through`.
#[derive(Debug)]
pub(super) struct Through(pub(super) Option<Url>);

#[derive(clap::Args)]
struct Given {
    /// URL of a running mcp-toolsearch-proxy whose search_tools to ask, as a model would
    #[arg(long, value_name = "URL", value_parser = values::url)]
    through: Option<Url>,
}

impl Args for Through {
    fn augment_args(command: Command) -> Command {
        Given::augment_args(command)
    }

    fn augment_args_for_update(command: Command) -> Command {
        Given::augment_args_for_update(command)
    }
}

impl FromArgMatches for Through {
    /// Goes with nothing typed that a running proxy has settled; what only the environment says is
    /// meant for other commands.
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let Given { through } = Given::from_arg_matches(matches)?;
        let is_typed = |id: &&&str| matches.value_source(id) == Some(ValueSource::CommandLine);
        match SETTLED.iter().find(is_typed) {
            Some(typed) if through.is_some() => {
                let flag = typed.replace('_', "-");
                let message = format!(
                    "--{flag} and --through can't be used together: a running proxy has its own \
                     tools and search\n"
                );
                Err(clap::Error::raw(ErrorKind::ArgumentConflict, message))
            }
            _ => Ok(Self(through)),
        }
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

const SETTLED: [&str; 6] = [
    "tools",
    "upstream",
    "demo",
    "distractors",
    "embedder",
    "model_dir",
];
