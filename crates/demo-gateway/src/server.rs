//! The gateway as a server.

use std::net::SocketAddr;

use serde_json::value::RawValue;

/// What the gateway serves and how it behaves.
#[derive(Debug, Clone)]
pub struct DemoSettings {
    /// What it lists.
    pub tools: Vec<Box<RawValue>>,
    /// Scripted behaviour, none in the `demo` command.
    pub faults: Vec<Fault>,
}

/// A scripted departure from good behaviour.
#[derive(Debug, Clone)]
pub enum Fault {}

/// A running gateway. Stops when dropped.
#[derive(Debug)]
pub struct DemoGateway {
    /// Where it listens.
    pub address: SocketAddr,
}

impl DemoGateway {
    /// Starts on a free loopback port.
    pub async fn start(_settings: DemoSettings) -> std::io::Result<Self> {
        todo!()
    }

    /// The MCP endpoint.
    pub fn url(&self) -> String {
        format!("http://{}/mcp", self.address)
    }
}
