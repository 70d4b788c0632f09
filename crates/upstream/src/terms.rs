//! On what terms the upstream talks with a caller, and when they have to be made anew.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::timeout;
use wire::{Era, ProtocolRevision, code};

use crate::Upstream;
use crate::credential::Caller;
use crate::error::UpstreamError;
use crate::handshake::Discovery;
use crate::listing::Handshake;
use crate::refusal::Refusal;
use crate::request::Forward;
use crate::session::Session;

/// How to send a caller's requests.
#[derive(Debug)]
pub(crate) enum Terms {
    /// Each on its own. What discovery told is there if it was just asked.
    Modern(ProtocolRevision, Option<Handshake>),
    /// Within this session, agreed on under this revision.
    Legacy(ProtocolRevision, Arc<Session>),
}

impl Upstream {
    /// The terms for `caller`: those that stand, or new ones.
    pub(crate) async fn terms(&self, caller: &Caller) -> Result<Terms, UpstreamError> {
        match self.era.agreed() {
            Some(revision) => self.terms_under(caller, revision, None).await,
            None => self.agree(caller).await,
        }
    }

    /// New terms, if `refusal` shows that the upstream doesn't accept `terms` any more and so
    /// didn't run `request`. `None` means that the refusal stands.
    pub(crate) async fn renewed(
        &self,
        caller: &Caller,
        terms: &Terms,
        refusal: &Refusal,
        request: &Forward<'_>,
    ) -> Result<Option<Terms>, UpstreamError> {
        match terms {
            Terms::Modern(revision, _)
                if refusal.shows_no_modern_era(request.method) && self.era.doubt(*revision) =>
            {
                let renewed = self.agree(caller).await?;
                let refused_version = refusal.code() == Some(code::UNSUPPORTED_VERSION);
                Ok((refused_version || renewed.era() == Era::Legacy).then_some(renewed))
            }
            Terms::Legacy(revision, _)
                if refusal.shows_no_legacy_era(request.method) && self.era.doubt(*revision) =>
            {
                let renewed = self.agree(caller).await?;
                Ok((renewed.era() == Era::Modern).then_some(renewed))
            }
            Terms::Legacy(revision, session)
                if refusal.shows_lost_session(session, request.effect) =>
            {
                if !refusal.is_bare_not_found() {
                    self.end_session(caller, session);
                }
                let renewed = self.terms_under(caller, *revision, Some(session));
                renewed.await.map(Some)
            }
            _ => Ok(None),
        }
    }

    /// The terms under `revision`, or under another one if the upstream now refuses its handshake.
    async fn terms_under(
        &self,
        caller: &Caller,
        revision: ProtocolRevision,
        lost: Option<&Arc<Session>>,
    ) -> Result<Terms, UpstreamError> {
        match self.settle(caller, revision, lost).await {
            Err(error) if refuses_handshake(&error) && self.era.doubt(revision) => {
                self.agree(caller).await
            }
            settled => settled,
        }
    }

    /// Asks which era it is, once for all who wait. What is found is remembered when it has
    /// proved itself: a legacy upstream by a handshake that succeeds.
    async fn agree(&self, caller: &Caller) -> Result<Terms, UpstreamError> {
        let asking = self.era.asking.lock().await;
        let revision = match self.era.found() {
            Some(revision) => revision,
            None => match self.discover(caller).await? {
                Discovery::Modern(revision, handshake) => {
                    if let Some(session) = self.sessions.take(caller.key) {
                        self.end_session(caller, &session);
                    }
                    self.era.agree(revision);
                    return Ok(Terms::Modern(revision, handshake));
                }
                Discovery::Legacy(revision) => {
                    self.era.presume(revision);
                    revision
                }
            },
        };
        // One caller's handshake may hang, for which no other should wait.
        drop(asking);
        let settled = self.settle(caller, revision, None).await;
        match &settled {
            Ok(_) => self.era.agree(revision),
            Err(_) => self.era.withdraw(),
        }
        settled
    }

    async fn discover(&self, caller: &Caller) -> Result<Discovery, UpstreamError> {
        let terms = Terms::Modern(ProtocolRevision::LATEST, None);
        let question = Forward::question(DISCOVER, Vec::new());
        let asked = self.ask(caller, &terms, &question, MAX_DISCOVERY_BYTES);
        // Half of what is allowed is left for the handshake that follows silence, and the rest.
        let limit = self.config.call_timeout.min(self.config.list_timeout);
        let patience = MAX_DISCOVERY.min(limit / 2);
        match timeout(patience, asked).await {
            Ok(Ok(answer)) => Discovery::read(&answer.content),
            Ok(Err(
                error @ (UpstreamError::Challenge(_)
                | UpstreamError::RateLimited { .. }
                | UpstreamError::Connect(_)
                | UpstreamError::Redirect { .. }),
            )) => Err(error),
            // Silence, a reset connection or an unreadable answer: legacy servers do all of it.
            Ok(Err(_)) | Err(_) => Ok(Discovery::Legacy(ProtocolRevision::LATEST_LEGACY)),
        }
    }

    /// The terms under `revision`, with the session that stands or a new one instead of `lost`.
    async fn settle(
        &self,
        caller: &Caller,
        revision: ProtocolRevision,
        lost: Option<&Arc<Session>>,
    ) -> Result<Terms, UpstreamError> {
        if revision.era() == Era::Modern {
            return Ok(Terms::Modern(revision, None));
        }
        let open = self.initialize(caller, revision);
        let session = self.sessions.get_or_open(caller.key, lost, open).await?;
        Ok(Terms::Legacy(revision, session))
    }
}

impl Terms {
    pub(crate) fn era(&self) -> Era {
        match self {
            Self::Modern(..) => Era::Modern,
            Self::Legacy(..) => Era::Legacy,
        }
    }
}

/// Whether the upstream, though there, wants no `initialize`.
fn refuses_handshake(error: &UpstreamError) -> bool {
    matches!(
        error,
        UpstreamError::Refused { .. } | UpstreamError::Status { status: 400..=499 }
    )
}

/// The question whose answer tells the era.
pub(crate) const DISCOVER: &str = "server/discover";
/// A legacy server may not answer at all (field case 58).
const MAX_DISCOVERY: Duration = Duration::from_secs(10);
const MAX_DISCOVERY_BYTES: usize = 4 << 20;
