//! The two levels of a dispatched call, as models write and mix them up (field case 22).

use std::sync::Arc;

use catalog::{
    ArgumentProblem, Arguments, Catalog, CheckLimits, Tool, UncheckedReason, object_in_text,
    prepare,
};
use serde_json::value::RawValue;
use wire::RawObject;

use super::misplaced::{Certain, Misplaced};
use super::parameters::Parameters;
use crate::tools::input::{doubled, kind, string};

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

/// Why it can't be read which tool is to be called, or with what.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Unreadable(pub(super) String);

/// Why a tool's arguments aren't sent.
#[derive(Debug)]
pub(super) enum Unfit {
    /// They don't fit the tool's schema.
    Problems(Vec<ArgumentProblem>),
    /// They stand in the wrong place, and it isn't certain what is meant: perhaps this object.
    Misplaced(Option<Box<RawValue>>),
}

/// Arguments to send.
#[derive(Debug)]
pub(super) struct Fit {
    pub(super) arguments: Box<RawValue>,
    pub(super) unchecked: Option<UncheckedReason>,
}

impl Asked {
    /// Reads a dispatcher's arguments.
    pub(super) fn read(
        arguments: Option<&RawValue>,
        catalog: &Catalog,
    ) -> Result<Self, Unreadable> {
        let arguments = arguments.map(from_text);
        let Some(object) = arguments.as_deref().and_then(RawObject::read) else {
            return Err(Unreadable(match &arguments {
                None => "the arguments are missing".to_owned(),
                Some(other) => format!("the arguments must be an object, not {}", kind(other)),
            }));
        };
        let given = once(&object, "arguments")?.map(from_text);
        match once(&object, "name")? {
            Some(name) => {
                let name = string(name).ok_or_else(|| {
                    Unreadable(format!("`name` must be a string, not {}", kind(name)))
                })?;
                if name.is_empty() {
                    return Err(Unreadable("`name` is empty".to_owned()));
                }
                Ok(Self {
                    name,
                    given,
                    beside: rest(&object, &["name", "arguments"]),
                    name_was_inside: false,
                })
            }
            None => Self::named_inside(given.as_deref(), catalog)?
                .map(|asked| asked.also_beside(rest(&object, &["arguments"])))
                .ok_or_else(|| Unreadable("`name` is missing".to_owned())),
        }
    }

    /// `{"arguments":{"name":"get_page","id":"42"}}`, if that name is a tool's.
    fn named_inside(
        given: Option<&RawValue>,
        catalog: &Catalog,
    ) -> Result<Option<Self>, Unreadable> {
        let Some(inner) = given.and_then(RawObject::read) else {
            return Ok(None);
        };
        let Some(name) = once(&inner, "name")?.and_then(string) else {
            return Ok(None);
        };
        let Some(tool) = catalog.get(&name) else {
            return Ok(None);
        };
        let is_whole_call = || inner.len() == 2 || !Parameters::of(tool).knows("arguments");
        let asked = match once(&inner, "arguments")?.filter(|_| is_whole_call()) {
            Some(arguments) => Self {
                name,
                given: Some(from_text(arguments)),
                beside: rest(&inner, &["name", "arguments"]),
                name_was_inside: true,
            },
            None => Self {
                name,
                given: Some(inner.rewrite(&["name"], &[])),
                beside: None,
                name_was_inside: true,
            },
        };
        Ok(Some(asked))
    }

    /// The same call, with these members too beside it.
    fn also_beside(mut self, more: Option<Box<RawValue>>) -> Self {
        let outer = more.as_deref().and_then(RawObject::read);
        self.beside = match (self.beside.as_deref().and_then(RawObject::read), outer) {
            (Some(inner), Some(outer)) => {
                let outer: Vec<_> = outer.iter().collect();
                Some(inner.rewrite(&[], &outer))
            }
            (Some(_), None) => self.beside,
            (None, _) => more,
        };
        self
    }

    /// The tool's arguments as given, of any kind.
    pub(super) fn given(&self) -> Option<&RawValue> {
        self.given.as_deref()
    }

    /// What stood beside it, as an object.
    pub(super) fn beside(&self) -> Option<&RawValue> {
        self.beside.as_deref()
    }

    /// What to send to `tool`: the arguments as they stand, or moved to where they belong when the
    /// schema takes only that.
    pub(super) async fn fit(&self, tool: &Arc<Tool>, limits: &CheckLimits) -> Result<Fit, Unfit> {
        let plain = prepare(tool, self.given(), limits).await;
        if let Some(misplaced) = Misplaced::find(self, tool) {
            return put_right(tool, misplaced, &plain, limits).await;
        }
        match plain {
            Arguments::Forward {
                arguments,
                unchecked: Some(_),
            } if self.name_was_inside => Err(Unfit::Misplaced(Some(arguments))),
            Arguments::Forward {
                arguments,
                unchecked,
            } => Ok(Fit {
                arguments,
                unchecked,
            }),
            Arguments::Refuse(problems) => Err(Unfit::Problems(problems)),
        }
    }
}

/// The call that is meant where nothing else can be; `plain` is how it would go as it stands.
async fn put_right(
    tool: &Arc<Tool>,
    misplaced: Misplaced,
    plain: &Arguments,
    limits: &CheckLimits,
) -> Result<Fit, Unfit> {
    let Some(meant) = misplaced.meant else {
        return Err(Unfit::Misplaced(None));
    };
    let is_certain = match misplaced.certain {
        Certain::IfMeantFits => true,
        Certain::IfOnlyMeantFits => matches!(plain, Arguments::Refuse(_)),
        Certain::Never => false,
    };
    match checked(tool, &meant, limits).await {
        Ok(fit) if is_certain => Ok(fit),
        Err(problems) if !problems.is_empty() => Err(Unfit::Problems(problems)),
        _ => Err(Unfit::Misplaced(Some(meant))),
    }
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
pub(super) fn from_text(value: &RawValue) -> Box<RawValue> {
    object_in_text(value).unwrap_or_else(|| value.to_owned())
}

/// The member `key`, which may stand only once: nobody can tell which of two is meant.
fn once<'a>(object: &RawObject<'a>, key: &str) -> Result<Option<&'a RawValue>, Unreadable> {
    match doubled(object, |found| found == key) {
        Some(key) => Err(Unreadable(format!("`{key}` stands twice: send it once"))),
        None => Ok(object.get(key)),
    }
}

/// The members of `object` but for `known`, or `None` where there are no others.
fn rest(object: &RawObject<'_>, known: &[&str]) -> Option<Box<RawValue>> {
    let rest = object.rewrite(known, &[]);
    RawObject::read(&rest)
        .is_some_and(|rest| !rest.is_empty())
        .then_some(rest)
}
