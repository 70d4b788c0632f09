//! The log: where it goes, in which form, and that a panic says nothing of what it held.

use std::io::{self, IsTerminal};

use tracing::level_filters::LevelFilter;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{Layer, fmt};

use crate::cli::LogSettings;
use crate::cli::values::{LogFormat, LogLevel};

/// Logs to standard error from here on.
pub(crate) fn start(settings: &LogSettings) {
    let is_terminal = io::stderr().is_terminal();
    let text = match settings.log_format {
        Some(format) => format == LogFormat::Text,
        None => is_terminal,
    };
    let lines = fmt::layer().with_writer(io::stderr);
    let lines = if text {
        lines.with_ansi(is_terminal).boxed()
    } else {
        lines
            .json()
            .flatten_event(true)
            .with_span_list(false)
            .boxed()
    };
    let filter = filter(settings.log_level.into());
    tracing_subscriber::registry()
        .with(lines.with_filter(filter))
        .init();
    std::panic::set_hook(Box::new(|panic| {
        // The payload may quote what a caller or an upstream sent.
        let place = panic.location().map(ToString::to_string);
        tracing::error!(place, "panicked");
    }));
}

/// Our own crates at `level`; libraries, whose finer messages may quote headers, at most at `warn`.
fn filter(level: LevelFilter) -> Targets {
    Targets::new()
        .with_default(level.min(LevelFilter::WARN))
        .with_targets(OWN_CRATES.map(|name| (name, level)))
}

impl From<LogLevel> for LevelFilter {
    fn from(level: LogLevel) -> Self {
        match level {
            LogLevel::Error => Self::ERROR,
            LogLevel::Warn => Self::WARN,
            LogLevel::Info => Self::INFO,
            LogLevel::Debug => Self::DEBUG,
            LogLevel::Trace => Self::TRACE,
        }
    }
}

const OWN_CRATES: [&str; 6] = [
    "catalog",
    "demo_gateway",
    "proxy",
    "ranking",
    "upstream",
    "wire",
];
