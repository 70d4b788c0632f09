//! What is said beside the hits, in whole sentences.

use catalog::{Catalog, CatalogView, Found, Freshness};
use ranking::{Confidence, Mode};

use super::QueryResult;
use crate::tools::search::add_note;
use crate::tools::search::request::{MAX_LIMIT, Options};
use crate::tools::text::{quoted, wait};

/// What to know of a search; empty where there is nothing.
pub(super) fn of(asked: Options, view: &CatalogView, queries: &[QueryResult<'_>]) -> String {
    let mut notes = Vec::new();
    if view.catalog.is_empty() {
        notes.push("The upstream lists no tools for this user.".to_owned());
    } else if queries.iter().any(fits_nothing) {
        notes.push(nothing_fits(queries, &view.catalog));
    }
    if queries.iter().any(|result| only_weak(&result.found)) {
        notes.push(ONLY_WEAK.to_owned());
    }
    if asked.clamped {
        notes.push(format!(
            "`limit` goes from 1 to {MAX_LIMIT}: {} is used.",
            asked.limit
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
    if queries.iter().any(|result| result.is_lost) {
        notes.push(WORDS_FOR_NOW.to_owned());
    } else if view.catalog.mode() == Mode::Words {
        // Of the setting, not of a query: one that the model knows nothing of lost nothing by it.
        notes.push(WORDS_ONLY.to_owned());
    }
    notes.join(" ")
}

/// What to know of the pinned tools, of which `hidden` aren't shown.
pub(super) fn pins(shown: usize, hidden: usize, queries: &[QueryResult<'_>]) -> String {
    let mut note = String::new();
    if shown > 0 && !queries.is_empty() && queries.iter().all(fits_nothing) {
        note.push_str("The `pinned` tools are shown whatever is asked.");
    }
    let more = match hidden {
        0 => String::new(),
        1 => "1 more pinned tool isn't shown.".to_owned(),
        hidden => format!("{hidden} more pinned tools aren't shown."),
    };
    add_note(&mut note, &more);
    note
}

fn fits_nothing(result: &QueryResult<'_>) -> bool {
    result.closest.is_some()
}

fn only_weak(hits: &[Found]) -> bool {
    !hits.is_empty() && hits.iter().all(|hit| hit.confidence == Confidence::Weak)
}

fn nothing_fits(queries: &[QueryResult<'_>], catalog: &Catalog) -> String {
    let where_empty = if queries.iter().all(fits_nothing) {
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
const WORDS_FOR_NOW: &str = "Searched by words only for now, not by meaning: the embedding service \
                             gives no vectors.";
const ONLY_WEAK: &str = "Where all tools are `weak`, maybe none fits: read what each does before \
                         you call it, or search in other words.";
const AREAS: usize = 12;
