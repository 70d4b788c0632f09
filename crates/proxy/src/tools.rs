//! The five tools that a model sees.

mod call;
mod call_many;
mod definitions;
mod describe;
mod failure;
mod formats;
mod input;
mod omitted;
mod reply;
mod search;
mod text;
mod workflow;

use std::time::Duration;

use catalog::{
    CatalogView, Catalogs, CheckLimits, Missing, QueryVectors, Tool, ToolAccess, UncheckedReason,
    without_client_prefix,
};
use ranking::Mode;
use serde_json::value::RawValue;
use upstream::{Caller, Challenge, Upstream};
use wire::Era;

use crate::searches::Searches;

pub(crate) use call::example_arguments;
pub(crate) use definitions::definitions;
pub(crate) use failure::Unlisted;
pub(crate) use input::kind;
pub(crate) use reply::error_result;
use search::searched_part;
pub(crate) use search::{PlainReply, plain};
pub(crate) use text::{quoted, shorten, wait};
pub(crate) use workflow::{Manifest, Workflow};

/// One of the five.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum MetaTool {
    /// `search_tools`
    Search,
    /// `describe_tool`
    Describe,
    /// `call_read_tool`
    CallRead,
    /// `call_read_tools`
    CallReadMany,
    /// `call_write_tool`
    CallWrite,
}

/// What a meta-tool works with: one caller, one request.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ToolContext<'a> {
    /// Who asks.
    pub(crate) caller: &'a Caller,
    /// Where their tools are.
    pub(crate) catalogs: &'a Catalogs,
    /// Where calls go.
    pub(crate) upstream: &'a Upstream,
    /// Where searches are noted.
    pub(crate) searches: &'a Searches,
    /// What the operator set.
    pub(crate) settings: &'a ToolSettings,
    /// What the log calls this request; stands in texts about faults of the upstream.
    pub(crate) request_tag: &'a str,
}

/// The settings that meta-tools read.
#[derive(Debug, Clone)]
pub(crate) struct ToolSettings {
    /// `--search-schemas`: how many hits of each query come with their schema.
    pub(crate) search_schemas: usize,
    /// `--first-listing-wait`.
    pub(crate) first_listing_wait: Duration,
    /// `--max-result`: what one answer may hold, a batch's results together.
    pub(crate) max_result_bytes: usize,
    /// What checking a call's arguments may cost.
    pub(crate) checks: CheckLimits,
}

/// A `tools/call` as it arrived.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct MetaCall<'a> {
    /// `params.arguments`, of any kind.
    pub(crate) arguments: Option<&'a RawValue>,
    /// `params._meta`.
    pub(crate) meta: Option<&'a RawValue>,
    /// `params.inputResponses`: answers to what the tool asked (2026-07-28, multi round-trip).
    pub(crate) input_responses: Option<&'a RawValue>,
    /// `params.requestState`: opaque, byte for byte.
    pub(crate) request_state: Option<&'a RawValue>,
}

/// What a meta-tool answers.
#[derive(Debug)]
pub(crate) struct ToolReply {
    /// The answer.
    pub(crate) body: ReplyBody,
    /// For the log and the metrics.
    pub(crate) outcome: Outcome,
    /// The upstream tool it was about, if exactly one and known to this caller's catalog.
    pub(crate) target: Option<String>,
    /// How each query of a search was searched; for the log and the metrics.
    pub(crate) searched: Vec<Mode>,
    /// Why calls went upstream without a check of their arguments; for the metrics.
    pub(crate) unchecked: Vec<UncheckedReason>,
    /// How long the upstream took, where it was asked; of a batch, its slowest call.
    pub(crate) upstream_time: Option<Duration>,
    /// Why there is no answer of the upstream, for the log; of a batch, the first that was heard.
    pub(crate) failure: Option<String>,
    /// When the upstream takes requests again, as it says; of a batch, the latest.
    pub(crate) retry_after: Option<Duration>,
}

/// The answer's substance.
#[derive(Debug)]
pub(crate) enum ReplyBody {
    /// A result object that we wrote, without `resultType`.
    Own(Box<RawValue>),
    /// The upstream's result object, byte for byte, and the era of its form.
    Upstream(Box<RawValue>, Era),
    /// The upstream's JSON-RPC error object, byte for byte.
    Error(Box<RawValue>),
    /// The upstream's 401 or 403.
    Challenge(Challenge),
}

/// How a call of a meta-tool ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Outcome {
    /// Answered as asked.
    Ok,
    /// The upstream's result says `isError: true`.
    ToolError,
    /// The arguments don't fit; nothing was sent.
    Refused,
    /// No such tool for this caller; nothing was sent.
    UnknownTool,
    /// A write through a reading dispatcher; nothing was sent.
    WrongDispatcher,
    /// The catalog isn't there yet or can't be had.
    NoCatalog,
    /// The upstream answered with a JSON-RPC error.
    RpcError,
    /// The upstream couldn't be reached, broke off, or was too slow or too large.
    UpstreamFailed,
    /// 401 or 403.
    Challenge,
}

impl Outcome {
    /// How the log and the metrics spell it.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::ToolError => "tool_error",
            Self::Refused => "refused",
            Self::UnknownTool => "unknown_tool",
            Self::WrongDispatcher => "wrong_dispatcher",
            Self::NoCatalog => "no_catalog",
            Self::RpcError => "rpc_error",
            Self::UpstreamFailed => "upstream_failed",
            Self::Challenge => "challenge",
        }
    }
}

impl MetaTool {
    /// All five, in the order listed.
    pub(crate) const ALL: [Self; 5] = [
        Self::Search,
        Self::Describe,
        Self::CallRead,
        Self::CallReadMany,
        Self::CallWrite,
    ];

    /// The one called `name`.
    pub(crate) fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|tool| tool.name() == name)
    }

    /// Its name on the wire.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Search => "search_tools",
            Self::Describe => "describe_tool",
            Self::CallRead => "call_read_tool",
            Self::CallReadMany => "call_read_tools",
            Self::CallWrite => "call_write_tool",
        }
    }

    /// The dispatcher for `tool`.
    pub(crate) fn that_calls(tool: &Tool) -> Self {
        match tool.access() {
            ToolAccess::Read => Self::CallRead,
            ToolAccess::Write => Self::CallWrite,
        }
    }

    /// The one called `name`, perhaps with the prefix that clients put before a server's tools.
    fn parse_prefixed(name: &str) -> Option<Self> {
        Self::parse(without_client_prefix(name).unwrap_or(name))
    }

    /// Runs it. Never fails: whatever goes wrong is an answer.
    pub(crate) async fn run(self, context: ToolContext<'_>, call: MetaCall<'_>) -> ToolReply {
        match self {
            Self::Search => search::run(context, call.arguments).await,
            Self::Describe => describe::run(context, call.arguments).await,
            Self::CallReadMany => call_many::run(context, call).await,
            Self::CallRead | Self::CallWrite => call::run(self, context, call).await,
        }
    }
}

impl ToolContext<'_> {
    /// The caller's catalog.
    async fn catalog(&self) -> Result<CatalogView, Missing> {
        self.catalogs
            .get(self.caller, self.settings.first_listing_wait)
            .await
    }

    /// The vectors of `queries` for a search in `view`, where a service makes them.
    async fn query_vectors(&self, view: &CatalogView, queries: &[String]) -> QueryVectors {
        let parts: Vec<_> = queries.iter().map(|query| searched_part(query)).collect();
        let parts: Vec<&str> = parts.iter().map(|part| &**part).collect();
        let (caller, catalog) = (&self.caller.key, &view.catalog);
        self.catalogs.query_vectors(caller, catalog, &parts).await
    }

    /// The caller's catalog after `view` turned out to lack a name: listed anew, which is done at
    /// most every few seconds. `view` itself where the upstream can't be asked now.
    async fn relisted(&self, view: CatalogView) -> Result<CatalogView, Missing> {
        let wait = self.settings.first_listing_wait;
        match self.catalogs.refresh_now(self.caller, wait).await {
            Err(missing) if !failure::is_challenge(&missing) => Ok(view),
            listed => listed,
        }
    }
}
