//! Why there are no vectors.

use std::time::{Duration, SystemTime};

use http::header::RETRY_AFTER;
use http::{HeaderMap, StatusCode};

use crate::error::UpstreamError;
use crate::status::retry_after_of;
use crate::transport;

/// Why an embedding service gave no vectors. Messages hold nothing of what was sent or came.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EmbeddingsError {
    /// No connection: name, TCP, TLS. Nothing was sent.
    #[error("the embedding service can't be reached")]
    Connect(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// The connection broke before the answer was complete.
    #[error("the connection to the embedding service broke")]
    Broken(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// Took longer than allowed.
    #[error("the embedding service didn't answer within {}", seconds(*.limit))]
    Timeout {
        /// The limit.
        limit: Duration,
    },
    /// 429, or another status with a time to wait.
    #[error("the embedding service limits the rate of requests (HTTP status {status})")]
    RateLimited {
        /// The status.
        status: u16,
        /// From `Retry-After`, in either form.
        retry_after: Option<Duration>,
    },
    /// 401 or 403.
    #[error(
        "the embedding service refuses the key, or that there is none (HTTP status {status}): set \
         TOOLSEARCH_EMBEDDINGS_KEY"
    )]
    Key {
        /// The status.
        status: u16,
    },
    /// 400, 413 or 422: it minds what it was asked.
    #[error(
        "the embedding service refuses the request (HTTP status {status}): check the model's name, \
         and that it takes texts of some 500 words, as many as --embeddings-batch says"
    )]
    Refused {
        /// The status.
        status: u16,
    },
    /// 3xx.
    #[error(
        "the embedding service redirects (HTTP status {status}), which isn't followed: set \
         --embeddings-url to where it goes"
    )]
    Redirect {
        /// The status.
        status: u16,
    },
    /// 404 or 405.
    #[error(
        "the embedding service has nothing there (HTTP status {status}): --embeddings-url must be \
         the endpoint itself, which mostly ends with /v1/embeddings, and the model one that it has"
    )]
    NotThere {
        /// The status.
        status: u16,
    },
    /// Any other status than 200.
    #[error("the embedding service answered with HTTP status {status}")]
    Status {
        /// The status.
        status: u16,
    },
    /// A body that holds no vectors.
    #[error("the embedding service's answer can't be read: {reason}")]
    Malformed {
        /// What is wrong with it, without quoting it.
        reason: String,
    },
    /// More or fewer vectors than texts.
    #[error("the embedding service answered with {found} vectors to {wanted} texts")]
    Count {
        /// How many came.
        found: usize,
        /// How many were asked for.
        wanted: usize,
    },
    /// Vectors of another length.
    #[error(
        "the embedding service's vectors have {found} dimensions, not {wanted}: set \
         --embeddings-dimensions to what its model has"
    )]
    Dimensions {
        /// How many they have.
        found: usize,
        /// How many they should have.
        wanted: usize,
    },
    /// Numbers beyond what can be counted with.
    #[error("the embedding service's vectors hold numbers that aren't finite")]
    NotFinite,
    /// More bytes than the vectors can take.
    #[error("the embedding service's answer is larger than {max_bytes} bytes")]
    TooLarge {
        /// The limit.
        max_bytes: usize,
    },
}

impl EmbeddingsError {
    /// What is wrong and why, on one line.
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

    /// Whether it minds what it was asked, so that another question may go well.
    pub const fn is_of_the_request(&self) -> bool {
        matches!(self, Self::Refused { .. })
    }

    /// How long the service asks to wait.
    pub const fn retry_after(&self) -> Option<Duration> {
        match self {
            Self::RateLimited { retry_after, .. } => *retry_after,
            _ => None,
        }
    }

    /// Its name in metrics.
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Connect(_) | Self::Broken(_) => "unreachable",
            Self::Timeout { .. } => "timeout",
            Self::RateLimited { .. } => "rate_limited",
            Self::Key { .. } => "key",
            Self::Refused { .. } => "refused",
            Self::Redirect { .. } | Self::NotThere { .. } | Self::Status { .. } => "status",
            Self::Dimensions { .. } => "dimensions",
            Self::Malformed { .. }
            | Self::Count { .. }
            | Self::NotFinite
            | Self::TooLarge { .. } => "malformed",
        }
    }

    /// Every [`kind`](Self::kind).
    pub const KINDS: [&'static str; 8] = [
        "unreachable",
        "timeout",
        "rate_limited",
        "key",
        "refused",
        "status",
        "dimensions",
        "malformed",
    ];

    pub(super) fn malformed(reason: &str) -> Self {
        Self::Malformed {
            reason: reason.to_owned(),
        }
    }
}

/// What happens while a body is read, in this service's words.
impl From<UpstreamError> for EmbeddingsError {
    fn from(error: UpstreamError) -> Self {
        match error {
            UpstreamError::TooLarge { max_bytes, .. } => Self::TooLarge { max_bytes },
            UpstreamError::Connect(cause) => Self::Connect(cause),
            UpstreamError::Broken(cause) => Self::Broken(cause),
            other => Self::Broken(Box::new(other)),
        }
    }
}

/// What went wrong on the wire.
pub(super) fn fault(error: reqwest::Error) -> EmbeddingsError {
    transport::fault(error).into()
}

/// What an answer says by its status, which isn't 200.
pub(super) fn of_status(status: StatusCode, headers: &HeaderMap) -> EmbeddingsError {
    let asked = headers.get(RETRY_AFTER);
    let retry_after = asked.and_then(|value| retry_after_of(value, SystemTime::now()));
    let number = status.as_u16();
    match number {
        429 => EmbeddingsError::RateLimited {
            status: number,
            retry_after,
        },
        500.. if retry_after.is_some() => EmbeddingsError::RateLimited {
            status: number,
            retry_after,
        },
        401 | 403 => EmbeddingsError::Key { status: number },
        400 | 413 | 422 => EmbeddingsError::Refused { status: number },
        404 | 405 => EmbeddingsError::NotThere { status: number },
        300..400 => EmbeddingsError::Redirect { status: number },
        _ => EmbeddingsError::Status { status: number },
    }
}

fn seconds(limit: Duration) -> String {
    format!("{limit:?}")
}
