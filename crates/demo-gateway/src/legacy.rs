//! 2024-11-05 to 2025-11-25: a handshake, and in one of the servers' styles a session.

use http::StatusCode;
use serde_json::json;
use serde_json::value::RawValue;
use wire::{Era, HEADER_PROTOCOL_VERSION, ProtocolRevision, RpcError, to_raw};

use crate::gateway::{Exchange, Gateway};
use crate::methods;
use crate::reply::Reply;
use crate::settings::DemoEra;

/// Runs a request of this era, in its session where the gateway keeps them.
pub(crate) fn answer(gateway: &Gateway, exchange: &Exchange<'_>) -> Reply {
    let method = exchange.request.method.as_ref();
    let id = &exchange.request.id;
    let stateful = gateway.era == DemoEra::LegacyStateful;
    if method != INITIALIZE {
        let token = &exchange.visitor.token;
        if stateful && let Err(fault) = gateway.sessions.check(exchange.headers, token) {
            return Reply::error(id, fault.status(), &fault.rpc_error());
        }
        if let Err(error) = check_version(exchange) {
            return Reply::error(id, StatusCode::BAD_REQUEST, &error);
        }
    }
    if let Some(reply) = methods::scripted(exchange) {
        return reply;
    }
    let result = match method {
        INITIALIZE => Ok(handshake(gateway, exchange)),
        "ping" => Ok(to_raw(&json!({}))),
        _ => methods::run(gateway, exchange),
    };
    match result {
        Ok(result) if stateful && method == INITIALIZE => {
            Reply::result(id, &result).in_session(open_session(gateway, exchange))
        }
        Ok(result) => Reply::result(id, &result),
        Err(error) => Reply::error(id, StatusCode::OK, &error),
    }
}

/// The version header may be absent, but must not name a revision of another era.
fn check_version(exchange: &Exchange<'_>) -> Result<(), RpcError> {
    let Some(header) = exchange.headers.get(HEADER_PROTOCOL_VERSION) else {
        return Ok(());
    };
    let known = header
        .to_str()
        .ok()
        .and_then(ProtocolRevision::parse)
        .is_some_and(|revision| revision.era() == Era::Legacy);
    if known {
        return Ok(());
    }
    Err(RpcError::new(
        SERVER_ERROR,
        format!(
            "Bad Request: Unsupported protocol version (supported versions: {})",
            supported().join(", ")
        ),
    ))
}

fn handshake(gateway: &Gateway, exchange: &Exchange<'_>) -> Box<RawValue> {
    let asked = exchange.text_param("protocolVersion");
    let version = asked
        .as_deref()
        .filter(|version| supported().contains(version))
        .unwrap_or(ProtocolRevision::LATEST_LEGACY.as_str());
    let mut result = methods::introduction(gateway);
    result.insert("protocolVersion".to_owned(), json!(version));
    result.insert("serverInfo".to_owned(), methods::server_info());
    to_raw(&result)
}

fn open_session(gateway: &Gateway, exchange: &Exchange<'_>) -> String {
    let id = gateway.sessions.open(&exchange.visitor.token);
    gateway
        .recorder
        .count(|activity| activity.sessions_opened += 1);
    gateway.count_sessions();
    id
}

fn supported() -> Vec<&'static str> {
    ProtocolRevision::ALL
        .into_iter()
        .filter(|revision| revision.era() == Era::Legacy)
        .map(ProtocolRevision::as_str)
        .collect()
}

const INITIALIZE: &str = "initialize";
/// What SDK servers of this era answer with where no code of JSON-RPC fits.
const SERVER_ERROR: i64 = -32000;

#[cfg(test)]
mod tests;
