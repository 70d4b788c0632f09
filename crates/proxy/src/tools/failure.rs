//! What a model reads when the upstream fails: what happened to its call, and what to do.

use std::time::Duration;

use catalog::{CatalogView, Missing, Tool, ToolAccess};
use upstream::{Challenge, UpstreamError};

use super::text::{quoted, size, wait};
use super::{MetaTool, Outcome, ReplyBody, ToolContext, ToolReply};

/// Why a caller's tools aren't there.
#[derive(Debug)]
pub(crate) enum Unlisted {
    /// The first listing goes on.
    Loading {
        /// For the caller.
        text: String,
        /// For the log.
        reason: String,
    },
    /// It failed.
    Failed {
        /// For the caller.
        text: String,
        /// For the log.
        reason: String,
    },
    /// The upstream takes no more requests for now.
    Limited {
        /// For the caller.
        text: String,
        /// For the log.
        reason: String,
        /// When it takes them again, if it says so.
        retry_after: Option<Duration>,
    },
    /// The upstream wants other credentials.
    Challenge(Challenge),
}

impl ToolContext<'_> {
    /// The answer when `error` ended a call of `tool` through `dispatcher`.
    pub(super) fn call_failed(
        &self,
        dispatcher: MetaTool,
        tool: &Tool,
        error: UpstreamError,
    ) -> ToolReply {
        let error = match error {
            UpstreamError::Challenge(challenge) => return challenged(challenge),
            other => other,
        };
        let text = call_text(&quoted(tool.name()), dispatcher, tool.access(), &error);
        ToolReply {
            failure: Some(error.with_causes()),
            retry_after: error.retry_after(),
            ..ToolReply::error(Outcome::UpstreamFailed, &self.tagged(&text))
        }
    }

    /// The answer when there is no catalog to work with.
    pub(super) fn no_catalog(&self, missing: &Missing) -> ToolReply {
        match self.unlisted(missing) {
            Unlisted::Challenge(challenge) => challenged(challenge),
            Unlisted::Loading { text, reason } | Unlisted::Failed { text, reason } => ToolReply {
                failure: Some(reason),
                ..ToolReply::error(Outcome::NoCatalog, &text)
            },
            Unlisted::Limited {
                text,
                reason,
                retry_after,
            } => ToolReply {
                failure: Some(reason),
                retry_after,
                ..ToolReply::error(Outcome::NoCatalog, &text)
            },
        }
    }

    /// The caller's catalog, or in words why there is none.
    pub(crate) async fn listed(&self) -> Result<CatalogView, Unlisted> {
        let listed = self.catalog().await;
        listed.map_err(|missing| self.unlisted(&missing))
    }

    fn unlisted(&self, missing: &Missing) -> Unlisted {
        let Missing::Failed(error) = missing else {
            return Unlisted::Loading {
                text: self.tagged(LOADING),
                reason: missing.to_string(),
            };
        };
        if let UpstreamError::Challenge(challenge) = error.as_ref() {
            return Unlisted::Challenge(challenge.clone());
        }
        let advice = advice(MetaTool::Search, error);
        let text = self.tagged(&format!("The tools can't be listed: {error}. {advice}"));
        let reason = error.with_causes();
        match **error {
            UpstreamError::RateLimited { retry_after } => Unlisted::Limited {
                text,
                reason,
                retry_after,
            },
            _ => Unlisted::Failed { text, reason },
        }
    }

    /// `text`, with what finds its cause in the log.
    pub(super) fn tagged(&self, text: &str) -> String {
        format!("{text} (request {})", self.request_tag)
    }
}

fn challenged(challenge: Challenge) -> ToolReply {
    ToolReply::new(Outcome::Challenge, ReplyBody::Challenge(challenge))
}

/// Whether the listing failed for want of other credentials.
pub(super) fn is_challenge(missing: &Missing) -> bool {
    matches!(missing, Missing::Failed(error) if matches!(error.as_ref(), UpstreamError::Challenge(_)))
}

fn call_text(
    name: &str,
    dispatcher: MetaTool,
    access: ToolAccess,
    error: &UpstreamError,
) -> String {
    let advice = advice(dispatcher, error);
    if surely_not_run(error) {
        return format!("{name} didn't run: {error}. {advice}");
    }
    let what = match error {
        UpstreamError::TooLarge {
            max_bytes,
            announced,
        } => too_large(*max_bytes, *announced),
        other => format!("{other}."),
    };
    match access {
        ToolAccess::Read => format!("{name} failed: {what} {advice}"),
        ToolAccess::Write => {
            let advice = if error.is_misconfigured() {
                format!(" {advice}")
            } else {
                String::new()
            };
            format!(
                "{name}: outcome unknown, verify before repeating. It may have taken effect \
                 although its result didn't arrive: {what}{advice}"
            )
        }
    }
}

/// What is said of a result of `bytes`, of which a batch has room for `max_bytes`.
pub(super) fn too_large_for_batch(name: &str, bytes: usize, max_bytes: usize) -> String {
    let found = too_large(max_bytes, Some(bytes as u64));
    format!("{name} failed: {found} {ALONE_OR_NARROWED}")
}

/// A refusal of the handshake comes before the call is sent.
fn surely_not_run(error: &UpstreamError) -> bool {
    error.surely_not_run() || matches!(error, UpstreamError::Refused { .. })
}

fn too_large(max_bytes: usize, announced: Option<u64>) -> String {
    let cap = size(max_bytes as u64);
    match announced {
        Some(bytes) => format!(
            "the result has {}, more than the {cap} allowed.",
            size(bytes)
        ),
        None => format!("the result is larger than the {cap} allowed."),
    }
}

fn advice(dispatcher: MetaTool, error: &UpstreamError) -> String {
    match error {
        UpstreamError::RateLimited {
            retry_after: Some(after),
        } => {
            format!("Retry after {}.", wait(*after))
        }
        UpstreamError::TooLarge { .. } if dispatcher == MetaTool::CallReadMany => {
            ALONE_OR_NARROWED.to_owned()
        }
        UpstreamError::TooLarge { .. } => "Narrow the request.".to_owned(),
        UpstreamError::Timeout { .. } => "Narrow the request, or try again later.".to_owned(),
        error if error.is_misconfigured() => {
            "The operator of this server should check the path of --upstream.".to_owned()
        }
        UpstreamError::NoSharedVersion => {
            "The operator has to update this proxy or the upstream.".to_owned()
        }
        _ => "Try again later.".to_owned(),
    }
}

/// The calls of a batch share what an answer may hold.
const ALONE_OR_NARROWED: &str = "Call it alone with call_read_tool, or narrow the request.";
/// Said while the first listing goes on.
pub(super) const LOADING: &str = "The list of tools is still loading: try again in a few seconds.";

#[cfg(test)]
mod tests {
    use upstream::RedirectLocation;

    use super::*;

    fn errors() -> Vec<UpstreamError> {
        let io = || Box::new(std::io::Error::other("reset"));
        vec![
            UpstreamError::RateLimited {
                retry_after: Some(Duration::from_secs(7)),
            },
            UpstreamError::RateLimited { retry_after: None },
            UpstreamError::Connect(io()),
            UpstreamError::Broken(io()),
            UpstreamError::Timeout {
                limit: Duration::from_mins(5),
            },
            UpstreamError::Status { status: 502 },
            UpstreamError::Status { status: 404 },
            UpstreamError::Page { status: 200 },
            UpstreamError::Redirect {
                location: RedirectLocation("https://elsewhere.example/mcp".to_owned()),
                reason: "another origin",
            },
            UpstreamError::Malformed {
                reason: "it ends early".to_owned(),
            },
            UpstreamError::TooLarge {
                max_bytes: 1 << 26,
                announced: Some(70_000_000),
            },
            UpstreamError::TooLarge {
                max_bytes: 1 << 26,
                announced: None,
            },
            UpstreamError::Refused {
                method: "initialize",
                code: -32600,
            },
            UpstreamError::NoSharedVersion,
        ]
    }

    #[test]
    fn a_read_says_what_to_do() {
        let texts: Vec<_> = errors()
            .iter()
            .map(|error| call_text("`get_page`", MetaTool::CallRead, ToolAccess::Read, error))
            .collect();
        insta::assert_snapshot!(texts.join("\n"));
    }

    #[test]
    fn a_write_says_whether_it_may_have_run() {
        let texts: Vec<_> = errors()
            .iter()
            .map(|error| call_text("`send_mail`", MetaTool::CallWrite, ToolAccess::Write, error))
            .collect();
        insta::assert_snapshot!(texts.join("\n"));
    }
}
