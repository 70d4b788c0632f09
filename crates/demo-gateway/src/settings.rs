//! What the gateway serves, to whom, and in which era.

use std::net::{Ipv4Addr, SocketAddr};

use serde_json::value::RawValue;

use crate::company_tools;
use crate::fault::Fault;

/// What the gateway serves and how it behaves. [`DemoSettings::default`] is a well-behaved gateway
/// over the company's tools that takes both eras and asks for no token.
#[derive(Debug, Clone)]
pub struct DemoSettings {
    /// What it lists.
    pub tools: Vec<Box<RawValue>>,
    /// What it tells a model about itself; `None` says nothing.
    pub instructions: Option<String>,
    /// Scripted behaviour, none in the `demo` command.
    pub faults: Vec<Fault>,
    /// Which revisions it speaks.
    pub era: DemoEra,
    /// How it writes its answers.
    pub format: AnswerFormat,
    /// How many tools one page of `tools/list` holds; `usize::MAX` lists them all at once.
    pub page_size: usize,
    /// Who may call. Nobody listed: everybody may, without a token.
    pub callers: Vec<DemoCaller>,
    /// Whether requests are kept for [`crate::DemoGateway::requests`].
    pub recording: Recording,
    /// Where it listens; port 0 takes a free one. A loopback address.
    pub address: SocketAddr,
}

/// Which revisions the gateway speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DemoEra {
    /// 2026-07-28, and the older ones without sessions.
    Dual,
    /// Up to 2025-11-25; every request but `initialize` needs the session it opened.
    LegacyStateful,
    /// Up to 2025-11-25, without sessions.
    LegacyStateless,
    /// 2026-07-28 alone: `initialize` is refused.
    ModernOnly,
}

/// How answers to requests are written. Refusals are JSON in both.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AnswerFormat {
    /// One JSON body.
    Json,
    /// A stream of server-sent events: a priming event, progress where the caller asked for it,
    /// the answer.
    Sse,
}

/// Somebody with a bearer token.
#[derive(Debug, Clone)]
pub struct DemoCaller {
    /// What stands behind `Bearer `.
    pub token: String,
    /// What this caller sees and may call, instead of [`DemoSettings::tools`].
    pub tools: Vec<Box<RawValue>>,
}

/// Whether requests are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Recording {
    /// Every request is kept in memory, for tests.
    On,
    /// Nothing is kept.
    Off,
}

impl DemoEra {
    pub(crate) fn is_modern(self) -> bool {
        matches!(self, Self::Dual | Self::ModernOnly)
    }

    pub(crate) fn is_legacy(self) -> bool {
        self != Self::ModernOnly
    }
}

impl Default for DemoSettings {
    fn default() -> Self {
        Self {
            tools: company_tools(),
            instructions: Some(COMPANY_INSTRUCTIONS.to_owned()),
            faults: Vec::new(),
            era: DemoEra::Dual,
            format: AnswerFormat::Json,
            page_size: usize::MAX,
            callers: Vec::new(),
            recording: Recording::On,
            address: SocketAddr::from((Ipv4Addr::LOCALHOST, 0)),
        }
    }
}

const COMPANY_INSTRUCTIONS: &str = "Brightwater Bicycles, a made-up company with four shops and a \
    workshop: people and pay, sales and stock, workshop and shipping, money, the office, \
    and the software behind it all. Employees have ids such as E-1042, tickets keys such as IT-118. Dates are in local \
    time. Nothing here is real, and nothing is changed.";
