//! Why an exchange with the upstream failed.

use std::fmt;
use std::time::Duration;

use http::HeaderValue;
use wire::ProtocolRevision;

use crate::credential::Caller;

/// The upstream wants other or better credentials: handed to the caller as it came.
#[derive(Debug, Clone)]
pub struct Challenge {
    /// 401 or 403.
    pub status: ChallengeStatus,
    /// What the request that was refused carried.
    pub presented: Presented,
    /// Every `WWW-Authenticate` value, byte for byte.
    pub www_authenticate: Vec<HeaderValue>,
}

/// The only statuses that are handed on (field cases 84 and 85).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChallengeStatus {
    /// 401.
    Unauthorized,
    /// 403.
    Forbidden,
}

/// What credentials a request carried.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Presented {
    /// None: the caller sent none.
    Nothing,
    /// The caller's Authorization.
    Authorization,
}

/// Why there is no answer. Messages name the upstream's fault and no content of its bodies.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum UpstreamError {
    /// 401 or 403.
    #[error("the upstream {0}")]
    Challenge(Challenge),
    /// 429.
    #[error("the upstream limits the rate of requests")]
    RateLimited {
        /// From `Retry-After`, in either form.
        retry_after: Option<Duration>,
    },
    /// No connection: name, TCP, TLS. Nothing was sent.
    #[error("the upstream can't be reached")]
    Connect(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// The connection broke after the request may have been read.
    #[error("the connection to the upstream broke before its answer was complete")]
    Broken(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// Took longer than allowed.
    #[error("the upstream didn't answer within {}s", .limit.as_secs())]
    Timeout {
        /// The limit.
        limit: Duration,
    },
    /// A status that is neither success nor named above.
    #[error("the upstream answered with HTTP status {status}")]
    Status {
        /// The status.
        status: u16,
    },
    /// A redirect that isn't followed.
    #[error("the upstream redirects, which isn't followed: {reason}")]
    Redirect {
        /// Where to; a cause, so that who reads the error alone doesn't learn addresses behind the proxy.
        #[source]
        location: RedirectLocation,
        /// Why not.
        reason: &'static str,
    },
    /// A body that is no MCP answer.
    #[error("the upstream's answer can't be read: {reason}")]
    Malformed {
        /// What is wrong with it, without quoting it.
        reason: String,
    },
    /// A web page instead of an MCP answer, under a status of success.
    #[error("the upstream answered with a web page (HTTP status {status}), not with MCP")]
    Page {
        /// The status.
        status: u16,
    },
    /// More bytes than allowed.
    #[error("the upstream's answer is larger than {max_bytes} bytes")]
    TooLarge {
        /// The limit.
        max_bytes: usize,
        /// What `Content-Length` said, if it did.
        announced: Option<u64>,
    },
    /// The upstream refused `initialize`, `server/discover` or `tools/list` with a JSON-RPC error.
    #[error("the upstream refused {method} with JSON-RPC error {code}")]
    Refused {
        /// The method.
        method: &'static str,
        /// The code.
        code: i64,
    },
    /// The upstream named the protocol versions that it speaks, and all are unknown here.
    #[error(
        "the upstream speaks none of the protocol versions spoken here ({})",
        spoken()
    )]
    NoSharedVersion,
}

impl Presented {
    /// What `caller`'s requests carry.
    pub(crate) fn by(caller: &Caller) -> Self {
        match caller.authorization {
            None => Self::Nothing,
            Some(_) => Self::Authorization,
        }
    }
}

/// What the upstream did, to go after its name.
impl fmt::Display for Challenge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let status = match self.status {
            ChallengeStatus::Unauthorized => 401,
            ChallengeStatus::Forbidden => 403,
        };
        match self.presented {
            Presented::Nothing => write!(f, "answered {status} to a request without Authorization"),
            Presented::Authorization => write!(f, "refused the Authorization given with {status}"),
        }
    }
}

/// Where a redirect leads: its origin and path, without query.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("it leads to {0}")]
pub struct RedirectLocation(pub String);

impl UpstreamError {
    /// What is wrong and why, on one line. Holds nothing of any body.
    pub fn with_causes(&self) -> String {
        let mut text = self.to_string();
        let mut cause = std::error::Error::source(self);
        while let Some(error) = cause {
            text.push_str(": ");
            text.push_str(&error.to_string());
            cause = error.source();
        }
        text
    }

    pub(crate) fn malformed(reason: &str) -> Self {
        Self::Malformed {
            reason: reason.to_owned(),
        }
    }

    /// When the upstream takes requests again, where it limits their rate and says so.
    pub fn retry_after(&self) -> Option<Duration> {
        match self {
            Self::RateLimited { retry_after } => *retry_after,
            _ => None,
        }
    }

    /// Whether the request can't have run: nothing reached the upstream, or it said so.
    pub fn surely_not_run(&self) -> bool {
        matches!(
            self,
            Self::Challenge(_)
                | Self::RateLimited { .. }
                | Self::Connect(_)
                | Self::Redirect { .. }
                | Self::NoSharedVersion
        )
    }

    /// Whether the upstream's URL most likely leads elsewhere than to an MCP endpoint, so that the
    /// operator should check its path and asking again won't help: it isn't there (404, 405), it
    /// redirects, or it answers with a web page.
    ///
    /// JSON-RPC errors don't count under any status: whoever sends them speaks MCP.
    pub fn is_misconfigured(&self) -> bool {
        matches!(
            self,
            Self::Status { status: 404 | 405 } | Self::Redirect { .. } | Self::Page { .. }
        )
    }
}

fn spoken() -> String {
    ProtocolRevision::ALL
        .map(ProtocolRevision::as_str)
        .join(", ")
}
