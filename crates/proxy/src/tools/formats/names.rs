//! Names that an API takes, and no two tools under one.

use std::collections::{HashMap, HashSet};

use catalog::{Catalog, Tool};

/// Which names an API takes.
#[derive(Debug, Clone, Copy)]
pub(super) struct NameRule {
    pub(super) max_chars: usize,
    /// Beside ASCII letters and digits.
    pub(super) signs: &'static str,
    /// Whether a name may begin with a digit or a sign other than `_`.
    pub(super) starts: Start,
}

/// How a name may begin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Start {
    Anyhow,
    LetterOrUnderscore,
}

impl NameRule {
    /// Whether `name` can stay.
    pub(super) fn takes(&self, name: &str) -> bool {
        !name.is_empty() && name.len() <= self.max_chars && self.spelt(name) == name
    }

    /// `name` with every character that isn't taken as `_`, whatever its length.
    pub(super) fn spelt(&self, name: &str) -> String {
        let taken = |char: char| char.is_ascii_alphanumeric() || self.signs.contains(char);
        let chars = name
            .chars()
            .map(|char| if taken(char) { char } else { '_' });
        let mut spelt: String = chars.collect();
        let begins_well = |first: char| first.is_ascii_alphabetic() || first == '_';
        if self.starts == Start::LetterOrUnderscore && !spelt.starts_with(begins_well) {
            spelt.insert(0, '_');
        }
        spelt
    }

    /// What becomes of `name` where nothing else is called so.
    fn plain(&self, name: &str) -> String {
        let spelt = self.spelt(name);
        if spelt.len() <= self.max_chars {
            spelt
        } else {
            self.marked(name, 0)
        }
    }

    /// The beginning of `name` and a mark made of all of it.
    fn marked(&self, name: &str, salt: u32) -> String {
        let mark = format!("_{:08x}", digest(name, salt));
        let spelt = self.spelt(name);
        let kept = spelt.chars().take(self.max_chars - mark.len());
        kept.chain(mark.chars()).collect()
    }
}

/// What `tools` are called under `rule`, each differently. A name that can stay does, and the others
/// are settled for the whole `catalog`: whatever else an answer holds, a tool is called the same, so
/// that what a conversation says of it stays true.
pub(super) fn names(rule: &NameRule, tools: &[&Tool], catalog: &Catalog) -> Vec<String> {
    let settled = if tools.iter().all(|tool| rule.takes(tool.name())) {
        HashMap::new()
    } else {
        settled(rule, catalog)
    };
    tools
        .iter()
        .map(|tool| {
            settled
                .get(tool.name())
                .map_or_else(|| tool.name(), String::as_str)
        })
        .map(str::to_owned)
        .collect()
}

/// What becomes of each name of `catalog` that `rule` doesn't take.
fn settled<'c>(rule: &NameRule, catalog: &'c Catalog) -> HashMap<&'c str, String> {
    let own = catalog.tools().iter().map(|tool| tool.name());
    let mut altered: Vec<(&str, String)> = own
        .filter(|own| !rule.takes(own))
        .map(|own| (own, rule.plain(own)))
        .collect();
    // In an order that doesn't depend on the upstream's.
    altered.sort_unstable();
    let mut bearers: HashMap<String, usize> = HashMap::with_capacity(altered.len());
    for (_, plain) in &altered {
        *bearers.entry(plain.clone()).or_insert(0) += 1;
    }
    let mut taken: HashSet<String> = HashSet::with_capacity(altered.len());
    let mut settled = HashMap::with_capacity(altered.len());
    for (own, plain) in altered {
        let is_free = |name: &String| catalog.get(name).is_none() && !taken.contains(name);
        let is_alone = bearers.get(&plain) == Some(&1);
        let name = if is_alone && is_free(&plain) {
            plain
        } else {
            let marked = |salt| rule.marked(own, salt);
            // 32 bits may meet by chance, but not for ever.
            (0..=u32::MAX).map(marked).find(is_free).unwrap_or(plain)
        };
        taken.insert(name.clone());
        settled.insert(own, name);
    }
    settled
}

/// FNV-1a folded to 32 bits, which is the same in every process: replicas must agree on names.
fn digest(name: &str, salt: u32) -> u64 {
    let bytes = name.bytes().chain(salt.to_be_bytes());
    let hash = bytes.fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    (hash ^ (hash >> 32)) & 0xffff_ffff
}
