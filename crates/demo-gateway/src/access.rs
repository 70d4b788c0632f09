//! Who may call, and what they are shown.

use std::sync::{Arc, PoisonError, RwLock};

use axum::response::{IntoResponse, Response};
use http::{HeaderMap, StatusCode, header};
use serde_json::json;
use serde_json::value::RawValue;

use crate::listing::ToolList;
use crate::settings::DemoCaller;

/// The callers and their tools.
#[derive(Debug)]
pub(crate) struct Access {
    /// What everybody is shown where no callers are named.
    shared: RwLock<Arc<ToolList>>,
    /// Tokens and what their owners are shown. Empty: everybody is let in.
    callers: Vec<(String, Arc<ToolList>)>,
    /// Scheme, host and port of the gateway.
    origin: String,
}

/// Somebody who was let in.
#[derive(Debug, Clone)]
pub(crate) struct Visitor {
    /// The bearer token that came along; empty where none did.
    pub(crate) token: String,
    pub(crate) tools: Arc<ToolList>,
}

/// A request without a token, or with one that nobody owns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stranger {
    NoToken,
    UnknownToken,
}

impl Access {
    pub(crate) fn new(tools: Vec<Box<RawValue>>, callers: Vec<DemoCaller>, origin: String) -> Self {
        let callers = callers
            .into_iter()
            .map(|caller| (caller.token, Arc::new(ToolList::new(caller.tools))))
            .collect();
        Self {
            shared: RwLock::new(Arc::new(ToolList::new(tools))),
            callers,
            origin,
        }
    }

    pub(crate) fn replace_tools(&self, tools: Vec<Box<RawValue>>) {
        let tools = Arc::new(ToolList::new(tools));
        *self.shared.write().unwrap_or_else(PoisonError::into_inner) = tools;
    }

    /// Lets the sender of `headers` in.
    pub(crate) fn admit(&self, headers: &HeaderMap) -> Result<Visitor, Stranger> {
        let token = headers
            .get(header::AUTHORIZATION)
            .and_then(|value| value.to_str().ok())
            .and_then(|value| value.strip_prefix("Bearer "));
        let tools = if self.callers.is_empty() {
            Arc::clone(&self.shared.read().unwrap_or_else(PoisonError::into_inner))
        } else {
            let token = token.ok_or(Stranger::NoToken)?;
            self.callers
                .iter()
                .find(|(known, _)| known == token)
                .map(|(_, tools)| Arc::clone(tools))
                .ok_or(Stranger::UnknownToken)?
        };
        Ok(Visitor {
            token: token.unwrap_or_default().to_owned(),
            tools,
        })
    }

    /// 401 with the challenge of RFC 9728.
    pub(crate) fn unauthorized(&self, stranger: Stranger) -> Response {
        let error = match stranger {
            Stranger::NoToken => "",
            Stranger::UnknownToken => "error=\"invalid_token\", ",
        };
        let challenge = format!(
            "Bearer {error}{}, scope=\"{SCOPES}\"",
            self.metadata_parameter()
        );
        refusal(StatusCode::UNAUTHORIZED, challenge)
    }

    /// 403 that asks for more rights (RFC 6750, section 3.1).
    pub(crate) fn insufficient_scope(&self, scope: &str) -> Response {
        let metadata = self.metadata_parameter();
        let challenge =
            format!("Bearer error=\"insufficient_scope\", {metadata}, scope=\"{scope}\"");
        refusal(StatusCode::FORBIDDEN, challenge)
    }

    /// The protected resource metadata; 404 where nobody needs a token.
    pub(crate) fn metadata(&self) -> Response {
        if self.callers.is_empty() {
            return StatusCode::NOT_FOUND.into_response();
        }
        let metadata = json!({
            "resource": format!("{}/mcp", self.origin),
            "authorization_servers": ["https://login.brightwater.example"],
            "scopes_supported": SCOPES.split(' ').collect::<Vec<_>>(),
            "bearer_methods_supported": ["header"],
        });
        let body = metadata.to_string();
        ([(header::CONTENT_TYPE, "application/json")], body).into_response()
    }

    fn metadata_parameter(&self) -> String {
        format!("resource_metadata=\"{}{METADATA_PATH}\"", self.origin)
    }
}

fn refusal(status: StatusCode, challenge: String) -> Response {
    let headers = [
        (header::WWW_AUTHENTICATE, challenge),
        (header::CONTENT_TYPE, "application/json".to_owned()),
    ];
    (status, headers, r#"{"error":"not authorised"}"#).into_response()
}

/// Where the protected resource metadata of `/mcp` stands (RFC 9728, section 3.1).
pub(crate) const METADATA_PATH: &str = "/.well-known/oauth-protected-resource/mcp";
const SCOPES: &str = "tools:read tools:write";
