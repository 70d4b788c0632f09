//! The two levels of a dispatched call, as models write and mix them up (field case 22).

use std::sync::Arc;

use catalog::{
    ArgumentProblem, Arguments, Catalog, CheckLimits, Tool, UncheckedReason, object_in_text,
    prepare,
};
use serde_json::value::RawValue;
use wire::RawObject;

use crate::tools::input::{is_null, kind, string};

/// A call as it was asked for: whose name, and what was given beside it.
#[derive(Debug)]
pub(super) struct Asked {
    /// The tool's name, exactly as given.
    pub(super) name: String,
    /// The tool's arguments, of any kind.
    given: Option<Box<RawValue>>,
    /// Members that stood beside `name` and `arguments`, as an object.
    beside: Option<Box<RawValue>>,
    /// Whether the name stood inside `arguments`.
    name_was_inside: bool,
}

/// Why no tool's name can be read.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct NoName(pub(super) String);

/// Why a tool's arguments aren't sent.
#[derive(Debug)]
pub(super) enum Unfit {
    /// They don't fit the tool's schema.
    Problems(Vec<ArgumentProblem>),
    /// They stand in the wrong place, and it isn't certain what is meant: perhaps this object.
    Misplaced(Box<RawValue>),
}

/// Arguments to send.
#[derive(Debug)]
pub(super) struct Fit {
    pub(super) arguments: Box<RawValue>,
    pub(super) unchecked: Option<UncheckedReason>,
}

impl Asked {
    /// Reads a dispatcher's arguments.
    pub(super) fn read(arguments: Option<&RawValue>, catalog: &Catalog) -> Result<Self, NoName> {
        let arguments = arguments.map(from_text);
        let Some(object) = arguments.as_deref().and_then(RawObject::read) else {
            return Err(NoName(match &arguments {
                None => "the arguments are missing".to_owned(),
                Some(other) => format!("the arguments must be an object, not {}", kind(other)),
            }));
        };
        let given = object.get("arguments").map(from_text);
        match object.get("name") {
            Some(name) => {
                let name = string(name).ok_or_else(|| {
                    NoName(format!("`name` must be a string, not {}", kind(name)))
                })?;
                if name.is_empty() {
                    return Err(NoName("`name` is empty".to_owned()));
                }
                Ok(Self {
                    name,
                    given,
                    beside: rest(&object, &["name", "arguments"]),
                    name_was_inside: false,
                })
            }
            None => Self::named_inside(given.as_deref(), catalog)
                .ok_or_else(|| NoName("`name` is missing".to_owned())),
        }
    }

    /// `{"arguments":{"name":"get_page","id":"42"}}`, if that name is a tool's.
    fn named_inside(given: Option<&RawValue>, catalog: &Catalog) -> Option<Self> {
        let inner = given.and_then(RawObject::read)?;
        let name = inner.get("name").and_then(string)?;
        catalog.get(&name)?;
        let given = match inner.get("arguments").map(from_text) {
            Some(arguments) if inner.len() == 2 => arguments,
            _ => inner.rewrite(&["name"], &[]),
        };
        Some(Self {
            name,
            given: Some(given),
            beside: None,
            name_was_inside: true,
        })
    }

    /// The tool's arguments as given, of any kind.
    pub(super) fn given(&self) -> Option<&RawValue> {
        self.given.as_deref()
    }

    /// What to send to `tool`: the arguments as they stand, or moved to where they belong when the
    /// schema takes only that.
    pub(super) async fn fit(&self, tool: &Arc<Tool>, limits: &CheckLimits) -> Result<Fit, Unfit> {
        let plain = prepare(tool, self.given.as_deref(), limits).await;
        if let Some(beside) = self
            .beside
            .as_deref()
            .filter(|beside| self.is_misplaced(beside, tool))
        {
            return match (plain, checked(tool, beside, limits).await) {
                (Arguments::Refuse(_), Ok(fit)) => Ok(fit),
                (_, Err(problems)) if !problems.is_empty() => Err(Unfit::Problems(problems)),
                _ => Err(Unfit::Misplaced(beside.to_owned())),
            };
        }
        match plain {
            Arguments::Forward {
                arguments,
                unchecked: Some(_),
            } if self.name_was_inside => Err(Unfit::Misplaced(arguments)),
            Arguments::Forward {
                arguments,
                unchecked,
            } => Ok(Fit {
                arguments,
                unchecked,
            }),
            Arguments::Refuse(problems) => match self.nested_twice(tool) {
                Some(nested) => checked(tool, &nested, limits)
                    .await
                    .map_err(|_of_the_nested| Unfit::Problems(problems)),
                None => Err(Unfit::Problems(problems)),
            },
        }
    }

    /// Whether `beside` holds what `arguments` should: there are none, and the tool knows one of
    /// these members. What a client adds of its own accord doesn't count (field case 24).
    fn is_misplaced(&self, beside: &RawValue, tool: &Tool) -> bool {
        let empty = self.given.as_deref().is_none_or(|given| {
            is_null(given) || RawObject::read(given).is_some_and(|object| object.is_empty())
        });
        let beside = RawObject::read(beside);
        empty
            && match parameters(tool) {
                Some(known) => beside
                    .is_some_and(|beside| beside.iter().any(|(key, _)| known.get(key).is_some())),
                // Anything may be an argument of a tool that doesn't say what it takes.
                None => true,
            }
    }

    /// `{"arguments":{…}}` inside `arguments`, perhaps with the tool's name beside it. Of a tool
    /// that has a parameter of that name, nothing but that parameter can be meant.
    fn nested_twice(&self, tool: &Tool) -> Option<Box<RawValue>> {
        if parameters(tool).is_some_and(|known| known.get("arguments").is_some()) {
            return None;
        }
        let outer = RawObject::read(self.given.as_deref()?)?;
        let alone = outer.iter().all(|(key, value)| {
            key == "arguments"
                || (key == "name" && string(value).is_some_and(|name| name == self.name))
        });
        let inner = outer.get("arguments").filter(|_| alone)?;
        Some(from_text(inner))
    }
}

/// The parameters that `tool` says it takes.
fn parameters(tool: &Tool) -> Option<RawObject<'_>> {
    let properties = RawObject::read(tool.input_schema())?.get("properties")?;
    RawObject::read(properties)
}

/// `arguments` if the tool's schema certainly takes them, else what is wrong, if that is certain.
async fn checked(
    tool: &Arc<Tool>,
    arguments: &RawValue,
    limits: &CheckLimits,
) -> Result<Fit, Vec<ArgumentProblem>> {
    match prepare(tool, Some(arguments), limits).await {
        Arguments::Forward {
            arguments,
            unchecked: None,
        } => Ok(Fit {
            arguments,
            unchecked: None,
        }),
        Arguments::Forward { .. } => Err(Vec::new()),
        Arguments::Refuse(problems) => Err(problems),
    }
}

/// `value`, or the object that it spells as a string: no dispatcher and no tool takes a bare string.
fn from_text(value: &RawValue) -> Box<RawValue> {
    object_in_text(value).unwrap_or_else(|| value.to_owned())
}

/// The members of `object` but for `known`, or `None` where there are no others.
fn rest(object: &RawObject<'_>, known: &[&str]) -> Option<Box<RawValue>> {
    let rest = object.rewrite(known, &[]);
    RawObject::read(&rest)
        .is_some_and(|rest| !rest.is_empty())
        .then_some(rest)
}
