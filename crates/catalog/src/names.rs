//! Which known names an unknown one may have meant: tools, parameters, enum values. Suggestions
//! only: nothing runs by them (field case 36).

use std::collections::BTreeSet;

/// Positions of up to `limit` of `names` that are close to `name`, closest first.
pub(crate) fn near<'a>(
    name: &str,
    names: impl Iterator<Item = &'a str>,
    limit: usize,
) -> Vec<usize> {
    let wanted: Vec<Folded> = spellings(name).map(Folded::new).collect();
    let mut close: Vec<(f64, &str, usize)> = names
        .enumerate()
        .filter_map(|(position, name)| {
            let candidate = Folded::new(name);
            let closeness = wanted
                .iter()
                .map(|wanted| wanted.closeness(&candidate))
                .fold(0.0, f64::max);
            (closeness >= CLOSE).then_some((closeness, name, position))
        })
        .collect();
    close.sort_by(|one, other| other.0.total_cmp(&one.0).then_with(|| one.1.cmp(other.1)));
    close
        .into_iter()
        .take(limit)
        .map(|(_, _, position)| position)
        .collect()
}

/// `name` cut to a sane length, and the same without a client's `mcp__server__`.
fn spellings(name: &str) -> impl Iterator<Item = &str> {
    let end = name
        .char_indices()
        .nth(NAME_CHARS)
        .map_or(name.len(), |(end, _)| end);
    let name = name.get(..end).unwrap_or(name);
    let bare = name
        .strip_prefix("mcp__")
        .and_then(|rest| rest.split_once("__"))
        .map(|(_, bare)| bare);
    [Some(name), bare]
        .into_iter()
        .flatten()
        .filter(|name| !name.is_empty())
}

/// A name as it is compared: one case, one separator.
struct Folded {
    text: String,
    chars: usize,
    words: BTreeSet<String>,
}

impl Folded {
    fn new(name: &str) -> Self {
        let text: String = name
            .chars()
            .flat_map(char::to_lowercase)
            .map(|char| if char == '-' { '_' } else { char })
            .collect();
        let words = words(name);
        Self {
            chars: text.chars().count(),
            text,
            words,
        }
    }

    /// From 0 to 1: equal, else the better of the edit distance and the share of common words.
    fn closeness(&self, other: &Self) -> f64 {
        if self.text == other.text {
            return 1.0;
        }
        let common = self.words.intersection(&other.words).count();
        let all = self.words.len() + other.words.len() - common;
        let shared = if all == 0 {
            0.0
        } else {
            common as f64 / all as f64
        };
        let (shorter, longer) = if self.chars < other.chars {
            (self.chars, other.chars)
        } else {
            (other.chars, self.chars)
        };
        // No edit distance can be better than the share of the shorter text.
        if (shorter as f64) < CLOSE * longer as f64 {
            return shared * BELOW_EQUAL;
        }
        let spelt = strsim::normalized_damerau_levenshtein(&self.text, &other.text);
        shared.max(spelt) * BELOW_EQUAL
    }
}

/// The lower-case words of `name`, split at separators and where lower case turns to upper.
fn words(name: &str) -> BTreeSet<String> {
    let mut words = BTreeSet::new();
    let mut word = String::new();
    let mut after_lower = false;
    for char in name.chars() {
        let ends = !char.is_alphanumeric() || (after_lower && char.is_uppercase());
        if ends && !word.is_empty() {
            words.insert(std::mem::take(&mut word));
        }
        if char.is_alphanumeric() {
            word.extend(char.to_lowercase());
        }
        after_lower = char.is_lowercase();
    }
    if !word.is_empty() {
        words.insert(word);
    }
    words
}

/// What counts as close.
const CLOSE: f64 = 0.5;

/// Keeps names of the same words in another order behind the name itself.
const BELOW_EQUAL: f64 = 0.99;

/// How much of an unknown name is looked at.
const NAME_CHARS: usize = 200;

#[cfg(test)]
mod tests {
    use super::*;

    const NAMES: [&str; 7] = [
        "create_issue",
        "createPullRequest",
        "entity_update",
        "github__list-runs",
        "list_issues",
        "send_mail",
        "名前",
    ];

    fn check(name: &str, expected: &[&str]) {
        let found: Vec<_> = near(name, NAMES.iter().copied(), 2)
            .into_iter()
            .map(|position| NAMES[position])
            .collect();
        assert_eq!(found, expected, "{name}");
    }

    #[test]
    fn close_names_come_closest_first() {
        check("CREATE-ISSUE", &["create_issue"]);
        check("mcp__tracker__create_issue", &["create_issue"]);
        check("create_isue", &["create_issue"]);
        check("create_pull_request", &["createPullRequest"]);
        check("issue_create", &["create_issue"]);
        check("GitHub__list_runs", &["github__list-runs"]);
        check("mail_send", &["send_mail"]);
        check("名前_", &["名前"]);
    }

    #[test]
    fn nothing_close_is_nothing() {
        for name in ["", "mcp__a__", "order_pizza", "🫠"] {
            check(name, &[]);
        }
    }

    #[test]
    fn a_huge_name_costs_little() {
        check(&"create_issue".repeat(10_000), &[]);
    }
}
