//! `eval`: how well questions with known answers find their tools.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, bail, ensure};
use catalog::read_dump;
use eval::{
    Comparison, Configuration, Gate, Label, Labels, Report, Run, Unmet, add_distractors,
    read_questions,
};
use indicatif::ProgressBar;
use serde::Serialize;

use super::source::{AUTHORIZATION_HELP, Source};
use super::usage::EXIT_USAGE;
use super::{SearchSettings, UpstreamSettings, output};

/// The arguments of `eval`.
#[derive(Debug, clap::Args)]
#[command(after_help = format!("{EXIT_CODES} {AUTHORIZATION_HELP}"))]
pub(crate) struct Args {
    #[command(flatten)]
    source: Source,
    /// File of questions, one JSON object a line: id, query, lang, kind and relevant (the names of
    /// the right tools)
    #[arg(long, value_name = "FILE", required_unless_present = "compare")]
    queries: Option<PathBuf>,
    /// File or folder of tools that nobody asks for, added until there are as many as --total
    #[arg(long, value_name = "PATH", requires = "total")]
    distractors: Option<PathBuf>,
    /// How many tools to search, distractors included
    #[arg(long, value_name = "COUNT", requires = "distractors")]
    #[arg(value_parser = super::values::count)]
    total: Option<usize>,
    /// Labels to group by, comma-separated: lang, kind, style, subset
    #[arg(long, value_name = "LABELS", value_delimiter = ',')]
    by: Vec<Label>,
    /// Figure to reach, such as recall@5=0.9, or of some questions lang=de+es:recall@5=0.8; several
    /// comma-separated
    #[arg(long, value_name = "GATE", value_delimiter = ',')]
    gate: Vec<Gate>,
    /// Report saved with --json to compare with, question by question; with a second one, that is
    /// compared with the first, and nothing is searched
    #[arg(long, value_name = "REPORT", num_args = 1..=2)]
    compare: Vec<PathBuf>,
    /// Print JSON instead of tables
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    search_settings: SearchSettings,
    #[command(flatten)]
    upstream_settings: UpstreamSettings,
}

/// Measures and prints.
#[expect(clippy::print_stderr, reason = "the command's own last word")]
#[expect(
    clippy::needless_pass_by_value,
    reason = "every command takes its arguments whole"
)]
pub(crate) fn run(args: Args) -> ExitCode {
    match evaluate(&args) {
        Ok(unmet) if unmet.is_empty() => ExitCode::SUCCESS,
        Ok(unmet) => {
            for unmet in unmet {
                eprintln!("gate: {unmet}");
            }
            ExitCode::FAILURE
        }
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::from(EXIT_USAGE)
        }
    }
}

#[derive(Serialize)]
struct Answer<'a> {
    #[serde(flatten)]
    report: &'a Report,
    #[serde(skip_serializing_if = "Option::is_none")]
    comparison: Option<&'a Comparison>,
}

/// The gates that aren't met.
fn evaluate(args: &Args) -> anyhow::Result<Vec<Unmet>> {
    let run = match args.compare.get(1) {
        Some(path) => {
            ensure!(
                !matches!(args.source, Source::File(_) | Source::Demo) && args.queries.is_none(),
                "two reports are compared without a search: leave out --tools, --demo and --queries, \
                 or the second report"
            );
            let run = Run::read(path)?;
            check_groups(&args.gate, || {
                run.answers.iter().map(|answer| &answer.labels)
            })?;
            run
        }
        None => measure(args)?,
    };
    let comparison = match args.compare.first() {
        Some(path) => Some(Comparison::new(&Run::read(path)?, &run)?),
        None => None,
    };
    let report = Report::new(run, &args.by);
    let text = if args.json {
        let answer = Answer {
            report: &report,
            comparison: comparison.as_ref(),
        };
        serde_json::to_string_pretty(&answer)? + "\n"
    } else {
        let comparison = comparison.map(|comparison| format!("\n{}", comparison.table()));
        format!("{}{}", report.table(), comparison.unwrap_or_default())
    };
    output::print(&text)?;
    let results = args.gate.iter().map(|gate| gate.check(&report.run));
    Ok(results.filter_map(Result::err).collect())
}

fn measure(args: &Args) -> anyhow::Result<Run> {
    let Some(queries) = &args.queries else {
        bail!("give --queries FILE, or a second report to --compare");
    };
    let questions = read_questions(queries)?;
    check_groups(&args.gate, || {
        questions.iter().map(|question| &question.labels)
    })?;
    let mut tools = args.source.list(&args.upstream_settings)?;
    if let (Some(path), Some(total)) = (&args.distractors, args.total) {
        add_distractors(&mut tools, read_dump(path)?, total).context("--total")?;
    }
    // Draws on a terminal only.
    let progress = ProgressBar::new(questions.len() as u64);
    let configuration = Configuration::from(args.search_settings.embedder());
    let run = Run::new(configuration, tools, &questions, || progress.inc(1));
    progress.finish_and_clear();
    Ok(run)
}

fn check_groups<'a, Known: Iterator<Item = &'a Labels>>(
    gates: &[Gate],
    known: impl Fn() -> Known,
) -> anyhow::Result<()> {
    for gate in gates {
        gate.check_group(known())
            .map_err(|unknown| anyhow::anyhow!("--gate: {unknown}"))?;
    }
    Ok(())
}

const EXIT_CODES: &str = "Exit code 1 means that a gate wasn't met, 2 that nothing could be \
    measured.";
