//! Over a folder of real tool dumps, named by `TOOLSEARCH_TEST_DUMPS`; skipped without it.

use std::collections::BTreeMap;
use std::path::Path;

use ranking::Document;
use serde_json::Value;

use crate::{both, named};

#[test]
fn real_tools_are_found_by_name_and_by_first_sentence() {
    let Some(folder) = std::env::var_os("TOOLSEARCH_TEST_DUMPS") else {
        println!("skipped: TOOLSEARCH_TEST_DUMPS names no folder of dumps");
        return;
    };
    let tools = read_dumps(Path::new(&folder));
    assert!(!tools.is_empty());
    let documents: Vec<Document<'_>> = tools
        .iter()
        .map(|(name, description)| Document {
            name,
            description,
            ..Document::default()
        })
        .collect();
    // Comparing vectors takes long where the compiler was told not to optimise.
    for (index, step) in both(&documents).into_iter().zip([1, 200]) {
        let mut lost = Vec::new();
        for (name, description) in tools.iter().step_by(step) {
            assert_eq!(named(&documents, &index.search(name, 1).hits), [name]);
            let sentence = description.split_inclusive(". ").next().unwrap_or_default();
            let twins = tools
                .values()
                .filter(|other| other.starts_with(sentence))
                .count();
            let hits = index.search(sentence, 10).hits;
            let is_found = named(&documents, &hits).contains(&name.as_str());
            if twins <= 10 && !sentence.is_empty() && !is_found {
                lost.push((name, sentence));
            }
        }
        // A few first sentences are headings, or say the same of many siblings.
        assert!(
            lost.len() * 200 < tools.len() / step,
            "{} of {}: {lost:#?}",
            lost.len(),
            tools.len() / step
        );
    }
}

/// Descriptions by name; names are prefixed by file name, so that they are unique.
fn read_dumps(folder: &Path) -> BTreeMap<String, String> {
    let mut tools = BTreeMap::new();
    for entry in fs_err::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let server = path.file_stem().unwrap().to_string_lossy().into_owned();
        if path.extension().is_none_or(|extension| extension != "json") {
            continue;
        }
        let dump: Value = serde_json::from_str(&fs_err::read_to_string(&path).unwrap()).unwrap();
        for tool in dump["tools"].as_array().unwrap() {
            let text = |member: &str| tool[member].as_str().unwrap_or_default();
            let name = format!("{server}__{}", text("name"));
            tools.insert(name, text("description").to_owned());
        }
    }
    tools
}
