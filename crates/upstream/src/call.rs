//! Sending one request and getting its answer.

use std::time::{Duration, Instant};

use tokio::time::timeout;
use wire::RequestId;

use crate::Upstream;
use crate::answer::{Answer, Expected};
use crate::backchannel::Backchannel;
use crate::credential::Caller;
use crate::envelope::{self, Envelope};
use crate::error::{Presented, UpstreamError};
use crate::request::{Effect, Forward, Reply};
use crate::session::Session;
use crate::terms::Terms;

impl Upstream {
    /// Sends `request`, and once more where the upstream refused to run it for terms that have
    /// changed since.
    pub(crate) async fn call(
        &self,
        caller: &Caller,
        request: &Forward<'_>,
        max_bytes: usize,
    ) -> Result<Reply, UpstreamError> {
        let mut terms = self.terms(caller).await?;
        let mut content = self.ask(caller, &terms, request, max_bytes).await?.content;
        if let Err(refusal) = &content
            && let Some(renewed) = self.renewed(caller, &terms, refusal, request).await?
        {
            terms = renewed;
            content = self.ask(caller, &terms, request, max_bytes).await?.content;
        }
        match content {
            Ok(result) => Ok(Reply::Result {
                result,
                era: terms.era(),
            }),
            Err(refusal) => refusal.into_reply(),
        }
    }

    /// Sends `request` on `terms`. A read is sent once more if the connection breaks before any
    /// answer begins (field case 65).
    pub(crate) async fn ask(
        &self,
        caller: &Caller,
        terms: &Terms,
        request: &Forward<'_>,
        max_bytes: usize,
    ) -> Result<Answer, UpstreamError> {
        let begun = Instant::now();
        let mut sent = self.send(caller, terms, request, max_bytes).await;
        if request.effect == Effect::Read && matches!(sent, Sent::Unanswered(_)) {
            sent = self.send(caller, terms, request, max_bytes).await;
        }
        let answered = match sent {
            Sent::Unanswered(error) => Err(error),
            Sent::Answered(answered) => answered,
        };
        let milliseconds = begun.elapsed().as_millis();
        match &answered {
            Ok(answer) => tracing::debug!(
                method = request.method,
                status = answer.status.as_u16(),
                bytes = answer.bytes,
                milliseconds,
                "upstream answered"
            ),
            Err(error) => tracing::debug!(
                method = request.method,
                %error,
                milliseconds,
                "upstream failed"
            ),
        }
        answered
    }

    async fn send(
        &self,
        caller: &Caller,
        terms: &Terms,
        request: &Forward<'_>,
        max_bytes: usize,
    ) -> Sent {
        let id = self.next_id();
        let authorization = caller.authorization.as_ref();
        let (Envelope { headers, body }, session) = match terms {
            Terms::Modern(revision, _) => (
                envelope::modern(id, request, *revision, authorization),
                None,
            ),
            Terms::Legacy(_, session) => (
                envelope::legacy(id, request, session, authorization),
                Some(session),
            ),
        };
        let backchannel = session.map(|session| self.backchannel(caller, session));
        let guard = backchannel
            .clone()
            .map(|backchannel| backchannel.cancel_on_drop(id));
        let sent = match self.transport.post(headers, body).await {
            Err(error @ UpstreamError::Broken(_)) => Sent::Unanswered(error),
            Err(error) => Sent::Answered(Err(error)),
            Ok(response) => {
                let expected = Expected {
                    id: RequestId::number(id),
                    max_bytes,
                    presented: Presented::by(caller),
                    backchannel,
                };
                Sent::Answered(expected.read(response).await)
            }
        };
        if let Some(guard) = guard
            && !sent.may_still_run()
        {
            guard.answered();
        }
        sent
    }

    fn backchannel<'a>(&'a self, caller: &'a Caller, session: &'a Session) -> Backchannel<'a> {
        Backchannel {
            transport: &self.transport,
            session,
            authorization: caller.authorization.as_ref(),
        }
    }
}

/// How far a request got.
enum Sent {
    /// The connection broke before a whole head of an answer came.
    Unanswered(UpstreamError),
    /// An answer came, or the request didn't leave.
    Answered(Result<Answer, UpstreamError>),
}

impl Sent {
    /// Whether the upstream may be working on it though no answer will come.
    fn may_still_run(&self) -> bool {
        matches!(
            self,
            Self::Unanswered(_) | Self::Answered(Err(UpstreamError::Broken(_)))
        )
    }
}

/// `work`, given up after `limit`.
pub(crate) async fn within<T>(
    limit: Duration,
    work: impl Future<Output = Result<T, UpstreamError>>,
) -> Result<T, UpstreamError> {
    timeout(limit, work)
        .await
        .unwrap_or(Err(UpstreamError::Timeout { limit }))
}
