//! When nothing fits, and when little does, by words alone.

use ranking::Confidence;

use crate::{by_words, named, tool};

/// The names and confidences of the hits for `query` over a small catalog.
fn search(query: &str) -> Vec<(String, Confidence)> {
    let tools = [
        tool(
            "create_incident",
            "Creates an incident and emails the people on call.",
        ),
        tool("list_incidents", "Lists incidents by state and team."),
        tool("create_invoice", "Creates an invoice for a customer."),
        tool("list_invoices", "Lists invoices by customer and due date."),
        tool("get_customer", "Gets a customer with address and contacts."),
        tool("create_shift", "Creates a shift for a person at a place."),
        tool("list_shifts", "Lists shifts by week and person."),
        tool(
            "read_calendar",
            "Reads the events of a calendar between two dates.",
        ),
    ];
    let hits = by_words(&tools).search(query, 5).hits;
    let names = named(&tools, &hits);
    names
        .iter()
        .zip(&hits)
        .map(|(name, hit)| ((*name).to_owned(), hit.confidence))
        .collect()
}

#[test]
fn what_shares_the_needed_words_is_firm() {
    for (query, expected) in [
        ("create an invoice for a customer", "create_invoice"),
        ("which shifts are there next week", "list_shifts"),
        ("show me the calendar", "read_calendar"),
        ("customer address", "get_customer"),
    ] {
        let hits = search(query);
        assert_eq!(
            hits.first(),
            Some(&(expected.to_owned(), Confidence::Firm)),
            "{query}"
        );
    }
}

#[test]
fn what_shares_one_common_word_of_many_is_weak() {
    for query in [
        "book a dentist for my daughter next tuesday at a quarter past four",
        "create a playlist with calm guitar music for cooking",
        "order a pizza with mushrooms to the office by noon",
    ] {
        let firm = search(query)
            .into_iter()
            .find(|(_, c)| *c == Confidence::Firm);
        assert_eq!(firm, None, "{query}");
    }
}

#[test]
fn what_shares_only_function_words_is_left_out() {
    for query in [
        "play some calm music by the sea",
        "translate this to French and German",
    ] {
        assert_eq!(search(query), [], "{query}");
    }
}

#[test]
fn function_words_alone_find_something_doubtful() {
    let hits = search("by and for the");
    assert!(!hits.is_empty());
    assert!(
        hits.iter()
            .all(|(_, confidence)| *confidence == Confidence::Weak)
    );
}
