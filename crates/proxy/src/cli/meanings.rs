//! What makes the vectors in a command that serves nothing.

use anyhow::Context;
use catalog::{QueryVectors, Vectors};
use ranking::VectorCache;

use super::source::runtime;
use super::values::EmbedderChoice;
use super::{SearchSettings, UpstreamSettings};

/// What the flags say.
pub(super) fn vectors(
    search: &SearchSettings,
    upstream: &UpstreamSettings,
) -> anyhow::Result<Vectors> {
    let embeddings = search.embeddings(upstream.connect_timeout)?;
    Ok(search.vectors(embeddings.as_ref())?)
}

/// The same with another `--embedder`, and without `--model-dir`.
pub(super) fn vectors_by(
    embedder: EmbedderChoice,
    search: &SearchSettings,
    upstream: &UpstreamSettings,
) -> anyhow::Result<Vectors> {
    let search = SearchSettings {
        embedder,
        model_dir: None,
        ..search.clone()
    };
    vectors(&search, upstream)
}

/// Has a service, if it is one, make all vectors that `cache` wants, and those of `queries`.
pub(super) fn made(
    vectors: &Vectors,
    cache: &VectorCache,
    queries: &[&str],
) -> anyhow::Result<QueryVectors> {
    let Some(service) = vectors.service() else {
        return Ok(QueryVectors::default());
    };
    let work = async {
        service.fill(cache).await?;
        service.of_many_queries(queries).await
    };
    runtime()?.block_on(work).context("there are no vectors")
}
