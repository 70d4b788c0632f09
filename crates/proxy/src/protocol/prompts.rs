//! Templates as prompts, among the upstream's own. Without templates all prompts pass through.
//!
//! A prompt of the upstream wins over a template of its name, on whatever page it is listed.

use std::borrow::Cow;

use catalog::{CatalogView, Missing};
use http::StatusCode;
use serde::Serialize;
use serde_json::value::RawValue;
use upstream::{Caller, Effect, Forward, Reply, UpstreamError};
use wire::{ErrorView, RawObject, code, to_raw};

use super::dispatch::{Checked, carried, unanswered};
use super::error::{Failure, Rejection};
use super::method::{Capability, PassThrough};
use super::report::Report;
use super::shape::{self, CacheHints};
use super::{Incoming, Protocol, lifecycle};
use crate::curation::Template;
use crate::tools::Workflow;

impl Protocol {
    /// The upstream's prompts; on their first page `templates` follow, but for those whose names are
    /// taken. Later pages are the upstream's alone, and its cursors are its own.
    pub(super) async fn list_prompts(
        &self,
        request: &Checked<'_>,
        templates: &[Template],
        report: &mut Report,
    ) -> Result<Box<RawValue>, Failure> {
        let list = PassThrough::PromptsList;
        let cursor = request.param("cursor");
        if cursor.is_some_and(|cursor| cursor.get() != "null") {
            return self.pass_through(request, list, report).await;
        }
        let page = if self.may_have_prompts(request.incoming.caller) {
            match self.ask_upstream(request, list, report).await? {
                Reply::Result { result, era } => Some((result, era)),
                Reply::Error(error) if is_unknown_method(&error) => None,
                Reply::Error(error) => {
                    return Err(Failure::from_error_object(error, request.era));
                }
            }
        } else {
            None
        };
        let Some((page, era)) = page else {
            let prompts = templates.iter().map(PromptJson::of).collect();
            let result = to_raw(&PromptsJson { prompts });
            return Ok(shape::own(result, request.era, CacheHints::Required));
        };
        let free = self.free(request.incoming.caller, templates, &page).await;
        let result = carried(request, list, page, era)?;
        Ok(with_prompts(result, &free))
    }

    /// The prompt called as `template` is: the upstream's, if it has one.
    pub(super) async fn get_prompt(
        &self,
        request: &Checked<'_>,
        template: &Template,
        report: &mut Report,
    ) -> Result<Box<RawValue>, Failure> {
        let incoming = request.incoming;
        let view = match self.catalog_of(incoming, report).await {
            // JSON-RPC's errors come with 200.
            Err(Failure::Rejection(Rejection { error, .. })) => {
                let status = StatusCode::OK;
                return Err(Rejection { status, error }.into());
            }
            view => view?,
        };
        if self.lists_prompt(incoming, &template.name, report).await? {
            self.curation.warn_of_clash(&template.name);
            let get = PassThrough::PromptsGet;
            return self.pass_through(request, get, report).await;
        }
        let prompt = Workflow::of(template, &view.catalog).prompt();
        Ok(shape::own(prompt, request.era, CacheHints::Absent))
    }

    /// The caller's catalog, or why there is none, for whoever speaks plain HTTP.
    pub(super) async fn catalog_of(
        &self,
        incoming: Incoming<'_>,
        report: &mut Report,
    ) -> Result<CatalogView, Failure> {
        let wait = self.tools.first_listing_wait;
        let missing = match self.catalogs.get(incoming.caller, wait).await {
            Ok(view) => return Ok(view),
            Err(missing) => missing,
        };
        let reason = match &missing {
            Missing::Failed(error) => match &**error {
                UpstreamError::Challenge(challenge) => {
                    return Err(Failure::Challenge(challenge.clone()));
                }
                error => format!("{missing}: {}", error.with_causes()),
            },
            Missing::Loading => missing.to_string(),
        };
        let failure = Rejection::unlisted(&missing, &reason, incoming.request_tag);
        report.failure = Some(reason);
        Err(failure.into())
    }

    /// Whether the upstream lists a prompt called `name`.
    pub(super) async fn lists_prompt(
        &self,
        incoming: Incoming<'_>,
        name: &str,
        report: &mut Report,
    ) -> Result<bool, Failure> {
        if !self.may_have_prompts(incoming.caller) {
            return Ok(false);
        }
        let mut cursor = None;
        for _ in 0..MAX_PAGES {
            let page = self.prompts_page(incoming.caller, cursor.as_deref()).await;
            let page = page.map_err(|error| unanswered(error, incoming, report))?;
            if page.names.iter().any(|listed| listed == name) {
                return Ok(true);
            }
            cursor = page.next_cursor;
            if cursor.is_none() {
                break;
            }
        }
        Ok(false)
    }

    /// Whether asking the upstream for prompts may bring any: it declared them, or hasn't been asked
    /// for this caller yet.
    fn may_have_prompts(&self, caller: &Caller) -> bool {
        self.catalogs
            .peek(&caller.key)
            .is_none_or(|view| lifecycle::offers(view.catalog.handshake(), Capability::Prompts))
    }

    /// Those of `templates` whose names no prompt of the upstream has, whose list begins with
    /// `first`. Pages that can't be had take no name: whoever reads on is told why.
    async fn free<'t>(
        &self,
        caller: &Caller,
        templates: &'t [Template],
        first: &RawValue,
    ) -> Vec<&'t Template> {
        let mut page = Page::read(first);
        let mut free: Vec<&Template> = templates.iter().collect();
        for _ in 0..MAX_PAGES {
            free.retain(|template| {
                let is_taken = page.names.contains(&template.name);
                if is_taken {
                    self.curation.warn_of_clash(&template.name);
                }
                !is_taken
            });
            let Some(cursor) = page.next_cursor else {
                break;
            };
            page = match self.prompts_page(caller, Some(&cursor)).await {
                Ok(page) => page,
                Err(_) => break,
            };
        }
        free
    }

    /// A page of the upstream's prompts; empty where it has none.
    async fn prompts_page(
        &self,
        caller: &Caller,
        cursor: Option<&str>,
    ) -> Result<Page, UpstreamError> {
        let cursor = cursor.map(to_raw);
        let forward = Forward {
            method: PassThrough::PromptsList.name(),
            params: cursor.iter().map(|cursor| ("cursor", &**cursor)).collect(),
            meta: None,
            name: None,
            param_headers: Vec::new(),
            effect: Effect::Read,
        };
        Ok(match self.upstream.forward(caller, forward).await? {
            Reply::Result { result, .. } => Page::read(&result),
            Reply::Error(_) => Page::default(),
        })
    }
}

/// What is read of one page of `prompts/list`.
#[derive(Default)]
struct Page {
    names: Vec<String>,
    next_cursor: Option<String>,
}

impl Page {
    fn read(result: &RawValue) -> Self {
        let object = RawObject::read(result);
        let prompts = object.as_ref().and_then(|object| object.get("prompts"));
        let prompts: Vec<&RawValue> = prompts
            .and_then(|prompts| serde_json::from_str(prompts.get()).ok())
            .unwrap_or_default();
        let name =
            |prompt: &&RawValue| Some(RawObject::read(prompt)?.get_str("name")?.into_owned());
        let next_cursor = object
            .as_ref()
            .and_then(|object| object.get_str("nextCursor"));
        Self {
            names: prompts.iter().filter_map(name).collect(),
            next_cursor: next_cursor.map(Cow::into_owned),
        }
    }
}

#[derive(Serialize)]
struct PromptsJson<'a> {
    prompts: Vec<PromptJson<'a>>,
}

#[derive(Serialize)]
struct PromptJson<'a> {
    name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<&'a str>,
}

impl<'a> PromptJson<'a> {
    fn of(template: &'a Template) -> Self {
        Self {
            name: &template.name,
            title: template.title.as_deref(),
            description: template.description.as_deref(),
        }
    }
}

/// `result` with `templates` after the prompts that it lists, each of which keeps its bytes. A result
/// that lists none stays as it is.
fn with_prompts(result: Box<RawValue>, templates: &[&Template]) -> Box<RawValue> {
    let object = RawObject::read(&result);
    let listed = object.as_ref().and_then(|object| object.get("prompts"));
    let prompts: Option<Vec<Box<RawValue>>> =
        listed.and_then(|listed| serde_json::from_str(listed.get()).ok());
    match (object, prompts) {
        (Some(object), Some(mut prompts)) if !templates.is_empty() => {
            let ours = templates
                .iter()
                .map(|template| to_raw(&PromptJson::of(template)));
            prompts.extend(ours);
            object.rewrite(&["prompts"], &[("prompts", &to_raw(&prompts))])
        }
        _ => result,
    }
}

fn is_unknown_method(error: &RawValue) -> bool {
    ErrorView::read(error).code == code::METHOD_NOT_FOUND
}

/// How many pages of prompts are read for their names.
const MAX_PAGES: usize = 20;
