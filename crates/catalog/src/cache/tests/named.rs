use std::collections::HashMap;

use super::*;
use crate::access::{ToolAccess, ToolPattern, WriteTools};
use crate::named::NamedIn;

fn patterns(texts: &[&str]) -> Vec<ToolPattern> {
    let read = texts.iter().map(|text| ToolPattern::parse(text).unwrap());
    read.collect()
}

fn writing(texts: &[&str]) -> NamedTools {
    NamedTools {
        write_tools: WriteTools(patterns(texts)),
        ..NamedTools::default()
    }
}

fn reading(names: &[&str]) -> Answer {
    let tool = |name: &&str| {
        let text = format!(
            r#"{{"name":"{name}","inputSchema":{{}},"annotations":{{"readOnlyHint":true}}}}"#
        );
        RawValue::from_string(text).unwrap()
    };
    answers(Ok(Listing {
        tools: names.iter().map(tool).collect(),
        ..listing(&[])
    }))
}

fn writes(view: &CatalogView) -> Vec<&str> {
    let tools = view.catalog.tools().iter();
    tools
        .filter(|tool| tool.access() == ToolAccess::Write)
        .map(|tool| tool.name())
        .collect()
}

fn pinned(view: &CatalogView) -> Vec<&str> {
    let tools = view.catalog.pinned().iter();
    tools.map(|tool| tool.name()).collect()
}

#[tokio::test(start_paused = true)]
async fn other_lists_hold_at_once_for_catalogs_that_are_held() {
    let rig = Rig::new(|_, _| reading(&["a", "b"]));
    let alice = caller("alice");
    let before = rig.get(&alice).await.unwrap();
    assert_eq!(writes(&before), [""; 0]);
    rig.catalogs.name_tools(NamedTools {
        pins: patterns(&["b"]),
        templates: vec![
            ("one".to_owned(), patterns(&["a", "c_*"])),
            ("other".to_owned(), patterns(&["c_*", "b"])),
        ],
        ..writing(&["a", "gone"])
    });
    let after = rig.catalogs.peek(&alice.key).unwrap();
    assert_eq!((writes(&after), pinned(&after)), (vec!["a"], vec!["b"]));
    assert_eq!(after.catalog.notes().unmatched_write_patterns, 1);
    assert_eq!(after.catalog.missing_from_templates(), 2);
    assert_eq!(writes(&before), [""; 0], "a request keeps its snapshot");
    rig.catalogs.name_tools(NamedTools::default());
    assert_eq!(writes(&rig.catalogs.peek(&alice.key).unwrap()), [""; 0]);
    assert_eq!(rig.listings(), 1);
}

#[tokio::test(start_paused = true)]
async fn other_lists_hold_for_a_listing_that_was_under_way() {
    let rig = Rig::new(|_, _| reading(&["a", "b"]));
    let alice = caller("alice");
    let (view, ()) = tokio::join!(rig.get(&alice), async {
        pass(Duration::from_millis(50)).await;
        rig.catalogs.name_tools(writing(&["b"]));
    });
    assert_eq!(writes(&view.unwrap()), ["b"]);
    assert_eq!(writes(&rig.catalogs.peek(&alice.key).unwrap()), ["b"]);
}

#[tokio::test(start_paused = true)]
async fn under_the_lock_no_catalog_is_made() {
    let rig = Rig::new(|_, _| reading(&["a"]));
    let alice = caller("alice");
    let before = rig.get(&alice).await.unwrap().catalog;
    let named = Arc::new(writing(&["a"]));
    let behind = rig
        .catalogs
        .shared
        .lock()
        .name_tools(&named, &HashMap::new());
    let behind = behind.unwrap_err();
    assert!(Arc::ptr_eq(&behind[0].1, &before) && behind.len() == 1);
    let still = rig.catalogs.peek(&alice.key).unwrap().catalog;
    assert!(Arc::ptr_eq(&still, &before), "nothing has changed");
}

#[tokio::test(start_paused = true)]
async fn a_tool_under_other_lists_is_no_copy() {
    let rig = Rig::new(|_, _| reading(&["a"]));
    let alice = caller("alice");
    let before = rig.get(&alice).await.unwrap().catalog;
    rig.catalogs.name_tools(writing(&["a"]));
    let after = rig.catalogs.peek(&alice.key).unwrap().catalog;
    let (before, after) = (before.get("a").unwrap(), after.get("a").unwrap());
    assert_ne!(before.access(), after.access());
    assert!(std::ptr::eq(before.raw(), after.raw()));
}

#[tokio::test(start_paused = true)]
async fn names_are_reported_until_some_caller_has_them() {
    let rig = Rig::new(|number, _| lists(if number == 1 { &["a"] } else { &["b_1"] }));
    rig.catalogs.name_tools(NamedTools {
        templates: vec![("t".to_owned(), patterns(&["a", "b_*", "c"]))],
        ..NamedTools::default()
    });
    let unmatched = || {
        let status = rig.catalogs.status();
        let names = status.unmatched.into_iter();
        let template = NamedIn::Template("t".to_owned());
        names
            .inspect(|name| assert_eq!(name.place, template))
            .map(|name| name.pattern.to_string())
            .collect::<Vec<_>>()
    };
    assert_eq!(unmatched(), [""; 0], "nothing is known before a listing");
    rig.get(&caller("alice")).await.unwrap();
    assert_eq!(unmatched(), ["b_*", "c"]);
    rig.get(&caller("bob")).await.unwrap();
    assert_eq!(unmatched(), ["c"]);
}
