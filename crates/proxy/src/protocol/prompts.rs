//! Templates as prompts, among the upstream's own. Without templates all prompts pass through.
//!
//! A prompt of the upstream wins over a template of its name, on whatever page it is listed.

use serde::Serialize;
use serde_json::value::RawValue;
use upstream::Reply;
use wire::{RawObject, to_raw};

use super::dispatch::{Checked, carried};
use super::error::Failure;
use super::exchange::Unavailable;
use super::method::PassThrough;
use super::prompt_names::{NOT_PROMPTS, Page, is_unknown_method};
use super::report::Report;
use super::shape::{self, CacheHints};
use super::{Incoming, Protocol};
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
        let page = if self.may_have_prompts(request.incoming) {
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
        let free = self.free(request.incoming, templates, &page, report).await;
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
        let names = self.prompt_names(request.incoming, None, report).await;
        let names = names.map_err(|unavailable| request.failure(unavailable))?;
        if names.contains(&template.name) {
            self.curation.warn_of_clash(&template.name);
            let get = PassThrough::PromptsGet;
            return self.pass_through(request, get, report).await;
        }
        let view = self.catalog_of(request.incoming, report).await;
        let view = view.map_err(|unavailable| request.failure(unavailable))?;
        let prompt = Workflow::of(template, &view.catalog).prompt();
        Ok(shape::own(prompt, request.era, CacheHints::Absent))
    }

    /// Those of `templates` whose names no prompt of the upstream has, whose list begins with
    /// `first`. None if not all of its names can be known: `first` is the caller's whatever becomes
    /// of templates.
    async fn free<'t>(
        &self,
        incoming: Incoming<'_>,
        templates: &'t [Template],
        first: &RawValue,
        report: &mut Report,
    ) -> Vec<&'t Template> {
        let names = match Page::read(first) {
            Some(first) => self.prompt_names(incoming, Some(first), report).await,
            None => Err(Unavailable::unusable(NOT_PROMPTS, report)),
        };
        let Ok(names) = names else {
            tracing::warn!(
                reason = report.failure.as_deref(),
                "the upstream's prompts can't all be listed: templates are left out"
            );
            return Vec::new();
        };
        let (taken, free) = templates
            .iter()
            .partition::<Vec<_>, _>(|template| names.contains(&template.name));
        for template in taken {
            self.curation.warn_of_clash(&template.name);
        }
        free
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

/// `result` with `templates` after the prompts that it lists, each of which keeps its bytes.
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
