//! The gateway as a server.

use std::net::SocketAddr;

use serde_json::value::RawValue;

use crate::fault::Fault;
use crate::record::{Activity, ReceivedRequest};
use crate::settings::DemoSettings;

/// A running gateway. Stops when dropped.
#[derive(Debug)]
pub struct DemoGateway {
    /// Where it listens.
    pub address: SocketAddr,
}

impl DemoGateway {
    /// Starts listening where the settings say; the default is a free loopback port.
    pub async fn start(_settings: DemoSettings) -> std::io::Result<Self> {
        todo!()
    }

    /// The MCP endpoint.
    pub fn url(&self) -> String {
        format!("http://{}/mcp", self.address)
    }

    /// What arrived at the MCP endpoint so far, oldest first.
    pub fn requests(&self) -> Vec<ReceivedRequest> {
        todo!()
    }

    /// How many requests of one method arrived so far.
    pub fn count(&self, _method: &str) -> usize {
        todo!()
    }

    /// How much has happened so far.
    pub fn activity(&self) -> Activity {
        todo!()
    }

    /// Waits until what has happened satisfies `enough`.
    pub async fn until(&self, _enough: impl FnMut(&Activity) -> bool) -> Activity {
        todo!()
    }

    /// Replaces the faults in force.
    pub fn set_faults(&self, _faults: Vec<Fault>) {
        todo!()
    }

    /// Replaces what callers without tools of their own are shown.
    pub fn set_tools(&self, _tools: Vec<Box<RawValue>>) {
        todo!()
    }
}
