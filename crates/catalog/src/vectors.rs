//! Vectors that a service makes: of tools in batches in the background, of queries while their
//! caller waits. Whatever fails, there are none for a while, and the search goes on by words.

mod filling;
mod health;
mod queries;

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::future::Future;
use std::pin::Pin;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use ranking::{Embedder, Vector, query_text};
use tokio::time::Instant;
use upstream::{CallerKey, Embeddings, EmbeddingsError};

use health::{Change, Health};
use queries::KnownQueries;

use crate::failure::LastFailure;

/// Where vectors come from: an embedding service, or a script in tests.
pub trait VectorSource: Debug + Send + Sync + 'static {
    /// A vector for each of `texts`, in their order, within `limit`.
    fn embed<'a>(
        &'a self,
        texts: &'a [&'a str],
        limit: Duration,
    ) -> Pin<Box<dyn Future<Output = Embedded> + Send + 'a>>;
}

type Embedded = Result<Vec<Vec<f32>>, EmbeddingsError>;

impl VectorSource for Embeddings {
    fn embed<'a>(
        &'a self,
        texts: &'a [&'a str],
        limit: Duration,
    ) -> Pin<Box<dyn Future<Output = Embedded> + Send + 'a>> {
        Box::pin(Self::embed(self, texts, limit))
    }
}

/// What tells the meaning of tools and queries.
#[derive(Debug, Clone)]
pub enum Vectors {
    /// What is in this process, or nothing.
    Here(Embedder),
    /// A service.
    Service(Arc<VectorService>),
}

/// An embedding service, and how it does.
#[derive(Debug)]
pub struct VectorService {
    source: Arc<dyn VectorSource>,
    settings: VectorSettings,
    health: Mutex<Health>,
    known: Mutex<KnownQueries>,
    /// Whether tools are being asked for.
    is_filling: AtomicBool,
}

/// How much to ask, and how long to wait.
#[derive(Debug, Clone)]
pub struct VectorSettings {
    /// How many numbers a vector has.
    pub dimensions: usize,
    /// How many texts of tools go into a request.
    pub batch: usize,
    /// For such a request.
    pub batch_timeout: Duration,
    /// For one with queries, whose caller waits.
    pub query_timeout: Duration,
}

/// How a service does.
#[derive(Debug, Clone, Default)]
pub struct VectorServiceStatus {
    /// Its last request went well, or there was none.
    pub is_well: bool,
    /// Tools that wait for their vectors.
    pub waiting: usize,
    /// Tools whose texts it refuses, so that they are found by words only.
    pub refused: u64,
    /// Requests that went well.
    pub answered: u64,
    /// Requests that didn't, by [`EmbeddingsError::kind`].
    pub failed: BTreeMap<&'static str, u64>,
    /// What the last failure was and when.
    pub last_error: Option<LastFailure>,
    /// How long it isn't asked, after a failure.
    pub pause: Option<Duration>,
}

/// The vectors of a request's queries, as far as a service makes them.
#[derive(Debug, Clone, Default)]
pub struct QueryVectors(Vec<QueryVector>);

#[derive(Debug, Clone)]
enum QueryVector {
    /// There are no letters in the query.
    Nothing,
    Known(Arc<Vector>),
    /// The service gives none now.
    Lost,
}

impl Vectors {
    /// The same as the ranking knows it.
    pub fn embedder(&self) -> Embedder {
        match self {
            Self::Here(embedder) => embedder.clone(),
            Self::Service(service) => Embedder::Service {
                dimensions: service.settings.dimensions,
            },
        }
    }

    /// The service, if it is one.
    pub fn service(&self) -> Option<&Arc<VectorService>> {
        match self {
            Self::Here(_) => None,
            Self::Service(service) => Some(service),
        }
    }
}

impl VectorService {
    /// A service that nobody has asked yet.
    pub fn new(source: Arc<dyn VectorSource>, settings: VectorSettings) -> Self {
        Self {
            known: Mutex::new(KnownQueries::new(settings.dimensions)),
            source,
            settings,
            health: Mutex::default(),
            is_filling: AtomicBool::new(false),
        }
    }

    /// The vectors of the queries of `caller`, asked for in one request but for those that the same
    /// caller had asked before. While the service fails there are none.
    pub(crate) async fn of_queries(&self, caller: &CallerKey, queries: &[&str]) -> QueryVectors {
        let texts: Vec<String> = queries.iter().copied().map(query_text).collect();
        let mut vectors = self.lock_known().get(caller, &texts);
        let unknown = texts.iter().zip(&mut vectors);
        let mut unknown: Vec<_> = unknown
            .filter(|(text, vector)| vector.is_none() && !text.is_empty())
            .collect();
        let asked: Vec<&str> = unknown.iter().map(|(text, _)| text.as_str()).collect();
        if let Some(found) = self.of_texts_now(&asked).await {
            for ((_, vector), found) in unknown.iter_mut().zip(found) {
                **vector = found.map(Arc::new);
            }
            self.lock_known().put(caller, &texts, &vectors);
        }
        let told = texts.iter().zip(vectors);
        QueryVectors(
            told.map(|(text, vector)| QueryVector::of(text, vector))
                .collect(),
        )
    }

    /// The vectors of `texts`, unless the service fails.
    async fn of_texts_now(&self, texts: &[&str]) -> Option<Vec<Option<Vector>>> {
        let limit = self.settings.query_timeout;
        if texts.is_empty() || !self.lock_health().may_ask(Instant::now(), limit) {
            return None;
        }
        self.ask(texts, limit).await.ok()
    }

    /// How it does.
    pub fn status(&self, waiting: usize) -> VectorServiceStatus {
        VectorServiceStatus {
            waiting,
            ..self.lock_health().status(Instant::now())
        }
    }

    /// Asks for the vectors of `texts` and notes how that went. None for a text of which the service
    /// makes nothing: all zeros.
    async fn ask(
        &self,
        texts: &[&str],
        limit: Duration,
    ) -> Result<Vec<Option<Vector>>, EmbeddingsError> {
        let sent = Instant::now();
        match self.source.embed(texts, limit).await {
            Ok(vectors) => {
                if self.lock_health().succeeded() == Some(Change::IsBack) {
                    tracing::info!("the embedding service is back");
                }
                Ok(vectors.into_iter().map(Vector::from_sum).collect())
            }
            Err(error) => {
                let change = self.lock_health().failed(&error, sent, Instant::now());
                log_failure(change, &error);
                Err(error)
            }
        }
    }

    fn lock_health(&self) -> MutexGuard<'_, Health> {
        // No code under the lock leaves it half changed.
        self.health.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn lock_known(&self) -> MutexGuard<'_, KnownQueries> {
        // No code under the lock leaves it half changed.
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Warns of a service that fails since now.
fn log_failure(change: Option<Change>, error: &EmbeddingsError) {
    if change == Some(Change::Fails) {
        tracing::warn!(
            error = %error.with_causes(),
            "the embedding service fails: until it answers, tools are searched by words"
        );
    }
}

impl QueryVector {
    fn of(text: &str, vector: Option<Arc<Vector>>) -> Self {
        match vector {
            Some(vector) => Self::Known(vector),
            None if text.is_empty() => Self::Nothing,
            None => Self::Lost,
        }
    }
}

impl QueryVectors {
    /// None for any of so many queries, though a service should have made them.
    pub(crate) fn lost(queries: usize) -> Self {
        Self(vec![QueryVector::Lost; queries])
    }

    /// That of the query at `place`, if a service makes them and made it.
    pub fn get(&self, place: usize) -> Option<&Vector> {
        match self.0.get(place)? {
            QueryVector::Known(vector) => Some(vector),
            QueryVector::Nothing | QueryVector::Lost => None,
        }
    }

    /// Whether a service should have made that of the query at `place`, and didn't.
    pub fn is_lost(&self, place: usize) -> bool {
        matches!(self.0.get(place), Some(QueryVector::Lost))
    }
}

#[cfg(test)]
mod tests;
