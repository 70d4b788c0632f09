use std::collections::HashSet;

use wire::{Hint, ToolView};

use super::*;

fn company_views() -> Vec<ToolView<'static>> {
    let views = company().tools.iter().map(|tool| {
        let (view, repairs) = ToolView::read(tool).unwrap();
        assert!(repairs.is_empty(), "{}: {repairs:?}", view.name);
        view
    });
    views.collect()
}

#[test]
fn the_company_has_five_hundred_tools_of_many_services() {
    let views = company_views();
    let names: HashSet<_> = views.iter().map(|view| view.name.as_ref()).collect();
    let services: HashSet<_> = names
        .iter()
        .filter_map(|name| name.split_once("__"))
        .map(|(service, _)| service)
        .collect();
    assert_eq!((views.len(), names.len(), services.len()), (500, 500, 35));
}

#[test]
fn about_three_in_five_are_reads() {
    let views = company_views();
    let reads = views.iter().filter(|view| view.read_only == Hint::True);
    let percent = reads.count() * 100 / views.len();
    assert!((55..=65).contains(&percent), "{percent} %");
    let deletes = |view: &&ToolView<'_>| view.destructive == Hint::True;
    for view in views.iter().filter(deletes) {
        assert_eq!(view.read_only, Hint::False, "{}", view.name);
    }
}

#[test]
fn every_tool_reads_well() {
    for view in company_views() {
        let name = view.name.as_ref();
        let description = view.description.unwrap();
        assert!(name.len() <= 64, "{name}");
        let plain = |byte: u8| byte.is_ascii_lowercase() || byte == b'_';
        assert!(name.bytes().all(plain), "{name}");
        assert!((20..=600).contains(&description.chars().count()), "{name}");
        assert!(description.ends_with('.'), "{name}");
        assert!(view.title.is_some(), "{name}");
        let schema: Value = serde_json::from_str(view.input_schema.unwrap().get()).unwrap();
        assert_eq!(schema["type"], "object", "{name}");
        for (key, property) in schema["properties"].as_object().unwrap() {
            assert!(property["description"].is_string(), "{name}.{key}");
        }
    }
}

#[test]
fn tools_that_descriptions_name_exist() {
    let views = company_views();
    let names: HashSet<_> = views.iter().map(|view| view.name.as_ref()).collect();
    let text = include_str!("../../data/company.txt");
    let words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    let mentions: Vec<_> = words.filter(|word| word.contains("__")).collect();
    assert!(mentions.len() > 10);
    for mention in mentions {
        assert!(names.contains(mention), "{mention}");
    }
}

#[test]
fn a_tool_is_expanded() {
    let text = "\
param limit?: integer 1..9 = 3  How many.
record ticket
  key: text
service tickets
delete drop_ticket  Drop a ticket
  Drops it for good.
  limit
  key: text
  returns ticket[]
";
    let catalog = Catalog::read(text).unwrap();
    let tool: Value = serde_json::from_str(catalog.tools[0].get()).unwrap();
    assert_eq!(
        tool,
        json!({
            "name": "tickets__drop_ticket",
            "title": "Drop a ticket",
            "description": "Drops it for good.",
            "inputSchema": {
                "type": "object",
                "properties": {
                    "limit": {"type": "integer", "description": "How many.", "minimum": 1, "maximum": 9, "default": 3},
                    "key": {"type": "string"},
                },
                "required": ["key"],
                "additionalProperties": false,
            },
            "outputSchema": {
                "type": "object",
                "properties": {
                    "total": {"type": "integer", "description": "How many there are in all."},
                    "items": {"type": "array", "items": {
                        "type": "object",
                        "properties": {"key": {"type": "string"}},
                        "required": ["key"],
                        "additionalProperties": false,
                    }},
                },
                "required": ["total", "items"],
            },
            "annotations": {
                "title": "Drop a ticket",
                "readOnlyHint": false,
                "destructiveHint": true,
                "idempotentHint": true,
            },
        })
    );
}

#[test]
fn what_cannot_be_read_names_its_line() {
    for (text, line) in [
        ("nonsense", 1),
        ("tool a  A\n  Text.", 1),
        ("service a\nread b\n  Text.", 2),
        ("service a\nread b  B", 2),
        ("service a\nread b  B\n  Text.\n  limit", 4),
        ("service a\nread b  B\n  Text.\n  returns nothing", 4),
        ("record a\n  b: float", 2),
        (
            "record r\n  m: text\nread b  B\n  Text.\n  returns r with n = 1",
            5,
        ),
    ] {
        assert_eq!(Catalog::read(text).unwrap_err().line, line, "{text:?}");
    }
}
