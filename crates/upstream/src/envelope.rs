//! Requests as bytes and headers, in the form of each era.

use std::borrow::Cow;

use bytes::Bytes;
use http::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE};
use http::{HeaderMap, HeaderName, HeaderValue};
use serde::{Serialize, Serializer};
use serde_json::value::RawValue;
use wire::{
    HEADER_METHOD, HEADER_NAME, HEADER_PARAM_PREFIX, HEADER_PROTOCOL_VERSION, HEADER_SESSION_ID,
    ProtocolRevision, RawObject, encode_header, meta_key, to_raw,
};

use crate::credential::Authorization;
use crate::request::Forward;
use crate::session::Session;
use crate::transport::{CLIENT_NAME, CLIENT_VERSION};

/// A message ready to be posted.
#[derive(Debug)]
pub(crate) struct Envelope {
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
}

/// `request` on its own, as 2026-07-28 wants it.
pub(crate) fn modern(
    id: u64,
    request: &Forward<'_>,
    revision: ProtocolRevision,
    authorization: Option<&Authorization>,
) -> Envelope {
    let mut headers = base_headers(authorization);
    headers.insert(
        HEADER_PROTOCOL_VERSION,
        HeaderValue::from_static(revision.as_str()),
    );
    insert_text(&mut headers, HEADER_METHOD, request.method);
    if let Some(name) = request.name {
        insert_text(&mut headers, HEADER_NAME, name);
    }
    for (suffix, text) in &request.param_headers {
        insert_text(
            &mut headers,
            &format!("{HEADER_PARAM_PREFIX}{suffix}"),
            text,
        );
    }
    let caller = request.meta.and_then(RawObject::read);
    let capabilities = carried_capabilities(caller.as_ref());
    let (version, info) = (to_raw(revision.as_str()), to_raw(&ClientInfo::OURS));
    let mut meta = vec![
        (meta_key::PROTOCOL_VERSION, &*version),
        (meta_key::CLIENT_INFO, &*info),
        (meta_key::CLIENT_CAPABILITIES, &*capabilities),
    ];
    meta.extend(passed_on(caller.as_ref(), &MODERN_META));
    let body = body(Some(id), request.method, &request.params, &meta);
    Envelope { headers, body }
}

/// `request` within `session`.
pub(crate) fn legacy(
    id: u64,
    request: &Forward<'_>,
    session: &Session,
    authorization: Option<&Authorization>,
) -> Envelope {
    let caller = request.meta.and_then(RawObject::read);
    let meta = passed_on(caller.as_ref(), &LEGACY_META);
    Envelope {
        headers: session_headers(session, authorization),
        body: body(Some(id), request.method, &request.params, &meta),
    }
}

/// The request that opens a session. It carries no version header: there is none to name yet.
pub(crate) fn initialize(
    id: u64,
    revision: ProtocolRevision,
    authorization: Option<&Authorization>,
) -> Envelope {
    let (version, info) = (to_raw(revision.as_str()), to_raw(&ClientInfo::OURS));
    let params = [
        ("protocolVersion", &*version),
        ("capabilities", empty_object()),
        ("clientInfo", &*info),
    ];
    Envelope {
        headers: base_headers(authorization),
        body: body(Some(id), "initialize", &params, &[]),
    }
}

/// A message within a session that wants no answer.
pub(crate) fn notification(method: &str, params: &[(&str, &RawValue)]) -> Bytes {
    body(None, method, params, &[])
}

/// What every message within `session` carries.
pub(crate) fn session_headers(
    session: &Session,
    authorization: Option<&Authorization>,
) -> HeaderMap {
    let mut headers = base_headers(authorization);
    headers.insert(HEADER_PROTOCOL_VERSION, session.version.clone());
    if let Some(id) = &session.id {
        headers.insert(HEADER_SESSION_ID, id.clone());
    }
    headers
}

/// Of the caller's headers there is only the Authorization (field case 91).
fn base_headers(authorization: Option<&Authorization>) -> HeaderMap {
    let mut headers = HeaderMap::new();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    headers.insert(
        ACCEPT,
        HeaderValue::from_static("application/json, text/event-stream"),
    );
    if let Some(authorization) = authorization.and_then(Authorization::header) {
        headers.insert(AUTHORIZATION, authorization);
    }
    headers
}

/// A name that HTTP has no header for is left out; the upstream says so if it needs it.
fn insert_text(headers: &mut HeaderMap, name: &str, text: &str) {
    let name = HeaderName::from_bytes(name.as_bytes());
    let value = HeaderValue::from_str(&encode_header(text));
    if let (Ok(name), Ok(value)) = (name, value) {
        headers.insert(name, value);
    }
}

/// The members of the caller's `_meta` that are passed on as they are.
fn passed_on<'a>(
    caller: Option<&RawObject<'a>>,
    whitelist: &[&'static str],
) -> Vec<(&'static str, &'a RawValue)> {
    let member = |key: &&'static str| Some((*key, caller?.get(key)?));
    whitelist.iter().filter_map(member).collect()
}

/// The caller's capabilities without the extensions that can't be carried; a legacy caller has
/// none.
fn carried_capabilities<'a>(caller: Option<&RawObject<'a>>) -> Cow<'a, RawValue> {
    let declared = caller.and_then(|meta| meta.get(meta_key::CLIENT_CAPABILITIES));
    let Some((declared, members)) =
        declared.and_then(|declared| Some((declared, RawObject::read(declared)?)))
    else {
        return Cow::Borrowed(empty_object());
    };
    let extensions = members.get(EXTENSIONS).and_then(RawObject::read);
    match extensions {
        Some(extensions) if NOT_CARRIED.iter().any(|key| extensions.get(key).is_some()) => {
            let carried = extensions.rewrite(&NOT_CARRIED, &[]);
            Cow::Owned(members.rewrite(&[EXTENSIONS], &[(EXTENSIONS, &carried)]))
        }
        _ => Cow::Borrowed(declared),
    }
}

fn body(
    id: Option<u64>,
    method: &str,
    params: &[(&str, &RawValue)],
    meta: &[(&str, &RawValue)],
) -> Bytes {
    let meta = (!meta.is_empty()).then(|| to_raw(&Members(meta)));
    let mut members = params.to_vec();
    members.extend(meta.as_deref().map(|meta| ("_meta", meta)));
    let message = Message {
        jsonrpc: "2.0",
        id,
        method,
        params: (!members.is_empty()).then_some(Members(&members)),
    };
    Box::<str>::from(to_raw(&message)).into_boxed_bytes().into()
}

#[expect(clippy::expect_used, reason = "the literal is JSON")]
pub(crate) fn empty_object() -> &'static RawValue {
    serde_json::from_str("{}").expect("the literal is JSON")
}

#[derive(Serialize)]
struct Message<'a> {
    jsonrpc: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<u64>,
    method: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    params: Option<Members<'a>>,
}

/// An object of members that are raw already.
struct Members<'a>(&'a [(&'a str, &'a RawValue)]);

impl Serialize for Members<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().copied())
    }
}

#[derive(Serialize)]
struct ClientInfo {
    name: &'static str,
    version: &'static str,
}

impl ClientInfo {
    const OURS: Self = Self {
        name: CLIENT_NAME,
        version: CLIENT_VERSION,
    };
}

const EXTENSIONS: &str = "extensions";
/// A model behind the five tools sees no user interface and follows no task.
const NOT_CARRIED: [&str; 2] = [
    "io.modelcontextprotocol/ui",
    "io.modelcontextprotocol/tasks",
];
const LEGACY_META: [&str; 4] = [
    meta_key::PROGRESS_TOKEN,
    "traceparent",
    "tracestate",
    "baggage",
];
const MODERN_META: [&str; 5] = [
    meta_key::PROGRESS_TOKEN,
    meta_key::LOG_LEVEL,
    "traceparent",
    "tracestate",
    "baggage",
];
