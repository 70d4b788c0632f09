//! The settings of `--embedder openai`.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use upstream::EmbeddingsKey;
use url::Url;

use super::values;

/// A service that tells the meaning of queries and tools.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Embedding service")]
#[expect(clippy::struct_field_names, reason = "fields are named as their flags")]
pub(crate) struct EmbeddingServiceSettings {
    /// Endpoint of the service for `--embedder openai`, such as https://api.openai.com/v1/embeddings.
    /// It gets the texts of tools and queries
    #[arg(long, env = "TOOLSEARCH_EMBEDDINGS_URL", value_name = "URL", value_parser = values::url)]
    #[arg(hide_env_values = true)]
    pub(crate) embeddings_url: Option<Url>,
    /// Model to ask it for, such as text-embedding-3-small
    #[arg(long, env = "TOOLSEARCH_EMBEDDINGS_MODEL", value_name = "NAME")]
    pub(crate) embeddings_model: Option<String>,
    /// How many numbers the model's vectors have
    #[arg(long, env = "TOOLSEARCH_EMBEDDINGS_DIMENSIONS", value_name = "COUNT")]
    #[arg(default_value = "1536", value_parser = values::dimensions)]
    pub(crate) embeddings_dimensions: usize,
    /// Key to send as a bearer token. Better in the environment or a file: a command line can be read
    /// by others
    #[arg(long, env = "TOOLSEARCH_EMBEDDINGS_KEY", value_name = "KEY")]
    #[arg(hide_env_values = true, allow_hyphen_values = true)]
    #[arg(value_parser = EmbeddingsKey::parse)]
    pub(crate) embeddings_key: Option<EmbeddingsKey>,
    /// File with the key, read at the start
    #[arg(long, env = "TOOLSEARCH_EMBEDDINGS_KEY_FILE", value_name = "FILE")]
    #[arg(conflicts_with = "embeddings_key")]
    pub(crate) embeddings_key_file: Option<PathBuf>,
    /// File of PEM certificates to trust besides the system's
    #[arg(long, env = "TOOLSEARCH_EMBEDDINGS_CA", value_name = "FILE")]
    pub(crate) embeddings_ca: Option<PathBuf>,
    /// How many texts of tools go into one request
    #[arg(long, env = "TOOLSEARCH_EMBEDDINGS_BATCH", value_name = "COUNT")]
    #[arg(default_value = "32", value_parser = values::count)]
    pub(crate) embeddings_batch: usize,
    /// Longest wait for such a request
    #[arg(long, env = "TOOLSEARCH_EMBEDDINGS_BATCH_TIMEOUT", value_name = "TIME")]
    #[arg(default_value = "60s", value_parser = values::duration)]
    pub(crate) embeddings_batch_timeout: Duration,
    /// Longest wait for the vectors of a search's queries, which is then made by words
    #[arg(long, env = "TOOLSEARCH_EMBEDDINGS_TIMEOUT", value_name = "TIME")]
    #[arg(default_value = "1s", value_parser = values::duration)]
    pub(crate) embeddings_timeout: Duration,
}
