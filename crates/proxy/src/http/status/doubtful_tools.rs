//! Which tools something is wrong with, for the operator.

use std::collections::{BTreeMap, BTreeSet};

use catalog::DoubtfulTools;
use serde::Serialize;

use super::notes::repair;

/// Names by what is wrong.
#[derive(Serialize)]
pub(super) struct DoubtfulToolsStatus {
    repaired: BTreeMap<&'static str, BTreeSet<String>>,
    unchecked: BTreeMap<&'static str, BTreeSet<String>>,
    hidden_characters: BTreeSet<String>,
}

impl From<DoubtfulTools> for DoubtfulToolsStatus {
    fn from(tools: DoubtfulTools) -> Self {
        let repaired = tools.repaired.into_iter();
        let unchecked = tools.unchecked.into_iter();
        Self {
            repaired: repaired.map(|(why, names)| (repair(why), names)).collect(),
            unchecked: unchecked.map(|(why, names)| (why.name(), names)).collect(),
            hidden_characters: tools.hidden_characters,
        }
    }
}
