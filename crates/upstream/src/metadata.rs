//! The upstream's OAuth protected-resource metadata (RFC 9728).

use std::time::Duration;

use http::header::ACCEPT;
use http::{HeaderMap, HeaderValue};
use serde_json::value::RawValue;
use url::Url;

use crate::body;
use crate::call::within;
use crate::error::UpstreamError;
use crate::status;
use crate::transport::Transport;

/// The metadata for the endpoint, else for the whole host, else `None`.
pub(crate) async fn fetch(transport: &Transport) -> Result<Option<Box<RawValue>>, UpstreamError> {
    within(PATIENCE, async {
        for url in places(transport.endpoint()) {
            if let Some(metadata) = fetch_from(transport, url).await? {
                return Ok(Some(metadata));
            }
        }
        Ok(None)
    })
    .await
}

/// Where the metadata may stand: the well-known name before the path, then at the root.
fn places(endpoint: &Url) -> Vec<Url> {
    let path = endpoint.path().trim_end_matches('/');
    let mut paths = vec![WELL_KNOWN.to_owned()];
    if !path.is_empty() {
        paths.insert(0, format!("{WELL_KNOWN}{path}"));
    }
    let place = |path: String| {
        let mut url = endpoint.clone();
        url.set_path(&path);
        url.set_query(None);
        url.set_fragment(None);
        url
    };
    paths.into_iter().map(place).collect()
}

/// `None` for every answer that shows that nothing stands there.
async fn fetch_from(
    transport: &Transport,
    url: Url,
) -> Result<Option<Box<RawValue>>, UpstreamError> {
    let headers = HeaderMap::from_iter([(ACCEPT, HeaderValue::from_static("application/json"))]);
    let response = match transport.get(url, headers).await {
        Ok(response) => response,
        Err(UpstreamError::Redirect { .. } | UpstreamError::Status { .. }) => return Ok(None),
        Err(error) => return Err(error),
    };
    let status = response.status();
    status::check_rate(status, response.headers())?;
    if status.is_server_error() {
        return Err(UpstreamError::Status {
            status: status.as_u16(),
        });
    }
    if !status.is_success() {
        return Ok(None);
    }
    let body = body::collect(response, MAX_BYTES).await?;
    let metadata: Option<Box<RawValue>> = serde_json::from_slice(&body).ok();
    Ok(metadata.filter(|metadata| metadata.get().starts_with('{')))
}

const WELL_KNOWN: &str = "/.well-known/oauth-protected-resource";
const MAX_BYTES: usize = 256 * 1024;
const PATIENCE: Duration = Duration::from_secs(10);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_endpoint_s_own_metadata_comes_before_the_root_s() {
        for (endpoint, expected) in [
            ("https://gw.test/mcp?a=1", &["/mcp", ""][..]),
            ("https://gw.test/a/mcp/", &["/a/mcp", ""]),
            ("https://gw.test/", &[""]),
        ] {
            let found: Vec<String> = places(&Url::parse(endpoint).unwrap())
                .into_iter()
                .map(String::from)
                .collect();
            let expected: Vec<String> = expected
                .iter()
                .map(|path| format!("https://gw.test{WELL_KNOWN}{path}"))
                .collect();
            assert_eq!(found, expected, "{endpoint}");
        }
    }
}
