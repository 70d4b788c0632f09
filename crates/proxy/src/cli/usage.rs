//! What is said when the command line can't be used.

use std::error::Error;
use std::process::ExitCode;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use upstream::InvalidUpstream;

use super::eval::InvalidOther;
use super::values::InvalidUrl;
use crate::config::InvalidConfig;
use crate::curation::InvalidTemplates;
use crate::http::InvalidAdminToken;
use crate::searches::UnusableAuditLog;

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

    /// The mistake in one line: what was given, what is allowed and what may be meant. Of a setting
    /// that may hold a secret, not what was given.
    pub fn line(&self) -> String {
        if let Some(line) = self.without_secret() {
            return line;
        }
        // What was given is said, and may hold anything.
        let text = self.0.to_string();
        let text = text.replace(|char: char| char.is_control() && char != '\n', "\u{fffd}");
        let (tips, said): (Vec<&str>, Vec<&str>) = text
            .lines()
            .map(str::trim)
            .take_while(|line| !line.starts_with("Usage:") && !line.starts_with("For more"))
            .filter(|line| !line.is_empty())
            .partition(|line| line.starts_with(TIP));
        let tip = tips.first().and_then(|line| line.strip_prefix(TIP));
        let said = said.join(" ");
        if let Some(similar) = self.similar() {
            format!("{said}; did you mean {similar}?")
        } else if let Some(tip) = tip {
            format!("{said}; {tip}")
        } else if self.lacks_upstream() {
            format!("{said}; to try it without one: `mcp-toolsearch-proxy demo`")
        } else {
            said
        }
    }

    /// Where the value can't be shown: a token, or a URL, which may hold one.
    fn without_secret(&self) -> Option<String> {
        let why = self.0.source()?;
        let is_secret = why.is::<InvalidAdminToken>()
            || why.is::<InvalidUrl>()
            || matches!(why.downcast_ref(), Some(InvalidOther::Url(_)));
        match self.0.get(ContextKind::InvalidArg) {
            Some(ContextValue::String(setting)) if is_secret => {
                Some(format!("error: invalid value for '{setting}': {why}"))
            }
            _ => None,
        }
    }

    /// What is spelt like something that isn't known, in backticks.
    fn similar(&self) -> Option<String> {
        let names = SUGGESTIONS.iter().find_map(|kind| self.0.get(*kind))?;
        let names = match names {
            ContextValue::String(name) => std::slice::from_ref(name),
            ContextValue::Strings(names) => names.as_slice(),
            _ => return None,
        };
        let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
        Some(quoted.join(" or ")).filter(|quoted| !quoted.is_empty())
    }

    fn lacks_upstream(&self) -> bool {
        let missing = self.0.get(ContextKind::InvalidArg);
        self.0.kind() == ErrorKind::MissingRequiredArgument
            && matches!(missing, Some(ContextValue::Strings(names))
                if names.iter().any(|name| name.starts_with("--upstream ")))
    }
}

/// Prints why a command ended, with its causes, in one line for whoever started it; the log may go
/// elsewhere. Fails with 2 where a setting is to blame, else with 1.
#[expect(clippy::print_stderr, reason = "the command's own last word")]
pub(crate) fn fail(error: &anyhow::Error) -> ExitCode {
    eprintln!("error: {error:#}");
    let is_setting = |cause: &(dyn Error + 'static)| {
        cause.is::<InvalidConfig>()
            || cause.is::<InvalidUpstream>()
            || cause.is::<InvalidTemplates>()
            || cause.is::<UnusableAuditLog>()
    };
    if error.chain().any(is_setting) {
        ExitCode::from(EXIT_USAGE)
    } else {
        ExitCode::FAILURE
    }
}

/// Before a hint in the parser's words.
const TIP: &str = "tip: ";
/// Where the parser puts what is spelt alike.
const SUGGESTIONS: [ContextKind; 3] = [
    ContextKind::SuggestedArg,
    ContextKind::SuggestedSubcommand,
    ContextKind::SuggestedValue,
];
/// The exit code of a command line that can't be used.
pub(crate) const EXIT_USAGE: u8 = 2;
