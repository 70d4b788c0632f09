//! Client of an embedding service that speaks OpenAI's `POST /v1/embeddings`.
//!
//! It sends texts and a key, so it follows no redirect, and no error quotes a body.

mod answer;
mod error;
mod key;

use std::sync::OnceLock;
use std::time::Duration;

use http::header::{AUTHORIZATION, CONTENT_TYPE};
use http::{HeaderMap, HeaderValue, StatusCode};
use reqwest::Client;
use serde::Serialize;
use tokio::time::timeout;
use url::Url;
use wire::to_raw;

use crate::body;
use crate::config::InvalidUpstream;
use crate::transport::{Reach, client};

pub use error::EmbeddingsError;
pub use key::{EmbeddingsKey, InvalidKey};

/// How to reach an embedding service. Made once, from the settings.
#[derive(Debug, Clone)]
pub struct EmbeddingsConfig {
    /// The endpoint itself, such as `https://api.openai.com/v1/embeddings`.
    pub url: Url,
    /// The model to ask for.
    pub model: String,
    /// How many numbers a vector has.
    pub dimensions: usize,
    /// Goes out as a bearer token.
    pub key: Option<EmbeddingsKey>,
    /// For TCP and TLS together.
    pub connect_timeout: Duration,
    /// PEM certificates to trust beside the system's.
    pub extra_roots_pem: Option<Vec<u8>>,
}

/// An embedding service.
#[derive(Debug)]
pub struct Embeddings {
    config: EmbeddingsConfig,
    client: Client,
    /// Known from the first answer on.
    naming: OnceLock<Naming>,
}

/// Whether requests name the dimensions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Naming {
    /// The model may have several to choose from.
    Named,
    /// The model refuses to be told.
    Unnamed,
}

#[derive(Serialize)]
struct Question<'a> {
    model: &'a str,
    input: &'a [&'a str],
    encoding_format: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    dimensions: Option<usize>,
}

impl Embeddings {
    /// A client for `config`. Opens no connection.
    pub fn new(config: EmbeddingsConfig) -> Result<Self, InvalidUpstream> {
        config.check()?;
        let client = client(&Reach {
            name: "the embedding service",
            url: &config.url,
            connect_timeout: config.connect_timeout,
            extra_roots_pem: config.extra_roots_pem.as_deref(),
        })?;
        Ok(Self {
            client,
            naming: OnceLock::new(),
            config,
        })
    }

    /// What it was made from.
    pub fn config(&self) -> &EmbeddingsConfig {
        &self.config
    }

    /// A vector for each of `texts`, in their order, each of the configured length and of finite
    /// numbers; all within `limit`. Asks once, or twice where a model refuses to be told its
    /// dimensions. Dropping the future cancels it.
    pub async fn embed(
        &self,
        texts: &[&str],
        limit: Duration,
    ) -> Result<Vec<Vec<f32>>, EmbeddingsError> {
        match timeout(limit, self.ask(texts)).await {
            Ok(result) => result,
            Err(_elapsed) => Err(EmbeddingsError::Timeout { limit }),
        }
    }

    async fn ask(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EmbeddingsError> {
        if let Some(naming) = self.naming.get() {
            return self.exchange(texts, *naming).await;
        }
        let named = self.exchange(texts, Naming::Named).await;
        let is_refused = matches!(&named, Err(error) if error.is_of_the_request());
        if named.is_ok() {
            self.naming.get_or_init(|| Naming::Named);
        } else if is_refused {
            // Only if that is what it minds does it go better without.
            if let Ok(vectors) = self.exchange(texts, Naming::Unnamed).await {
                self.naming.get_or_init(|| Naming::Unnamed);
                return Ok(vectors);
            }
        }
        named
    }

    async fn exchange(
        &self,
        texts: &[&str],
        naming: Naming,
    ) -> Result<Vec<Vec<f32>>, EmbeddingsError> {
        let question = Question {
            model: &self.config.model,
            input: texts,
            encoding_format: "float",
            dimensions: (naming == Naming::Named).then_some(self.config.dimensions),
        };
        let request = self.client.post(self.config.url.clone());
        let body = String::from(Box::<str>::from(to_raw(&question)));
        let request = request.headers(self.headers()).body(body);
        let response = request.send().await.map_err(error::fault)?;
        if response.status() != StatusCode::OK {
            let error = error::of_status(response.status(), response.headers());
            body::drain(response);
            return Err(error);
        }
        let max_bytes = ANSWER_BYTES + texts.len() * self.config.dimensions * NUMBER_BYTES;
        let body = body::collect(response, max_bytes).await?;
        answer::read(&body, texts.len(), self.config.dimensions)
    }

    fn headers(&self) -> HeaderMap {
        let mut headers = HeaderMap::new();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        if let Some(bearer) = self.config.key.as_ref().and_then(EmbeddingsKey::bearer) {
            headers.insert(AUTHORIZATION, bearer);
        }
        headers
    }
}

impl EmbeddingsConfig {
    fn check(&self) -> Result<(), InvalidUpstream> {
        let reason = if !matches!(self.url.scheme(), "http" | "https") {
            "the embedding service's URL must begin with http:// or https://"
        } else if self.url.host().is_none() {
            "the embedding service's URL names no host"
        } else if !self.url.username().is_empty() || self.url.password().is_some() {
            "the embedding service's URL holds credentials: give the key by its own setting"
        } else {
            return Ok(());
        };
        Err(InvalidUpstream(reason.to_owned()))
    }
}

/// More than a number takes with its sign, comma and blank in any spelling known.
const NUMBER_BYTES: usize = 40;
/// What may stand beside the numbers.
const ANSWER_BYTES: usize = 256 * 1024;
