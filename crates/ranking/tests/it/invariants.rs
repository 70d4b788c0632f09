//! What holds for any catalog and any query.

use std::collections::BTreeSet;

use proptest::collection::{btree_set, vec};
use proptest::prelude::*;
use proptest::sample::select;
use ranking::{Confidence, Document};

use crate::{both, by_words, hybrid, named, tool};

/// The texts of a made-up tool, owned.
#[derive(Debug, Clone)]
struct Text {
    name: String,
    description: String,
}

fn documents(texts: &[Text]) -> Vec<Document<'_>> {
    texts
        .iter()
        .map(|text| tool(&text.name, &text.description))
        .collect()
}

/// Few words, so that tools share them and scores tie.
fn word() -> impl Strategy<Value = String> {
    select(
        &[
            "get",
            "list",
            "issue",
            "issues",
            "mail",
            "the",
            "a",
            "S3",
            "データ検索",
            "sąskaita",
            "saskaitos",
            "für",
            "durch",
            "Straßen",
            "для",
            "файлов",
            "файл",
        ][..],
    )
    .prop_map(str::to_owned)
}

fn phrase(words: std::ops::Range<usize>) -> impl Strategy<Value = String> {
    vec(word(), words).prop_map(|words| words.join(" "))
}

fn many_part_name() -> impl Strategy<Value = String> {
    let separator = select(&["_", "-", ".", "/", ":", "__"][..]);
    let by_separator = (vec(word(), 2..5), separator).prop_map(|(words, by)| words.join(by));
    let by_case = (1..4usize).prop_map(|parts| format!("send{}", "Mail".repeat(parts)));
    let in_any_script = "[\\p{L}\\p{N}][\\p{L}\\p{M}]{0,3}[_/.:-][\\p{L}\\p{N}]{1,4}";
    prop_oneof![by_separator, by_case, in_any_script]
}

fn name() -> impl Strategy<Value = String> {
    prop_oneof![many_part_name(), word(), "\\PC{1,12}", any::<String>()]
        .prop_filter("a tool has a name", |name| !name.is_empty())
}

fn catalog() -> impl Strategy<Value = Vec<Text>> {
    btree_set(name(), 1..12).prop_flat_map(|names| {
        let descriptions = vec(phrase(0..8), names.len());
        (Just(names), descriptions).prop_map(|(names, descriptions)| {
            let texts = names.into_iter().zip(descriptions);
            texts
                .map(|(name, description)| Text { name, description })
                .collect()
        })
    })
}

fn query() -> impl Strategy<Value = String> {
    prop_oneof![phrase(0..8), any::<String>(), "\\PC{0,60}", "[ !?._-]{0,9}"]
}

proptest! {
    #[test]
    fn every_tool_is_first_by_its_own_name(texts in catalog()) {
        let documents = documents(&texts);
        for index in both(&documents) {
            for text in &texts {
                let hits = index.search(&text.name, 3).hits;
                prop_assert_eq!(named(&documents, &hits)[0], &text.name);
                prop_assert_eq!(hits[0].confidence, Confidence::Firm);
            }
        }
    }

    #[test]
    fn names_of_parts_in_a_query_come_before_all_others(
        texts in catalog(),
        inside in btree_set(many_part_name(), 1..3),
        before in phrase(0..4),
        after in phrase(0..4),
    ) {
        let mut texts = texts;
        texts.retain(|text| !inside.contains(&text.name));
        texts.extend(inside.iter().map(|name| Text {
            name: name.clone(),
            description: String::new(),
        }));
        let documents = documents(&texts);
        let listed = inside.iter().map(String::as_str).collect::<Vec<_>>().join(", ");
        let query = format!("{before} {listed}; {after}");

        for index in both(&documents) {
            let hits = index.search(&query, texts.len()).hits;

            let ranked = named(&documents, &hits);
            let held = ranked.iter().take_while(|name| query.contains(**name)).count();
            let first: BTreeSet<&str> = ranked[..held].iter().copied().collect();
            prop_assert!(inside.iter().all(|name| first.contains(name.as_str())), "{:?}", ranked);
            let longest = inside.iter().map(String::len).max().unwrap_or_default();
            prop_assert!(ranked[0].len() >= longest, "{:?}", ranked);
        }
    }

    #[test]
    fn the_order_of_documents_changes_nothing(
        (texts, shuffled) in catalog().prop_flat_map(|texts| {
            (Just(texts.clone()), Just(texts).prop_shuffle())
        }),
        query in query(),
    ) {
        let ranked = |texts: &[Text]| {
            let documents = documents(texts);
            both(&documents).map(|index| {
                let hits = index.search(&query, 20).hits;
                let names = named(&documents, &hits);
                names
                    .iter()
                    .zip(&hits)
                    .map(|(name, hit)| ((*name).to_owned(), hit.score, hit.confidence))
                    .collect::<Vec<_>>()
            })
        };
        prop_assert_eq!(ranked(&texts), ranked(&shuffled));
    }

    #[test]
    fn fewer_hits_are_the_first_of_more(texts in catalog(), query in query(), limit in 0..14usize) {
        for index in both(&documents(&texts)) {
            let mut all = index.search(&query, usize::MAX).hits;
            all.truncate(limit);
            prop_assert_eq!(index.search(&query, limit).hits, all);
        }
    }

    #[test]
    fn scores_are_finite_positive_and_fall(texts in catalog(), query in query()) {
        for index in both(&documents(&texts)) {
            let hits = index.search(&query, 20).hits;
            prop_assert!(hits.iter().all(|hit| hit.score.0.is_finite() && hit.score.0 > 0.0));
            prop_assert!(hits.is_sorted_by(|a, b| a.score >= b.score));
            let distinct: BTreeSet<_> = hits.iter().map(|hit| hit.document).collect();
            prop_assert_eq!(distinct.len(), hits.len());
        }
    }
}

#[test]
fn nothing_is_found_for_nothing() {
    let tools = [tool("get_issue", "Gets an issue."), tool("解析", "🫠")];
    for index in both(&tools) {
        for query in ["", "   ", "!!!", "🫠🫠", "\0", "\u{200b}", "\u{301}"] {
            assert_eq!(index.search(query, 5).hits, [], "{query:?}");
        }
    }
    assert_eq!(by_words(&tools).search("unheard", 5).hits, []);
    for index in both(&[]) {
        assert_eq!(index.search("issue", 5).hits, []);
    }
}

#[test]
fn a_query_is_read_up_to_2000_characters() {
    let tools = [
        tool("mail", "Sends ąž mail."),
        tool("issue", "Gets an issue."),
    ];
    let filled = |padding: usize| format!("mail {}issue", "ą ".repeat(padding));
    let index = by_words(&tools);
    assert_eq!(named(&tools, &index.search(&filled(990), 5).hits).len(), 2);
    assert_eq!(
        named(&tools, &index.search(&filled(1000), 5).hits),
        ["mail"]
    );
    let index = hybrid(&tools);
    assert_eq!(
        index.search(&filled(1000), 5).hits,
        index.search(&filled(1001), 5).hits
    );
    assert_ne!(
        index.search(&filled(990), 5).hits,
        index.search(&filled(1000), 5).hits
    );
}

#[test]
fn a_longer_name_is_still_found() {
    let name = "very_long".repeat(300);
    let tools = [tool("a", "very long"), tool(&name, "")];
    for index in both(&tools) {
        assert_eq!(named(&tools, &index.search(&name, 1).hits), [name.as_str()]);
    }
}

#[test]
fn the_memory_estimate_grows_with_the_texts() {
    let name = "get_issue".repeat(100);
    let tools = [tool(&name, "Gets an issue."), tool("b", "Sends mail.")];
    let few = by_words(&tools[..1]).heap_bytes();
    assert!(name.len() < few);
    assert!(few < by_words(&tools).heap_bytes());
    assert!(few + 2 * 320 <= hybrid(&tools[..1]).heap_bytes());
}
