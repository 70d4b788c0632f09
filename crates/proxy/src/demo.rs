//! The demo: a made-up gateway, the proxy before it, and a short tour through the running proxy.

mod savings;
mod tour;
mod visitor;

use std::io::Write;
use std::net::{Ipv4Addr, SocketAddr};

use anyhow::Context;
use demo_gateway::{DemoGateway, DemoSettings, Recording, company_tools};
use serde_json::value::RawValue;
use url::Url;

use tour::Script;
use visitor::Visitor;

/// What the demo's gateway lists, and what is asked of it.
#[derive(Debug)]
pub(crate) struct Demo {
    tools: Vec<Box<RawValue>>,
    script: Script,
}

impl Demo {
    /// The made-up company.
    pub(crate) fn company() -> Self {
        Self {
            tools: company_tools(),
            script: Script::COMPANY,
        }
    }

    /// Somebody's real tools, of which nothing is known.
    pub(crate) fn of(tools: Vec<Box<RawValue>>) -> Self {
        Self {
            tools,
            script: Script::ANY,
        }
    }

    /// Starts a gateway that lists these tools.
    pub(crate) async fn start(&self) -> anyhow::Result<DemoGateway> {
        let settings = DemoSettings {
            tools: self.tools.clone(),
            recording: Recording::Off,
            ..DemoSettings::default()
        };
        DemoGateway::start(settings)
            .await
            .context("the demo's gateway can't listen on loopback")
    }

    /// Goes through the proxy that listens on `address` as a client would, and writes what it sees.
    pub(crate) async fn tour(
        &self,
        address: SocketAddr,
        out: &mut (impl Write + Send),
    ) -> anyhow::Result<()> {
        let endpoint = endpoint(address)?;
        let visitor = Visitor::new(endpoint.clone())?;
        tour::run(&self.tools, &self.script, &visitor, out).await?;
        tour::how_to_connect(&endpoint, self.script.query, out)?;
        Ok(())
    }
}

/// The URL of the proxy on `address`, as a client on the same machine reaches it.
fn endpoint(address: SocketAddr) -> anyhow::Result<Url> {
    let address = match address.ip() {
        ip if ip.is_unspecified() => SocketAddr::from((Ipv4Addr::LOCALHOST, address.port())),
        _ => address,
    };
    Ok(Url::parse(&format!("http://{address}/mcp"))?)
}
