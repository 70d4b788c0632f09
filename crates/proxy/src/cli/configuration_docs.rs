//! `docs/configuration.md`, rendered from the command line's own description.

use std::fmt::{self, Write};
use std::path::Path;

use clap::{Arg, Command, CommandFactory};

use super::Cli;

#[test]
fn configuration_docs_are_what_the_settings_say() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/configuration.md");
    let rendered = render().unwrap();
    if std::env::var_os("UPDATE_DOCS").is_some() {
        fs_err::write(&path, rendered).unwrap();
        return;
    }
    let written = fs_err::read_to_string(&path).unwrap_or_default();
    assert!(
        written == rendered,
        "docs/configuration.md is out of date: run cargo xtask docs"
    );
}

fn render() -> Result<String, fmt::Error> {
    let mut cli = Cli::command();
    cli.build();
    let mut page = INTRODUCTION.to_owned();
    for command in commands(&cli) {
        writeln!(page, "| `{}` | {} |", command.get_name(), about(command))?;
    }
    let serve = commands(&cli).next();
    for command in commands(&cli) {
        write!(page, "\n## {}\n", command.get_name())?;
        let (shared, own): (Vec<&Arg>, Vec<&Arg>) = arguments(command).partition(|argument| {
            serve.is_some_and(|serve| {
                serve.get_name() != command.get_name()
                    && arguments(serve).any(|other| is_same(other, argument))
            })
        });
        tables(&mut page, &own)?;
        if let Some(note) = command.get_after_help() {
            write!(page, "\n{note}\n")?;
        }
        if !shared.is_empty() {
            let shared: Vec<String> = shared.into_iter().map(name).collect();
            write!(
                page,
                "\nOf the settings above it takes {}.\n",
                shared.join(", ")
            )?;
        }
    }
    Ok(page)
}

/// Those with arguments, as they stand in the help.
fn commands(cli: &Command) -> impl Iterator<Item = &Command> {
    cli.get_subcommands()
        .filter(|command| command.get_name() != "help")
}

fn arguments(command: &Command) -> impl Iterator<Item = &Arg> {
    command
        .get_arguments()
        .filter(|argument| argument.get_id() != "help")
}

fn is_same(one: &Arg, other: &Arg) -> bool {
    one.get_id() == other.get_id() && help(one) == help(other)
}

/// One table for each heading of the help.
fn tables(page: &mut String, arguments: &[&Arg]) -> fmt::Result {
    let mut heading = None;
    for (position, argument) in arguments.iter().enumerate() {
        if position == 0 || argument.get_help_heading() != heading {
            heading = argument.get_help_heading();
            if let Some(heading) = heading {
                write!(page, "\n### {heading}\n")?;
            }
            page.push_str("\n| setting | variable | default | what it does |\n|---|---|---|---|\n");
        }
        let variable = argument
            .get_env()
            .map(|name| format!("`{}`", name.display()));
        let default = argument
            .get_default_values()
            .first()
            .filter(|_| argument.get_action().takes_values())
            .map(|value| format!("`{}`", value.display()));
        writeln!(
            page,
            "| {} | {} | {} | {} |",
            name(argument),
            variable.unwrap_or_default(),
            default.unwrap_or_default(),
            help(argument),
        )?;
    }
    Ok(())
}

fn name(argument: &Arg) -> String {
    let value = argument.get_value_names().and_then(|names| names.first());
    match (argument.get_long(), value) {
        (Some(long), Some(value)) if argument.get_action().takes_values() => {
            format!("`--{long} {value}`")
        }
        (Some(long), _) => format!("`--{long}`"),
        (None, Some(value)) => format!("`{value}`"),
        (None, None) => String::new(),
    }
}

fn help(argument: &Arg) -> String {
    let mut text = argument
        .get_help()
        .map(ToString::to_string)
        .unwrap_or_default();
    let values: Vec<String> = argument
        .get_possible_values()
        .iter()
        .map(|value| format!("`{}`", value.get_name()))
        .collect();
    if !values.is_empty() && argument.get_action().takes_values() {
        text = format!("{text}: {}", values.join(", "));
    }
    text.replace('|', "\\|").replace('<', "&lt;")
}

fn about(command: &Command) -> String {
    command
        .get_about()
        .map(ToString::to_string)
        .unwrap_or_default()
}

const INTRODUCTION: &str = "\
# Configuration

Every setting but one is a flag, and most are also an environment variable; where both are given, the
flag counts. The one is a token, which a flag would show to everybody on the machine:
`TOOLSEARCH_AUTHORIZATION`, read by [search](#search) and [eval](#eval). Sizes are written as
`512KiB`, `10MiB` or `1GiB`, times as `500ms`, `30s` or `10m`, lists with commas. A setting that can't
be read ends the program with exit code 2 and one line that says what was given, what is allowed, and
the variable if one holds it. A variable that begins with `TOOLSEARCH_` and is no setting is warned of,
with the one that may be meant. It ends nothing: Kubernetes sets `TOOLSEARCH_PORT` and more of them in
pods beside a Service called `toolsearch`.

Of other variables, `HTTPS_PROXY`, `HTTP_PROXY`, `ALL_PROXY` and `NO_PROXY` are read, in capitals or
small letters: the upstream is reached through the proxy that they name. An upstream on loopback never
is. One whose URL begins with `http://` gets the callers' tokens unencrypted; `serve` warns of it,
unless the upstream is on loopback.

This page is written by `cargo xtask docs` from the settings themselves.

| command | what it does |
|---|---|
";
