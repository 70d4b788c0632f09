mod bytes;
mod real;

use ranking::Embedder;
use wire::{Era, ToolRepair, ToolSkip};

use super::*;
use crate::access::{ToolAccess, ToolPattern};

fn raw(text: &str) -> Box<RawValue> {
    RawValue::from_string(text.to_owned()).unwrap()
}

pub(crate) fn catalog(entries: &[&str]) -> Catalog {
    catalog_with(entries, &[])
}

fn catalog_with(entries: &[&str], write_tools: &[&str]) -> Catalog {
    let patterns = write_tools
        .iter()
        .map(|text| ToolPattern::parse(text).unwrap());
    let named = NamedTools {
        write_tools: WriteTools(patterns.collect()),
        ..NamedTools::default()
    };
    let catalog = Catalog::build(
        entries.iter().map(|entry| raw(entry)).collect(),
        Handshake::default(),
        &named.write_tools,
        &VectorCache::new(Embedder::None),
    );
    catalog.naming(&named)
}

/// A catalog that is searched by meaning too.
fn hybrid(entries: &[&str]) -> Catalog {
    Catalog::build(
        entries.iter().map(|entry| raw(entry)).collect(),
        Handshake::default(),
        &WriteTools::default(),
        &VectorCache::new(Embedder::Builtin),
    )
}

fn names(catalog: &Catalog) -> Vec<&str> {
    catalog.tools().iter().map(|tool| tool.name()).collect()
}

#[test]
fn one_malformed_tool_never_sinks_the_list() {
    let catalog = catalog(&[
        r#"{"name":"good","description":"ok","inputSchema":{"type":"object"}}"#,
        r#"{"name":"bare"}"#,
        r#"{"name":"nul","description":null,"inputSchema":null,"annotations":null}"#,
        r#"{"description":"no name","inputSchema":{"type":"object"}}"#,
        "7",
        r#"{"name":"app","inputSchema":{},"_meta":{"ui":{"visibility":["app"]}}}"#,
    ]);
    assert_eq!(names(&catalog), ["good", "bare", "nul"]);
    let bare = catalog.get("bare").unwrap();
    assert_eq!(bare.input_schema().get(), r#"{"type":"object"}"#);
    assert_eq!(bare.access(), ToolAccess::Write);
    let notes = catalog.notes();
    assert_eq!(
        notes.skipped,
        BTreeMap::from([(ToolSkip::NotAnObject, 1), (ToolSkip::NoName, 1)])
    );
    assert_eq!(
        notes.repaired,
        BTreeMap::from([(ToolRepair::InputSchemaMissing, 2)])
    );
    assert_eq!((notes.left_out(), notes.app_only), (2, 1));
}

#[test]
fn a_name_listed_twice_is_one_tool_and_a_write() {
    let read = r#"{"name":"send_mail","inputSchema":{},"annotations":{"readOnlyHint":true}}"#;
    let twin = r#"{"name":"send_mail","inputSchema":{}}"#;
    let other = r#"{"name":"send_mail","inputSchema":{"required":["to"]}}"#;
    for (entries, access, schemas_differ, conflicts) in [
        (vec![read, read, read], ToolAccess::Read, false, 0),
        (vec![read, twin], ToolAccess::Write, false, 1),
        (vec![read, read, other, twin], ToolAccess::Write, true, 1),
    ] {
        let catalog = catalog(&entries);
        let tool = catalog.get("send_mail").unwrap();
        assert_eq!(names(&catalog), ["send_mail"]);
        assert_eq!(tool.raw().get(), read);
        assert_eq!(tool.access(), access, "{entries:?}");
        assert_eq!(tool.schemas_differ(), schemas_differ, "{entries:?}");
        assert_eq!(catalog.notes().conflicting_names, conflicts, "{entries:?}");
    }
}

#[test]
fn hints_and_the_operators_list_decide_what_reads() {
    let catalog = catalog_with(
        &[
            r#"{"name":"a","inputSchema":{},"annotations":{"readOnlyHint":true}}"#,
            r#"{"name":"b","inputSchema":{},"annotations":{"readOnlyHint":"true"}}"#,
            r#"{"name":"d","inputSchema":{},"annotations":{"readOnlyHint":true,"destructiveHint":true}}"#,
            r#"{"name":"w_e","inputSchema":{},"annotations":{"readOnlyHint":true}}"#,
            r#"{"name":"f","inputSchema":{},"annotations":{"readOnlyHint":false,"readOnlyHint":true}}"#,
        ],
        &["w_*", "gone", "A"],
    );
    let reads: Vec<_> = catalog
        .tools()
        .iter()
        .filter(|tool| tool.access() == ToolAccess::Read)
        .map(|tool| tool.name())
        .collect();
    assert_eq!(reads, ["a"]);
    let notes = catalog.notes();
    assert_eq!(notes.contradictory_hints, 1);
    assert_eq!(notes.unmatched_write_patterns, 2);
    assert_eq!(
        notes.repaired,
        BTreeMap::from([
            (ToolRepair::HintNotBoolean, 1),
            (ToolRepair::HintContradicted, 1)
        ])
    );
}

#[test]
fn tools_that_cannot_be_checked_count_once_they_are_compiled() {
    let catalog = catalog(&[
        r#"{"name":"a","inputSchema":{"type":"array"}}"#,
        r#"{"name":"b","inputSchema":{"type":"float"}}"#,
        r#"{"name":"c","inputSchema":{"$ref":"other.json"}}"#,
        r#"{"name":"d","inputSchema":{"type":"object"}}"#,
    ]);
    assert_eq!(catalog.unchecked(), BTreeMap::new());
    for tool in catalog.tools() {
        tool.checker();
        tool.checker();
    }
    assert_eq!(
        catalog.unchecked(),
        BTreeMap::from([
            (UncheckedReason::SchemaInvalid, 2),
            (UncheckedReason::Reference, 1)
        ])
    );
}

#[test]
fn hidden_characters_are_left_out_of_what_is_shown_and_counted() {
    let catalog = catalog(&[
        "{\"name\":\"a\",\"inputSchema\":{},\"description\":\"in\u{200B}voice\u{E0041}\"}",
        "{\"name\":\"b\",\"inputSchema\":{},\"title\":\"B\u{202E}\"}",
        "{\"name\":\"c\u{200B}\",\"inputSchema\":{}}",
    ]);
    assert_eq!(catalog.get("a").unwrap().description(), "invoice");
    assert_eq!(catalog.get("b").unwrap().title(), Some("B"));
    assert_eq!(catalog.notes().hidden_characters, 2);
    assert!(catalog.get("c\u{200B}").is_some());
    assert!(catalog.get("a").unwrap().raw().get().contains('\u{E0041}'));
    let found = catalog.search("invoice", 1).found;
    assert_eq!(found[0].tool.name(), "a");
}

#[test]
fn odd_names_stay_exact() {
    let odd = [
        "a/b.c:d",
        "файл-найти",
        "名前",
        "x y",
        "a\nb",
        "..",
        " a ",
        "*",
    ];
    let entries: Vec<String> = odd
        .iter()
        .map(|name| serde_json::json!({"name": name, "inputSchema": {}}).to_string())
        .collect();
    let entries: Vec<&str> = entries.iter().map(String::as_str).collect();
    let catalog = catalog(&entries);
    for name in odd {
        assert_eq!(catalog.get(name).unwrap().name(), name);
    }
    assert!(catalog.get("a").is_none());
}

#[test]
fn tools_are_found_by_all_their_texts() {
    let catalog = catalog(&[
        r#"{"name":"crm__q1","title":"Zebra","description":"Okapi","inputSchema":{"type":"object","properties":{
            "quokka":{"type":"string","description":"Axolotl"},
            "mode":{"type":"string","enum":["tapir"]},
            "list":{"type":"array","items":{"type":"object","properties":{"narwhal":{"type":"string"}}}}}}}"#,
        r##"{"name":"crm__q2","inputSchema":{"type":"object","properties":{"root":{"$ref":"#/$defs/node"}},
            "$defs":{"node":{"type":"object","properties":{"pangolin":{"type":"string"},
            "child":{"$ref":"#/$defs/node"}}}}}}"##,
    ]);
    for (query, expected) in [
        ("zebra", "crm__q1"),
        ("okapi", "crm__q1"),
        ("quokka", "crm__q1"),
        ("axolotl", "crm__q1"),
        ("tapir", "crm__q1"),
        ("narwhal", "crm__q1"),
        ("pangolin", "crm__q2"),
    ] {
        let found = catalog.search(query, 2).found;
        let first = found.first().map(|found| found.tool.name());
        assert_eq!(first, Some(expected), "{query}");
    }
}

#[test]
fn near_names_are_tools() {
    let catalog = catalog(&[r#"{"name":"create_issue"}"#, r#"{"name":"delete_page"}"#]);
    let near = catalog.near("mcp__tracker__Create-Issue", 5);
    let near: Vec<_> = near.iter().map(|tool| tool.name()).collect();
    assert_eq!(near, ["create_issue"]);
}

#[test]
fn invalid_header_annotations_cost_a_modern_upstreams_tool() {
    let entries = [
        r#"{"name":"good","inputSchema":{"properties":{"region":{"type":"string","x-mcp-header":"Region"}}}}"#,
        r#"{"name":"bad","inputSchema":{"properties":{"region":{"type":"array","x-mcp-header":"Region"}}}}"#,
    ];
    for (era, expected, invalid) in [
        (Era::Modern, vec!["good"], 1),
        (Era::Legacy, vec!["good", "bad"], 0),
    ] {
        let handshake = Handshake {
            era,
            ..Handshake::default()
        };
        let entries = entries.iter().map(|entry| raw(entry)).collect();
        let vectors = VectorCache::new(Embedder::None);
        let catalog = Catalog::build(entries, handshake, &WriteTools::default(), &vectors);
        assert_eq!(names(&catalog), expected);
        assert_eq!(catalog.notes().invalid_param_headers, invalid);
        if let Some(bad) = catalog.get("bad") {
            assert_eq!(bad.param_headers(&raw(r#"{"region":"a"}"#)), []);
        }
    }
}

#[test]
fn tools_are_found_by_meaning_where_there_is_a_model() {
    let entries = [
        r#"{"name":"delete_file","description":"Removes a file."}"#,
        r#"{"name":"forecast","description":"Tells the weather."}"#,
    ];
    let with_model = hybrid(&entries);
    assert_eq!(with_model.mode(), Mode::Hybrid);
    let found = with_model.search("ištrink failą", 1).found;
    assert_eq!(found[0].tool.name(), "delete_file");

    let without = catalog(&entries);
    assert_eq!(without.mode(), Mode::Words);
    assert!(without.search("ištrink failą", 1).found.is_empty());
    assert!(without.heap_bytes() < with_model.heap_bytes());
}
