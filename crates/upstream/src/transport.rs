//! One HTTP client, and one exchange up to the answer's head.

use std::error::Error;
use std::time::Duration;

use bytes::Bytes;
use http::{HeaderMap, Method};
use reqwest::{Certificate, Client, Response};
use url::{Host, Url};

use crate::body;
use crate::config::{InvalidUpstream, UpstreamConfig};
use crate::error::UpstreamError;
use crate::redirect;

/// The connection pool to the upstream. Clones share it.
#[derive(Debug, Clone)]
pub(crate) struct Transport {
    client: Client,
    endpoint: Url,
}

impl Transport {
    /// A transport to the upstream that `config` names.
    pub(crate) fn new(config: &UpstreamConfig) -> Result<Self, InvalidUpstream> {
        let client = client(&Reach {
            name: "the upstream",
            url: &config.url,
            connect_timeout: config.connect_timeout,
            extra_roots_pem: config.extra_roots_pem.as_deref(),
        })?;
        Ok(Self {
            client,
            endpoint: config.url.clone(),
        })
    }

    /// Where requests go.
    pub(crate) fn endpoint(&self) -> &Url {
        &self.endpoint
    }

    /// Sends `body` to the endpoint.
    pub(crate) async fn post(
        &self,
        headers: HeaderMap,
        body: Bytes,
    ) -> Result<Response, UpstreamError> {
        self.send(Method::POST, self.endpoint.clone(), headers, body)
            .await
    }

    /// Asks for `url`.
    pub(crate) async fn get(
        &self,
        url: Url,
        headers: HeaderMap,
    ) -> Result<Response, UpstreamError> {
        self.send(Method::GET, url, headers, Bytes::new()).await
    }

    /// Ends what `headers` name at the endpoint.
    pub(crate) async fn delete(&self, headers: HeaderMap) -> Result<Response, UpstreamError> {
        self.send(Method::DELETE, self.endpoint.clone(), headers, Bytes::new())
            .await
    }

    async fn send(
        &self,
        method: Method,
        mut url: Url,
        headers: HeaderMap,
        content: Bytes,
    ) -> Result<Response, UpstreamError> {
        for _ in 0..=redirect::MAX_HOPS {
            let mut request = self
                .client
                .request(method.clone(), url.clone())
                .headers(headers.clone());
            if !content.is_empty() {
                request = request.body(content.clone());
            }
            let response = request.send().await.map_err(fault)?;
            match redirect::target(&url, response.status(), response.headers())? {
                None => return Ok(response),
                Some(next) => {
                    body::drain(response);
                    url = next;
                }
            }
        }
        Err(redirect::refused(&url, "it redirects too often in a row"))
    }
}

/// A server, and how to reach it.
pub(crate) struct Reach<'a> {
    /// What it is called in errors.
    pub(crate) name: &'static str,
    pub(crate) url: &'a Url,
    pub(crate) connect_timeout: Duration,
    pub(crate) extra_roots_pem: Option<&'a [u8]>,
}

/// A client that sends a request once, through the proxy that the environment names:
/// `HTTP_PROXY` (not with `REQUEST_METHOD` set), `HTTPS_PROXY`, `ALL_PROXY` and `NO_PROXY`, each in
/// lower case too. A server on this machine is never reached through one, because the proxy would
/// look for it on its own.
///
/// The client library's own repeats and redirects are off: the first could run a write twice, the
/// second could carry a token elsewhere. What can't be switched off does no harm: a request of which
/// no byte was written moves to another connection when its pooled one has gone.
pub(crate) fn client(reach: &Reach<'_>) -> Result<Client, InvalidUpstream> {
    let mut builder = Client::builder()
        .user_agent(USER_AGENT)
        .connect_timeout(reach.connect_timeout)
        .redirect(reqwest::redirect::Policy::none())
        .retry(reqwest::retry::never())
        .referer(false)
        .http1_max_headers(MAX_HEADERS)
        .http2_max_header_list_size(MAX_HEADER_BYTES);
    if is_loopback(reach.url) {
        builder = builder.no_proxy();
    }
    if let Some(pem) = reach.extra_roots_pem {
        builder = builder.tls_certs_merge(roots(pem, reach.name)?);
    }
    builder
        .build()
        .map_err(|error| unusable("the HTTP client or a root certificate", &error))
}

/// What went wrong on the wire. The text of the error names no URL, whose query may be secret.
pub(crate) fn fault(error: reqwest::Error) -> UpstreamError {
    let error = error.without_url();
    if error.is_connect() {
        UpstreamError::Connect(Box::new(error))
    } else {
        UpstreamError::Broken(Box::new(error))
    }
}

/// Whether `url` names this machine (RFC 6761, 6.3; RFC 4291, 2.5.3).
fn is_loopback(url: &Url) -> bool {
    match url.host() {
        Some(Host::Domain(name)) => {
            let name = name.trim_end_matches('.');
            name == "localhost" || name.ends_with(".localhost")
        }
        Some(Host::Ipv4(address)) => address.is_loopback() || address.is_unspecified(),
        Some(Host::Ipv6(address)) => {
            address.to_canonical().is_loopback() || address.is_unspecified()
        }
        None => false,
    }
}

fn roots(pem: &[u8], server: &str) -> Result<Vec<Certificate>, InvalidUpstream> {
    let file = format!("{server}'s CA file");
    let roots = Certificate::from_pem_bundle(pem).map_err(|error| unusable(&file, &error))?;
    if roots.is_empty() {
        return Err(InvalidUpstream(format!("{file} holds no PEM certificate")));
    }
    Ok(roots)
}

/// Told by its first cause, because the library's own text only names its builder.
fn unusable(what: &str, error: &reqwest::Error) -> InvalidUpstream {
    let mut cause: &dyn Error = error;
    while let Some(source) = cause.source() {
        cause = source;
    }
    InvalidUpstream(format!("{what} can't be used: {cause}"))
}

/// The name in `User-Agent` and `clientInfo`.
pub(crate) const CLIENT_NAME: &str = "mcp-toolsearch-proxy";
/// The version in `User-Agent` and `clientInfo`.
pub(crate) const CLIENT_VERSION: &str = env!("CARGO_PKG_VERSION");
const USER_AGENT: &str = concat!("mcp-toolsearch-proxy/", env!("CARGO_PKG_VERSION"));
/// Gateways behind gateways add many headers (field case 72).
const MAX_HEADERS: usize = 1_000;
const MAX_HEADER_BYTES: u32 = 256 * 1024;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_of_this_machine_are_loopback() {
        for (host, expected) in [
            ("127.0.0.1", true),
            ("127.8.9.10", true),
            ("2130706433", true),
            ("[::1]", true),
            ("[::ffff:127.0.0.1]", true),
            ("localhost", true),
            ("LOCALHOST.", true),
            ("gateway.localhost", true),
            ("0.0.0.0", true),
            ("10.0.0.1", false),
            ("[::]", true),
            ("[fe80::1]", false),
            ("notlocalhost", false),
            ("localhost.test", false),
            ("gateway.test", false),
        ] {
            let url = Url::parse(&format!("http://{host}:8080/mcp")).unwrap();
            assert_eq!(is_loopback(&url), expected, "{host}");
        }
    }
}
