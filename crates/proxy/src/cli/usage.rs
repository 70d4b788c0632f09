//! What is said when the command line can't be used.

use std::error::Error;
use std::process::ExitCode;

use clap::error::ErrorKind;
use upstream::InvalidUpstream;

use crate::config::InvalidConfig;

/// Why there is nothing to run: a setting that doesn't fit, or help that was asked for.
#[derive(Debug)]
pub struct UsageError(clap::Error);

impl From<clap::Error> for UsageError {
    fn from(error: clap::Error) -> Self {
        Self(error)
    }
}

impl UsageError {
    /// Prints help or version as asked for and succeeds, or the mistake in one line and fails
    /// with 2.
    #[expect(clippy::print_stderr, reason = "there is no log yet")]
    pub fn report(&self) -> ExitCode {
        if matches!(
            self.0.kind(),
            ErrorKind::DisplayHelp | ErrorKind::DisplayVersion
        ) {
            return match self.0.print() {
                Ok(()) => ExitCode::SUCCESS,
                Err(_closed_pipe) => ExitCode::FAILURE,
            };
        }
        eprintln!("{}", self.line());
        ExitCode::from(EXIT_USAGE)
    }

    /// The mistake in one line: what was given and what is allowed.
    pub fn line(&self) -> String {
        let text = self.0.to_string();
        let said: Vec<&str> = text
            .lines()
            .map(str::trim)
            .take_while(|line| !line.starts_with("Usage:") && !line.starts_with("For more"))
            .filter(|line| !line.is_empty())
            .collect();
        said.join(" ")
    }
}

/// Prints why a command ended, with its causes, in one line for whoever started it; the log may go
/// elsewhere. Fails with 2 where a setting is to blame, else with 1.
#[expect(clippy::print_stderr, reason = "the command's own last word")]
pub(crate) fn fail(error: &anyhow::Error) -> ExitCode {
    eprintln!("error: {error:#}");
    let is_setting = |cause: &(dyn Error + 'static)| {
        cause.is::<InvalidConfig>() || cause.is::<InvalidUpstream>()
    };
    if error.chain().any(is_setting) {
        ExitCode::from(EXIT_USAGE)
    } else {
        ExitCode::FAILURE
    }
}

/// The exit code of a command line that can't be used.
pub(crate) const EXIT_USAGE: u8 = 2;
