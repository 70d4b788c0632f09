//! What makes the vectors of tools and queries.

use std::sync::Arc;
use std::time::Duration;

use catalog::{VectorService, VectorSettings, Vectors};
use embedding::Model;
use ranking::Embedder;
use upstream::{Embeddings, EmbeddingsConfig, EmbeddingsKey};

use super::InvalidConfig;
use crate::cli::values::EmbedderChoice;
use crate::cli::{EmbeddingServiceSettings, SearchSettings};

impl SearchSettings {
    /// How to reach the embedding service, if one makes the vectors.
    pub(crate) fn embeddings(
        &self,
        connect_timeout: Duration,
    ) -> Result<Option<EmbeddingsConfig>, InvalidConfig> {
        if self.embedder != EmbedderChoice::Openai {
            return Ok(None);
        }
        let service = &self.service;
        let (Some(url), Some(model)) = (&service.embeddings_url, &service.embeddings_model) else {
            return Err(InvalidConfig::NoService);
        };
        Ok(Some(EmbeddingsConfig {
            url: url.clone(),
            model: model.clone(),
            dimensions: service.embeddings_dimensions,
            key: service.key()?,
            connect_timeout,
            extra_roots_pem: service.extra_roots_pem()?,
        }))
    }

    /// What makes the vectors: the service of `embeddings` if there is one.
    pub(crate) fn vectors(
        &self,
        embeddings: Option<&EmbeddingsConfig>,
    ) -> Result<Vectors, InvalidConfig> {
        if let Some(embeddings) = embeddings {
            let dimensions = embeddings.dimensions;
            let client = Embeddings::new(embeddings.clone()).map_err(InvalidConfig::Embeddings)?;
            let settings = self.service.vector_settings(dimensions);
            let service = VectorService::new(Arc::new(client), settings);
            return Ok(Vectors::Service(Arc::new(service)));
        }
        let embedder = match (self.embedder, &self.model_dir) {
            (EmbedderChoice::Openai, _) => return Err(InvalidConfig::NoService),
            (_, Some(directory)) => {
                Embedder::Directory(Model::open(directory).map_err(InvalidConfig::Model)?)
            }
            (EmbedderChoice::None, None) => Embedder::None,
            (EmbedderChoice::Builtin, None) => Embedder::Builtin,
        };
        Ok(Vectors::Here(embedder))
    }
}

impl EmbeddingServiceSettings {
    fn key(&self) -> Result<Option<EmbeddingsKey>, InvalidConfig> {
        let Some(path) = &self.embeddings_key_file else {
            return Ok(self.embeddings_key.clone());
        };
        let text = fs_err::read_to_string(path).map_err(InvalidConfig::KeyFile)?;
        EmbeddingsKey::parse(&text)
            .map(Some)
            .map_err(InvalidConfig::Key)
    }

    fn extra_roots_pem(&self) -> Result<Option<Vec<u8>>, InvalidConfig> {
        let path = self.embeddings_ca.as_ref();
        path.map(fs_err::read)
            .transpose()
            .map_err(InvalidConfig::EmbeddingsCa)
    }

    fn vector_settings(&self, dimensions: usize) -> VectorSettings {
        VectorSettings {
            dimensions,
            batch: self.embeddings_batch,
            batch_timeout: self.embeddings_batch_timeout,
            query_timeout: self.embeddings_timeout,
        }
    }
}
