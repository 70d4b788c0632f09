//! What became of searches and of the audit log's lines, read when they are scraped.

use std::sync::Arc;

use prometheus_client::collector::Collector;
use prometheus_client::encoding::{DescriptorEncoder, EncodeMetric, NoLabelSet};
use prometheus_client::metrics::MetricType;
use prometheus_client::metrics::counter::ConstCounter;

use crate::searches::{AuditLog, RANKS, Searches, TrailCounts};

/// Reads [`Searches`].
#[derive(Debug)]
pub(super) struct SearchCollector(pub(super) Arc<Searches>);

impl Collector for SearchCollector {
    fn encode(&self, mut encoder: DescriptorEncoder<'_>) -> Result<(), std::fmt::Error> {
        let counts = self.0.trails.counts();
        encode_ends(&mut encoder, &counts)?;
        encode_ranks(&mut encoder, &counts)?;
        let counts = self.0.audit.as_ref().map(AuditLog::counts);
        let (written, dropped) =
            counts.map_or((0, 0), |counts| (counts.written(), counts.dropped()));
        encode_lines(&mut encoder, [("written", written), ("dropped", dropped)])
    }
}

fn encode_ends(
    encoder: &mut DescriptorEncoder<'_>,
    counts: &TrailCounts,
) -> Result<(), std::fmt::Error> {
    let mut family = encoder.encode_descriptor(
        "search_ends",
        "Searches of search_tools by how they were answered and what the caller did next.",
        None,
        MetricType::Counter,
    )?;
    for (answered, end, count) in counts.ends() {
        let labels = [("answer", answered.name()), ("then", end.name())];
        ConstCounter::new(count).encode(family.encode_family(&labels)?)?;
    }
    Ok(())
}

fn encode_ranks(
    encoder: &mut DescriptorEncoder<'_>,
    counts: &TrailCounts,
) -> Result<(), std::fmt::Error> {
    let bounds = RANKS.map(f64::from).into_iter().chain([f64::INFINITY]);
    let buckets: Vec<(f64, u64)> = bounds.zip(counts.ranks().iter().copied()).collect();
    let calls = buckets.iter().map(|(_, count)| count).sum();
    let mut histogram = encoder.encode_descriptor(
        "called_rank",
        "Place of a tool among the hits of the search after which it was first called.",
        None,
        MetricType::Histogram,
    )?;
    histogram.encode_histogram::<NoLabelSet>(counts.rank_sum() as f64, calls, &buckets, None)
}

fn encode_lines(
    encoder: &mut DescriptorEncoder<'_>,
    lines: [(&'static str, u64); 2],
) -> Result<(), std::fmt::Error> {
    let mut family = encoder.encode_descriptor(
        "audit_lines",
        "Lines for the audit log by whether they were written.",
        None,
        MetricType::Counter,
    )?;
    for (outcome, count) in lines {
        let labels = [("outcome", outcome)];
        ConstCounter::new(count).encode(family.encode_family(&labels)?)?;
    }
    Ok(())
}
