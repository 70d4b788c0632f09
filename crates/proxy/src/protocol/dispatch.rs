//! From a request to its result.

use std::borrow::Cow;

use http::StatusCode;
use serde::Serialize;
use serde_json::value::RawValue;
use upstream::{Effect, Forward, Reply};
use wire::{Era, RawObject, Request, to_raw};

use super::error::{Failure, Rejection};
use super::exchange::Unavailable;
use super::method::{Method, PassThrough};
use super::report::{Report, RequestOutcome};
use super::shape::{self, CacheHints, Uncarried};
use super::{Incoming, Protocol, lifecycle, negotiate};
use crate::tools::{self, MetaCall, MetaTool, Outcome, ReplyBody, quoted};

/// A request that passed the checks of its form.
pub(super) struct Checked<'a> {
    pub(super) incoming: Incoming<'a>,
    method: Method,
    pub(super) era: Era,
    pub(super) params: Option<RawObject<'a>>,
    /// The member of `params` that names what the method is about.
    name: Option<Cow<'a, str>>,
}

impl<'a> Checked<'a> {
    /// Checks in the order that the protocol asks for: era, envelope, method, params, headers.
    fn new(incoming: Incoming<'a>, request: &Request<'a>) -> Result<Self, Rejection> {
        let method = Method::parse(&request.method);
        let era = negotiate::era(method, request.params, incoming.headers)?;
        let Some(method) = method.filter(|method| method.exists_in(era)) else {
            return Err(Rejection::method_not_found(&request.method, era));
        };
        let params = request.params.and_then(RawObject::read);
        let name = match method.name_member() {
            Some(member) => Some(required(params.as_ref(), member)?),
            None => None,
        };
        if era == Era::Modern {
            negotiate::check_headers(incoming.headers, &request.method, name.as_deref())?;
        }
        Ok(Self {
            incoming,
            method,
            era,
            params,
            name,
        })
    }

    pub(super) fn param(&self, key: &str) -> Option<&'a RawValue> {
        self.params.as_ref().and_then(|params| params.get(key))
    }

    /// What it has instead of a result.
    pub(super) fn failure(&self, unavailable: Unavailable) -> Failure {
        unavailable.failure(self.era, self.incoming.request_tag)
    }

    /// Whether `notifications/cancelled` may end it. A modern client hangs up instead, a handshake is
    /// never cancelled (2025-11-25, cancellation), and callers without a token are all one: each could
    /// end the others' requests.
    fn may_be_cancelled(&self) -> bool {
        self.era == Era::Legacy
            && self.method != Method::Initialize
            && self.incoming.caller.authorization.is_some()
    }
}

impl Protocol {
    /// The result of `request`, in the shape that its era wants.
    pub(super) async fn result(
        &self,
        incoming: Incoming<'_>,
        request: &Request<'_>,
        report: &mut Report,
    ) -> Result<Box<RawValue>, Failure> {
        let id = &request.id;
        let request = Checked::new(incoming, request)?;
        if !request.may_be_cancelled() {
            return self.run(&request, report).await;
        }
        let running = self.running.enter(incoming.caller.key, id);
        tokio::select! {
            result = self.run(&request, report) => result,
            () = running.cancelled() => {
                report.outcome = RequestOutcome::Cancelled;
                Err(Rejection::cancelled().into())
            }
        }
    }

    async fn run(
        &self,
        request: &Checked<'_>,
        report: &mut Report,
    ) -> Result<Box<RawValue>, Failure> {
        match request.method {
            Method::Initialize => self.initialize(request).await,
            Method::Discover => self.discover(request).await,
            Method::ToolsList => Ok(tools_list(request.era)),
            Method::ToolsCall => self.call(request, report).await,
            Method::PassThrough(method) => self.prompt_or_pass(request, method, report).await,
            Method::Ping => Ok(to_raw(&EmptyResult {})),
        }
    }

    async fn call(
        &self,
        request: &Checked<'_>,
        report: &mut Report,
    ) -> Result<Box<RawValue>, Failure> {
        let name = request.name.as_deref().unwrap_or_default();
        let Some(tool) = MetaTool::parse(name) else {
            return Err(unknown_tool(name).into());
        };
        let call = MetaCall {
            arguments: request.param("arguments"),
            meta: request.param("_meta"),
            input_responses: request.param("inputResponses"),
            request_state: request.param("requestState"),
        };
        let reply = tool.run(self.tool_context(request.incoming), call).await;
        report.call = Some((tool, reply.outcome));
        report.target = reply.target;
        report.searched = reply.searched;
        report.unchecked = reply.unchecked;
        report.upstream_time = reply.upstream_time;
        report.failure = reply.failure;
        report.retry_after = reply.retry_after;
        match reply.body {
            ReplyBody::Own(result) => Ok(shape::own(result, request.era, CacheHints::Absent)),
            ReplyBody::Upstream(result, era) => {
                match shape::upstream(result, era, request.era, CacheHints::Absent) {
                    Ok(result) => Ok(result),
                    Err(Uncarried(reason)) => {
                        report.call = Some((tool, Outcome::ToolError));
                        Ok(tools::error_result(&reason))
                    }
                }
            }
            // The method was found here, whatever the upstream says of it: never 404.
            ReplyBody::Error(error) => Err(Failure::Upstream {
                status: StatusCode::OK,
                error,
            }),
            ReplyBody::Challenge(challenge) => Err(Failure::Challenge(challenge)),
        }
    }

    /// Answers for templates, and hands on whatever isn't about them.
    async fn prompt_or_pass(
        &self,
        request: &Checked<'_>,
        method: PassThrough,
        report: &mut Report,
    ) -> Result<Box<RawValue>, Failure> {
        let curated = self.curation.now();
        let name = request.name.as_deref().unwrap_or_default();
        match (method, curated.template(name)) {
            (PassThrough::PromptsList, _) if !curated.templates.is_empty() => {
                self.list_prompts(request, &curated.templates, report).await
            }
            (PassThrough::PromptsGet, Some(template)) => {
                self.get_prompt(request, template, report).await
            }
            _ => self.pass_through(request, method, report).await,
        }
    }

    /// Hands on what isn't about tools. Where the catalog is there and its upstream never declared
    /// the method's capability, nothing is sent; without a catalog the upstream says so itself.
    pub(super) async fn pass_through(
        &self,
        request: &Checked<'_>,
        method: PassThrough,
        report: &mut Report,
    ) -> Result<Box<RawValue>, Failure> {
        let caller = request.incoming.caller;
        if let Some(view) = self.catalogs.peek(&caller.key)
            && !lifecycle::offers(view.catalog.handshake(), method.capability())
        {
            return Err(Rejection::method_not_found(method.name(), request.era).into());
        }
        match self.ask_upstream(request, method, report).await? {
            Reply::Result { result, era } => carried(request, method, result, era),
            Reply::Error(error) => Err(Failure::from_error_object(error, request.era)),
        }
    }

    /// What the upstream says to `request`.
    pub(super) async fn ask_upstream(
        &self,
        request: &Checked<'_>,
        method: PassThrough,
        report: &mut Report,
    ) -> Result<Reply, Failure> {
        let params = request.params.as_ref();
        let forward = Forward {
            method: method.name(),
            params: params
                .into_iter()
                .flat_map(RawObject::iter)
                .filter(|(key, _)| *key != "_meta")
                .collect(),
            meta: request.param("_meta"),
            name: request.name.as_deref(),
            param_headers: Vec::new(),
            effect: Effect::Read,
        };
        let reply = self.exchange(request.incoming, forward, report).await;
        reply.map_err(|unavailable| request.failure(unavailable))
    }
}

/// The upstream's result of `method` in the era of `request`.
pub(super) fn carried(
    request: &Checked<'_>,
    method: PassThrough,
    result: Box<RawValue>,
    era: Era,
) -> Result<Box<RawValue>, Failure> {
    shape::upstream(result, era, request.era, method.cache_hints())
        .map_err(|Uncarried(reason)| Rejection::uncarried(reason).into())
}

#[derive(Serialize)]
struct EmptyResult {}

/// The same five for everyone, so no upstream is asked. One page; a cursor changes nothing.
fn tools_list(era: Era) -> Box<RawValue> {
    #[derive(Serialize)]
    struct ListResult {
        tools: &'static RawValue,
    }
    let result = to_raw(&ListResult {
        tools: tools::definitions(),
    });
    shape::own(result, era, CacheHints::Required)
}

fn required<'a>(params: Option<&RawObject<'a>>, member: &str) -> Result<Cow<'a, str>, Rejection> {
    let value = params.and_then(|params| params.get(member));
    let text = params.and_then(|params| params.get_str(member));
    text.ok_or_else(|| {
        let found = value.map_or_else(String::new, |value| format!(", not {}", tools::kind(value)));
        Rejection::params(format!("`params.{member}` must be a string{found}"))
    })
}

/// A model that has seen a tool's name in a search tends to call it directly.
fn unknown_tool(name: &str) -> Rejection {
    Rejection::params(format!(
        "unknown tool {}: tools found by search_tools are called through call_read_tool, \
         call_read_tools or call_write_tool",
        quoted(name)
    ))
}
