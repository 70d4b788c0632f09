//! The findings for people.

use std::fmt::{self, Display};

use super::{Finding, Lint};

/// A list of findings as text.
pub(super) struct Table<'a>(pub(super) &'a Lint);

impl Display for Table<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Lint {
            configuration,
            tools,
            sentences,
            found,
            findings,
        } = self.0;
        writeln!(
            f,
            "{tools} tools, {configuration}\nfound by their own first sentence: {found} of \
             {sentences}\nfindings: {}",
            findings.len()
        )?;
        let kinds = findings.chunk_by(|one, other| one.problem.title() == other.problem.title());
        kinds.into_iter().try_for_each(|kind| of_a_kind(f, kind))
    }
}

/// What to do, then a line for each.
fn of_a_kind(f: &mut fmt::Formatter<'_>, findings: &[Finding]) -> fmt::Result {
    let Some(Finding { problem, .. }) = findings.first() else {
        return Ok(());
    };
    let (title, count, advice) = (problem.title(), findings.len(), problem.advice());
    writeln!(f, "\n{title} ({count}): {advice}")?;
    for Finding { tool, problem } in findings {
        // Names are the upstream's, and a terminal obeys what it reads.
        let line = format!("  {tool}: {problem}").replace(char::is_control, "");
        writeln!(f, "{line}")?;
    }
    Ok(())
}
