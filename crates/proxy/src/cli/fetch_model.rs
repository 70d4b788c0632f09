//! `fetch-model`: a larger model than the one inside, from its publisher or a mirror.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use url::Url;

use super::source::runtime;
use super::usage::fail;
use super::values;
use crate::models::{Download, Fetched, PINNED, PinnedFile, Remote};

/// The arguments of `fetch-model`.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Args {
    /// Directory to put the model's three files into; made if it isn't there
    #[arg(env = "TOOLSEARCH_MODEL_DIR", value_name = "DIR")]
    directory: PathBuf,
    /// Folder to fetch them from instead of the publisher's, such as a mirror's
    #[arg(long, env = "TOOLSEARCH_MODEL_URL", value_name = "URL")]
    #[arg(default_value = PINNED.url, value_parser = values::url)]
    model_url: Url,
}

/// Fetches what isn't there, and says what is.
#[expect(clippy::print_stdout, reason = "the command's answer")]
pub(crate) fn run(args: Args) -> ExitCode {
    match fetch(&args.directory, args.model_url) {
        Ok(()) => {
            let directory = args.directory.display();
            println!("{directory} has {}: use it with --model-dir", PINNED.name);
            ExitCode::SUCCESS
        }
        Err(error) => fail(&error),
    }
}

#[expect(clippy::print_stdout, reason = "the command's answer")]
fn fetch(directory: &Path, url: Url) -> anyhow::Result<()> {
    let remote = Remote::new(url)?;
    let download = Download {
        remote: &remote,
        directory,
        pause: PAUSE,
    };
    let runtime = runtime()?;
    for file in PINNED.files {
        let bar = progress_bar(file);
        let progress = |bytes| bar.set_position(bytes);
        let fetched = runtime.block_on(download.fetch(file, progress));
        bar.finish_and_clear();
        let how = match fetched? {
            Fetched::Before => "was there",
            Fetched::Now => "fetched",
        };
        println!("{} ({} bytes): {how}", file.name, file.bytes);
    }
    Ok(())
}

/// Draws on a terminal only.
fn progress_bar(file: &PinnedFile<'_>) -> ProgressBar {
    let bar = ProgressBar::new(file.bytes).with_message(file.name.to_owned());
    match ProgressStyle::with_template(BAR) {
        Ok(style) => bar.with_style(style),
        Err(_invalid) => bar,
    }
}

const BAR: &str = "{msg} {wide_bar} {bytes} of {total_bytes}, {eta} to go";
const PAUSE: Duration = Duration::from_secs(2);
const AFTER_HELP: &str = "It is potion-multilingual-128M (MIT), 531 MB, one revision of it whose \
    digests are checked. What was broken off goes on where it stopped. HTTPS_PROXY, NO_PROXY and \
    SSL_CERT_FILE are heeded.";
