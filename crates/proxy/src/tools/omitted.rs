//! Tools for which an answer has no room.

use super::text::short_name;

/// How many tools of an answer are left out, and the names of the first.
#[derive(Debug, Clone, Default)]
pub(super) struct Omitted {
    names: Vec<String>,
    count: usize,
}

impl Omitted {
    /// Adds the tool called `name`.
    pub(super) fn add(&mut self, name: &str) {
        self.count += 1;
        if self.names.len() < NAMES {
            self.names.push(short_name(name).into_owned());
        }
    }

    /// All of these and then all of `others`.
    pub(super) fn and(&self, others: &Self) -> Self {
        let names = self.names.iter().chain(&others.names);
        Self {
            names: names.take(NAMES).cloned().collect(),
            count: self.count + others.count,
        }
    }

    /// Their names, or those of the first hundred.
    pub(super) fn names(&self) -> &[String] {
        &self.names
    }

    /// That tools are left out, for a model that can search for them; empty where none are.
    pub(super) fn prompt_note(&self) -> String {
        match self.count {
            0 => String::new(),
            1 => "One more tool has no room here: search_tools finds it.".to_owned(),
            count => format!("{count} more tools have no room here: search_tools finds them."),
        }
    }

    /// The same beside the names, in whole sentences.
    pub(super) fn note(&self) -> String {
        let note = match self.count {
            0 => return String::new(),
            1 => "One tool is left out: there is no room for it.".to_owned(),
            count => format!("{count} tools are left out: there is no room for them."),
        };
        match self.names.len() {
            named if named < self.count => format!("{note} `omitted` has the names of {named}."),
            _ => note,
        }
    }
}

/// A template may name thousands.
const NAMES: usize = 100;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_are_named_and_all_are_counted() {
        let check = |count: usize, names: usize, note: &str| {
            let mut omitted = Omitted::default();
            (0..count).for_each(|number| omitted.add(&format!("t{number}")));
            assert_eq!(omitted.names().len(), names);
            assert_eq!(omitted.note(), note);
        };
        check(0, 0, "");
        check(1, 1, "One tool is left out: there is no room for it.");
        check(
            100,
            100,
            "100 tools are left out: there is no room for them.",
        );
        check(
            250,
            100,
            "250 tools are left out: there is no room for them. `omitted` has the names of 100.",
        );
    }
}
