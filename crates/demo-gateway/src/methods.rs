//! The methods that both eras have.

use http::StatusCode;
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};
use wire::{RpcError, code};

use crate::fault::Effect;
use crate::gateway::{Exchange, Gateway};
use crate::listing::Page;
use crate::reply::Reply;
use crate::{answer, library};

/// What a script answers instead of running the method.
pub(crate) fn scripted(exchange: &Exchange<'_>) -> Option<Reply> {
    let id = &exchange.request.id;
    exchange.effects.iter().find_map(|effect| match effect {
        Effect::Result(result) => Some(Reply::result(id, result)),
        Effect::Error(error) => Some(Reply::error(id, StatusCode::OK, error)),
        _ => None,
    })
}

/// Runs one of [`SHARED`].
pub(crate) fn run(gateway: &Gateway, exchange: &Exchange<'_>) -> Result<Box<RawValue>, RpcError> {
    match exchange.request.method.as_ref() {
        "tools/list" => {
            let cursor = exchange.text_param("cursor");
            let page = Page {
                cursor: cursor.as_deref(),
                size: gateway.page_size,
            };
            exchange.visitor.tools.list(page, exchange.effects)
        }
        "tools/call" => answer::call(exchange),
        "resources/list" => Ok(library::resources()),
        "resources/templates/list" => Ok(library::templates()),
        "resources/read" => library::read(&required(exchange, "uri")?),
        "prompts/list" => Ok(library::prompts()),
        "prompts/get" => library::prompt(&required(exchange, "name")?, exchange.param("arguments")),
        _ => Err(RpcError::new(code::METHOD_NOT_FOUND, "Method not found")),
    }
}

/// A param that must be there and a string.
pub(crate) fn required(exchange: &Exchange<'_>, key: &str) -> Result<String, RpcError> {
    exchange.text_param(key).ok_or_else(|| {
        RpcError::new(
            code::INVALID_PARAMS,
            format!("`params.{key}` must be a string"),
        )
    })
}

/// What the handshakes of both eras say.
pub(crate) fn introduction(gateway: &Gateway) -> Map<String, Value> {
    let mut members = Map::new();
    let capabilities = json!({"tools": {}, "resources": {}, "prompts": {}});
    members.insert("capabilities".to_owned(), capabilities);
    if let Some(instructions) = &gateway.instructions {
        members.insert("instructions".to_owned(), json!(instructions));
    }
    members
}

pub(crate) fn server_info() -> Value {
    json!({"name": "demo-gateway", "title": "Brightwater Bicycles", "version": env!("CARGO_PKG_VERSION")})
}

/// The methods of both eras but the handshakes and `ping`.
pub(crate) const SHARED: [&str; 7] = [
    "tools/list",
    "tools/call",
    "resources/list",
    "resources/templates/list",
    "resources/read",
    "prompts/list",
    "prompts/get",
];
/// Those whose results a modern client may keep.
pub(crate) const CACHEABLE: [&str; 5] = [
    "tools/list",
    "resources/list",
    "resources/templates/list",
    "resources/read",
    "prompts/list",
];
