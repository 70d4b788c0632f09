//! 2026-07-28: every request on its own, with its version and capabilities in `_meta`.

use http::{HeaderMap, StatusCode};
use serde_json::json;
use serde_json::value::RawValue;
use wire::{
    HEADER_METHOD, HEADER_NAME, HEADER_PROTOCOL_VERSION, ProtocolRevision, RawObject, RequestMeta,
    RpcError, code, decode_header, meta_key, to_raw,
};

use crate::gateway::{Exchange, Gateway};
use crate::methods;
use crate::reply::Reply;

/// Checks the request in the order that SDK servers do, then runs it.
pub(crate) fn answer(gateway: &Gateway, exchange: &Exchange<'_>, meta: &RequestMeta<'_>) -> Reply {
    let method = exchange.request.method.as_ref();
    let refuse = |status, error: &RpcError| Reply::error(&exchange.request.id, status, error);
    if header(exchange.headers, HEADER_PROTOCOL_VERSION) != Some(&meta.protocol_version) {
        let error = mismatch(HEADER_PROTOCOL_VERSION);
        return refuse(StatusCode::BAD_REQUEST, &error);
    }
    if ProtocolRevision::parse(&meta.protocol_version) != Some(ProtocolRevision::LATEST) {
        let error = unsupported(gateway, &meta.protocol_version);
        return refuse(StatusCode::BAD_REQUEST, &error);
    }
    if method != DISCOVER && !methods::SHARED.contains(&method) {
        let error = RpcError::new(code::METHOD_NOT_FOUND, "Method not found");
        return refuse(StatusCode::NOT_FOUND, &error);
    }
    if let Err(error) = check_headers(exchange) {
        return refuse(StatusCode::BAD_REQUEST, &error);
    }
    if let Some(reply) = methods::scripted(exchange) {
        return reply;
    }
    let result = match method {
        DISCOVER => Ok(discovery(gateway)),
        _ => methods::run(gateway, exchange),
    };
    match result {
        Ok(result) => Reply::result(&exchange.request.id, &complete(&result, method)),
        Err(error) => refuse(StatusCode::OK, &error),
    }
}

/// Whether the headers say that the request is of this era.
pub(crate) fn is_announced(headers: &HeaderMap) -> bool {
    header(headers, HEADER_PROTOCOL_VERSION) == Some(ProtocolRevision::LATEST.as_str())
}

/// Answers a request that says in its headers, or by this server's choice, that it is modern, but
/// carries no version.
pub(crate) fn refuse_without_envelope(gateway: &Gateway, exchange: &Exchange<'_>) -> Reply {
    let error = match exchange.text_param("protocolVersion") {
        Some(requested) => unsupported(gateway, &requested),
        None => RpcError::new(
            code::INVALID_PARAMS,
            format!(
                "`params._meta[\"{}\"]` is missing",
                meta_key::PROTOCOL_VERSION
            ),
        ),
    };
    Reply::error(&exchange.request.id, StatusCode::BAD_REQUEST, &error)
}

/// `Mcp-Method` and `Mcp-Name` must say what the body says.
fn check_headers(exchange: &Exchange<'_>) -> Result<(), RpcError> {
    if header(exchange.headers, HEADER_METHOD) != Some(&exchange.request.method) {
        return Err(mismatch(HEADER_METHOD));
    }
    let key = match exchange.request.method.as_ref() {
        "tools/call" | "prompts/get" => "name",
        "resources/read" => "uri",
        _ => return Ok(()),
    };
    let named = header(exchange.headers, HEADER_NAME)
        .and_then(|value| decode_header(value).ok())
        .map(std::borrow::Cow::into_owned);
    if named != exchange.text_param(key) {
        return Err(mismatch(HEADER_NAME));
    }
    Ok(())
}

fn mismatch(header: &str) -> RpcError {
    RpcError::new(
        code::HEADER_MISMATCH,
        format!("The {header} header is missing or says other than the body"),
    )
}

fn unsupported(gateway: &Gateway, requested: &str) -> RpcError {
    let supported: Vec<_> = ProtocolRevision::ALL
        .into_iter()
        .rev()
        .filter(|revision| gateway.era.is_legacy() || *revision == ProtocolRevision::LATEST)
        .map(ProtocolRevision::as_str)
        .collect();
    RpcError {
        data: Some(to_raw(
            &json!({"supported": supported, "requested": requested}),
        )),
        ..RpcError::new(code::UNSUPPORTED_VERSION, "Unsupported protocol version")
    }
}

fn discovery(gateway: &Gateway) -> Box<RawValue> {
    let mut result = methods::introduction(gateway);
    let supported = json!([ProtocolRevision::LATEST.as_str()]);
    result.insert("supportedVersions".to_owned(), supported);
    to_raw(&result)
}

/// `result` with the members that this era asks for, where it doesn't have them.
fn complete(result: &RawValue, method: &str) -> Box<RawValue> {
    let Some(object) = RawObject::read(result) else {
        return result.to_owned();
    };
    let server = to_raw(&json!({meta_key::SERVER_INFO: methods::server_info()}));
    let (complete, ttl, scope) = (to_raw("complete"), to_raw(&CACHE_MS), to_raw("private"));
    let mut members: Vec<(&str, &RawValue)> = vec![("resultType", &complete), ("_meta", &server)];
    if method == DISCOVER || methods::CACHEABLE.contains(&method) {
        members.extend([("ttlMs", ttl.as_ref()), ("cacheScope", scope.as_ref())]);
    }
    members.retain(|(key, _)| object.get(key).is_none());
    object.rewrite(&[], &members)
}

fn header<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    headers.get(name)?.to_str().ok()
}

const DISCOVER: &str = "server/discover";
/// For how long a listing may be kept, in milliseconds.
const CACHE_MS: u32 = 60_000;

#[cfg(test)]
mod tests;
