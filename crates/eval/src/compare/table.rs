//! A comparison for people.

use std::fmt::{self, Display};

use super::{Change, Comparison, Outcome, Searched};
use crate::figure::Figure;
use crate::names::Few;

/// The comparison as text.
pub(super) struct Table<'a>(pub(super) &'a Comparison);

impl Display for Table<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Comparison {
            old,
            new,
            pairs,
            only_old,
            only_new,
            figures,
            changed: _,
        } = self.0;
        writeln!(f, "{pairs} questions before ({old}) and now ({new})")?;
        if only_old + only_new > 0 {
            writeln!(f, "left out: {only_old} only before, {only_new} only now")?;
        }
        writeln!(
            f,
            "\nfigure     before    now  change     95 % interval  better  worse   same"
        )?;
        for (figure, change) in figures {
            line(f, *figure, change)?;
        }
        self.moved(f, "found now", |old, new| old < new)?;
        self.moved(f, "lost now", |old, new| old > new)
    }
}

impl Table<'_> {
    /// Names the questions with more or fewer wanted tools among the first ten than before.
    fn moved(
        &self,
        f: &mut fmt::Formatter<'_>,
        heading: &str,
        is_moved: impl Fn(usize, usize) -> bool,
    ) -> fmt::Result {
        let changed = self.0.changed.iter();
        let moved: Vec<&str> = changed
            .filter(|changed| is_moved(changed.old.found(), changed.new.found()))
            .map(|changed| changed.id.as_str())
            .collect();
        if moved.is_empty() {
            return Ok(());
        }
        writeln!(f, "\n{heading} among the first ten: {}", Few(moved))
    }
}

impl Display for Searched {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} tools, {}", self.tools, self.configuration)
    }
}

impl Outcome {
    fn found(&self) -> usize {
        self.ranks.iter().flatten().count()
    }
}

fn line(f: &mut fmt::Formatter<'_>, figure: Figure, change: &Change) -> fmt::Result {
    let Change {
        old,
        new,
        difference,
        wins,
        losses,
        ties,
    } = change;
    write!(
        f,
        "{figure:<9}   {old:.3}  {new:.3}  {:+.3}",
        difference.value
    )?;
    write!(f, "  {:+.3} – {:+.3}", difference.low, difference.high)?;
    writeln!(f, "  {wins:>6}  {losses:>5}  {ties:>5}")
}
