//! The catalogs' counts, read when they are scraped.

use std::sync::Arc;

use catalog::Catalogs;
use prometheus_client::collector::Collector;
use prometheus_client::encoding::{DescriptorEncoder, EncodeMetric};
use prometheus_client::metrics::counter::ConstCounter;
use prometheus_client::metrics::gauge::ConstGauge;

/// Reads [`Catalogs::status`].
#[derive(Debug)]
pub(super) struct CatalogCollector(pub(super) Arc<Catalogs>);

impl Collector for CatalogCollector {
    fn encode(&self, mut encoder: DescriptorEncoder<'_>) -> Result<(), std::fmt::Error> {
        let status = self.0.status();
        let metrics: [(&str, &str, &dyn EncodeMetric); 5] = [
            (
                "catalogs",
                "Callers with a catalog.",
                &gauge(status.callers),
            ),
            (
                "catalog_bytes",
                "Memory that the catalogs hold.",
                &gauge(status.bytes),
            ),
            (
                "catalog_limit_bytes",
                "Memory that they may hold.",
                &gauge(status.max_bytes),
            ),
            (
                "catalog_builds",
                "Listings started.",
                &ConstCounter::new(status.build_attempts),
            ),
            (
                "catalog_build_failures",
                "Listings that failed.",
                &ConstCounter::new(status.build_failures),
            ),
        ];
        for (name, help, metric) in metrics {
            metric.encode(encoder.encode_descriptor(name, help, None, metric.metric_type())?)?;
        }
        Ok(())
    }
}

fn gauge(value: usize) -> ConstGauge<i64> {
    ConstGauge::new(i64::try_from(value).unwrap_or(i64::MAX))
}
