//! A template and the upstream's prompt of one name, for programs that speak no MCP.

use http::StatusCode;
use serde::Serialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value};
use upstream::{Effect, Forward, Reply};
use wire::{Era, ErrorView, RpcError, code, to_raw};

use super::dispatch::unanswered;
use super::error::{Failure, Rejection};
use super::method::{Method, PassThrough};
use super::report::{MessageKind, Report, RequestOutcome};
use super::shape::{self, CacheHints, Uncarried};
use super::{Answer, Incoming, Protocol};
use crate::tools::{Manifest, Workflow};

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
        let method = Method::PassThrough(PassThrough::PromptsGet);
        let mut report = Report::new(MessageKind::Request(Some(method)), RequestOutcome::Ok);
        let failure = match self.page(incoming, asked, &mut report).await {
            Ok(page) => {
                return Answer {
                    status: StatusCode::OK,
                    body: page.get().as_bytes().to_vec(),
                    www_authenticate: Vec::new(),
                    report,
                };
            }
            Err(failure) => failure,
        };
        self.refused(incoming, failure, report)
    }

    fn refused(&self, incoming: Incoming<'_>, failure: Failure, mut report: Report) -> Answer {
        report.outcome = RequestOutcome::Error;
        let (status, error, www_authenticate) = match failure {
            Failure::Rejection(Rejection { status, error }) => (status, error, Vec::new()),
            Failure::Upstream { status, error } => {
                let error = ErrorView::read(&error);
                let error = RpcError::new(error.code, error.message);
                (status, error, Vec::new())
            }
            Failure::Challenge(challenge) => {
                report.outcome = RequestOutcome::Challenge;
                let (status, error) = self.challenged(incoming.caller, &challenge);
                (status, error, challenge.www_authenticate)
            }
        };
        Answer {
            // JSON-RPC's errors come with 200, in which nobody would look for them here.
            status: match status {
                StatusCode::OK => StatusCode::BAD_GATEWAY,
                status => status,
            },
            body: error.without_id(),
            www_authenticate,
            report,
        }
    }

    async fn page(
        &self,
        incoming: Incoming<'_>,
        asked: PromptRequest<'_>,
        report: &mut Report,
    ) -> Result<Box<RawValue>, Failure> {
        let view = self.catalog_of(incoming, report).await?;
        let curated = self.curation.now();
        let template = curated.template(asked.name);
        let is_listed = self.lists_prompt(incoming, asked.name, report).await?;
        if template.is_none() && !is_listed {
            return Err(Rejection::no_prompt(asked.name).into());
        }
        let workflow = template.map(|template| Workflow::of(template, &view.catalog));
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
    ) -> Result<Result<Box<RawValue>, Box<RawValue>>, Failure> {
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
        match self.upstream.forward(incoming.caller, forward).await {
            Ok(Reply::Result { result, era }) => {
                let carried = shape::upstream(result, era, Era::Legacy, CacheHints::Absent);
                Ok(carried.map_err(|Uncarried(reason)| {
                    RpcError::new(code::INTERNAL_ERROR, reason).to_raw()
                }))
            }
            Ok(Reply::Error(error)) => Ok(Err(error)),
            Err(error) => Err(unanswered(error, incoming, report)),
        }
    }
}
