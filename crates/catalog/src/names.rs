//! Which known names an unknown one may have meant: tools, parameters, enum values. Suggestions
//! only: nothing runs by them (field case 36).

/// Positions of up to `limit` of `names` that are close to `name`, closest first.
pub fn near<'a>(name: &str, names: impl Iterator<Item = &'a str>, limit: usize) -> Vec<usize> {
    let wanted: Vec<Folded> = spellings(name).map(Folded::new).collect();
    let mut candidate = Folded::default();
    let mut close: Vec<(f64, &str, usize)> = names
        .enumerate()
        .filter_map(|(position, name)| {
            candidate.read(name);
            let closeness = wanted
                .iter()
                .map(|wanted| wanted.closeness(&candidate))
                .fold(0.0, f64::max);
            (closeness > 0.0).then_some((closeness, name, position))
        })
        .collect();
    close.sort_by(|one, other| other.0.total_cmp(&one.0).then_with(|| one.1.cmp(other.1)));
    close
        .into_iter()
        .take(limit)
        .map(|(_, _, position)| position)
        .collect()
}

/// `name` without the `mcp__server__` that clients put before the names of a server's tools; `None`
/// where it has no such prefix.
pub fn without_client_prefix(name: &str) -> Option<&str> {
    let (_server, bare) = name.strip_prefix("mcp__")?.split_once("__")?;
    Some(bare)
}

/// `name` cut to a sane length, and the same without a client's `mcp__server__`.
fn spellings(name: &str) -> impl Iterator<Item = &str> {
    let end = name
        .char_indices()
        .nth(NAME_CHARS)
        .map_or(name.len(), |(end, _)| end);
    let name = name.get(..end).unwrap_or(name);
    [Some(name), without_client_prefix(name)]
        .into_iter()
        .flatten()
        .filter(|name| !name.is_empty())
}

/// A name as it is compared: lower case, with `_` for whatever parts its words.
#[derive(Default)]
struct Folded {
    text: String,
    chars: usize,
    /// How often each character occurs, some of them counted together.
    bag: [u16; 32],
}

impl Folded {
    fn new(name: &str) -> Self {
        let mut folded = Self::default();
        folded.read(name);
        folded
    }

    /// Becomes `name`, in the memory it has.
    fn read(&mut self, name: &str) {
        self.text.clear();
        self.chars = 0;
        self.bag = [0; 32];
        let mut after_lower = false;
        for char in name.chars() {
            if after_lower && char.is_uppercase() {
                self.push('_');
            }
            after_lower = char.is_lowercase();
            if char.is_alphanumeric() {
                char.to_lowercase().for_each(|char| self.push(char));
            } else {
                self.push('_');
            }
        }
    }

    fn push(&mut self, char: char) {
        self.text.push(char);
        self.chars += 1;
        if let Some(count) = self.bag.get_mut(char as usize % 32) {
            *count = count.saturating_add(1);
        }
    }

    /// From 0, not close, to 1, the same but for case and separators: else the share of common
    /// words, or how few edits lead from one to the other, whichever is more.
    fn closeness(&self, other: &Self) -> f64 {
        let longer = self.chars.max(other.chars) as f64;
        let least_edits = self.least_edits(other);
        let same = |char: &char| *char != '_';
        if self
            .text
            .chars()
            .filter(same)
            .eq(other.text.chars().filter(same))
        {
            return 1.0;
        }
        let shared = Some(self.shared_words(other)).filter(|shared| *shared >= ENOUGH_WORDS);
        // An edit distance costs much more than its lower bound.
        let spelt = Some(1.0 - least_edits as f64 / longer)
            .filter(|possible| *possible >= ENOUGH_LETTERS)
            .map(|_| 1.0 - strsim::osa_distance(&self.text, &other.text) as f64 / longer)
            .filter(|spelt| *spelt >= ENOUGH_LETTERS);
        shared.unwrap_or_default().max(spelt.unwrap_or_default()) * BELOW_EQUAL
    }

    /// No fewer edits than these lead from one to the other.
    fn least_edits(&self, other: &Self) -> usize {
        let (mut more, mut fewer) = (0, 0);
        for (own, others) in self.bag.iter().zip(&other.bag) {
            more += usize::from(own.saturating_sub(*others));
            fewer += usize::from(others.saturating_sub(*own));
        }
        more.max(fewer)
    }

    fn shared_words(&self, other: &Self) -> f64 {
        let (own, others) = (self.words().count(), other.words().count());
        let common = self
            .words()
            .filter(|word| other.words().any(|other| other == *word))
            .count();
        let all = own + others - common.min(others);
        if all == 0 {
            return 0.0;
        }
        common as f64 / all as f64
    }

    fn words(&self) -> impl Iterator<Item = &str> {
        self.text.split('_').filter(|word| !word.is_empty())
    }
}

/// The share of words that makes two names close.
const ENOUGH_WORDS: f64 = 0.5;

/// The share of unedited characters that makes two names close.
const ENOUGH_LETTERS: f64 = 0.6;

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
