//! A search that was made: the hits of each query, and what their reader should know beside them.

use std::sync::Arc;
use std::time::{Duration, Instant};

use catalog::{Catalog, CatalogView, Found, Freshness, Tool};
use ranking::{Confidence, Mode};

use super::request::{MAX_LIMIT, SearchRequest};
use super::{ECHO_CHARS, add_note};
use crate::tools::text::{quoted, short_name, shorten, wait};

/// What a request found in its caller's catalog.
pub(super) struct Results<'a> {
    pub(super) request: &'a SearchRequest,
    pub(super) view: &'a CatalogView,
    /// For each query, best first.
    pub(super) found: Vec<Vec<Found>>,
    /// The operator's pinned tools that no query found.
    pub(super) pinned: Vec<Arc<Tool>>,
    /// How each query was searched.
    pub(super) modes: Vec<Mode>,
    /// How long ranking took for each query.
    pub(super) took: Vec<Duration>,
    /// For each query that found nothing, the closest names.
    pub(super) closest: Vec<Option<Vec<String>>>,
    /// In whole sentences; empty where there is nothing to say.
    pub(super) note: String,
}

impl<'a> Results<'a> {
    /// Searches.
    pub(super) fn of(request: &'a SearchRequest, view: &'a CatalogView) -> Self {
        let catalog = &view.catalog;
        let queries = request.queries.as_slice();
        let mut found = Vec::with_capacity(queries.len());
        let mut modes = Vec::with_capacity(queries.len());
        let mut took = Vec::with_capacity(queries.len());
        for query in queries {
            let started = Instant::now();
            let ranked = catalog.search(&shorten(query, QUERY_CHARS), request.limit);
            took.push(started.elapsed());
            found.push(ranked.found);
            modes.push(ranked.mode);
        }
        let closest = queries
            .iter()
            .zip(&found)
            .map(|(query, found)| found.is_empty().then(|| closest(catalog, query)));
        let (pinned, hidden_pins) = pinned(catalog, &found);
        let mut note = note(request, view, &found);
        add_note(&mut note, &pins_note(pinned.len(), hidden_pins, &found));
        Self {
            request,
            view,
            closest: closest.collect(),
            note,
            pinned,
            found,
            modes,
            took,
        }
    }

    /// The same without the tools of `set`, which stand elsewhere.
    pub(super) fn without(mut self, set: &[Arc<Tool>]) -> Self {
        let stands_here = |tool: &Arc<Tool>| !set.iter().any(|other| Arc::ptr_eq(other, tool));
        for found in &mut self.found {
            found.retain(|hit| stands_here(&hit.tool));
        }
        self.pinned.retain(stands_here);
        self
    }
}

/// The pinned tools that aren't found, and how many of them are too many to be shown.
fn pinned(catalog: &Catalog, found: &[Vec<Found>]) -> (Vec<Arc<Tool>>, usize) {
    let is_found = |tool: &Arc<Tool>| {
        found
            .iter()
            .flatten()
            .any(|hit| Arc::ptr_eq(&hit.tool, tool))
    };
    let mut pinned: Vec<_> = catalog.pinned().to_vec();
    pinned.retain(|tool| !is_found(tool));
    let hidden = pinned.len().saturating_sub(MAX_PINNED);
    pinned.truncate(MAX_PINNED);
    (pinned, hidden)
}

fn pins_note(shown: usize, hidden: usize, found: &[Vec<Found>]) -> String {
    let mut note = String::new();
    if shown > 0 && !found.is_empty() && found.iter().all(Vec::is_empty) {
        note.push_str("The `pinned` tools are shown whatever is asked.");
    }
    if hidden > 0 {
        let text = format!("{hidden} more pinned tools aren't shown.");
        add_note(&mut note, &text);
    }
    note
}

fn closest(catalog: &Catalog, query: &str) -> Vec<String> {
    catalog
        .near(&shorten(query, ECHO_CHARS), CLOSEST)
        .iter()
        .map(|tool| short_name(tool.name()).into_owned())
        .collect()
}

fn note(request: &SearchRequest, view: &CatalogView, found: &[Vec<Found>]) -> String {
    let mut notes = Vec::new();
    if view.catalog.is_empty() {
        notes.push("The upstream lists no tools for this user.".to_owned());
    } else if found.iter().any(Vec::is_empty) {
        notes.push(nothing_fits(found, &view.catalog));
    }
    if found.iter().any(|hits| only_weak(hits)) {
        notes.push(ONLY_WEAK.to_owned());
    }
    if request.clamped {
        notes.push(format!(
            "`limit` goes from 1 to {MAX_LIMIT}: {} is used.",
            request.limit
        ));
    }
    let age = wait(view.age);
    match view.freshness {
        Freshness::Fresh => {}
        Freshness::Stale => {
            notes.push(format!("The list of tools is {age} old and being renewed."));
        }
        Freshness::StaleAfterFailure => notes.push(format!(
            "The list of tools is {age} old: the upstream couldn't be asked for a new one."
        )),
    }
    // Of the setting, not of a query: one that the model knows nothing of lost nothing by it.
    if view.catalog.mode() == Mode::Words {
        notes.push(WORDS_ONLY.to_owned());
    }
    notes.join(" ")
}

fn only_weak(hits: &[Found]) -> bool {
    !hits.is_empty() && hits.iter().all(|hit| hit.confidence == Confidence::Weak)
}

fn nothing_fits(found: &[Vec<Found>], catalog: &Catalog) -> String {
    let where_empty = if found.iter().all(Vec::is_empty) {
        ""
    } else {
        "Where `tools` is empty: "
    };
    let what = match catalog.mode() {
        Mode::Hybrid => "No tool fits: say it in other words.",
        Mode::Words => {
            "No tool has these words: say it in other words, in the language of the tools."
        }
    };
    let areas: Vec<String> = catalog
        .areas()
        .iter()
        .take(AREAS)
        .map(|area| quoted(&area.name))
        .collect();
    let areas = if areas.is_empty() {
        String::new()
    } else {
        format!(" The tools cover, among others: {}.", areas.join(", "))
    };
    format!("{where_empty}{what}{areas}")
}

const WORDS_ONLY: &str = "Searched by words only, not by meaning.";
const ONLY_WEAK: &str = "Where all tools are `weak`, maybe none fits: read what each does before \
                         you call it, or search in other words.";
/// Longer queries are searched by their beginning.
const QUERY_CHARS: usize = 2_000;
/// More would crowd out what was asked for.
const MAX_PINNED: usize = 25;
const CLOSEST: usize = 5;
const AREAS: usize = 12;
