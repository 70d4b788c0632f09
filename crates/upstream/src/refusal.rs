//! An answer without a result, and what it shows of the terms that the request was sent on.

use http::StatusCode;
use serde_json::value::RawValue;
use wire::{ErrorView, Message, Response, code};

use crate::error::UpstreamError;
use crate::listing::LIST;
use crate::request::{Effect, Reply};
use crate::session::Session;
use crate::terms::DISCOVER;

/// An answer without a result.
#[derive(Debug)]
pub(crate) struct Refusal {
    status: StatusCode,
    /// The JSON-RPC `error` object; `None` where the status alone says it.
    error: Option<Box<RawValue>>,
    talk: SessionTalk,
}

/// What the text of a refusal says of sessions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum SessionTalk {
    /// None was named.
    Missing,
    /// The one named isn't known.
    Unknown,
    /// Nothing, or something that may be the tool's own affair.
    Else,
}

impl Refusal {
    /// The JSON-RPC `error` that came under `status`.
    pub(crate) fn new(status: StatusCode, error: &RawValue) -> Self {
        Self {
            status,
            error: Some(error.to_owned()),
            talk: SessionTalk::of(&ErrorView::read(error).message),
        }
    }

    /// What `body` says under a failing status. An error in it is ours whatever its id: servers
    /// make ids up there.
    pub(crate) fn read(status: StatusCode, body: &[u8]) -> Self {
        match Message::parse(body) {
            Ok(Message::Response(Response {
                outcome: Err(error),
                ..
            })) => Self::new(status, error),
            _ => Self {
                status,
                error: None,
                talk: SessionTalk::of(&String::from_utf8_lossy(body)),
            },
        }
    }

    /// As the caller of a forwarded request gets it.
    pub(crate) fn into_reply(self) -> Result<Reply, UpstreamError> {
        self.error.map(Reply::Error).ok_or(UpstreamError::Status {
            status: self.status.as_u16(),
        })
    }

    /// As it ends `method`, one of our own questions.
    pub(crate) fn into_error(self, method: &'static str) -> UpstreamError {
        match self.code() {
            Some(code) => UpstreamError::Refused { method, code },
            None => UpstreamError::Status {
                status: self.status.as_u16(),
            },
        }
    }

    /// The error, if it is a JSON-RPC one.
    pub(crate) fn error(&self) -> Option<ErrorView<'_>> {
        self.error.as_deref().map(ErrorView::read)
    }

    /// The error's code.
    pub(crate) fn code(&self) -> Option<i64> {
        self.error().map(|error| error.code)
    }

    /// Whether the status alone says that the session is gone, so that nothing is left to end.
    pub(crate) fn is_bare_not_found(&self) -> bool {
        self.status == StatusCode::NOT_FOUND && self.error.is_none()
    }

    /// Whether the upstream refused to run a request for not knowing `session`, so surely that
    /// one with `effect` may be sent again.
    ///
    /// Servers say so with 404, or with 400 and a text, under a few codes or none (field case 56).
    /// Tools speak of sessions of their own, under other codes or in other words. A read may run
    /// twice, so that for it any 404 within a session will do but that of an unknown method.
    pub(crate) fn shows_lost_session(&self, session: &Session, effect: Effect) -> bool {
        let code = self.code();
        let told = match self.talk {
            SessionTalk::Missing => true,
            SessionTalk::Unknown => session.id.is_some(),
            SessionTalk::Else => false,
        };
        let told = told && code.is_none_or(|code| SESSION_CODES.contains(&code));
        match self.status {
            StatusCode::NOT_FOUND if session.id.is_some() => {
                let may_run_twice = effect == Effect::Read && code != Some(code::METHOD_NOT_FOUND);
                told || code.is_none() || may_run_twice
            }
            StatusCode::NOT_FOUND | StatusCode::BAD_REQUEST => told,
            _ => false,
        }
    }

    /// Whether the upstream refused `method`, asked the modern way, as one that doesn't understand
    /// such requests at all.
    pub(crate) fn shows_no_modern_era(&self, method: &str) -> bool {
        if self.lacks_method_of_every_server(method) || self.refuses_discovery(method) {
            return true;
        }
        let modern_code = matches!(
            self.code(),
            Some(
                code::METHOD_NOT_FOUND
                    | code::INVALID_PARAMS
                    | code::HEADER_MISMATCH
                    | code::MISSING_CAPABILITY
            )
        );
        matches!(self.status.as_u16(), 400 | 404 | 405 | 406 | 415) && !modern_code
    }

    /// Whether the upstream refused `method`, asked the legacy way, for want of what only modern
    /// requests carry.
    ///
    /// Under another status than 400 these codes may be a tool's own, and invalid params are one
    /// everywhere unless the text is about the envelope. An invalid request may be one for want of
    /// a session.
    pub(crate) fn shows_no_legacy_era(&self, method: &str) -> bool {
        if self.lacks_method_of_every_server(method) {
            return true;
        }
        let Some(error) = self.error() else {
            return false;
        };
        self.status == StatusCode::BAD_REQUEST
            && match error.code {
                code::UNSUPPORTED_VERSION | code::HEADER_MISMATCH | code::MISSING_CAPABILITY => {
                    true
                }
                code::INVALID_PARAMS => {
                    let text = error.message.to_ascii_lowercase();
                    ENVELOPE_WORDS.iter().any(|word| text.contains(word))
                }
                code::INVALID_REQUEST => self.talk == SessionTalk::Else,
                _ => false,
            }
    }

    /// Whether the upstream says under any status that it has no `method`, though every server
    /// with tools has it, in either era.
    fn lacks_method_of_every_server(&self, method: &str) -> bool {
        self.code() == Some(code::METHOD_NOT_FOUND) && matches!(method, LIST | CALL)
    }

    /// Whether `method` is the question that only modern servers know, refused as legacy ones do
    /// (field case 58).
    fn refuses_discovery(&self, method: &str) -> bool {
        method == DISCOVER
            && matches!(
                self.code(),
                Some(code::METHOD_NOT_FOUND | code::INVALID_PARAMS | code::INVALID_REQUEST)
            )
    }
}

impl SessionTalk {
    /// Only what stands close to the word counts: a text may say "invalid" of something else.
    fn of(text: &str) -> Self {
        let text = text.to_ascii_lowercase();
        let words: Vec<&str> = text.split_whitespace().collect();
        let mut talk = Self::Else;
        for (position, _) in words
            .iter()
            .enumerate()
            .filter(|(_, word)| word.contains("session"))
        {
            let start = position.saturating_sub(WORDS_BEFORE);
            let end = words.len().min(position + 1 + WORDS_AFTER);
            let near = words.get(start..end).unwrap_or_default().join(" ");
            if MISSING_WORDS.iter().any(|word| near.contains(word)) {
                return Self::Missing;
            }
            if UNKNOWN_WORDS.iter().any(|word| near.contains(word)) {
                talk = Self::Unknown;
            }
        }
        talk
    }
}

const CALL: &str = "tools/call";
/// What SDKs answer for a session that is missing or unknown: Python's -32600, TypeScript's -32000
/// and -32001.
const SESSION_CODES: [i64; 3] = [code::INVALID_REQUEST, -32_000, -32_001];
const MISSING_WORDS: [&str; 5] = ["missing", "required", "no session", "no valid", "without"];
const UNKNOWN_WORDS: [&str; 6] = [
    "not found",
    "invalid",
    "unknown",
    "expired",
    "terminated",
    "not exist",
];
const WORDS_BEFORE: usize = 2;
const WORDS_AFTER: usize = 4;
/// How an upstream names what only modern requests carry.
const ENVELOPE_WORDS: [&str; 4] = [
    "_meta",
    "protocol version",
    "protocolversion",
    "protocol-version",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_want_of_a_session_is_told_from_talk() {
        for (text, expected) in [
            ("Missing session ID", SessionTalk::Missing),
            (
                "Bad Request: No valid session ID provided",
                SessionTalk::Missing,
            ),
            ("Mcp-Session-Id header is required", SessionTalk::Missing),
            ("no session", SessionTalk::Missing),
            ("Session not found", SessionTalk::Unknown),
            ("Invalid or expired session ID", SessionTalk::Unknown),
            ("Session has been terminated", SessionTalk::Unknown),
            ("Session 7f3a does not exist", SessionTalk::Unknown),
            (r#"{"error":"invalid_session"}"#, SessionTalk::Unknown),
            (
                "chat session 42 was closed while sending",
                SessionTalk::Else,
            ),
            (
                "Invalid state: chat session 42 was closed",
                SessionTalk::Else,
            ),
            ("unknown tool", SessionTalk::Else),
            ("", SessionTalk::Else),
        ] {
            assert_eq!(SessionTalk::of(text), expected, "{text}");
        }
    }
}
