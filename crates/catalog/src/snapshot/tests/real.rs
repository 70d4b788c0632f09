//! Runs over real listings, where `TOOLSEARCH_TEST_DUMPS` names a folder of them.

use std::collections::HashMap;
use std::path::PathBuf;

use super::*;
use crate::dump::read_dump;

/// The folder, or `None` with a word on why nothing is tested.
fn dumps() -> Option<PathBuf> {
    let folder = std::env::var_os("TOOLSEARCH_TEST_DUMPS");
    if folder.is_none() {
        println!("skipped: TOOLSEARCH_TEST_DUMPS names no folder of dumps");
    }
    folder.map(PathBuf::from)
}

/// Where the parts of an entry stand in its text, found without the code under test.
fn part<'a>(entry: &'a RawValue, key: &str) -> Option<&'a str> {
    let members: HashMap<String, &RawValue> = serde_json::from_str(entry.get()).unwrap();
    members.get(key).map(|value| value.get())
}

fn build(entries: Vec<Box<RawValue>>, embedder: Embedder) -> Catalog {
    Catalog::build(
        entries,
        Handshake::default(),
        &WriteTools::default(),
        &VectorCache::new(embedder),
    )
}

#[test]
fn real_tools_stay_as_listed() {
    let Some(folder) = dumps() else { return };
    let entries = read_dump(&folder).unwrap();
    let mut first_of: HashMap<String, Box<RawValue>> = HashMap::new();
    for entry in &entries {
        let name = part(entry, "name").unwrap();
        let name: String = serde_json::from_str(name).unwrap();
        first_of.entry(name).or_insert_with(|| entry.clone());
    }
    let start = std::time::Instant::now();
    let catalog = build(entries, Embedder::Builtin);
    println!(
        "{} tools, {} KiB, built in {:?}: {:?}",
        catalog.len(),
        catalog.heap_bytes() / 1024,
        start.elapsed(),
        catalog.notes()
    );
    assert!(catalog.len() + catalog.notes().app_only >= first_of.len());
    for tool in catalog.tools() {
        let listed = &first_of[tool.name()];
        assert_eq!(tool.raw().get(), listed.get());
        let schema = part(listed, "inputSchema");
        assert_eq!(Some(tool.input_schema().get()), schema, "{}", tool.name());
        let output = part(listed, "outputSchema");
        assert_eq!(tool.output_schema().map(RawValue::get), output);
        assert!(
            tool.signature().chars().count() <= 310,
            "{}",
            tool.signature()
        );
    }
}

#[test]
fn real_tools_are_found_by_their_names() {
    let Some(folder) = dumps() else { return };
    let entries = read_dump(&folder).unwrap();
    // Names come before meanings, which take long where nothing is optimised.
    let catalog = build(entries, Embedder::None);
    let lost: Vec<_> = catalog
        .tools()
        .iter()
        .map(|tool| tool.name())
        .filter(|name| {
            let found = catalog.search(name, 1).found;
            found.first().is_none_or(|found| found.tool.name() != *name)
        })
        .collect();
    assert!(lost.is_empty(), "{} tools: {lost:?}", lost.len());
}

#[test]
fn real_schemas_compile_or_are_counted() {
    let Some(folder) = dumps() else { return };
    let mut counts: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for tool in read_tools(read_dump(&folder).unwrap(), &WriteTools::default()) {
        let reason = crate::arguments::Checker::compile(tool.input_schema()).unchecked();
        let outcome = reason.map_or_else(|| "checked".to_owned(), |reason| format!("{reason:?}"));
        counts
            .entry(outcome)
            .or_default()
            .push(tool.name().to_owned());
    }
    for (outcome, tools) in &counts {
        println!(
            "{outcome}: {} such as {:?}",
            tools.len(),
            tools.iter().take(12).collect::<Vec<_>>()
        );
    }
    let checked = counts.get("checked").map_or(0, Vec::len);
    let all: usize = counts.values().map(Vec::len).sum();
    assert!(checked * 100 >= all * 99, "{checked} of {all}");
}
