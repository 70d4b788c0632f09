//! Arguments where a dispatcher doesn't look for them: beside `arguments`, under another word, or
//! wrapped once more. None may be dropped, because a call would run with less than was asked for.

use catalog::Tool;
use serde::de::IgnoredAny;
use serde::{Serialize, Serializer};
use serde_json::value::RawValue;
use wire::{RawObject, to_raw};

use super::parameters::Parameters;
use super::shape::{Asked, from_text};
use crate::tools::input::{is_null, string};

/// Arguments that stand in the wrong place.
#[derive(Debug)]
pub(super) struct Misplaced {
    /// All arguments in their place, if it is clear which that is.
    pub(super) meant: Option<Box<RawValue>>,
    /// When nothing else than `meant` can be meant.
    pub(super) certain: Certain,
}

/// When a call with misplaced arguments can be put right.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Certain {
    /// When the tool takes what is meant.
    IfMeantFits,
    /// When it also can't run with the arguments as they stand.
    IfOnlyMeantFits,
    /// Never: one has to ask.
    Never,
}

impl Misplaced {
    /// What of `asked` stands in the wrong place, if anything does.
    pub(super) fn find(asked: &Asked, tool: &Tool) -> Option<Self> {
        let given = asked.given().filter(|given| !is_null(given));
        let members = match given {
            Some(given) => Some(RawObject::read(given)?),
            None => None,
        };
        let beside = asked.beside().and_then(RawObject::read);
        let wrapper = members
            .as_ref()
            .and_then(|members| members.get("arguments"));
        if beside.is_none() && wrapper.is_none() {
            return None;
        }
        let mut search = Search {
            parameters: Parameters::of(tool),
            meant: Members::default(),
            found: Found::default(),
        };
        if let Some(members) = &members {
            search.look_into(members, &asked.name);
        }
        let is_empty = members.is_none_or(|members| members.is_empty());
        if let Some(beside) = &beside {
            search.look_beside(beside, is_empty);
        }
        search.outcome(is_empty)
    }
}

struct Search {
    parameters: Parameters,
    meant: Members,
    found: Found,
}

/// How many members stand where.
#[derive(Default)]
struct Found {
    /// An `arguments` within `arguments`.
    wrappers: usize,
    /// Other members of `arguments`.
    in_place: usize,
    /// Parameters beside `name`.
    flat: usize,
    /// Objects and arrays under a word that is no parameter, and parameters in another spelling.
    renamed: usize,
    /// What a client may have added of its own accord (field case 24).
    added: usize,
}

impl Search {
    /// Takes the members of `arguments`, out of a second `arguments` among them if there is one. Of
    /// a tool that has a parameter of that name, nothing but that parameter can be meant.
    fn look_into(&mut self, members: &RawObject<'_>, tool_name: &str) {
        let repeats_name = |key: &str, value: &RawValue| {
            key == "name" && string(value).is_some_and(|name| name == tool_name)
        };
        let alone = members
            .iter()
            .all(|(key, value)| key == "arguments" || repeats_name(key, value));
        for (key, value) in members.iter() {
            let is_wrapper = key == "arguments" && !self.parameters.knows(key);
            let inner = from_text(value);
            let is_object = RawObject::read(&inner).is_some();
            if is_wrapper && (self.parameters.are_declared() || (alone && is_object)) {
                self.meant.unclear += self.found.wrappers;
                self.found.wrappers += 1;
                self.meant.add_all(&inner);
            } else if key == "name" && !self.parameters.knows(key) {
                self.meant.unclear += usize::from(!repeats_name(key, value));
            } else {
                self.found.in_place += 1;
                self.meant.add(key, value);
            }
        }
    }

    fn look_beside(&mut self, beside: &RawObject<'_>, nothing_given: bool) {
        for (key, value) in beside.iter() {
            // Anything may be an argument of a tool that doesn't say what it takes.
            let may_be_one = nothing_given && !self.parameters.are_declared();
            if may_be_one || self.parameters.knows(key) {
                self.found.flat += 1;
                self.meant.add(key, value);
                continue;
            }
            if let Some(parameter) = self.parameters.spelt_like(key) {
                self.found.renamed += 1;
                self.meant.add(parameter, value);
                continue;
            }
            let inner = from_text(value);
            if self.holds_arguments(&inner, nothing_given) {
                self.found.renamed += 1;
                self.meant.add_all(&inner);
            } else {
                self.found.added += 1;
            }
        }
    }

    /// Whether `inner`, which stands under an unknown word, may be what `arguments` should be.
    fn holds_arguments(&self, inner: &RawValue, nothing_given: bool) -> bool {
        match RawObject::read(inner) {
            Some(inner) if nothing_given => !inner.is_empty(),
            Some(inner) => inner.iter().any(|(key, _)| self.parameters.knows(key)),
            None => {
                let list: Option<Vec<IgnoredAny>> = serde_json::from_str(inner.get()).ok();
                nothing_given && list.is_some_and(|list| !list.is_empty())
            }
        }
    }

    fn outcome(self, nothing_given: bool) -> Option<Misplaced> {
        let found = self.found;
        let moved = found.flat + found.renamed;
        if found.wrappers + moved == 0 {
            return None;
        }
        let certain = if found.wrappers == 1 && found.in_place + moved == 0 {
            Certain::IfMeantFits
        } else if nothing_given && found.renamed + found.added == 0 {
            Certain::IfOnlyMeantFits
        } else {
            Certain::Never
        };
        Some(Misplaced {
            meant: self.meant.into_object(),
            certain,
        })
    }
}

/// Members of an object, each value with its bytes.
#[derive(Default)]
struct Members {
    list: Vec<(String, Box<RawValue>)>,
    /// What doesn't go together in one object.
    unclear: usize,
}

impl Members {
    fn add(&mut self, key: &str, value: &RawValue) {
        self.unclear += usize::from(self.list.iter().any(|(known, _)| known == key));
        self.list.push((key.to_owned(), value.to_owned()));
    }

    fn add_all(&mut self, object: &RawValue) {
        match RawObject::read(object) {
            Some(object) => object.iter().for_each(|(key, value)| self.add(key, value)),
            None => self.unclear += usize::from(!is_null(object)),
        }
    }

    fn into_object(self) -> Option<Box<RawValue>> {
        (self.unclear == 0).then(|| to_raw(&self))
    }
}

impl Serialize for Members {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.list.iter().map(|(key, value)| (key, value)))
    }
}
