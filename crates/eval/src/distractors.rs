//! A catalog made larger with tools that nobody asks for.

use std::collections::HashSet;

use serde_json::value::RawValue;
use wire::RawObject;

/// Why the wanted number of tools can't be had.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DistractorError {
    /// More tools than asked for before any is added.
    #[error("there are {tools} tools already: a total of {total} can't be reached by adding some")]
    TooMany {
        /// How many there are.
        tools: usize,
        /// How many were asked for.
        total: usize,
    },
    /// Too few to add.
    #[error("with all distractors there are {tools} tools: a total of {total} needs more")]
    TooFew {
        /// How many there are.
        tools: usize,
        /// How many were asked for.
        total: usize,
    },
}

/// Adds the first of `distractors` to `tools` until there are `total`. One whose name is taken, or
/// that has none, is passed over.
pub fn add_distractors(
    tools: &mut Vec<Box<RawValue>>,
    distractors: Vec<Box<RawValue>>,
    total: usize,
) -> Result<(), DistractorError> {
    let mut names: HashSet<String> = tools.iter().filter_map(|tool| name(tool)).collect();
    if names.len() > total {
        let tools = names.len();
        return Err(DistractorError::TooMany { tools, total });
    }
    for tool in distractors {
        if names.len() == total {
            break;
        }
        if name(&tool).is_some_and(|name| names.insert(name)) {
            tools.push(tool);
        }
    }
    if names.len() < total {
        let tools = names.len();
        return Err(DistractorError::TooFew { tools, total });
    }
    Ok(())
}

fn name(tool: &RawValue) -> Option<String> {
    let name = RawObject::read(tool)?.get_str("name")?;
    Some(name.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tools(names: &[&str]) -> Vec<Box<RawValue>> {
        let tool = |name: &&str| wire::to_raw(&serde_json::json!({"name": name}));
        names.iter().map(tool).collect()
    }

    fn check(total: usize, expected: Result<&[&str], DistractorError>) {
        let mut all = tools(&["a", "b"]);
        let mut distractors = tools(&["c", "b", "d", "c", "e"]);
        distractors.insert(1, wire::to_raw(&serde_json::json!({"title": "no name"})));
        let added = add_distractors(&mut all, distractors, total);
        let names: Vec<String> = all.iter().filter_map(|tool| name(tool)).collect();
        match expected {
            Ok(expected) => assert_eq!((added, names.as_slice()), (Ok(()), &owned(expected)[..])),
            Err(expected) => assert_eq!(added, Err(expected)),
        }
    }

    fn owned(names: &[&str]) -> Vec<String> {
        names.iter().copied().map(str::to_owned).collect()
    }

    #[test]
    fn the_first_free_names_are_added_up_to_the_total() {
        check(2, Ok(&["a", "b"]));
        check(4, Ok(&["a", "b", "c", "d"]));
        check(5, Ok(&["a", "b", "c", "d", "e"]));
    }

    #[test]
    fn a_total_out_of_reach_is_refused() {
        check(1, Err(DistractorError::TooMany { tools: 2, total: 1 }));
        check(6, Err(DistractorError::TooFew { tools: 5, total: 6 }));
    }
}
