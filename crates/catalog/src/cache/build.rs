//! One listing for one caller: started at most once at a time, finished whoever waits.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};

use ranking::VectorCache;
use tokio::sync::{Semaphore, watch};
use tokio::time::Instant;
use tracing::Instrument;
use upstream::{Caller, CallerKey, Listing, UpstreamError};

use super::fingerprint::Fingerprint;
use super::report::{Size, log_left_out, log_listed};
use super::slot::{BuildId, Held, MAX_AGE};
use super::state::State;
use super::{CacheSettings, CatalogView, Lister};
use crate::failure::LastFailure;
use crate::named::NamedTools;
use crate::snapshot::Catalog;

/// How a listing ended: with the catalog in force afterwards, or a failure and no catalog.
type Outcome = Result<CatalogView, Arc<UpstreamError>>;

/// A listing under way.
pub(super) type Running = watch::Receiver<Option<Outcome>>;

/// What the cache and its listings share.
pub(super) struct Shared {
    lister: Arc<dyn Lister>,
    settings: CacheSettings,
    state: Mutex<State>,
    /// Bounds how many ask the upstream at a time, whatever tokens are made up.
    listing: Semaphore,
    /// The same tool's vectors are shared between callers whose lists differ.
    vectors: Arc<VectorCache>,
    /// Bounds how many listings are indexed at a time, so that many callers who come with the same
    /// tools at once find the first one's index.
    indexing: Semaphore,
}

/// A listing read, indexed or found to be known.
pub(super) struct Built {
    pub(super) catalog: Arc<Catalog>,
    /// What it was read under.
    named: Arc<NamedTools>,
    fingerprint: Fingerprint,
    ttl: Option<Duration>,
    pub(super) cut_short: bool,
    /// Whether no caller held this catalog before.
    pub(super) is_new: bool,
}

impl Shared {
    pub(super) fn new(lister: Arc<dyn Lister>, settings: CacheSettings, named: NamedTools) -> Self {
        Self {
            state: Mutex::new(State::new(settings.max_bytes, named)),
            vectors: Arc::new(VectorCache::new(settings.vectors.embedder())),
            lister,
            settings,
            listing: Semaphore::new(LISTING_AT_A_TIME),
            indexing: Semaphore::new(INDEXING_AT_A_TIME),
        }
    }

    pub(super) fn settings(&self) -> &CacheSettings {
        &self.settings
    }

    pub(super) fn vectors(&self) -> &Arc<VectorCache> {
        &self.vectors
    }

    pub(super) fn lock(&self) -> MutexGuard<'_, State> {
        // No code under the lock leaves the state half changed.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Starts a listing for `caller`, whose slot must exist and be idle.
    ///
    /// Only the listing's task holds the caller's token.
    pub(super) fn start(self: &Arc<Self>, state: &mut State, caller: &Caller) -> Running {
        let now = Instant::now();
        let id = state.next_build();
        let (sender, running) = watch::channel(None);
        let build = Build {
            shared: Arc::clone(self),
            key: caller.key,
            id,
            started: now,
        };
        // What it logs belongs to the request that started it.
        let task = tokio::spawn(build.run(caller.clone(), sender).in_current_span());
        state
            .slot(caller.key, now)
            .started(id, running.clone(), task.abort_handle(), now);
        running
    }
}

/// Ends its listing in the caller's slot however it goes, a panic included.
pub(super) struct Build {
    pub(super) shared: Arc<Shared>,
    pub(super) key: CallerKey,
    pub(super) id: BuildId,
    pub(super) started: Instant,
}

impl Drop for Build {
    fn drop(&mut self) {
        self.shared.lock().end_build(&self.key, self.id);
    }
}

impl Build {
    async fn run(self, caller: Caller, sender: watch::Sender<Option<Outcome>>) {
        let result = match tokio::time::timeout(LISTING_LIMIT, self.list(caller)).await {
            Ok(result) => result,
            Err(_) => Err(UpstreamError::Timeout {
                limit: LISTING_LIMIT,
            }),
        };
        let outcome = match result {
            Ok(listing) => self.finish(listing).await,
            Err(error) => self.fail(error),
        };
        sender.send_replace(Some(outcome));
    }

    async fn list(&self, caller: Caller) -> Result<Listing, UpstreamError> {
        // The semaphore is never closed.
        let _permit = self.shared.listing.acquire().await.ok();
        Arc::clone(&self.shared.lister).list(caller).await
    }

    async fn finish(&self, listing: Listing) -> Outcome {
        // The semaphore is never closed.
        let permit = self.shared.indexing.acquire().await.ok();
        let shared = Arc::clone(&self.shared);
        let size = Size::of(&listing);
        let built = tokio::task::spawn_blocking(move || shared.build(listing)).await;
        let outcome = match built {
            Ok(built) => {
                log_listed(&built.catalog, &size);
                if built.is_new {
                    log_left_out(&built.catalog);
                    if let Some(service) = self.shared.settings.vectors.service() {
                        service.start_filling(&self.shared.vectors);
                    }
                }
                Ok(self.publish(built))
            }
            Err(_) => self.fail(UpstreamError::Malformed {
                reason: "its tools can't be indexed".to_owned(),
            }),
        };
        drop(permit);
        outcome
    }

    fn fail(&self, error: UpstreamError) -> Outcome {
        let error = Arc::new(error);
        let text = error.with_causes();
        let challenged = matches!(*error, UpstreamError::Challenge(_));
        if challenged {
            // The caller's matter, and as frequent as bad tokens are.
            tracing::debug!("the upstream refused a caller's credentials");
        } else {
            tracing::warn!(error = %text, "listing the tools failed");
        }
        let now = Instant::now();
        let mut state = self.shared.lock();
        state.count_failure(LastFailure::now(error.to_string(), text));
        let own = state.end_build(&self.key, self.id);
        if challenged {
            // Not even for their next request: that one lists itself and gets its own challenge.
            if own.is_some() {
                state.remove(&self.key);
            }
        } else if let Some(slot) = own {
            slot.failed(Arc::clone(&error), now);
        }
        Err(error)
    }
}

impl Shared {
    /// The catalog of `listing`: one that some caller already holds, else a new one. CPU-bound.
    fn build(&self, listing: Listing) -> Built {
        let fingerprint = Fingerprint::of(&listing);
        let (known, named) = {
            let state = self.lock();
            (state.shared(&fingerprint), Arc::clone(state.named()))
        };
        let is_new = known.is_none();
        let (ttl, cut_short) = (listing.ttl, listing.cut_short);
        let catalog = known.unwrap_or_else(|| {
            let (tools, handshake) = (listing.tools, listing.handshake);
            let catalog = Catalog::build(tools, handshake, &named.write_tools, &self.vectors);
            Arc::new(catalog.naming(&named).cut_short(cut_short))
        });
        Built {
            catalog,
            named,
            fingerprint,
            ttl,
            cut_short: cut_short.is_some(),
            is_new,
        }
    }
}

impl Built {
    /// Whether the operator hasn't changed `named` since the tools were read.
    pub(super) fn is_under(&self, named: &Arc<NamedTools>) -> bool {
        Arc::ptr_eq(&self.named, named)
    }

    /// The same under `named`.
    pub(super) fn under(self, named: &Arc<NamedTools>) -> Self {
        Self {
            catalog: Arc::new(self.catalog.under(named)),
            named: Arc::clone(named),
            ..self
        }
    }

    pub(super) fn held(&self, settings: &CacheSettings, now: Instant) -> Held {
        let mut ttl = self.ttl.map_or(settings.ttl, |ttl| ttl.min(settings.ttl));
        if self.catalog.is_empty() {
            ttl = ttl.min(EMPTY_TTL);
        }
        Held {
            catalog: Arc::clone(&self.catalog),
            fingerprint: self.fingerprint,
            built_at: SystemTime::now(),
            listed: now,
            fresh_until: now + ttl.clamp(SHORTEST_TTL, MAX_AGE),
        }
    }
}

/// The upstream client has its own, shorter limit; this one frees a caller's slot from a lister
/// that has none.
const LISTING_LIMIT: Duration = Duration::from_mins(10);

const LISTING_AT_A_TIME: usize = 32;

const INDEXING_AT_A_TIME: usize = 2;

/// An upstream that says `ttlMs: 0` isn't listed for every request.
const SHORTEST_TTL: Duration = Duration::from_secs(1);

/// A first listing without tools may be a gateway that is warming up (field case 31).
const EMPTY_TTL: Duration = Duration::from_secs(5);
