//! `initialize` and `server/discover`: what we can do, and what a model should know first.

use std::sync::Arc;
use std::time::Duration;

use catalog::{Catalog, Missing};
use serde::Serialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value};
use upstream::{Caller, Handshake, UpstreamError};
use wire::{Era, ProtocolRevision, RawObject, to_raw};

use super::Protocol;
use super::dispatch::Checked;
use super::error::Failure;
use super::method::Capability;
use super::shape::{self, CacheHints, SERVER_INFO, ServerInfo};
use crate::instructions::instructions;

impl Protocol {
    /// The legacy handshake. It is never refused for its version: a client that asks for one we
    /// don't speak is offered the newest that has a handshake.
    pub(super) async fn initialize(&self, request: &Checked<'_>) -> Result<Box<RawValue>, Failure> {
        #[derive(Serialize)]
        #[serde(rename_all = "camelCase")]
        struct InitializeResult {
            protocol_version: &'static str,
            capabilities: Map<String, Value>,
            server_info: ServerInfo,
            instructions: String,
        }
        let requested = request
            .params
            .as_ref()
            .and_then(|params| params.get_str("protocolVersion"))
            .and_then(|version| ProtocolRevision::parse(&version))
            .filter(|revision| revision.era() == Era::Legacy);
        let caller = request.incoming.caller;
        self.searches.trails.begin(caller);
        let catalog = self.known_by_now(caller).await?;
        Ok(to_raw(&InitializeResult {
            protocol_version: requested
                .unwrap_or(ProtocolRevision::LATEST_LEGACY)
                .as_str(),
            capabilities: self.capabilities(catalog.as_deref()),
            server_info: SERVER_INFO,
            instructions: instructions(catalog.as_deref(), self.max_instructions),
        }))
    }

    /// What a modern client may ask instead of a handshake.
    pub(super) async fn discover(&self, request: &Checked<'_>) -> Result<Box<RawValue>, Failure> {
        #[derive(Serialize)]
        #[serde(rename_all = "camelCase")]
        struct DiscoverResult {
            supported_versions: [&'static str; 1],
            capabilities: Map<String, Value>,
            instructions: String,
        }
        let catalog = self.known_by_now(request.incoming.caller).await?;
        let result = to_raw(&DiscoverResult {
            supported_versions: [ProtocolRevision::LATEST.as_str()],
            capabilities: self.capabilities(catalog.as_deref()),
            instructions: instructions(catalog.as_deref(), self.max_instructions),
        });
        Ok(shape::own(result, Era::Modern, CacheHints::Required))
    }

    /// Our tools never change, and what passes through is declared without change notifications: a
    /// stateless server has no stream to send them on. Templates are prompts.
    fn capabilities(&self, catalog: Option<&Catalog>) -> Map<String, Value> {
        let has_templates = !self.curation.now().templates.is_empty();
        let others = Capability::ALL
            .into_iter()
            .filter(|capability| {
                (has_templates && *capability == Capability::Prompts)
                    || catalog.is_some_and(|catalog| offers(catalog.handshake(), *capability))
            })
            .map(Capability::name);
        std::iter::once("tools")
            .chain(others)
            .map(|name| (name.to_owned(), Value::Object(Map::new())))
            .collect()
    }

    /// The caller's catalog, if it is there soon: a client waits for the handshake before it does
    /// anything else. Only a challenge is passed on; whatever else keeps us from the catalog shows
    /// when it is needed.
    async fn known_by_now(&self, caller: &Caller) -> Result<Option<Arc<Catalog>>, Failure> {
        match self.catalogs.get(caller, HANDSHAKE_WAIT).await {
            Ok(view) => Ok(Some(view.catalog)),
            Err(Missing::Loading) => Ok(None),
            Err(Missing::Failed(error)) => match &*error {
                UpstreamError::Challenge(challenge) => Err(Failure::Challenge(challenge.clone())),
                _ => Ok(None),
            },
        }
    }
}

/// Whether the upstream declared `capability`.
pub(super) fn offers(handshake: &Handshake, capability: Capability) -> bool {
    let declared = handshake.capabilities.as_deref().and_then(RawObject::read);
    declared
        .and_then(|declared| declared.get(capability.name()))
        .is_some_and(|value| value.get().starts_with('{'))
}

const HANDSHAKE_WAIT: Duration = Duration::from_secs(2);
