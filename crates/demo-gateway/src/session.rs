//! Sessions of the stateful legacy era.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use http::{HeaderMap, StatusCode};
use wire::{HEADER_SESSION_ID, RpcError, code};

/// The open sessions, each bound to the token that opened it.
#[derive(Debug, Default)]
pub(crate) struct Sessions(Mutex<Open>);

#[derive(Debug, Default)]
struct Open {
    opened: usize,
    owners: HashMap<String, String>,
}

/// A request without its session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SessionFault {
    Missing,
    Unknown,
}

impl Sessions {
    /// Opens one for the owner of `token` and names it.
    pub(crate) fn open(&self, token: &str) -> String {
        let mut open = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        open.opened += 1;
        let id = format!("session-{}", open.opened);
        open.owners.insert(id.clone(), token.to_owned());
        id
    }

    /// Whether the request is in an open session of this token's owner.
    pub(crate) fn check(&self, headers: &HeaderMap, token: &str) -> Result<(), SessionFault> {
        let id = session_id(headers).ok_or(SessionFault::Missing)?;
        let open = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match open.owners.get(id) {
            Some(owner) if owner == token => Ok(()),
            _ => Err(SessionFault::Unknown),
        }
    }

    /// Ends the session that the request names; whether there was one.
    pub(crate) fn close(&self, headers: &HeaderMap) -> bool {
        let mut open = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        session_id(headers).is_some_and(|id| open.owners.remove(id).is_some())
    }

    pub(crate) fn forget(&self) {
        let mut open = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        open.owners.clear();
    }

    pub(crate) fn len(&self) -> usize {
        let open = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        open.owners.len()
    }
}

impl SessionFault {
    pub(crate) fn status(self) -> StatusCode {
        match self {
            Self::Missing => StatusCode::BAD_REQUEST,
            Self::Unknown => StatusCode::NOT_FOUND,
        }
    }

    pub(crate) fn rpc_error(self) -> RpcError {
        let message = match self {
            Self::Missing => "Bad Request: Missing session ID",
            Self::Unknown => "Session not found",
        };
        RpcError::new(code::INVALID_REQUEST, message)
    }
}

fn session_id(headers: &HeaderMap) -> Option<&str> {
    headers.get(HEADER_SESSION_ID)?.to_str().ok()
}
