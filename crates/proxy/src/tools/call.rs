//! `call_read_tool` and `call_write_tool`: one call of one upstream tool.

mod example;
mod misplaced;
mod parameters;
mod refusal;
mod shape;

use std::sync::Arc;
use std::time::Instant;

use catalog::{CatalogView, Tool, ToolAccess};
use serde_json::value::RawValue;
use upstream::{Effect, Forward, Reply};
use wire::{ErrorView, MAX_NESTING, RawObject, code, is_nested_deeper, to_raw};

pub(crate) use self::example::example_arguments;
use self::shape::{Asked, Fit};
use super::{MetaCall, MetaTool, Outcome, ReplyBody, ToolContext, ToolReply};

/// Runs `call` as `dispatcher` may.
pub(super) async fn run(
    dispatcher: MetaTool,
    context: ToolContext<'_>,
    call: MetaCall<'_>,
) -> ToolReply {
    match context.catalog().await {
        Ok(view) => run_with(dispatcher, context, call, &view).await,
        Err(missing) => context.no_catalog(&missing),
    }
}

/// Runs `call` as `dispatcher` may, on the snapshot in hand: the one that says what the tool does is
/// the one that says how it is called (field case 94).
pub(super) async fn run_with(
    dispatcher: MetaTool,
    context: ToolContext<'_>,
    call: MetaCall<'_>,
    view: &CatalogView,
) -> ToolReply {
    let asked = match Asked::read(call.arguments, &view.catalog) {
        Ok(asked) => asked,
        Err(problem) => return refusal::unreadable(&problem),
    };
    let tool = match find(context, view, &asked).await {
        Ok(tool) => tool,
        Err(reply) => return reply,
    };
    if tool.access() == ToolAccess::Write && dispatcher != MetaTool::CallWrite {
        return refusal::wrong_dispatcher(dispatcher, &tool).about(tool.name());
    }
    let reply = match asked.fit(&tool, &context.settings.checks).await {
        // A message within the limit may hold deeper ones as text.
        Ok(fit) if is_nested_deeper(fit.arguments.get().as_bytes(), MAX_NESTING) => {
            refusal::too_deep(&tool)
        }
        Ok(fit) => {
            context.searches.trails.call(context.caller, tool.name());
            ToolReply {
                unchecked: fit.unchecked.into_iter().collect(),
                ..send(dispatcher, context, &tool, &fit, call).await
            }
        }
        Err(unfit) => refusal::unfit(&tool, &unfit),
    };
    reply.about(tool.name())
}

/// The tool of exactly the name asked for, after one more listing if need be. A name that is only
/// close is never run (field case 36).
async fn find(
    context: ToolContext<'_>,
    view: &CatalogView,
    asked: &Asked,
) -> Result<Arc<Tool>, ToolReply> {
    if let Some(tool) = view.catalog.get(&asked.name) {
        return Ok(Arc::clone(tool));
    }
    if let Some(dispatcher) = MetaTool::parse_prefixed(&asked.name) {
        return Err(refusal::call_directly(dispatcher, asked));
    }
    let view = match context.relisted(view.clone()).await {
        Ok(view) => view,
        Err(missing) => return Err(context.no_catalog(&missing)),
    };
    match view.catalog.get(&asked.name) {
        Some(tool) => Ok(Arc::clone(tool)),
        None => Err(refusal::unknown(&asked.name, &view)),
    }
}

async fn send(
    dispatcher: MetaTool,
    context: ToolContext<'_>,
    tool: &Tool,
    fit: &Fit,
    call: MetaCall<'_>,
) -> ToolReply {
    let name = to_raw(tool.name());
    let mut params: Vec<(&str, &RawValue)> = vec![("name", &name), ("arguments", &fit.arguments)];
    params.extend(
        call.input_responses
            .map(|responses| ("inputResponses", responses)),
    );
    params.extend(call.request_state.map(|state| ("requestState", state)));
    let request = Forward {
        method: "tools/call",
        params,
        meta: call.meta,
        name: Some(tool.name()),
        param_headers: tool.param_headers(&fit.arguments),
        effect: match tool.access() {
            ToolAccess::Read => Effect::Read,
            ToolAccess::Write => Effect::Write,
        },
    };
    let started = Instant::now();
    let answer = context
        .upstream
        .forward_up_to(context.caller, request, context.settings.max_result_bytes)
        .await;
    let upstream_time = Some(started.elapsed());
    let reply = match answer {
        Ok(Reply::Result { result, era }) => {
            let failed = says_error(&result);
            let outcome = if failed {
                Outcome::ToolError
            } else {
                Outcome::Ok
            };
            ToolReply::new(outcome, ReplyBody::Upstream(result, era))
        }
        Ok(Reply::Error(error)) => rpc_error(tool, error),
        Err(error) => context.call_failed(dispatcher, tool, error),
    };
    ToolReply {
        upstream_time,
        ..reply
    }
}

fn says_error(result: &RawValue) -> bool {
    let is_error = RawObject::read(result).and_then(|result| result.get("isError"));
    is_error.is_some_and(|value| value.get() == "true")
}

/// Invalid params become something a model can act on (field case 55); any other error stays as it
/// came.
fn rpc_error(tool: &Tool, error: Box<RawValue>) -> ToolReply {
    let view = ErrorView::read(&error);
    if view.code == code::INVALID_PARAMS {
        return refusal::invalid_params(tool, &view);
    }
    ToolReply::new(Outcome::RpcError, ReplyBody::Error(error))
}
