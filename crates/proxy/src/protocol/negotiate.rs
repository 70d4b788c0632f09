//! Which era a request belongs to, and whether its headers say what its body says.
//!
//! The body decides and the headers are held against it, so that whoever routes by header and
//! whoever runs the body see the same request (field case 78).

use http::HeaderMap;
use serde_json::value::RawValue;
use wire::{Era, HEADER_METHOD, HEADER_NAME, HEADER_PROTOCOL_VERSION};
use wire::{ProtocolRevision, RequestMeta, decode_header};

use super::error::Rejection;
use super::method::Method;

/// The era of a request of `method`, if that is served.
pub(super) fn era(
    method: Option<Method>,
    params: Option<&RawValue>,
    headers: &HeaderMap,
) -> Result<Era, Rejection> {
    let header = single(headers, HEADER_PROTOCOL_VERSION)?;
    if let Some(version) = RequestMeta::version(params)? {
        expect_header(HEADER_PROTOCOL_VERSION, header, &version)?;
        return match ProtocolRevision::parse(&version).map(ProtocolRevision::era) {
            Some(Era::Modern) => {
                RequestMeta::read(params)?;
                Ok(Era::Modern)
            }
            _ => Err(Rejection::unsupported_version(&version)),
        };
    }
    // `initialize` negotiates by its params; a header that a client sends along decides nothing
    // (field case 77).
    if method == Some(Method::Initialize) {
        return Ok(Era::Legacy);
    }
    let Some(version) = header else {
        return Ok(Era::Legacy);
    };
    match ProtocolRevision::parse(version).map(ProtocolRevision::era) {
        Some(Era::Legacy) => Ok(Era::Legacy),
        Some(Era::Modern) => Err(Rejection::envelope(format!(
            "a request of {version} says so in \
             `params._meta[\"io.modelcontextprotocol/protocolVersion\"]` too"
        ))),
        None if ProtocolRevision::is_well_formed(version) => {
            Err(Rejection::unsupported_version(version))
        }
        None => Err(Rejection::malformed_header(
            "the MCP-Protocol-Version header isn't a version such as 2025-11-25",
        )),
    }
}

/// Holds `Mcp-Method` and `Mcp-Name` of a modern request against its body.
pub(super) fn check_headers(
    headers: &HeaderMap,
    method: &str,
    name: Option<&str>,
) -> Result<(), Rejection> {
    expect_header(HEADER_METHOD, single(headers, HEADER_METHOD)?, method)?;
    let Some(name) = name else { return Ok(()) };
    let value = single(headers, HEADER_NAME)?;
    let decoded = value.map(decode_header).transpose();
    let decoded =
        decoded.map_err(|error| Rejection::header_mismatch(format!("Mcp-Name: {error}")))?;
    expect_header(HEADER_NAME, decoded.as_deref(), name)
}

fn expect_header(header: &str, found: Option<&str>, body: &str) -> Result<(), Rejection> {
    match found {
        Some(found) if found == body => Ok(()),
        Some(_) => Err(Rejection::header_mismatch(format!(
            "the {header} header and the body disagree"
        ))),
        None => Err(Rejection::header_mismatch(format!(
            "the {header} header is missing"
        ))),
    }
}

fn single<'a>(headers: &'a HeaderMap, name: &str) -> Result<Option<&'a str>, Rejection> {
    let mut values = headers.get_all(name).iter();
    let Some(value) = values.next() else {
        return Ok(None);
    };
    if values.next().is_some() {
        return Err(Rejection::malformed_header(format!(
            "the {name} header stands there twice"
        )));
    }
    let text = value.to_str().ok();
    text.map(Some).ok_or_else(|| {
        Rejection::malformed_header(format!("the {name} header holds more than ASCII"))
    })
}
