//! A client of the running proxy, over HTTP.

use std::time::Duration;

use anyhow::{Context, bail};
use serde_json::value::RawValue;
use upstream::{Caller, CallerKeys, Effect, EraChoice, Forward, Reply, Upstream, UpstreamConfig};
use url::Url;
use wire::{ErrorView, to_raw};

/// Somebody who uses the proxy as any MCP server.
#[derive(Debug)]
pub(super) struct Visitor {
    proxy: Upstream,
    caller: Caller,
}

impl Visitor {
    /// A visitor of the MCP endpoint `url`.
    pub(super) fn new(url: Url) -> anyhow::Result<Self> {
        let proxy = Upstream::new(UpstreamConfig {
            url,
            era: EraChoice::Auto,
            connect_timeout: PATIENCE,
            call_timeout: PATIENCE,
            list_timeout: PATIENCE,
            max_result_bytes: MAX_BYTES,
            max_listing_bytes: MAX_BYTES,
            extra_roots_pem: None,
        })?;
        // A visitor without a token is the only caller here.
        Ok(Self {
            proxy,
            caller: CallerKeys::new([0; 32]).caller(None),
        })
    }

    /// The tools that the proxy lists.
    pub(super) async fn tools(&self) -> anyhow::Result<Vec<Box<RawValue>>> {
        let listing = self
            .proxy
            .list(&self.caller)
            .await
            .context("the proxy lists no tools")?;
        Ok(listing.tools)
    }

    /// The result of calling `tool`.
    pub(super) async fn call(
        &self,
        tool: &str,
        arguments: &RawValue,
    ) -> anyhow::Result<Box<RawValue>> {
        let name = to_raw(tool);
        let request = Forward {
            method: "tools/call",
            params: vec![("name", &name), ("arguments", arguments)],
            meta: None,
            name: Some(tool),
            param_headers: Vec::new(),
            effect: Effect::Read,
        };
        match self.proxy.forward(&self.caller, request).await {
            Ok(Reply::Result { result, .. }) => Ok(result),
            Ok(Reply::Error(error)) => bail!("{tool}: {}", ErrorView::read(&error).message),
            Err(error) => Err(error).with_context(|| format!("{tool} can't be called")),
        }
    }
}

const PATIENCE: Duration = Duration::from_mins(1);
const MAX_BYTES: usize = 64 << 20;
