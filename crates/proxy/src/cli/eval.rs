//! `eval`: how well questions with known answers find their tools, and tools by their own texts.

mod lint;
mod other;
mod running;
mod side;
mod through;

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, bail, ensure};
use eval::{Comparison, Gate, Label, Labels, Report, Run, Unmet, read_questions};
use serde::Serialize;

pub(crate) use self::other::InvalidOther;
use self::other::Other;
use self::side::Side;
use self::through::Through;
use super::source::{AUTHORIZATION_HELP, Source};
use super::usage::EXIT_USAGE;
use super::{SearchSettings, UpstreamSettings, output};

/// The arguments of `eval`.
#[derive(Debug, clap::Args)]
#[command(after_help = format!("{EXIT_CODES} {AUTHORIZATION_HELP}"))]
pub(crate) struct Args {
    #[command(flatten)]
    source: Source,
    #[command(flatten)]
    through: Through,
    /// File of questions, one JSON object a line: id, query, lang, kind and relevant (the names of
    /// the right tools)
    #[arg(long, value_name = "FILE", required_unless_present_any = ["compare", "lint"])]
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
    /// What to compare with, question by question: a report saved with --json, or what to search
    /// with as well: embedder=NAME, tools=PATH, upstream=URL or through=URL; of two reports, the
    /// second is compared with the first, and nothing is searched
    #[arg(long, value_name = "OTHER", num_args = 1..=2)]
    compare: Vec<Other>,
    /// Check the tools' descriptions instead, without questions: which are empty, cut by clients,
    /// copied, not found by their own first sentence, or taken for another tool's
    #[arg(long, conflicts_with_all = NOT_OF_LINT)]
    lint: bool,
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
    let passes = if args.lint {
        lint::passes(&args)
    } else {
        evaluate(&args).map(|unmet| {
            for unmet in &unmet {
                eprintln!("gate: {unmet}");
            }
            unmet.is_empty()
        })
    };
    match passes {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
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
    let (other, run) = match args.compare.as_slice() {
        [old, new] => saved(args, old, new)?,
        compared => measure(args, compared.first())?,
    };
    let comparison = match other {
        Some(other) => Some(Comparison::new(&other, &run)?),
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

/// Two saved runs.
fn saved(args: &Args, old: &Other, new: &Other) -> anyhow::Result<(Option<Run>, Run)> {
    let (Other::Report(old), Other::Report(new)) = (old, new) else {
        bail!(
            "--compare takes two reports, or one thing to compare with: say what else to search \
             with by the flags"
        );
    };
    let is_searched = !matches!(args.source, Source::Unsaid | Source::Server(_));
    ensure!(
        !is_searched && args.through.0.is_none() && args.queries.is_none(),
        "two reports are compared without a search: leave out --tools, --demo, --through and \
         --queries, or the second report"
    );
    let run = Run::read(new)?;
    check_groups(&args.gate, || {
        run.answers.iter().map(|answer| &answer.labels)
    })?;
    Ok((Some(Run::read(old)?), run))
}

/// What the flags say, and what that is compared with.
fn measure(args: &Args, other: Option<&Other>) -> anyhow::Result<(Option<Run>, Run)> {
    let Some(queries) = &args.queries else {
        bail!("give --queries FILE, or a second report to --compare");
    };
    let questions = read_questions(queries)?;
    check_groups(&args.gate, || {
        questions.iter().map(|question| &question.labels)
    })?;
    let side = Side::of(args)?;
    let other = match other {
        None => None,
        Some(Other::Report(path)) => Some(Run::read(path)?),
        Some(Other::Changed(change)) => Some(side.changed(change, args)?.run(&questions)?),
    };
    Ok((other, side.run(&questions)?))
}

fn check_groups<'a, Known: Iterator<Item = &'a Labels>>(
    gates: &[Gate],
    known: impl Fn() -> Known,
) -> anyhow::Result<()> {
    for gate in gates {
        gate.check_group(known()).context("--gate")?;
    }
    Ok(())
}

const NOT_OF_LINT: [&str; 7] = [
    "queries",
    "through",
    "distractors",
    "total",
    "by",
    "gate",
    "compare",
];
const EXIT_CODES: &str = "Exit code 1 means that a gate wasn't met or that --lint found something, \
    2 that nothing could be measured.";
