//! `call_read_tools`: several reads at once, every answer in its place.

use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;
use serde::Serialize;
use serde_json::value::RawValue;
use wire::{ErrorView, RawObject, meta_key, to_raw};

use super::input::{Input, Refusal};
use super::reply::TextBlock;
use super::text::quoted;
use super::{
    MetaCall, MetaTool, Outcome, ReplyBody, ToolContext, ToolReply, ToolSettings, call, failure,
};

pub(super) async fn run(context: ToolContext<'_>, batch: MetaCall<'_>) -> ToolReply {
    let calls = match calls(batch.arguments) {
        Ok(calls) => calls,
        Err(refusal) => return ToolReply::refused(&format!("Nothing was run: {}.", refusal.0)),
    };
    let view = match context.catalog().await {
        Ok(view) => view,
        Err(missing) => return context.no_catalog(&missing),
    };
    // Results that arrive together are held together: each has its share of what one answer may hold.
    let settings = ToolSettings {
        max_result_bytes: context.settings.max_result_bytes / calls.len().max(1),
        ..context.settings.clone()
    };
    let context = ToolContext {
        settings: &settings,
        ..context
    };
    // A progress token may belong to one running request only.
    let meta = batch
        .meta
        .and_then(RawObject::read)
        .map(|meta| meta.rewrite(&[meta_key::PROGRESS_TOKEN], &[]));
    let running = calls.iter().enumerate().map(async |(position, arguments)| {
        let call = MetaCall {
            arguments: Some(arguments),
            meta: meta.as_deref(),
            ..MetaCall::default()
        };
        let reply = call::run_with(MetaTool::CallReadMany, context, call, &view).await;
        (position, name_of(arguments), reply)
    });
    gather(context, running.collect()).await
}

/// All replies in one answer, each in its place.
async fn gather(
    context: ToolContext<'_>,
    mut running: FuturesUnordered<impl Future<Output = (usize, String, ToolReply)>>,
) -> ToolReply {
    let mut entries = Vec::with_capacity(running.len());
    let mut unchecked = Vec::new();
    let mut upstream_time = None;
    let mut failure = None;
    let mut retry_after = None;
    while let Some((position, asked_name, reply)) = running.next().await {
        // The client has to sign in again whatever the others answer (field case 84).
        if matches!(reply.body, ReplyBody::Challenge(_)) {
            return ToolReply {
                target: None,
                ..reply
            };
        }
        unchecked.extend_from_slice(&reply.unchecked);
        upstream_time = upstream_time.max(reply.upstream_time);
        failure = failure.or_else(|| reply.failure.clone());
        retry_after = retry_after.max(reply.retry_after);
        entries.push((position, Entry::new(&reply, asked_name, &context)));
    }
    entries.sort_unstable_by_key(|(position, _)| *position);
    ToolReply {
        unchecked,
        upstream_time,
        failure,
        retry_after,
        ..answer(entries.into_iter().map(|(_, entry)| entry))
    }
}

/// The entries of `calls`, each of any kind. An array written as JSON text is taken as that array.
fn calls(arguments: Option<&RawValue>) -> Result<Vec<Box<RawValue>>, Refusal> {
    let input = Input::read(arguments)?;
    if input.get("name").is_some() || input.get("arguments").is_some() {
        return Err(Refusal(format!(
            "for one call use call_read_tool, or put it into `calls`: {FORM}"
        )));
    }
    let given = match input.get("calls") {
        Some(calls) => {
            list(calls).ok_or_else(|| Refusal(format!("`calls` must be an array: {FORM}")))?
        }
        None => Vec::new(),
    };
    match given.len() {
        0 => Err(Refusal(format!("say what to call: {FORM}"))),
        1..=MAX_CALLS => Ok(given),
        count => Err(Refusal(format!(
            "`calls` holds {count}, at most {MAX_CALLS} are run at once: send the rest in another \
             call"
        ))),
    }
}

fn list(calls: &RawValue) -> Option<Vec<Box<RawValue>>> {
    let text: Option<String> = serde_json::from_str(calls.get()).ok();
    serde_json::from_str(text.as_deref().unwrap_or_else(|| calls.get())).ok()
}

fn name_of(call: &RawValue) -> String {
    let name = RawObject::read(call).and_then(|call| call.get_str("name"));
    name.map_or_else(|| "(no name)".to_owned(), |name| quoted(&name))
}

/// What one call came to.
struct Entry {
    name: String,
    outcome: Outcome,
    blocks: Vec<Box<RawValue>>,
}

impl Entry {
    fn new(reply: &ToolReply, asked_name: String, context: &ToolContext<'_>) -> Self {
        let name = reply.target.as_deref().map_or(asked_name, quoted);
        let (outcome, blocks) = match &reply.body {
            ReplyBody::Own(result) => (reply.outcome, blocks_of(result)),
            ReplyBody::Upstream(result, _) => from_upstream(result, reply.outcome),
            ReplyBody::Error(error) => (reply.outcome, vec![text_block(&error_text(error))]),
            ReplyBody::Challenge(_) => (reply.outcome, Vec::new()),
        };
        let entry = Self {
            name,
            outcome,
            blocks,
        };
        match reply.body {
            ReplyBody::Own(_) => entry,
            _ => entry.within_its_share(context),
        }
    }

    fn failed(&self) -> bool {
        self.outcome != Outcome::Ok
    }

    /// The same, or why it isn't shown: written as text, a result may have grown.
    fn within_its_share(self, context: &ToolContext<'_>) -> Self {
        let max_bytes = context.settings.max_result_bytes;
        let bytes = self.blocks.iter().map(|block| block.get().len() + 1).sum();
        if bytes <= max_bytes {
            return self;
        }
        let text = failure::too_large_for_batch(&self.name, bytes, max_bytes);
        Self {
            name: self.name,
            outcome: Outcome::UpstreamFailed,
            blocks: vec![text_block(&context.tagged(&text))],
        }
    }
}

/// The blocks of a result, or why it can't stand in a batch.
fn from_upstream(result: &RawValue, outcome: Outcome) -> (Outcome, Vec<Box<RawValue>>) {
    let kind = RawObject::read(result).and_then(|result| result.get("resultType"));
    if kind.is_none_or(|kind| kind.get() == r#""complete""#) {
        return (outcome, blocks_of(result));
    }
    (Outcome::ToolError, vec![text_block(ASKS_BACK)])
}

/// The content of `result`, each block byte for byte. What stands only in `structuredContent` comes
/// as text, because a batch answers in content alone: no client may see half of it (field case 5).
/// A result whose `content` is no array comes whole as text, so that nothing of it is lost.
fn blocks_of(result: &RawValue) -> Vec<Box<RawValue>> {
    let object = RawObject::read(result);
    let content = object.as_ref().and_then(|object| object.get("content"));
    let blocks: Option<Vec<Box<RawValue>>> =
        content.and_then(|content| serde_json::from_str(content.get()).ok());
    let (Some(object), Some(mut blocks)) = (object, blocks) else {
        return vec![text_block(result.get())];
    };
    let structured = object
        .get("structuredContent")
        .filter(|_| !blocks.iter().any(|block| is_text(block)));
    blocks.extend(structured.map(|structured| text_block(structured.get())));
    blocks
}

fn is_text(block: &RawValue) -> bool {
    RawObject::read(block)
        .and_then(|block| block.get_str("type"))
        .is_some_and(|kind| kind == "text")
}

fn text_block(text: &str) -> Box<RawValue> {
    to_raw(&TextBlock::new(text))
}

fn error_text(error: &RawValue) -> String {
    let view = ErrorView::read(error);
    let data = view
        .data
        .map(|data| format!("\nDetails: {}", data.get()))
        .unwrap_or_default();
    format!(
        "The upstream answered with error {}: {}{data}",
        view.code, view.message
    )
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct BatchResult {
    content: Vec<Box<RawValue>>,
    is_error: bool,
}

fn answer(entries: impl Iterator<Item = Entry>) -> ToolReply {
    let mut content = Vec::new();
    let mut succeeded = 0_usize;
    for (position, mut entry) in entries.enumerate() {
        let state = if entry.failed() { "failed" } else { "ok" };
        succeeded += usize::from(!entry.failed());
        content.push(text_block(&format!(
            "{}. {}: {state}",
            position + 1,
            entry.name
        )));
        content.append(&mut entry.blocks);
    }
    let is_error = succeeded == 0;
    let outcome = if is_error {
        Outcome::ToolError
    } else {
        Outcome::Ok
    };
    ToolReply::own(outcome, &BatchResult { content, is_error })
}

const MAX_CALLS: usize = 10;
const FORM: &str = r#"`"calls": [{"name": "exact_name", "arguments": {…}}]`"#;
const ASKS_BACK: &str = "The tool asks back before it answers, which a batch can't carry: call it \
                         alone with call_read_tool.";

#[cfg(test)]
mod tests;
