use catalog::WriteTools;
use ranking::{Embedder, VectorCache};
use serde_json::json;
use upstream::Handshake;
use wire::to_raw;

use super::*;

fn catalog(names: &[String], instructions: Option<&str>) -> Catalog {
    let entries = names
        .iter()
        .map(|name| to_raw(&json!({"name": name, "inputSchema": {}})));
    let handshake = Handshake {
        instructions: instructions.map(str::to_owned),
        ..Handshake::default()
    };
    Catalog::build(
        entries.collect(),
        handshake,
        &WriteTools::default(),
        &VectorCache::new(Embedder::None),
    )
}

fn names(servers: usize, each: usize) -> Vec<String> {
    let tool = |number: usize| format!("server{}_does_{number}", number % servers);
    (0..servers * each).map(tool).collect()
}

#[test]
fn the_guidance_reads_as_written() {
    let text = instructions(Some(&catalog(&names(3, 4), None)), 10_000);
    insta::assert_snapshot!(text);
    insta::assert_snapshot!(instructions(None, 10_000));
}

#[test]
fn the_first_500_characters_tell_what_matters() {
    let text = instructions(Some(&catalog(&names(40, 3), None)), 10_000);
    let start: String = text.chars().take(500).collect();
    for part in ["120 more tools", "search_tools", "server", ", and more."] {
        assert!(start.contains(part), "{part}: {start}");
    }
}

#[test]
fn the_count_is_said_as_it_is() {
    for (count, start) in [
        (
            0,
            "The upstream, the server behind this one, lists no tools for this user at present. Before",
        ),
        (1, "Behind this server is 1 more tool than it lists. Before"),
        (
            2,
            "Behind this server are 2 more tools than it lists. Before",
        ),
    ] {
        let text = instructions(Some(&catalog(&names(1, count), None)), 10_000);
        assert!(text.starts_with(start), "{text}");
    }
}

#[test]
fn the_guidance_stays_within_900_characters() {
    for servers in [1, 2, 40, 400] {
        let text = instructions(Some(&catalog(&names(servers, 3), None)), 10_000);
        assert!(
            text.chars().count() <= 900,
            "{servers} servers: {}",
            text.chars().count()
        );
    }
}

#[test]
fn upstream_text_follows_unchanged_or_says_that_it_is_cut() {
    let check = |upstream: &str, max_chars: usize, expected: Option<&str>| {
        let text = instructions(Some(&catalog(&names(1, 3), Some(upstream))), max_chars);
        match expected {
            Some(expected) => assert!(text.ends_with(expected), "{text}"),
            None => assert!(!text.contains(UPSTREAM_HEADING), "{text}"),
        }
    };
    check(
        "Use ISO dates.\n- ąčę",
        100,
        Some(":\n\nUse ISO dates.\n- ąčę"),
    );
    check(
        "ąčęėį",
        3,
        Some(":\n\nąčę\n\n[Cut here: 3 of 5 characters are shown.]"),
    );
    check("anything", 0, None);
    check("  ", 100, None);
}
