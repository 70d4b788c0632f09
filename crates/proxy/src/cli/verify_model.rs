//! `verify-model`: whether a model's directory is whole. Uses no network.

use std::path::PathBuf;
use std::process::ExitCode;

use super::usage::fail;
use crate::models::{PINNED, Verified, verify};

/// The arguments of `verify-model`.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Args {
    /// Directory of the model
    #[arg(env = "TOOLSEARCH_MODEL_DIR", value_name = "DIR")]
    directory: PathBuf,
}

/// Checks and says what it is.
#[expect(clippy::print_stdout, reason = "the command's answer")]
pub(crate) fn run(args: &Args) -> ExitCode {
    let verified = match verify(&args.directory, &PINNED) {
        Ok(verified) => verified,
        Err(error) => return fail(&error.into()),
    };
    let directory = args.directory.display();
    let (Verified::Pinned(model) | Verified::Other(model)) = &verified;
    let size = format!(
        "{} pieces, {} dimensions",
        model.pieces(),
        model.dimensions()
    );
    match verified {
        Verified::Pinned(_) => println!("{directory} has {}, whole: {size}", PINNED.name),
        Verified::Other(_) => println!(
            "{directory} has a model that can be used: {size}. It isn't the one that fetch-model \
             gets, so its digests aren't known"
        ),
    }
    ExitCode::SUCCESS
}

const AFTER_HELP: &str = "Of the model that fetch-model gets the digests of all files are checked; \
    of another whether it can be used. Exit code 1 means that it isn't whole.";
