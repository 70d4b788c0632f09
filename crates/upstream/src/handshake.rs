//! What is asked first: `server/discover` of a modern upstream, `initialize` of a legacy one.

use std::time::Duration;

use http::HeaderValue;
use serde_json::value::RawValue;
use tokio::time::timeout;
use wire::{Era, ErrorView, HEADER_SESSION_ID, ProtocolRevision, RawObject, RequestId, code};

use crate::answer::{Answer, Content, Expected};
use crate::credential::Caller;
use crate::envelope;
use crate::error::{Presented, UpstreamError};
use crate::listing::Handshake;
use crate::refusal::Refusal;
use crate::session::Session;
use crate::{Upstream, backchannel, body};

/// What an answer to `server/discover` tells.
#[derive(Debug)]
pub(crate) enum Discovery {
    /// The upstream is modern, and says this of itself if it didn't only name its versions.
    Modern(ProtocolRevision, Option<Handshake>),
    /// It wants `initialize` with this revision.
    Legacy(ProtocolRevision),
}

impl Discovery {
    /// Reads `content`: what names no versions means the legacy era, because legacy servers refuse
    /// the question in every way there is. Versions that are named are taken at their word, and it
    /// is an error if we speak none of them (field case 58).
    pub(crate) fn read(content: &Content) -> Result<Self, UpstreamError> {
        let named = match content {
            Ok(result) => RawObject::read(result).and_then(|result| {
                let versions = versions(result.get("supportedVersions")?)?;
                Some((versions, Some(Handshake::read(&result, Era::Modern))))
            }),
            Err(refusal) => refusal
                .error()
                .filter(|error| error.code == code::UNSUPPORTED_VERSION)
                .and_then(|error| Some((versions(supported(&error)?)?, None))),
        };
        let Some((versions, handshake)) = named else {
            return Ok(Self::Legacy(ProtocolRevision::LATEST_LEGACY));
        };
        match newest(&versions) {
            Some(ProtocolRevision::LATEST) => Ok(Self::Modern(ProtocolRevision::LATEST, handshake)),
            Some(legacy) => Ok(Self::Legacy(legacy)),
            None => Err(UpstreamError::NoSharedVersion),
        }
    }
}

impl Upstream {
    /// Opens a session for `caller`, with or without an id as the upstream likes.
    pub(crate) async fn initialize(
        &self,
        caller: &Caller,
        revision: ProtocolRevision,
    ) -> Result<Session, UpstreamError> {
        let (mut answer, mut id) = self.try_initialize(caller, revision).await?;
        if let Err(refusal) = &answer.content
            && let Some(listed) = listed_instead(refusal, revision)
        {
            (answer, id) = self.try_initialize(caller, listed).await?;
        }
        let result = answer
            .content
            .map_err(|refusal| refusal.into_error(INITIALIZE))?;
        let Some(members) = RawObject::read(&result) else {
            return Err(UpstreamError::malformed(
                "the result of `initialize` is no object",
            ));
        };
        let version = members
            .get_str("protocolVersion")
            .and_then(|version| HeaderValue::from_str(&version).ok());
        let session = Session {
            id,
            version: version.unwrap_or_else(|| HeaderValue::from_static(revision.as_str())),
            handshake: Handshake::read(&members, Era::Legacy),
        };
        self.confirm(caller, &session).await;
        Ok(session)
    }

    async fn try_initialize(
        &self,
        caller: &Caller,
        revision: ProtocolRevision,
    ) -> Result<(Answer, Option<HeaderValue>), UpstreamError> {
        let id = self.next_id();
        let authorization = caller.authorization.as_ref();
        let envelope = envelope::initialize(id, revision, authorization);
        let response = self.transport.post(envelope.headers, envelope.body).await?;
        let mut session = response.headers().get(HEADER_SESSION_ID).cloned();
        if let Some(session) = &mut session {
            session.set_sensitive(true);
        }
        let expected = Expected {
            id: RequestId::number(id),
            max_bytes: MAX_HANDSHAKE_BYTES,
            presented: Presented::by(caller),
            backchannel: None,
        };
        Ok((expected.read(response).await?, session))
    }

    /// Says that the session begins. What the upstream makes of it doesn't matter: servers answer
    /// it in many ways, and a real fault shows with the next request (field case 59).
    async fn confirm(&self, caller: &Caller, session: &Session) {
        let headers = envelope::session_headers(session, caller.authorization.as_ref());
        let message = envelope::notification("notifications/initialized", &[]);
        match timeout(CONFIRM_PATIENCE, self.transport.post(headers, message)).await {
            Ok(Ok(response)) => {
                tracing::debug!(status = response.status().as_u16(), "session opened");
                body::drain(response);
            }
            Ok(Err(error)) => tracing::debug!(%error, "session opened, confirmation failed"),
            Err(_elapsed) => tracing::debug!("session opened, confirmation unanswered"),
        }
    }

    /// Lets the upstream forget a session that is given up while the token for it is at hand.
    pub(crate) fn end_session(&self, caller: &Caller, session: &Session) {
        backchannel::end(&self.transport, session, caller.authorization.as_ref());
    }
}

/// Another revision for `initialize` that a refusal of `revision` lists, in its data or text
/// (field case 71).
fn listed_instead(refusal: &Refusal, revision: ProtocolRevision) -> Option<ProtocolRevision> {
    let error = refusal.error()?;
    let in_data = supported(&error).map(RawValue::get).unwrap_or_default();
    ProtocolRevision::ALL
        .into_iter()
        .rev()
        .filter(|listed| *listed < ProtocolRevision::LATEST && *listed != revision)
        .find(|listed| in_data.contains(listed.as_str()) || error.message.contains(listed.as_str()))
}

/// The list of versions in an error's data.
fn supported<'a>(error: &ErrorView<'a>) -> Option<&'a RawValue> {
    RawObject::read(error.data?)?.get("supported")
}

/// What a JSON array of versions names, unless that is nothing.
fn versions(array: &RawValue) -> Option<Vec<String>> {
    let versions: Vec<String> = serde_json::from_str(array.get()).ok()?;
    (!versions.is_empty()).then_some(versions)
}

/// The newest of `versions` that we speak too.
fn newest(versions: &[String]) -> Option<ProtocolRevision> {
    versions
        .iter()
        .filter_map(|version| ProtocolRevision::parse(version))
        .max()
}

/// The method that opens a session.
const INITIALIZE: &str = "initialize";
const MAX_HANDSHAKE_BYTES: usize = 4 << 20;
const CONFIRM_PATIENCE: Duration = Duration::from_secs(5);
