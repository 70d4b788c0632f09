//! The catalogs' counts, read when they are scraped.

use std::sync::Arc;

use catalog::{Catalogs, VectorServiceStatus};
use prometheus_client::collector::Collector;
use prometheus_client::encoding::{DescriptorEncoder, EncodeMetric};
use prometheus_client::metrics::MetricType;
use prometheus_client::metrics::counter::ConstCounter;
use prometheus_client::metrics::gauge::ConstGauge;
use upstream::EmbeddingsError;

/// Reads [`Catalogs::status`].
#[derive(Debug)]
pub(super) struct CatalogCollector(pub(super) Arc<Catalogs>);

impl Collector for CatalogCollector {
    fn encode(&self, mut encoder: DescriptorEncoder<'_>) -> Result<(), std::fmt::Error> {
        let status = self.0.status();
        let service = status.vector_service.unwrap_or_default();
        let metrics: [(&str, &str, &dyn EncodeMetric); 6] = [
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
            (
                "embedding_tools_waiting",
                "Tools that wait for their vectors from the embedding service.",
                &gauge(service.waiting),
            ),
        ];
        for (name, help, metric) in metrics {
            metric.encode(encoder.encode_descriptor(name, help, None, metric.metric_type())?)?;
        }
        encode_requests(&mut encoder, &service)
    }
}

fn encode_requests(
    encoder: &mut DescriptorEncoder<'_>,
    service: &VectorServiceStatus,
) -> Result<(), std::fmt::Error> {
    let mut family = encoder.encode_descriptor(
        "embedding_requests",
        "Requests to the embedding service by how they ended.",
        None,
        MetricType::Counter,
    )?;
    let failed = EmbeddingsError::KINDS.map(|kind| {
        let count = service.failed.get(kind).copied();
        (kind, count.unwrap_or_default())
    });
    for (outcome, count) in [("ok", service.answered)].into_iter().chain(failed) {
        let labels = [("outcome", outcome)];
        ConstCounter::new(count).encode(family.encode_family(&labels)?)?;
    }
    Ok(())
}

fn gauge(value: usize) -> ConstGauge<i64> {
    ConstGauge::new(i64::try_from(value).unwrap_or(i64::MAX))
}
