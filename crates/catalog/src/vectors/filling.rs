//! The vectors of tools, asked for in the background.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use ranking::{VectorCache, Wanted, query_text};
use tokio::time::{Instant, sleep};
use upstream::EmbeddingsError;

use super::{Change, QueryVector, QueryVectors, VectorService, log_failure};

impl VectorService {
    /// Asks for the vectors that `cache` wants, one batch after another, until it wants none or is
    /// gone. Starts nothing where that is under way.
    pub(crate) fn start_filling(self: &Arc<Self>, cache: &Arc<VectorCache>) {
        if self.is_filling.swap(true, Ordering::AcqRel) {
            return;
        }
        let (service, cache) = (Arc::clone(self), Arc::downgrade(cache));
        tokio::spawn(async move {
            while let Some(cache) = cache.upgrade() {
                let tools = cache.wanted(service.settings.batch);
                if tools.is_empty() {
                    service.is_filling.store(false, Ordering::Release);
                    // What came in between found somebody at work.
                    if cache.waiting() == 0 || service.is_filling.swap(true, Ordering::AcqRel) {
                        return;
                    }
                } else if let Some(pause) = service.turn() {
                    cache.put_back(tools);
                    drop(cache);
                    sleep(pause).await;
                } else {
                    // How it went is noted where it was asked; what has no vectors is wanted again.
                    service.fill_batch(&cache, tools).await.ok();
                }
            }
        });
    }

    /// Asks for all vectors that `cache` wants, and fails where the service does. For commands,
    /// which have nothing to do until then.
    pub async fn fill(&self, cache: &VectorCache) -> Result<(), EmbeddingsError> {
        loop {
            let tools = cache.wanted(self.settings.batch);
            if tools.is_empty() {
                return Ok(());
            }
            self.fill_batch(cache, tools).await?;
        }
    }

    /// The vectors of `queries`, for commands.
    pub async fn of_many_queries(&self, queries: &[&str]) -> Result<QueryVectors, EmbeddingsError> {
        let texts: Vec<String> = queries.iter().copied().map(query_text).collect();
        let mut asked = texts.iter().filter(|text| !text.is_empty());
        let mut found = Vec::with_capacity(texts.len());
        loop {
            let batch: Vec<&str> = asked
                .by_ref()
                .take(self.settings.batch)
                .map(String::as_str)
                .collect();
            if batch.is_empty() {
                break;
            }
            found.extend(self.ask(&batch, self.settings.batch_timeout).await?);
        }
        let mut found = found.into_iter();
        let vector = |text: &String| {
            let found = if text.is_empty() { None } else { found.next() };
            QueryVector::of(text, found.flatten().map(Arc::new))
        };
        Ok(QueryVectors(texts.iter().map(vector).collect()))
    }

    /// None where a batch may go out now, else how long to wait.
    fn turn(&self) -> Option<Duration> {
        let now = Instant::now();
        let mut health = self.lock_health();
        let pause = health.pause(now);
        health.may_ask(now, self.settings.batch_timeout);
        pause
    }

    /// Asks for the vectors of `tools`, in smaller batches if the service minds some of their texts.
    /// Puts back those that it gives no answer for.
    async fn fill_batch(
        &self,
        cache: &VectorCache,
        tools: Vec<Wanted>,
    ) -> Result<(), EmbeddingsError> {
        let mut parts = vec![tools];
        while let Some(mut part) = parts.pop() {
            let texts: Vec<&str> = part.iter().flat_map(Wanted::texts).collect();
            let result = self.ask(&texts, self.settings.batch_timeout).await;
            let error = match result {
                Ok(vectors) => {
                    fill(part, vectors);
                    continue;
                }
                Err(error) if error.is_of_the_request() && part.len() > 1 => {
                    let rest = part.split_off(part.len() / 2);
                    parts.extend([rest, part]);
                    continue;
                }
                Err(error) if error.is_of_the_request() => {
                    match self.is_well_otherwise(error).await {
                        Ok(()) => {
                            self.lock_health().refused();
                            fill(part, Vec::new());
                            continue;
                        }
                        Err(error) => error,
                    }
                }
                Err(error) => error,
            };
            parts.push(part);
            cache.put_back(parts.into_iter().rev().flatten().collect());
            return Err(error);
        }
        Ok(())
    }

    /// Whether the service, which refused a tool's texts with `error`, takes another text. If not,
    /// it isn't the text that it minds.
    async fn is_well_otherwise(&self, error: EmbeddingsError) -> Result<(), EmbeddingsError> {
        let sent = Instant::now();
        match self.ask(&[PROBE], self.settings.batch_timeout).await {
            Ok(_) => Ok(()),
            Err(other) if other.is_of_the_request() => {
                let change: Option<Change> = self.lock_health().pauses(None, sent, Instant::now());
                log_failure(change, &error);
                Err(error)
            }
            Err(other) => Err(other),
        }
    }
}

/// Hands `vectors` out, as many to each tool as it has texts.
fn fill(tools: Vec<Wanted>, vectors: Vec<Option<ranking::Vector>>) {
    let mut vectors = vectors.into_iter();
    for tool in tools {
        let count = tool.texts().len();
        tool.fill(vectors.by_ref().take(count).collect::<Vec<_>>());
    }
}

/// No service minds it for what it is.
const PROBE: &str = "tool";
