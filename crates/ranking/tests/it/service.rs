//! Vectors that are made elsewhere and put in.

use proptest::prelude::*;
use ranking::{Confidence, Document, Embedder, Index, Mode, Ranking, Vector, VectorCache, Wanted};

use crate::{by_words, named, tool};

const TOOLS: [&str; 6] = ["mail", "invoice", "weather", "calendar", "server", "file"];

fn cache() -> VectorCache {
    VectorCache::new(Embedder::Service {
        dimensions: TOOLS.len(),
    })
}

fn tools() -> Vec<Document<'static>> {
    TOOLS.iter().map(|name| tool(name, "")).collect()
}

/// Each tool's text on an axis of its own, all of them `near` one another.
fn vector(text: &str, near: f32) -> Option<Vector> {
    let axis = |name: &&str| near + f32::from(u8::from(text == *name));
    Vector::from_sum(TOOLS.iter().map(axis).collect())
}

fn fill(wanted: Vec<Wanted>, near: f32) {
    for tool in wanted {
        let vectors: Vec<_> = tool.texts().map(|text| vector(text, near)).collect();
        tool.fill(vectors);
    }
}

fn search(index: &Index, query: &str, vector: Option<&Vector>) -> Ranking {
    index.search_with(query, vector, TOOLS.len())
}

#[test]
fn until_the_vectors_are_there_words_alone_are_searched() {
    let (tools, cache) = (tools(), cache());
    let index = Index::build(&tools, &cache);
    let meant = vector("weather", 0.0);
    assert_eq!(index.mode(), Mode::Words);
    let found = search(&index, "sky over us", meant.as_ref());
    assert_eq!((found.mode, found.hits), (Mode::Words, Vec::new()));
    assert_eq!(cache.waiting(), TOOLS.len());
    fill(cache.wanted(usize::MAX), 0.0);
    assert_eq!((index.mode(), cache.waiting()), (Mode::Hybrid, 0));
    let found = search(&index, "sky over us", meant.as_ref());
    assert_eq!(found.mode, Mode::Hybrid);
    assert_eq!(named(&tools, &found.hits)[0], "weather");
    assert_eq!(found.hits[0].confidence, Confidence::Firm);
}

#[test]
fn a_query_without_a_vector_is_searched_by_words() {
    let (tools, cache) = (tools(), cache());
    let index = Index::build(&tools, &cache);
    fill(cache.wanted(usize::MAX), 0.0);
    let found = search(&index, "send mail", None);
    assert_eq!(found.mode, Mode::Words);
    assert_eq!(found, by_words(&tools).search("send mail", TOOLS.len()));
}

#[test]
fn what_is_near_shows_beside_the_other_tools_however_near_all_are() {
    for near in [0.0, 0.3, 1.0, 3.0] {
        let (tools, cache) = (tools(), cache());
        let index = Index::build(&tools, &cache);
        fill(cache.wanted(usize::MAX), near);
        let meant = vector("weather", near);
        let found = search(&index, "sky over us", meant.as_ref());
        assert_eq!(named(&tools, &found.hits)[0], "weather", "{near}");
        let firm = found
            .hits
            .iter()
            .filter(|hit| hit.confidence == Confidence::Firm);
        assert_eq!(firm.count(), 1, "{near}: {:?}", found.hits);
    }
}

#[test]
fn a_list_of_one_or_two_tools_is_searched_too() {
    for count in 1..3 {
        let (tools, cache) = (tools(), cache());
        let tools = &tools[..count];
        let index = Index::build(tools, &cache);
        fill(cache.wanted(usize::MAX), 0.5);
        let meant = vector("mail", 0.5);
        let found = search(&index, "sky over us", meant.as_ref());
        assert_eq!(named(tools, &found.hits)[0], "mail");
        assert_eq!(found.hits.len(), count);
    }
}

#[test]
fn few_tools_without_vectors_are_found_by_their_words() {
    let names = "apple bridge cloud desk engine forest glass hammer island jacket kitchen lemon mirror \
                 needle orange pencil quarry river violin window";
    let many: Vec<Document<'_>> = names.split(' ').map(|name| tool(name, "")).collect();
    let cache = cache();
    let index = Index::build(&many, &cache);
    let mut wanted = cache.wanted(usize::MAX);
    cache.put_back(wanted.split_off(17));
    fill(wanted, 1.0);
    assert_eq!((index.mode(), cache.waiting()), (Mode::Words, 3));
    fill(cache.wanted(1), 1.0);
    assert_eq!((index.mode(), cache.waiting()), (Mode::Hybrid, 2));
    let meant = vector("mail", 1.0);
    let found = index.search_with("play the violin", meant.as_ref(), 1);
    assert_eq!(named(&many, &found.hits), ["violin"]);
}

#[test]
fn equal_tools_are_wanted_once_and_those_that_are_gone_not_at_all() {
    let (tools, cache) = (tools(), cache());
    let first = Index::build(&tools, &cache);
    let second = Index::build(&tools[..2], &cache);
    assert_eq!(cache.waiting(), TOOLS.len());
    drop(first);
    assert_eq!(cache.waiting(), 2);
    let wanted = cache.wanted(usize::MAX);
    assert_eq!(wanted.len(), 2);
    fill(wanted, 0.0);
    assert_eq!(second.mode(), Mode::Hybrid);
    assert!(second.heap_bytes() > 0);
}

#[test]
fn batches_hold_so_many_texts_and_a_tool_is_never_torn() {
    let cache = cache();
    let tools = [
        tool("a", "Does this. And that too."),
        tool("b", ""),
        tool("c", "Does more. And more."),
        tool("d", ""),
    ];
    let index = Index::build(&tools, &cache);
    let mut sizes = Vec::new();
    loop {
        let wanted = cache.wanted(2);
        if wanted.is_empty() {
            break;
        }
        sizes.push(wanted.iter().map(|tool| tool.texts().len()).sum::<usize>());
    }
    assert_eq!(sizes, [3, 1, 3, 1]);
    assert_eq!(index.mode(), Mode::Words);
}

proptest! {
    #[test]
    fn no_vector_of_a_service_makes_an_order_unsure(
        rows in proptest::collection::vec(proptest::collection::vec(-1.0_f32..1.0, 4), 1..12),
        query in proptest::collection::vec(-1.0_f32..1.0, 4),
    ) {
        let names: Vec<String> = (0..rows.len()).map(|number| format!("t{number}")).collect();
        let tools: Vec<Document<'_>> = names.iter().map(|name| tool(name, "")).collect();
        let cache = VectorCache::new(Embedder::Service { dimensions: 4 });
        let index = Index::build(&tools, &cache);
        for (tool, row) in cache.wanted(usize::MAX).into_iter().zip(&rows) {
            tool.fill([Vector::from_sum(row.clone())]);
        }
        let vector = Vector::from_sum(query);
        let whole = index.search_with("sky over us", vector.as_ref(), rows.len()).hits;
        for hit in &whole {
            prop_assert!(hit.score.0.is_finite() && hit.score.0 > 0.0);
        }
        prop_assert!(whole.is_sorted_by(|a, b| a.score >= b.score));
        let first = index.search_with("sky over us", vector.as_ref(), 1).hits;
        prop_assert_eq!(&first[..], &whole[..first.len()]);
    }
}
