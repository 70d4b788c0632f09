use std::sync::Arc;
use std::time::{Duration, SystemTime};

use catalog::{Catalog, CatalogView, Found, Freshness, Tool, WriteTools};
use ranking::{Confidence, Embedder, Mode, Score, VectorCache};
use serde_json::{Value, json};
use upstream::Handshake;
use wire::to_raw;

use super::*;
use crate::tools::search::results::QueryResult;

/// Tools `tool_0` and so on with descriptions and schemas of the given sizes.
fn catalog(count: usize, description_chars: usize, schema_bytes: usize) -> CatalogView {
    let entries = (0..count).map(|number| {
        to_raw(&json!({
            "name": format!("tool_{number}"),
            "description": "word ".repeat(description_chars / 5),
            "inputSchema": {
                "type": "object",
                "properties": {"a": {"type": "string"}},
                "$comment": "x".repeat(schema_bytes),
            },
        }))
    });
    let catalog = Catalog::build(
        entries.collect(),
        Handshake::default(),
        &WriteTools::default(),
        &VectorCache::new(Embedder::None),
    );
    CatalogView {
        catalog: Arc::new(catalog),
        built_at: SystemTime::UNIX_EPOCH,
        age: Duration::ZERO,
        freshness: Freshness::Fresh,
    }
}

/// What queries that found these tools come to.
fn results<'a>(view: &'a CatalogView, lists: &[&[usize]], pinned: &[Arc<Tool>]) -> Results<'a> {
    let result = |numbers: &&[usize]| QueryResult {
        ranked: Vec::new(),
        query: "",
        found: found(view, numbers),
        mode: Mode::Words,
        is_lost: false,
        took: Duration::ZERO,
        closest: None,
    };
    Results {
        view,
        queries: lists.iter().map(result).collect(),
        pinned: pinned.to_vec(),
        note: String::new(),
    }
}

fn found(view: &CatalogView, numbers: &[usize]) -> Vec<Found> {
    let found = |&number: &usize| Found {
        tool: Arc::clone(&view.catalog.tools()[number]),
        score: Score(1.0),
        confidence: Confidence::Firm,
        similarity: None,
    };
    numbers.iter().map(found).collect()
}

fn look(schemas: usize, scores: Scores) -> Look {
    Look {
        schemas,
        descriptions: Descriptions::Shown,
        scores,
    }
}

fn shown(hits: &Hits<'_>) -> Vec<Vec<Value>> {
    let parse = |hit: &RawValue| serde_json::from_str(hit.get()).unwrap();
    let list = |position| hits.json(position).into_iter().map(parse).collect();
    (0..hits.queries.len()).map(list).collect()
}

#[test]
fn a_schema_and_a_description_stand_once_in_an_answer() {
    let view = catalog(4, 50, 10);
    let results = results(&view, &[&[0, 1, 2], &[2, 0, 3]], &[]);
    let hits = Hits::new(&results, look(2, Scores::Hidden));
    let has = |key: &str| -> Vec<Vec<bool>> {
        let shown = shown(&hits);
        shown
            .iter()
            .map(|list| list.iter().map(|hit| hit.get(key).is_some()).collect())
            .collect()
    };
    assert_eq!(
        has("inputSchema"),
        [[true, true, false], [true, false, false]]
    );
    assert_eq!(
        has("signature"),
        [[false, false, true], [false, true, true]]
    );
    assert_eq!(
        has("description"),
        [[true, true, true], [false, false, true]]
    );
}

#[test]
fn schemas_go_from_the_last_hit_up() {
    let view = catalog(3, 50, 1_000);
    let results = results(&view, &[&[0, 1, 2]], &[]);
    let mut hits = Hits::new(&results, look(3, Scores::Hidden));
    hits.fit(3_000);
    let kept: Vec<bool> = shown(&hits)[0]
        .iter()
        .map(|hit| hit.get("inputSchema").is_some())
        .collect();
    assert_eq!(kept, [true, true, false]);
    assert_eq!(
        hits.cuts,
        Cuts {
            schemas: 1,
            ..Cuts::default()
        }
    );
}

#[test]
fn whatever_is_found_fits_the_budget() {
    let check = |view: &CatalogView, queries: usize, budget: usize, expected: Cuts| {
        let total = view.catalog.len();
        let numbers: Vec<usize> = (0..25 * queries).map(|number| number % total).collect();
        let lists: Vec<&[usize]> = numbers
            .chunks(25)
            .map(|list| &list[..25.min(total)])
            .collect();
        let results = results(view, &lists, &[]);
        let mut hits = Hits::new(&results, look(3, Scores::Hidden));
        hits.fit(budget);
        assert!(hits.bytes() <= budget);
        assert_eq!(hits.cuts, expected);
    };
    let none = Cuts::default;
    let large = catalog(125, 2_000, 30_000);
    check(
        &large,
        1,
        40_000,
        Cuts {
            schemas: 3,
            ..none()
        },
    );
    check(
        &large,
        5,
        40_000,
        Cuts {
            schemas: 15,
            descriptions: true,
            ..none()
        },
    );
    check(
        &large,
        5,
        16_000,
        Cuts {
            schemas: 15,
            descriptions: true,
            signatures: 96,
            hits: 0,
        },
    );
    let tight = Cuts {
        schemas: 15,
        descriptions: true,
        signatures: 125,
        hits: 125,
    };
    check(&large, 5, 10, tight);
    check(&catalog(25, 100, 10), 1, 40_000, none());
}

#[test]
fn long_descriptions_show_their_cut() {
    let view = catalog(1, 2_000, 10);
    let results = results(&view, &[&[0]], &[]);
    let hits = Hits::new(&results, look(1, Scores::Hidden));
    let description = shown(&hits)[0][0]["description"]
        .as_str()
        .unwrap()
        .to_owned();
    assert!(description.ends_with('…'));
    assert!(description.chars().count() <= DESCRIPTION_CHARS);
}

#[test]
fn pinned_tools_come_marked_with_their_signature() {
    let view = catalog(3, 50, 10);
    let results = results(&view, &[&[0]], &view.catalog.tools()[1..]);
    let hits = Hits::new(&results, look(3, Scores::Shown));
    let pinned: Vec<Value> = hits
        .pinned_json()
        .iter()
        .map(|hit| serde_json::from_str(hit.get()).unwrap())
        .collect();
    let names: Vec<_> = pinned.iter().map(|hit| &hit["name"]).collect();
    assert_eq!(names, ["tool_1", "tool_2"]);
    for hit in &pinned {
        assert_eq!((&hit["pinned"], hit.get("score")), (&json!(true), None));
        assert_eq!(
            hit["signature"],
            format!("{}(a?: string)", hit["name"].as_str().unwrap())
        );
    }
    assert_eq!(shown(&hits)[0][0].get("pinned"), None);
}

#[test]
fn pinned_tools_outlive_hits() {
    let view = catalog(30, 2_000, 10);
    let numbers: Vec<usize> = (0..25).collect();
    let results = results(&view, &[&numbers], &view.catalog.tools()[25..]);
    for budget in (0..12_000).step_by(100) {
        let mut hits = Hits::new(&results, look(3, Scores::Hidden));
        hits.fit(budget);
        assert!(hits.bytes() <= budget);
        let pins = hits.pinned_json().len();
        assert!(pins == 5 || shown(&hits)[0].is_empty(), "{budget}");
        assert!(budget < 1_000 || pins == 5, "{budget}");
    }
}

#[test]
fn a_short_look_leaves_what_a_call_needs() {
    let view = catalog(2, 50, 10);
    let results = results(&view, &[&[0]], &view.catalog.tools()[1..]);
    let hits = Hits::new(&results, Look::SIGNATURES);
    let expected = json!({
        "name": "tool_0",
        "readOnly": false,
        "call": "call_write_tool",
        "signature": "tool_0(a?: string)",
    });
    assert_eq!(shown(&hits)[0], [expected]);
    assert!(!hits.pinned_json()[0].get().contains("description"));
}
