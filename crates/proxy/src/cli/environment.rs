//! Settings from the environment: which variable holds a value, and what is called like one and is none.

use std::ffi::OsString;
use std::fmt;

use catalog::near;
use clap::{Arg, Command, CommandFactory};

use super::Cli;
use super::source::AUTHORIZATION;

/// A variable that begins as ours do and that nothing reads. It ends nothing: Kubernetes sets
/// `TOOLSEARCH_PORT` and more in pods beside a Service called `toolsearch`.
#[derive(Debug, Clone, PartialEq, Eq)]
struct UnknownVariable {
    name: String,
    /// The variable of ours that is spelt most like it.
    nearest: Option<String>,
}

impl UnknownVariable {
    /// Those of this process, by name.
    fn all() -> Vec<Self> {
        let names = std::env::vars_os().filter_map(|(name, _)| name.into_string().ok());
        Self::among(names)
    }

    fn among(names: impl Iterator<Item = String>) -> Vec<Self> {
        let known = known();
        let mut unknown: Vec<String> = names
            .filter(|name| name.starts_with(PREFIX) && !known.contains(name))
            .collect();
        unknown.sort_unstable();
        let nearest = |name: &str| {
            let names = known.iter().map(|name| bare(name));
            let place = *near(bare(name), names, 1).first()?;
            known.get(place).cloned()
        };
        unknown
            .into_iter()
            .map(|name| Self {
                nearest: nearest(&name),
                name,
            })
            .collect()
    }
}

impl fmt::Display for UnknownVariable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} is no setting", self.name)?;
        match &self.nearest {
            Some(nearest) => write!(f, "; did you mean {nearest}?"),
            None => Ok(()),
        }
    }
}

/// Logs what in the environment is no setting.
pub(crate) fn log_unknown() {
    for UnknownVariable { name, nearest } in UnknownVariable::all() {
        tracing::warn!(variable = name, nearest, "a variable is no setting");
    }
}

/// Says on standard error what in the environment is no setting, a line each.
#[expect(clippy::print_stderr, reason = "for commands that have no log")]
pub(crate) fn warn_of_unknown() {
    for variable in UnknownVariable::all() {
        eprintln!("warning: {variable}");
    }
}

/// The variable that holds the value of the setting which `is_meant`, unless `args` give it themselves.
pub(super) fn holding(is_meant: impl Fn(&Arg) -> bool, args: &[OsString]) -> Option<String> {
    let mut command = Cli::command();
    // Before that, no argument can be shown.
    command.build();
    let setting = settings(&command).find(|setting| is_meant(setting))?;
    let variable = setting.get_env()?;
    std::env::var_os(variable)?;
    let long = format!("--{}", setting.get_long()?);
    let is_given = args.iter().filter_map(|arg| arg.to_str()).any(|arg| {
        let rest = arg.strip_prefix(&long);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('='))
    });
    (!is_given).then(|| variable.to_string_lossy().into_owned())
}

/// Every variable that is read.
fn known() -> Vec<String> {
    let command = Cli::command();
    let variables = settings(&command).filter_map(Arg::get_env);
    let mut known: Vec<String> = variables
        .map(|variable| variable.to_string_lossy().into_owned())
        .chain([AUTHORIZATION.to_owned()])
        .collect();
    known.sort_unstable();
    known.dedup();
    known
}

fn settings(command: &Command) -> impl Iterator<Item = &Arg> {
    let commands = command.get_subcommands();
    commands.flat_map(Command::get_arguments)
}

/// What tells `name` from others.
fn bare(name: &str) -> &str {
    name.strip_prefix(PREFIX).unwrap_or(name)
}

const PREFIX: &str = "TOOLSEARCH_";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_setting_is_told_with_what_may_be_meant() {
        let names = [
            "PATH",
            "TOOLSEARCH_UPSTREAM",
            "TOOLSEARCH_AUTHORIZATION",
            "TOOLSEARCH_UPSTREM",
            "TOOLSEARCH_CATALOGTTL",
            "TOOLSEARCH_TEMPLATE",
            "TOOLSEARCH_SERVICE_HOST",
            "TOOLSEARCH_",
            "toolsearch_pin",
        ];
        let told: Vec<String> = UnknownVariable::among(names.map(str::to_owned).into_iter())
            .iter()
            .map(ToString::to_string)
            .collect();
        assert_eq!(
            told,
            [
                "TOOLSEARCH_ is no setting",
                "TOOLSEARCH_CATALOGTTL is no setting; did you mean TOOLSEARCH_CATALOG_TTL?",
                "TOOLSEARCH_SERVICE_HOST is no setting",
                "TOOLSEARCH_TEMPLATE is no setting; did you mean TOOLSEARCH_TEMPLATES?",
                "TOOLSEARCH_UPSTREM is no setting; did you mean TOOLSEARCH_UPSTREAM?",
            ]
        );
    }
}
