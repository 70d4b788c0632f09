//! A search that was made: the hits of each query, and what their reader should know beside them.

mod notes;

use std::borrow::Cow;
use std::collections::HashSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use catalog::{Catalog, CatalogView, Found, QueryVectors, Ranked, Tool};
use ranking::{Mode, Vector};

use super::request::Options;
use super::{ECHO_CHARS, add_note};
use crate::tools::text::{short_name, shorten};

/// What a request found in its caller's catalog.
pub(super) struct Results<'a> {
    pub(super) view: &'a CatalogView,
    /// In the order of the queries.
    pub(super) queries: Vec<QueryResult<'a>>,
    /// The operator's pinned tools that no query found.
    pub(super) pinned: Vec<Arc<Tool>>,
    /// In whole sentences; empty where there is nothing to say.
    pub(super) note: String,
}

/// What became of one query.
pub(super) struct QueryResult<'a> {
    pub(super) query: &'a str,
    /// All that fits as far as the limit goes, best first, also where the set has it.
    pub(super) ranked: Vec<Found>,
    /// Those of them that the set hasn't.
    pub(super) found: Vec<Found>,
    /// How it was searched.
    pub(super) mode: Mode,
    /// Whether its meaning should have counted and didn't, for want of a service.
    pub(super) is_lost: bool,
    /// How long ranking took.
    pub(super) took: Duration,
    /// Where no tool at all fits, the closest names.
    pub(super) closest: Option<Vec<String>>,
}

impl<'a> Results<'a> {
    /// Searches beside `set`, whose tools stand in the answer anyway: they are no hits, and count
    /// towards no limit. `vectors` are those of the queries where a service makes them.
    pub(super) fn of(
        queries: &'a [String],
        asked: Options,
        view: &'a CatalogView,
        set: &[Arc<Tool>],
        vectors: &QueryVectors,
    ) -> Self {
        let search = Search {
            catalog: &view.catalog,
            limit: asked.limit,
            set: set.iter().map(Arc::as_ptr).collect(),
        };
        let queries: Vec<_> = queries
            .iter()
            .enumerate()
            .map(|(place, query)| QueryResult {
                is_lost: vectors.is_lost(place),
                ..search.run(query, vectors.get(place))
            })
            .collect();
        let mut pinned = search.pinned(&queries);
        let hidden_pins = pinned.len().saturating_sub(MAX_PINNED);
        pinned.truncate(MAX_PINNED);
        let mut note = notes::of(asked, view, &queries);
        add_note(&mut note, &notes::pins(pinned.len(), hidden_pins, &queries));
        Self {
            view,
            queries,
            pinned,
            note,
        }
    }

    /// How each query was searched.
    pub(super) fn modes(&self) -> Vec<Mode> {
        self.queries.iter().map(|result| result.mode).collect()
    }
}

/// One search in one catalog.
struct Search<'a> {
    catalog: &'a Catalog,
    limit: usize,
    /// Tools that stand elsewhere in the answer.
    set: HashSet<*const Tool>,
}

impl Search<'_> {
    fn run<'q>(&self, query: &'q str, vector: Option<&Vector>) -> QueryResult<'q> {
        let started = Instant::now();
        let limit = self.limit.saturating_add(self.set.len());
        let searched = searched_part(query);
        let Ranked { found, mode } = self.catalog.search_with(&searched, vector, limit);
        let took = started.elapsed();
        let closest = found.is_empty().then(|| self.closest(query));
        let ranked = self.within_limit(found);
        let found = ranked.iter().filter(|hit| self.is_missing(&hit.tool));
        QueryResult {
            query,
            found: found.cloned().collect(),
            ranked,
            mode,
            is_lost: false,
            took,
            closest,
        }
    }

    /// `hits` up to the first for which there is no place.
    fn within_limit(&self, mut hits: Vec<Found>) -> Vec<Found> {
        let missing = hits.iter().enumerate();
        let mut missing = missing.filter(|(_, hit)| self.is_missing(&hit.tool));
        if let Some((end, _)) = missing.nth(self.limit) {
            hits.truncate(end);
        }
        hits
    }

    fn closest(&self, query: &str) -> Vec<String> {
        let count = CLOSEST.saturating_add(self.set.len());
        let near = self.catalog.near(&shorten(query, ECHO_CHARS), count);
        near.iter()
            .filter(|tool| self.is_missing(tool))
            .take(CLOSEST)
            .map(|tool| short_name(tool.name()).into_owned())
            .collect()
    }

    /// The pinned tools that stand nowhere else.
    fn pinned(&self, queries: &[QueryResult<'_>]) -> Vec<Arc<Tool>> {
        let hits = queries.iter().flat_map(|result| &result.found);
        let found: HashSet<*const Tool> = hits.map(|hit| Arc::as_ptr(&hit.tool)).collect();
        let mut pinned = self.catalog.pinned().to_vec();
        pinned.retain(|tool| self.is_missing(tool) && !found.contains(&Arc::as_ptr(tool)));
        pinned
    }

    /// Whether the answer hasn't `tool` without a search.
    fn is_missing(&self, tool: &Arc<Tool>) -> bool {
        !self.set.contains(&Arc::as_ptr(tool))
    }
}

/// What is searched of `query`: of a longer one its beginning.
pub(in crate::tools) fn searched_part(query: &str) -> Cow<'_, str> {
    shorten(query, QUERY_CHARS)
}

const QUERY_CHARS: usize = 2_000;
/// More would crowd out what was asked for.
const MAX_PINNED: usize = 25;
const CLOSEST: usize = 5;
