//! A made-up MCP gateway on loopback: one company's services as tools, in both protocol eras, with
//! scripted faults for tests.

mod access;
mod answer;
mod catalog;
mod fault;
mod gateway;
mod hangup;
mod legacy;
mod library;
mod listing;
mod methods;
mod modern;
mod playback;
#[cfg(test)]
mod probe;
mod record;
mod reply;
mod server;
mod session;
mod settings;

pub use fault::{Effect, Fault, Piece, RawReply, Target};
pub use record::{Activity, ReceivedRequest};
pub use server::DemoGateway;
pub use settings::{AnswerFormat, DemoCaller, DemoEra, DemoSettings, Recording};

use serde_json::value::RawValue;

/// The tools of the embedded company catalog, as they are listed.
pub fn company_tools() -> Vec<Box<RawValue>> {
    catalog::company().tools.clone()
}
