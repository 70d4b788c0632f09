//! A comparison for people.

use std::fmt::{self, Display};

use super::{Change, Changed, Comparison, Outcome, Searched};
use crate::figure::Figure;
use crate::measure;
use crate::run::DEPTH;

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
        self.moved(f, "better now", |gain| gain)?;
        self.moved(f, "worse now", |gain| -gain)
    }
}

impl Table<'_> {
    /// The questions whose `way` of the gain is above zero, those that moved most first.
    fn moved(
        &self,
        f: &mut fmt::Formatter<'_>,
        heading: &str,
        way: impl Fn(f64) -> f64,
    ) -> fmt::Result {
        let gains = self.0.changed.iter().map(|changed| {
            let gain = way(changed.gain());
            (gain, changed)
        });
        let mut moved: Vec<(f64, &Changed)> = gains.filter(|(gain, _)| *gain > 0.0).collect();
        if moved.is_empty() {
            return Ok(());
        }
        moved.sort_by(|(a, _), (b, _)| b.total_cmp(a));
        let (shown, rest) = moved.split_at(moved.len().min(SHOWN));
        let ids = shown.iter().map(|(_, changed)| changed.id.as_str());
        let widest = ids.chain([heading]).map(|id| id.chars().count()).max();
        let width = widest.unwrap_or_default();
        writeln!(f, "\n{heading:<width$}  {:>PLACES$}  now", "before")?;
        for (_, Changed { id, old, new }) in shown {
            writeln!(f, "{id:<width$}  {:>PLACES$}  {new}", old.to_string())?;
        }
        match rest.len() {
            0 => Ok(()),
            rest => writeln!(f, "and {rest} more, all of them with --json"),
        }
    }
}

impl Changed {
    /// How much better the answer has become, from -1 to 1: in the order of its right tools, or
    /// else in whether it rightly warns.
    fn gain(&self) -> f64 {
        let (old, new) = (&self.old, &self.new);
        let warnings = f64::from(i8::from(new.weak) - i8::from(old.weak));
        match (&old.ranks[..], &new.ranks[..]) {
            ([], []) => warnings,
            (before @ [_, ..], now @ [_, ..]) => {
                let gain = measure::ndcg(now, DEPTH) - measure::ndcg(before, DEPTH);
                // A warning alone is less than any move.
                if gain == 0.0 {
                    -warnings * f64::MIN_POSITIVE
                } else {
                    gain
                }
            }
            // What was asked for isn't the same.
            _ => 0.0,
        }
    }
}

/// The places of the right tools, `–` for one that isn't found, and whether the answer warns.
impl Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place =
            |rank: &Option<usize>| rank.map_or_else(|| "–".to_owned(), |rank| rank.to_string());
        let mut said: Vec<String> = self.ranks.iter().map(place).collect();
        if self.weak {
            said.push("weak".to_owned());
        } else if said.is_empty() {
            said.push("firm".to_owned());
        }
        f.write_str(&said.join(" "))
    }
}

impl Display for Searched {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} tools, {}", self.tools, self.configuration)
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

/// How many questions are listed of those that became better, and of those that became worse.
const SHOWN: usize = 10;
/// The characters of the places before.
const PLACES: usize = 10;
