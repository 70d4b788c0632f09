//! The proxy: HTTP edge, protocol, the five tools, and the commands.
//!
//! [`App`] is the principal type: a [`Config`] makes one, and it serves. [`Cli`] reads the settings
//! that a `Config` is made from. A request goes down through `http`, `protocol` and `tools`.

mod app;
mod cli;
mod config;
mod curation;
mod demo;
mod http;
mod instructions;
mod metrics;
mod models;
mod protocol;
mod searches;
mod telemetry;
mod times;
mod tools;

pub use app::{App, BuildError, Listeners, Reload};
pub use cli::{Cli, Settings, UsageError};
pub use config::{Config, InvalidConfig};
pub use curation::InvalidTemplates;
pub use searches::UnusableAuditLog;
