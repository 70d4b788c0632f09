//! A template and the upstream's prompt of one name, for programs that speak no MCP.

use http::StatusCode;
use serde::Serialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value};
use upstream::{Effect, Forward, Reply};
use wire::{Era, RpcError, code, to_raw};

use super::exchange::Unavailable;
use super::method::PassThrough;
use super::plain::PlainFailure;
use super::report::{MessageKind, Report, RequestOutcome};
use super::shape::{self, CacheHints, Uncarried};
use super::{Answer, Incoming, Protocol};
use crate::tools::{Manifest, Workflow, quoted};

/// What is asked for.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PromptRequest<'a> {
    /// The name of a template, of a prompt, or of both.
    pub(crate) name: &'a str,
    /// What the upstream's prompt is filled in with.
    pub(crate) arguments: &'a Map<String, Value>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct PageJson<'a> {
    name: &'a str,
    #[serde(flatten)]
    manifest: Option<Manifest<'a>>,
    /// The upstream's result, byte for byte.
    #[serde(skip_serializing_if = "Option::is_none")]
    prompt: Option<Box<RawValue>>,
    /// The upstream's error, byte for byte.
    #[serde(skip_serializing_if = "Option::is_none")]
    prompt_error: Option<Box<RawValue>>,
}

impl Protocol {
    /// Answers a request for the template and the prompt of one name. Never fails.
    pub(crate) async fn prompt_page(
        &self,
        incoming: Incoming<'_>,
        asked: PromptRequest<'_>,
    ) -> Answer {
        let mut report = Report::new(MessageKind::Plain, RequestOutcome::Ok);
        let result = self.page(incoming, asked, &mut report).await;
        self.plain_answer(incoming, result, report)
    }

    /// The tools are listed for a template alone: a prompt of the upstream's takes none.
    async fn page(
        &self,
        incoming: Incoming<'_>,
        asked: PromptRequest<'_>,
        report: &mut Report,
    ) -> Result<Box<RawValue>, PlainFailure> {
        let curated = self.curation.now();
        let template = curated.template(asked.name);
        let names = self.prompt_names(incoming, None, report).await?;
        let is_listed = names.contains(asked.name);
        if template.is_none() && !is_listed {
            return Err(no_prompt(asked.name));
        }
        let view = match template {
            Some(_) => Some(self.catalog_of(incoming, report).await?),
            None => None,
        };
        let workflow = template
            .zip(view.as_ref())
            .map(|(template, view)| Workflow::of(template, &view.catalog));
        let mut page = PageJson {
            name: asked.name,
            manifest: workflow.as_ref().map(Workflow::manifest),
            prompt: None,
            prompt_error: None,
        };
        if is_listed {
            if template.is_some() {
                self.curation.warn_of_clash(asked.name);
            }
            match self.upstream_prompt(incoming, asked, report).await? {
                Ok(prompt) => page.prompt = Some(prompt),
                Err(error) => page.prompt_error = Some(error),
            }
        }
        Ok(to_raw(&page))
    }

    /// The upstream's prompt filled in, or why it can't be: its arguments may be missing.
    async fn upstream_prompt(
        &self,
        incoming: Incoming<'_>,
        asked: PromptRequest<'_>,
        report: &mut Report,
    ) -> Result<Result<Box<RawValue>, Box<RawValue>>, Unavailable> {
        let [name, arguments] = [to_raw(asked.name), to_raw(asked.arguments)];
        let get = PassThrough::PromptsGet;
        let mut params = vec![("name", &*name)];
        if !asked.arguments.is_empty() {
            params.push(("arguments", &arguments));
        }
        let forward = Forward {
            method: get.name(),
            params,
            meta: None,
            name: Some(asked.name),
            param_headers: Vec::new(),
            effect: Effect::Read,
        };
        match self.exchange(incoming, forward, report).await? {
            Reply::Result { result, era } => {
                let carried = shape::upstream(result, era, Era::Legacy, CacheHints::Absent);
                Ok(carried.map_err(|Uncarried(reason)| {
                    RpcError::new(code::INTERNAL_ERROR, reason).to_raw()
                }))
            }
            Reply::Error(error) => Ok(Err(error)),
        }
    }
}

/// Neither the upstream nor a template has it.
fn no_prompt(name: &str) -> PlainFailure {
    PlainFailure::Refused {
        status: StatusCode::NOT_FOUND,
        text: format!("there is no prompt and no template {}", quoted(name)),
    }
}
