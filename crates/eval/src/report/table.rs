//! A report for people.

use std::fmt::{self, Display};

use super::{Group, Report, Summary};
use crate::figure::Figure;
use crate::interval::Estimate;
use crate::names::Few;

/// The report as text.
pub(super) struct Table<'a>(pub(super) &'a Report);

impl Display for Table<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Report {
            summary: Summary { questions, figures },
            groups,
            run,
        } = self.0;
        let (tools, configuration) = (run.tools, run.configuration);
        writeln!(
            f,
            "{questions} questions to {tools} tools, {configuration}\n"
        )?;
        writeln!(f, "figure     value  95 % interval  questions")?;
        for (figure, estimate) in figures {
            overall(f, *figure, estimate)?;
        }
        let figures: Vec<Figure> = figures.keys().copied().collect();
        for groups in groups.chunk_by(|one, other| one.label == other.label) {
            by_label(f, groups, &figures)?;
        }
        if !run.absent.is_empty() {
            let names = Few(run.absent.iter().map(String::as_str).collect());
            writeln!(f, "\nnever found, since not in the catalog: {names}")?;
        }
        if !run.by_words.is_empty() {
            let ids = Few(run.by_words.iter().map(String::as_str).collect());
            writeln!(
                f,
                "\nsearched by words only, since the model knows nothing of them: {ids}"
            )?;
        }
        Ok(())
    }
}

fn overall(f: &mut fmt::Formatter<'_>, figure: Figure, estimate: &Estimate) -> fmt::Result {
    let Estimate {
        value,
        low,
        high,
        questions,
    } = estimate;
    writeln!(
        f,
        "{figure:<9}  {value:.3}  {low:.3} – {high:.3}  {questions:>9}"
    )
}

/// The groups of one label, a line each.
fn by_label(f: &mut fmt::Formatter<'_>, groups: &[Group], figures: &[Figure]) -> fmt::Result {
    let label = groups.first().map_or("", |group| group.label.name());
    let names = groups.iter().map(value);
    let widest = names.chain([label]).map(|name| name.chars().count()).max();
    let width = widest.unwrap_or_default();
    write!(f, "\n{label:<width$}  questions")?;
    for figure in figures {
        write!(f, "  {figure:>CELL$}")?;
    }
    writeln!(f)?;
    for group in groups {
        let Summary {
            questions,
            figures: measured,
        } = &group.summary;
        write!(f, "{:<width$}  {questions:>9}", value(group))?;
        for figure in figures {
            let cell = measured.get(figure).map_or_else(|| "–".to_owned(), cell);
            write!(f, "  {cell:>CELL$}")?;
        }
        writeln!(f)?;
    }
    Ok(())
}

fn value(group: &Group) -> &str {
    group.value.as_deref().unwrap_or("(none)")
}

/// A value and about how far off it may be.
fn cell(estimate: &Estimate) -> String {
    let margin = format!("{:.2}", estimate.margin());
    let margin = margin.trim_start_matches('0');
    format!("{:.2} ±{margin}", estimate.value)
}

/// The characters of a cell.
const CELL: usize = 9;
