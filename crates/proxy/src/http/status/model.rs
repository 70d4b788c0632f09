//! Which model tells the meaning of queries and tools.

use embedding::Model;
use serde::Serialize;

use super::named_tools::Reader;

/// A model, as far as `reader` may know it.
#[derive(Serialize)]
pub(super) struct ModelStatus {
    /// A directory's name is the operator's own word, and for the operator alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    dimensions: usize,
    /// Null of a service's.
    pieces: Option<usize>,
    /// SHA-256 of the built-in one's file.
    digest: Option<&'static str>,
}

impl ModelStatus {
    pub(super) fn of(model: &Model, reader: Reader) -> Self {
        let is_shown = model.is_builtin() || reader == Reader::Operator;
        Self {
            name: is_shown.then(|| model.name().to_owned()),
            dimensions: model.dimensions(),
            pieces: Some(model.pieces()),
            digest: model.digest(),
        }
    }

    /// One of a service that calls it `name`.
    pub(super) fn of_service(name: &str, dimensions: usize, reader: Reader) -> Self {
        Self {
            name: (reader == Reader::Operator).then(|| name.to_owned()),
            dimensions,
            pieces: None,
            digest: None,
        }
    }
}
