//! The place that a model's files come from.

use std::error::Error;
use std::time::Duration;

use http::header::{CONTENT_ENCODING, CONTENT_RANGE, CONTENT_TYPE, RANGE};
use http::{HeaderMap, StatusCode};
use reqwest::redirect::Policy;
use reqwest::{Client, Response};
use url::Url;

use super::fault::FetchError;
use super::pinned::PinnedFile;

/// A folder on a server, which is asked without any credentials but those in its URL.
pub(crate) struct Remote {
    client: Client,
    folder: Url,
}

/// An answer that brings bytes of the file.
pub(super) struct Body {
    pub(super) response: Response,
    pub(super) starts: Starts,
}

/// Where an answer begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Starts {
    /// Where it was asked to.
    There,
    /// At the file's beginning.
    AtFirst,
}

impl Remote {
    /// The folder at `url`. Trusts what the system trusts, or `SSL_CERT_FILE`, and goes through the
    /// proxy that the environment names, as the client of the upstream does.
    pub(crate) fn new(mut url: Url) -> Result<Self, FetchError> {
        if !url.path().ends_with('/') {
            let path = format!("{}/", url.path());
            url.set_path(&path);
        }
        let client = Client::builder()
            .user_agent(USER_AGENT)
            .connect_timeout(CONNECT_TIMEOUT)
            .read_timeout(READ_TIMEOUT)
            .redirect(Policy::custom(|attempt| {
                let leaves_tls = attempt.url().scheme() != "https"
                    && attempt.previous().iter().any(|url| url.scheme() == "https");
                if leaves_tls || attempt.previous().len() > MAX_REDIRECTS {
                    attempt.stop()
                } else {
                    attempt.follow()
                }
            }))
            .referer(false)
            .no_gzip()
            .build()
            .map_err(|error| unreachable(&url, error))?;
        Ok(Self {
            client,
            folder: url,
        })
    }

    /// Where a file lies, as it may be shown.
    pub(super) fn name(&self, file: &PinnedFile<'_>) -> String {
        self.folder
            .join(file.name)
            .as_ref()
            .map_or_else(|_| file.name.to_owned(), bare)
    }

    /// Asks for a file from the byte `start` on, and looks at everything that can be wrong with it
    /// before its bytes. Which bytes it would be is known by their digest: no need to ask whether the
    /// file changed meanwhile.
    pub(super) async fn ask(&self, file: &PinnedFile<'_>, start: u64) -> Result<Body, FetchError> {
        let url = self
            .folder
            .join(file.name)
            .unwrap_or_else(|_| self.folder.clone());
        let mut request = self.client.get(url.clone());
        if start > 0 {
            request = request.header(RANGE, format!("bytes={start}-"));
        }
        let response = request
            .send()
            .await
            .map_err(|error| unreachable(&url, error))?;
        let (status, headers) = (response.status(), response.headers());
        let came_from = bare(response.url());
        let starts = match status {
            StatusCode::OK => Starts::AtFirst,
            StatusCode::PARTIAL_CONTENT if start > 0 => Starts::There,
            _ => return Err(refusal(came_from, status)),
        };
        if is_page(headers) {
            return Err(FetchError::WebPage { url: came_from });
        }
        let length = |found| FetchError::Length {
            url: came_from.clone(),
            found,
            wanted: file.bytes,
        };
        if let Some(encoding) = headers.get(CONTENT_ENCODING) {
            return Err(length(format!("{encoding:?}, encoded")));
        }
        if starts == Starts::There {
            let wanted = format!(
                "bytes {start}-{}/{}",
                file.bytes.saturating_sub(1),
                file.bytes
            );
            let found = headers.get(CONTENT_RANGE);
            if found.is_none_or(|found| found.as_bytes() != wanted.as_bytes()) {
                let found = found.map_or("an unknown part", |found| {
                    found.to_str().unwrap_or("an unreadable part")
                });
                return Err(length(format!("`{}`", found.escape_debug())));
            }
        } else if let Some(found) = response
            .content_length()
            .filter(|found| *found != file.bytes)
        {
            return Err(length(format!("{found} bytes")));
        }
        Ok(Body { response, starts })
    }
}

/// A URL without credentials and query.
fn bare(url: &Url) -> String {
    format!("{}{}", url.origin().ascii_serialization(), url.path())
}

fn is_page(headers: &HeaderMap) -> bool {
    let kind = headers
        .get(CONTENT_TYPE)
        .and_then(|kind| kind.to_str().ok());
    kind.is_some_and(|kind| kind.to_ascii_lowercase().starts_with("text/html"))
}

fn refusal(url: String, status: StatusCode) -> FetchError {
    let advice = match status.as_u16() {
        300..=399 => ": a redirect that isn't followed, out of TLS or one of too many",
        401 | 403 => ": it wants a sign-in, or the network's proxy forbids it",
        404 | 410 => ": there is no such file; is --model-url the folder that holds the three?",
        407 => ": the network's proxy wants a sign-in; put it into the proxy's URL",
        416 => ": it has less of the file than is here; remove the .part file",
        429 | 500..=599 => ": try again later",
        _ => "",
    };
    FetchError::Status {
        url,
        status,
        advice,
    }
}

/// What went wrong before there was an answer.
fn unreachable(url: &Url, error: reqwest::Error) -> FetchError {
    let error = error.without_url();
    let causes = causes(&error);
    let advice = if causes.contains("certificate") {
        "certificate not trusted (proxy?): put the authority that signs it into the system's store, \
         or name its file in SSL_CERT_FILE"
    } else if causes.contains("tunnel") || causes.contains("proxy") {
        "the network's proxy refuses: see HTTPS_PROXY and NO_PROXY"
    } else if has_proxy() {
        "is the server up, and the proxy that HTTPS_PROXY or HTTP_PROXY names?"
    } else {
        "is the server up, and is there a proxy to name in HTTPS_PROXY? Elsewhere, fetch the files \
         by hand and check them with verify-model"
    };
    FetchError::Connect {
        url: bare(url),
        advice,
        source: Box::new(error),
    }
}

fn has_proxy() -> bool {
    let names = ["https_proxy", "http_proxy", "all_proxy"];
    names.iter().any(|name| {
        std::env::var_os(name).is_some() || std::env::var_os(name.to_ascii_uppercase()).is_some()
    })
}

fn causes(error: &dyn Error) -> String {
    let mut causes = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        causes.push_str(": ");
        causes.push_str(&cause.to_string());
        source = cause.source();
    }
    causes
}

const USER_AGENT: &str = concat!("mcp-toolsearch-proxy/", env!("CARGO_PKG_VERSION"));
const CONNECT_TIMEOUT: Duration = Duration::from_secs(15);
/// Without a byte for so long the connection counts as broken.
const READ_TIMEOUT: Duration = Duration::from_mins(1);
/// A hub sends to a store, and that perhaps to a mirror near by.
const MAX_REDIRECTS: usize = 5;
