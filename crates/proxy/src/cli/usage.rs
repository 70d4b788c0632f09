//! What is said when the command line can't be used.

use std::error::Error;
use std::ffi::OsString;
use std::process::ExitCode;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use upstream::{InvalidKey, InvalidUpstream};

use super::environment;
use super::eval::InvalidOther;
use super::values::InvalidUrl;
use crate::config::InvalidConfig;
use crate::curation::InvalidTemplates;
use crate::http::InvalidAdminToken;
use crate::searches::UnusableAuditLog;

/// Why there is nothing to run: a setting that doesn't fit, or help that was asked for.
#[derive(Debug)]
pub struct UsageError {
    error: clap::Error,
    /// The variables that hold what is wrong, where the command line doesn't.
    variables: Vec<String>,
}

impl UsageError {
    /// What is wrong with `args`, or with the environment.
    pub(super) fn new(error: clap::Error, args: &[OsString]) -> Self {
        let named = [ContextKind::InvalidArg, ContextKind::PriorArg];
        let shown = named.iter().filter_map(|kind| error.get(*kind));
        let variables = shown
            .flat_map(texts)
            .filter_map(|shown| environment::holding(|setting| setting.to_string() == *shown, args))
            .collect();
        Self { error, variables }
    }

    /// Prints help or version as asked for and succeeds, or the mistake in one line and fails
    /// with 2.
    #[expect(clippy::print_stderr, reason = "there is no log yet")]
    pub fn report(&self) -> ExitCode {
        if matches!(
            self.error.kind(),
            ErrorKind::DisplayHelp | ErrorKind::DisplayVersion
        ) {
            return match self.error.print() {
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
        let said = self.without_secret().unwrap_or_else(|| self.said());
        said + &set_by(&self.variables)
    }

    fn said(&self) -> String {
        // What was given is said, and may hold anything.
        let text = self.error.to_string();
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
        let why = self.error.source()?;
        let is_secret = why.is::<InvalidAdminToken>()
            || why.is::<InvalidKey>()
            || why.is::<InvalidUrl>()
            || matches!(why.downcast_ref(), Some(InvalidOther::Url(_)));
        match self.error.get(ContextKind::InvalidArg) {
            Some(ContextValue::String(setting)) if is_secret => {
                Some(format!("error: invalid value for '{setting}': {why}"))
            }
            _ => None,
        }
    }

    /// What is spelt like something that isn't known, in backticks.
    fn similar(&self) -> Option<String> {
        let names = SUGGESTIONS.iter().find_map(|kind| self.error.get(*kind))?;
        let quoted: Vec<String> = texts(names)
            .iter()
            .map(|name| format!("`{name}`"))
            .collect();
        Some(quoted.join(" or ")).filter(|quoted| !quoted.is_empty())
    }

    fn lacks_upstream(&self) -> bool {
        let missing = self.error.get(ContextKind::InvalidArg);
        self.error.kind() == ErrorKind::MissingRequiredArgument
            && matches!(missing, Some(ContextValue::Strings(names))
                if names.iter().any(|name| name.starts_with("--upstream ")))
    }
}

/// What `value` names.
fn texts(value: &ContextValue) -> &[String] {
    match value {
        ContextValue::String(name) => std::slice::from_ref(name),
        ContextValue::Strings(names) => names,
        _ => &[],
    }
}

/// Prints why a command ended, with its causes, in one line for whoever started it; the log may go
/// elsewhere. Fails with 2 where a setting is to blame, else with 1.
#[expect(clippy::print_stderr, reason = "the command's own last word")]
pub(crate) fn fail(error: &anyhow::Error) -> ExitCode {
    let is_setting = |cause: &(dyn Error + 'static)| {
        cause.is::<InvalidConfig>()
            || cause.is::<InvalidUpstream>()
            || cause.is::<InvalidTemplates>()
            || cause.is::<UnusableAuditLog>()
    };
    let text = format!("error: {error:#}");
    if !error.chain().any(is_setting) {
        eprintln!("{text}");
        return ExitCode::FAILURE;
    }
    let named = text
        .split([' ', ':'])
        .find_map(|word| word.strip_prefix("--"));
    let args: Vec<OsString> = std::env::args_os().collect();
    let holding = |long| environment::holding(|setting| setting.get_long() == Some(long), &args);
    let variables: Vec<String> = named.and_then(holding).into_iter().collect();
    eprintln!("{text}{}", set_by(&variables));
    ExitCode::from(EXIT_USAGE)
}

/// Where a value comes from that nobody typed.
fn set_by(variables: &[String]) -> String {
    match variables {
        [] => String::new(),
        variables => format!(" (set by {})", variables.join(" and ")),
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
