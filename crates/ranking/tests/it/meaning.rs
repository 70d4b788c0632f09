//! What is found by meaning, and when it counts.

use ranking::{Confidence, Document, Embedder, Index, Mode, Parameter, VectorCache};

use crate::{by_words, hybrid, named, tool};

fn tools() -> [Document<'static>; 8] {
    [
        tool("create_invoice", "Creates an invoice for a customer."),
        tool("list_invoices", "Lists invoices by customer and due date."),
        tool("send_mail", "Sends an e-mail with attachments."),
        tool("delete_file", "Removes a file for good."),
        tool("read_calendar", "Reads the events of a calendar."),
        tool("restart_server", "Restarts a virtual machine."),
        tool("translate_text", "Translates a text to another language."),
        tool("get_weather", "Tells the weather forecast of a place."),
    ]
}

#[track_caller]
fn check(query: &str, expected: &str) {
    let tools = tools();
    let hits = hybrid(&tools).search(query, 3).hits;
    assert_eq!(named(&tools, &hits)[0], expected, "{query}");
    assert_eq!(hits[0].confidence, Confidence::Firm, "{query}");
}

#[test]
fn other_words_and_other_languages_find_tools() {
    check("erase a document", "delete_file");
    check("reboot the VM", "restart_server");
    check("ištrink failą", "delete_file");
    check("koks rytoj bus oras", "get_weather");
    check("eine E-Mail senden", "send_mail");
    check("日历上有什么活动", "read_calendar");
    check("переведи текст на другой язык", "translate_text");
    check("crear una factura para un cliente", "create_invoice");
}

#[test]
fn words_alone_find_none_of_it() {
    let tools = tools();
    let index = by_words(&tools);
    assert_eq!(index.mode(), Mode::Words);
    assert_eq!(hybrid(&tools).mode(), Mode::Hybrid);
    assert_eq!(index.search("ištrink failą", 5).hits, []);
}

#[test]
fn every_field_but_values_is_heard() {
    let parameters = vec![Parameter {
        name: "temperature",
        description: "How warm it gets",
        ..Parameter::default()
    }];
    let titled = Document {
        name: "x1",
        title: "Invoices",
        ..Document::default()
    };
    let described = tool(
        "x2",
        "Looks up holidays. Then orders flowers for the office.",
    );
    let with_parameters = Document {
        name: "x3",
        parameters,
        ..Document::default()
    };
    let tools = [titled, described, with_parameters];
    for (query, expected) in [
        ("sąskaitos", "x1"),
        ("atostogos", "x2"),
        ("gėlės", "x2"),
        ("temperatūra", "x3"),
    ] {
        let hits = hybrid(&tools).search(query, 1).hits;
        assert_eq!(named(&tools, &hits), [expected], "{query}");
    }
}

#[test]
fn what_no_tool_is_like_finds_nothing_and_what_few_are_is_weak() {
    let tools = tools();
    let index = hybrid(&tools);
    assert_eq!(index.search("xqzvw", 5).hits, []);
    assert_eq!(index.search("trombonas", 5).hits, []);
    let hits = index.search("which chess opening suits me", 5).hits;
    assert!(hits.iter().all(|hit| hit.confidence == Confidence::Weak));
}

#[test]
fn a_query_without_vector_is_searched_by_words() {
    let tools = [tool("a", "Sends 🫠 𓀀𓂀 mail."), tool("b", "Gets an issue.")];
    let index = hybrid(&tools);
    let ranking = index.search("𓀀𓂀", 5);
    assert_eq!(ranking.mode, Mode::Words);
    assert_eq!(ranking, by_words(&tools).search("𓀀𓂀", 5));
    assert_eq!(index.search("mail", 5).mode, Mode::Hybrid);
}

#[test]
fn a_cache_changes_nothing_and_its_tools_may_go() {
    let tools = tools();
    let cache = VectorCache::new(Embedder::Builtin);
    let expected = hybrid(&tools).search("ištrink failą", 5).hits;
    let first = Index::build(&tools, &cache);
    let second = Index::build(&tools, &cache);
    drop(first);
    assert_eq!(second.search("ištrink failą", 5).hits, expected);
    drop(second);
    let third = Index::build(&tools, &cache);
    assert_eq!(third.search("ištrink failą", 5).hits, expected);
}
