//! One catalog per caller: fresh for a while, then served stale while one refresh runs.

mod build;
mod fingerprint;
mod naming;
mod publish;
mod report;
mod slot;
mod state;

use std::collections::BTreeMap;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use ranking::{Embedder, Mode};
use tokio::time::Instant;
use upstream::{Caller, CallerKey, Listing, Upstream, UpstreamError};

use crate::arguments::UncheckedReason;
use crate::cache::build::{Running, Shared};
use crate::doubtful::DoubtfulTools;
use crate::failure::LastFailure;
use crate::named::{NamedTools, UnmatchedName};
use crate::snapshot::{Catalog, CatalogNotes};
use crate::vectors::{QueryVectors, VectorServiceStatus, Vectors};

/// Where listings come from: the upstream, or a script in tests.
pub trait Lister: Send + Sync + 'static {
    /// Lists everything `caller` may see.
    fn list(
        self: Arc<Self>,
        caller: Caller,
    ) -> Pin<Box<dyn Future<Output = Result<Listing, UpstreamError>> + Send>>;
}

impl Lister for Upstream {
    fn list(
        self: Arc<Self>,
        caller: Caller,
    ) -> Pin<Box<dyn Future<Output = Result<Listing, UpstreamError>> + Send>> {
        Box::pin(async move { Self::list(&self, &caller).await })
    }
}

/// How long and how much to keep.
#[derive(Debug, Clone)]
pub struct CacheSettings {
    /// `--catalog-ttl`; the upstream's own `ttlMs` may shorten it.
    pub ttl: Duration,
    /// `--catalog-memory`, in bytes.
    pub max_bytes: usize,
    /// `--embedder` or `--model-dir`.
    pub vectors: Vectors,
}

/// The catalogs of all callers.
pub struct Catalogs {
    shared: Arc<Shared>,
}

/// A caller's catalog and how far to trust its age.
#[derive(Debug, Clone)]
pub struct CatalogView {
    /// The snapshot; a request uses one from start to end.
    pub catalog: Arc<Catalog>,
    /// Whether it is due.
    pub freshness: Freshness,
    /// When it was listed.
    pub built_at: SystemTime,
    /// How long ago that was.
    pub age: Duration,
}

/// Whether a catalog is within its time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Freshness {
    /// Within its time.
    Fresh,
    /// Past it; a refresh is under way or was just tried.
    Stale,
    /// Past it, and the last refresh failed.
    StaleAfterFailure,
}

/// Why there is no catalog to use.
#[derive(Debug, Clone, thiserror::Error)]
pub enum Missing {
    /// The first listing takes longer than the caller was willing to wait; it goes on.
    #[error("the catalog is still loading")]
    Loading,
    /// The listing failed and there is no older catalog.
    #[error("the tools can't be listed")]
    Failed(#[source] Arc<UpstreamError>),
}

/// Process-wide counts. Every field is there before the first success.
#[derive(Debug, Clone, Default)]
pub struct CacheStatus {
    /// Callers with a catalog.
    pub callers: usize,
    /// Bytes they hold together; what callers share counts once.
    pub bytes: usize,
    /// How many they may hold.
    pub max_bytes: usize,
    /// Listings started.
    pub build_attempts: u64,
    /// Listings under way.
    pub builds_running: usize,
    /// Listings that failed.
    pub build_failures: u64,
    /// What the last failure was and when.
    pub last_error: Option<LastFailure>,
    /// When the last listing succeeded.
    pub last_success: Option<SystemTime>,
    /// How long it took, listing and indexing together.
    pub last_duration: Option<Duration>,
    /// Skips and repairs of all different catalogs held.
    pub notes: CatalogNotes,
    /// Tools of all different catalogs held whose schema can't be used, by reason (field case 9).
    /// Known of those that were called since they were listed.
    pub unchecked_tools: BTreeMap<UncheckedReason, usize>,
    /// What the operator names and no list held since then has. Names: not for every caller.
    pub unmatched: Vec<UnmatchedName>,
    /// How often a tool turned from read to write or back between two listings of one caller
    /// (field case 94).
    pub access_flips: u64,
    /// When [`Catalogs::outdate`] was last called.
    pub last_outdated: Option<SystemTime>,
    /// How the service does that makes the vectors, if one does.
    pub vector_service: Option<VectorServiceStatus>,
}

impl Catalogs {
    /// An empty cache over `lister`. What the operator names holds until [`Catalogs::name_tools`]
    /// says otherwise.
    pub fn new(lister: Arc<dyn Lister>, settings: CacheSettings, named: NamedTools) -> Self {
        Self {
            shared: Arc::new(Shared::new(lister, settings, named)),
        }
    }

    /// The caller's catalog: at once where there is one, else after its listing, waiting at most
    /// `wait`. A listing once started goes on even if nobody waits for it.
    pub async fn get(&self, caller: &Caller, wait: Duration) -> Result<CatalogView, Missing> {
        let running = {
            let now = Instant::now();
            let mut state = self.shared.lock();
            let slot = state.slot(caller.key, now);
            if let Some(view) = slot.view(now) {
                if slot.is_due(now) && slot.may_start(now) {
                    self.shared.start(&mut state, caller);
                }
                return Ok(view);
            }
            match (slot.running(), slot.blocked(now)) {
                (Some(running), _) => running,
                (None, Some(error)) => return Err(Missing::Failed(error)),
                (None, None) => self.shared.start(&mut state, caller),
            }
        };
        finished(running, wait).await
    }

    /// The caller's catalog if there is one; starts nothing.
    pub fn peek(&self, key: &CallerKey) -> Option<CatalogView> {
        self.shared.lock().peek(key, Instant::now())
    }

    /// After an unknown name: lists anew, at most every few seconds, and waits for it at most
    /// `wait`. Answers the catalog in force afterwards.
    pub async fn refresh_now(
        &self,
        caller: &Caller,
        wait: Duration,
    ) -> Result<CatalogView, Missing> {
        let running = {
            let now = Instant::now();
            let mut state = self.shared.lock();
            let slot = state.slot(caller.key, now);
            match slot.running() {
                Some(running) => Some(running),
                None if slot.may_start(now) && slot.may_bring_forward(now) => {
                    Some(self.shared.start(&mut state, caller))
                }
                None => None,
            }
        };
        if let Some(running) = running {
            match finished(running, wait).await {
                Ok(view) => return Ok(view),
                Err(Missing::Failed(error)) if matches!(*error, UpstreamError::Challenge(_)) => {
                    return Err(Missing::Failed(error));
                }
                Err(missing) => return self.peek(&caller.key).ok_or(missing),
            }
        }
        self.get(caller, wait).await
    }

    /// Makes the catalogs of all callers due, also those whose last listing failed: each is listed
    /// anew with its caller's next request. Answers how many there are.
    pub fn outdate(&self) -> usize {
        self.shared.lock().outdate(Instant::now())
    }

    /// Forgets a caller whose credentials the upstream refused (field case 89).
    pub fn forget(&self, key: &CallerKey) {
        self.shared.lock().remove(key);
    }

    /// Puts other lists of the operator's in force, for the catalogs held too: from its end on no
    /// request sees the old ones but those under way. Compares every tool with every name: run it off
    /// the async threads.
    pub fn name_tools(&self, named: NamedTools) {
        self.shared.name_tools(named);
    }

    /// What makes the vectors of the tools.
    pub fn embedder(&self) -> &Embedder {
        self.shared.vectors().embedder()
    }

    /// The vectors of queries of `caller` for a search in `catalog`, where a service makes them and
    /// the tools' are there.
    pub async fn query_vectors(
        &self,
        caller: &CallerKey,
        catalog: &Catalog,
        queries: &[&str],
    ) -> QueryVectors {
        match self.shared.settings().vectors.service() {
            Some(service) if !catalog.is_empty() && catalog.mode() == Mode::Hybrid => {
                service.of_queries(caller, queries).await
            }
            Some(_) if !catalog.is_empty() => QueryVectors::lost(queries.len()),
            _ => QueryVectors::default(),
        }
    }

    /// The tools of all callers that something is wrong with. Reads every tool once more: not for
    /// every request.
    pub fn doubtful(&self) -> DoubtfulTools {
        let catalogs = self.shared.lock().catalogs();
        let mut doubtful = DoubtfulTools::default();
        for catalog in catalogs {
            doubtful.add(&catalog);
        }
        doubtful
    }

    /// Process-wide counts.
    pub fn status(&self) -> CacheStatus {
        let (mut status, catalogs) = {
            let state = self.shared.lock();
            (state.status(), state.catalogs())
        };
        for catalog in &catalogs {
            status.add(catalog);
        }
        let service = self.shared.settings().vectors.service();
        status.vector_service =
            service.map(|service| service.status(self.shared.vectors().waiting()));
        status
    }
}

impl CacheStatus {
    fn add(&mut self, catalog: &Catalog) {
        self.notes.add(catalog.notes());
        for (reason, count) in catalog.unchecked() {
            *self.unchecked_tools.entry(reason).or_default() += count;
        }
    }
}

/// What `running` ends with, or [`Missing::Loading`] if that takes longer than `wait`.
async fn finished(mut running: Running, wait: Duration) -> Result<CatalogView, Missing> {
    let outcome = match tokio::time::timeout(wait, running.wait_for(Option::is_some)).await {
        Ok(Ok(outcome)) => outcome.clone(),
        // The task ended without a word, or hasn't ended.
        Ok(Err(_)) | Err(_) => None,
    };
    match outcome {
        Some(Ok(view)) => Ok(view),
        Some(Err(error)) => Err(Missing::Failed(error)),
        None => Err(Missing::Loading),
    }
}

impl std::fmt::Debug for Catalogs {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Catalogs")
            .field("settings", self.shared.settings())
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
