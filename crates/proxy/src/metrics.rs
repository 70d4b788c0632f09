//! What is counted, for Prometheus. Every label is an enum, so that no caller can make new series
//! (field case 101).

mod catalog;
mod searches;

use std::sync::Arc;
use std::time::Duration;

use ::catalog::{Catalogs, UncheckedReason};
use prometheus_client::encoding::text::encode;
use prometheus_client::encoding::{EncodeLabelSet, EncodeLabelValue, LabelValueEncoder};
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::{Registry, Unit};
use ranking::Mode;

use crate::protocol::{MessageKind, Report, RequestOutcome};
use crate::searches::Searches;
use crate::tools::{MetaTool, Outcome};

use self::catalog::CatalogCollector;
use self::searches::SearchCollector;

/// Declares the metrics: a field's doc comment is the metric's help text.
macro_rules! metrics {
    ($(
        #[doc = $help:literal]
        $field:ident: $kind:ty = $new:expr, $name:literal $(in $unit:expr)?;
    )*) => {
        /// Everything that is counted.
        #[derive(Debug)]
        pub(crate) struct Metrics {
            registry: Registry,
            $(#[doc = $help] $field: $kind,)*
        }

        impl Metrics {
            fn register(mut registry: Registry) -> Self {
                $(
                    let $field: $kind = $new;
                    metrics!(@register registry, $name, $help, $field $(, $unit)?);
                )*
                Self { registry, $($field,)* }
            }
        }
    };
    (@register $registry:ident, $name:literal, $help:literal, $field:ident) => {
        $registry.register($name, $help.trim(), $field.clone());
    };
    (@register $registry:ident, $name:literal, $help:literal, $field:ident, $unit:expr) => {
        $registry.register_with_unit($name, $help.trim(), $unit, $field.clone());
    };
}

metrics! {
    /// HTTP requests by route, JSON-RPC method and how they ended
    requests: Family<RequestLabels, Counter> = Family::default(), "requests";
    /// HTTP requests being worked on
    in_flight: Gauge = Gauge::default(), "requests_in_flight";
    /// Time from a request's head to its answer
    request_duration: Family<RouteLabels, Histogram, fn() -> Histogram> =
        Family::new_with_constructor(durations), "request_duration" in Unit::Seconds;
    /// Calls of the five tools by how they ended
    tool_calls: Family<ToolLabels, Counter> = Family::default(), "tool_calls";
    /// Queries that were answered, by how each was searched
    searches: Family<SearchLabels, Counter> = Family::default(), "searches";
    /// Calls handed to the upstream without a check of their arguments, by reason
    unchecked_calls: Family<UncheckedLabels, Counter> = Family::default(), "unchecked_calls";
    /// Time the upstream took for a request that was handed to it
    upstream_duration: Histogram = durations(), "upstream_duration" in Unit::Seconds;
}

/// The routes that are told apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Route {
    /// The MCP endpoint.
    Mcp,
    /// The search of programs that speak no MCP.
    Search,
    /// Templates and prompts by name.
    Prompts,
    /// The status document.
    Status,
    /// The operator's wish for new lists.
    Rebuild,
    /// OAuth metadata, and the document of the routes.
    Metadata,
    /// Liveness, readiness and metrics.
    Admin,
    /// Anything else.
    Unknown,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct RequestLabels {
    route: Route,
    method: MethodLabel,
    outcome: RequestOutcome,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct RouteLabels {
    route: Route,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct ToolLabels {
    tool: MetaTool,
    outcome: Outcome,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct SearchLabels {
    mode: SearchMode,
}

/// By what a query was searched.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct SearchMode(Mode);

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct UncheckedLabels {
    reason: Unchecked,
}

/// Why arguments weren't checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Unchecked(UncheckedReason);

/// The JSON-RPC method; `none` where no message was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct MethodLabel(Option<MessageKind>);

/// Counts one request as in flight until it is dropped.
#[derive(Debug)]
pub(crate) struct InFlightGauge(Gauge);

impl Metrics {
    /// Counters at zero, and what the catalogs and the searches count themselves.
    pub(crate) fn new(catalogs: Arc<Catalogs>, searches: Arc<Searches>) -> Self {
        let mut registry = Registry::with_prefix("toolsearch");
        registry.register_collector(Box::new(CatalogCollector(catalogs)));
        registry.register_collector(Box::new(SearchCollector(searches)));
        let metrics = Self::register(registry);
        // Prometheus sees no increase in a series that begins with its first event.
        for route in Route::ALL {
            for outcome in [RequestOutcome::Fault, RequestOutcome::Overloaded] {
                let method = MethodLabel(None);
                let labels = RequestLabels {
                    route,
                    method,
                    outcome,
                };
                metrics.requests.get_or_create(&labels).inc_by(0);
            }
        }
        metrics
    }

    /// Counts a request as in flight.
    pub(crate) fn enter(&self) -> InFlightGauge {
        self.in_flight.inc();
        InFlightGauge(self.in_flight.clone())
    }

    /// Counts a request that ended.
    pub(crate) fn record(
        &self,
        route: Route,
        report: Option<&Report>,
        outcome: RequestOutcome,
        took: Duration,
    ) {
        let labels = RequestLabels {
            route,
            method: MethodLabel(report.map(|report| report.kind)),
            outcome,
        };
        self.requests.get_or_create(&labels).inc();
        let labels = RouteLabels { route };
        let durations = self.request_duration.get_or_create(&labels);
        durations.observe(took.as_secs_f64());
        let Some(report) = report else { return };
        if let Some((tool, outcome)) = report.call {
            let labels = ToolLabels { tool, outcome };
            self.tool_calls.get_or_create(&labels).inc();
        }
        for mode in report.searched.iter().copied().map(SearchMode) {
            self.searches.get_or_create(&SearchLabels { mode }).inc();
        }
        for &reason in &report.unchecked {
            let reason = Unchecked(reason);
            self.unchecked_calls
                .get_or_create(&UncheckedLabels { reason })
                .inc();
        }
        if let Some(took) = report.upstream_time {
            self.upstream_duration.observe(took.as_secs_f64());
        }
    }

    /// How many queries were searched by `mode`.
    pub(crate) fn searched(&self, mode: Mode) -> u64 {
        let labels = SearchLabels {
            mode: SearchMode(mode),
        };
        self.searches.get_or_create(&labels).get()
    }

    /// The text that Prometheus scrapes.
    pub(crate) fn text(&self) -> Result<String, std::fmt::Error> {
        let mut text = String::new();
        encode(&mut text, &self.registry)?;
        Ok(text)
    }
}

impl Drop for InFlightGauge {
    fn drop(&mut self) {
        self.0.dec();
    }
}

impl Route {
    const ALL: [Self; 8] = [
        Self::Mcp,
        Self::Search,
        Self::Prompts,
        Self::Status,
        Self::Rebuild,
        Self::Metadata,
        Self::Admin,
        Self::Unknown,
    ];

    /// Its name in logs and metrics.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Mcp => "mcp",
            Self::Search => "search",
            Self::Prompts => "prompts",
            Self::Status => "status",
            Self::Rebuild => "rebuild",
            Self::Metadata => "metadata",
            Self::Admin => "admin",
            Self::Unknown => "unknown",
        }
    }
}

impl Unchecked {
    const fn name(self) -> &'static str {
        self.0.name()
    }
}

impl SearchMode {
    const fn name(self) -> &'static str {
        self.0.name()
    }
}

impl MethodLabel {
    fn name(self) -> &'static str {
        self.0.map_or("none", MessageKind::name)
    }
}

/// Writes enums as the names that the log has for them.
macro_rules! label_values {
    ($($kind:ty),*) => {
        $(impl EncodeLabelValue for $kind {
            fn encode(&self, encoder: &mut LabelValueEncoder<'_>) -> Result<(), std::fmt::Error> {
                self.name().encode(encoder)
            }
        })*
    };
}

label_values!(
    Route,
    MethodLabel,
    RequestOutcome,
    MetaTool,
    Outcome,
    SearchMode,
    Unchecked
);

/// From a search in memory to a call that runs into its time-out.
fn durations() -> Histogram {
    Histogram::new([
        0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0, 300.0,
    ])
}
