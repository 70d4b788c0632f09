//! JSON-RPC and MCP shapes of both protocol eras, as bytes in and bytes out.
//!
//! Everything here is pure: no I/O, no clock, no async. JSON that belongs to somebody else (a tool,
//! a result, an argument object) stays a [`serde_json::value::RawValue`]; the typed views
//! ([`ToolView`], [`RawObject`], [`RequestMeta`]) are read beside it and never written back, so key
//! order, number spelling and unknown members survive.

mod header;
mod jsonrpc;
mod meta;
mod object;
mod revision;
mod sse;
mod tool;

pub use header::{DecodeHeaderError, HEADER_METHOD, HEADER_NAME, HEADER_PARAM_PREFIX};
pub use header::{HEADER_PROTOCOL_VERSION, HEADER_SESSION_ID, decode_header, encode_header};
pub use jsonrpc::{
    ErrorView, InvalidMessage, MAX_NESTING, Message, Request, RequestId, Response, RpcError, code,
    is_nested_deeper,
};
pub use meta::{MetaError, RequestMeta, meta_key};
pub use object::{RawObject, span_in, to_raw};
pub use revision::{Era, ProtocolRevision};
pub use sse::{EventTooLarge, SseDecoder};
pub use tool::{Hint, ToolRepair, ToolSkip, ToolView};
