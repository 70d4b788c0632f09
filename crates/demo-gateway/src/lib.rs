//! A made-up MCP gateway on loopback: one company's services as tools, in both protocol eras, with
//! scripted faults for tests.

mod server;

pub use server::{DemoGateway, DemoSettings, Fault};

use serde_json::value::RawValue;

/// The tools of the embedded company catalog, as they are listed.
pub fn company_tools() -> Vec<Box<RawValue>> {
    todo!()
}
