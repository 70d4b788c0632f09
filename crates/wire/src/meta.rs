//! What a modern request says about itself in `params._meta`.

use std::borrow::Cow;

use serde_json::value::RawValue;

use crate::object::RawObject;

/// Keys of `_meta` that the protocol defines.
pub mod meta_key {
    /// The request's revision.
    pub const PROTOCOL_VERSION: &str = "io.modelcontextprotocol/protocolVersion";
    /// Name and version of the client.
    pub const CLIENT_INFO: &str = "io.modelcontextprotocol/clientInfo";
    /// What the client can answer.
    pub const CLIENT_CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";
    /// Name and version of the server, on results.
    pub const SERVER_INFO: &str = "io.modelcontextprotocol/serverInfo";
    /// How chatty the server may be while it works.
    pub const LOG_LEVEL: &str = "io.modelcontextprotocol/logLevel";
    /// Ties progress notifications to their request.
    pub const PROGRESS_TOKEN: &str = "progressToken";
}

/// The envelope of a modern request, read from its `params`.
#[derive(Debug, Clone)]
pub struct RequestMeta<'a> {
    /// The revision as the client spelt it; not yet known to be one we speak.
    pub protocol_version: Cow<'a, str>,
    /// The client's capabilities, raw; an object.
    pub client_capabilities: &'a RawValue,
    /// The whole of `_meta`.
    pub members: RawObject<'a>,
}

/// Why a request's `_meta` can't be used. Answered with 400 and -32602.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum MetaError {
    /// `_meta` is there but no object.
    #[error("`params._meta` must be an object")]
    NotAnObject,
    /// The version isn't a string.
    #[error("`params._meta[\"io.modelcontextprotocol/protocolVersion\"]` must be a string")]
    Version,
    /// The capabilities are missing or no object.
    #[error(
        "`params._meta[\"io.modelcontextprotocol/clientCapabilities\"]` must be an object, \
         `{{}}` where the client has none"
    )]
    Capabilities,
    /// The client's description of itself is no object with a name and a version.
    #[error(
        "`params._meta[\"io.modelcontextprotocol/clientInfo\"]` must be an object with `name` \
         and `version`"
    )]
    ClientInfo,
}

impl<'a> RequestMeta<'a> {
    /// The envelope in `params`, or `None` where no version stands in it (a legacy request).
    pub fn read(params: Option<&'a RawValue>) -> Result<Option<Self>, MetaError> {
        let Some((protocol_version, members)) = versioned(params)? else {
            return Ok(None);
        };
        let client_capabilities = members
            .get(meta_key::CLIENT_CAPABILITIES)
            .filter(|capabilities| capabilities.get().starts_with('{'))
            .ok_or(MetaError::Capabilities)?;
        check_client_info(&members)?;
        Ok(Some(Self {
            protocol_version,
            client_capabilities,
            members,
        }))
    }

    /// Only the version, whatever else stands in `_meta`: a server looks at it first, since what an
    /// envelope must hold depends on it.
    pub fn version(params: Option<&'a RawValue>) -> Result<Option<Cow<'a, str>>, MetaError> {
        Ok(versioned(params)?.map(|(version, _members)| version))
    }
}

/// `_meta` and the version in it, where there is one.
fn versioned(
    params: Option<&RawValue>,
) -> Result<Option<(Cow<'_, str>, RawObject<'_>)>, MetaError> {
    let meta = params
        .and_then(RawObject::read)
        .and_then(|params| params.get("_meta"));
    let Some(meta) = meta else { return Ok(None) };
    let members = RawObject::read(meta).ok_or(MetaError::NotAnObject)?;
    let Some(version) = members.get(meta_key::PROTOCOL_VERSION) else {
        return Ok(None);
    };
    let version = crate::object::as_str(version).ok_or(MetaError::Version)?;
    Ok(Some((version, members)))
}

fn check_client_info(members: &RawObject<'_>) -> Result<(), MetaError> {
    let Some(info) = members.get(meta_key::CLIENT_INFO) else {
        return Ok(());
    };
    let info = RawObject::read(info).ok_or(MetaError::ClientInfo)?;
    match (info.get_str("name"), info.get_str("version")) {
        (Some(_), Some(_)) => Ok(()),
        _ => Err(MetaError::ClientInfo),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(params: &str) -> Result<Option<String>, MetaError> {
        let raw = RawValue::from_string(params.to_owned()).unwrap();
        RequestMeta::read(Some(&raw))
            .map(|meta| meta.map(|meta| meta.protocol_version.into_owned()))
    }

    #[test]
    fn the_version_decides_the_era() {
        assert_eq!(read("{}"), Ok(None));
        assert_eq!(read(r#"{"_meta":{"progressToken":1}}"#), Ok(None));
        let modern = r#"{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",
            "io.modelcontextprotocol/clientCapabilities":{}}}"#;
        assert_eq!(read(modern), Ok(Some("2026-07-28".to_owned())));
    }

    #[test]
    fn a_broken_envelope_says_which_member() {
        let version = r#""io.modelcontextprotocol/protocolVersion":"2026-07-28""#;
        let broken = [
            (r#"{"_meta":3}"#.to_owned(), MetaError::NotAnObject),
            (
                r#"{"_meta":{"io.modelcontextprotocol/protocolVersion":5}}"#.to_owned(),
                MetaError::Version,
            ),
            (
                format!(r#"{{"_meta":{{{version}}}}}"#),
                MetaError::Capabilities,
            ),
            (
                format!(
                    r#"{{"_meta":{{{version},"io.modelcontextprotocol/clientCapabilities":{{}},
                    "io.modelcontextprotocol/clientInfo":{{"name":1}}}}}}"#
                ),
                MetaError::ClientInfo,
            ),
        ];
        for (params, expected) in broken {
            assert_eq!(read(&params), Err(expected), "{params}");
        }
        let no_capabilities =
            RawValue::from_string(format!(r#"{{"_meta":{{{version}}}}}"#)).unwrap();
        let version = RequestMeta::version(Some(&no_capabilities)).unwrap();
        assert_eq!(version.as_deref(), Some("2026-07-28"));
    }
}
