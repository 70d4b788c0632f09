//! `GET /openapi.json`: the routes, for programs that make clients of it.

use axum::response::Response;
use http::StatusCode;

use super::problem::json;

/// The document as it stands in the repository.
pub(crate) async fn get() -> Response {
    json(StatusCode::OK, DOCUMENT)
}

const DOCUMENT: &str = include_str!("../../../../docs/openapi.json");

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;
    use crate::http::oauth::WELL_KNOWN;
    use crate::http::routes::{MCP_PATH, ROUTES};

    #[test]
    fn every_route_is_in_the_document_and_none_besides() {
        let document: Value = serde_json::from_str(DOCUMENT).unwrap();
        let mut paths: Vec<&str> = document["paths"]
            .as_object()
            .unwrap()
            .keys()
            .map(String::as_str)
            .collect();
        let of_endpoint = format!("{WELL_KNOWN}{MCP_PATH}");
        let mut routes: Vec<&str> = ROUTES.iter().map(|served| served.paths[0]).collect();
        // Whose last part is whatever path we are reached by.
        routes.push(&of_endpoint);
        paths.sort_unstable();
        routes.sort_unstable();
        assert_eq!(paths, routes);
        assert_eq!(document["info"]["version"], env!("CARGO_PKG_VERSION"));
    }
}
