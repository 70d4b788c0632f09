use super::{Query, SURFACE};
use crate::Document;
use crate::analyze::fold;
use crate::lexical::LexicalIndex;

/// What `word` is in a query.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Part {
    /// It weighs as any other.
    Content,
    /// It weighs next to nothing, and the documents needn't know it.
    Grammar,
    /// It weighs nothing, and shows that the documents are in another language.
    Foreign,
}

/// The part of `word` in `query`, where `documents` are described so and have the word besides.
#[track_caller]
fn check(documents: &[&str], query: &str, word: &str, expected: Part) {
    let documents: Vec<Document<'_>> = documents
        .iter()
        .map(|description| Document {
            name: word,
            description,
            ..Document::default()
        })
        .collect();
    let index = LexicalIndex::build(&documents);

    let compiled = Query::new(query, &index);

    let position = query
        .split(' ')
        .position(|part| fold(part) == word)
        .unwrap_or(usize::MAX);
    let needed = &compiled.needed[position];
    let part = match needed.clauses[..] {
        [] => Part::Foreign,
        [clause, ..] if clause.weight < SURFACE => Part::Grammar,
        _ => Part::Content,
    };
    assert_eq!(part, expected, "{word:?} in {query:?}");
    assert_eq!(needed.information == 0.0, part == Part::Grammar);
}

const ENGLISH: &[&str] = &["Creates an invoice for the customer."];
const GERMAN: &[&str] = &["Erstellt eine Rechnung für den Kunden."];

#[test]
fn only_the_querys_language_takes_a_words_weight() {
    for word in ["die", "list", "per", "der"] {
        check(ENGLISH, &format!("{word} customer"), word, Part::Content);
    }
    check(ENGLISH, "roll a die for me", "die", Part::Content);
    check(ENGLISH, "list of orders per day", "per", Part::Content);
    check(ENGLISH, "do what is on the list", "do", Part::Grammar);
    check(ENGLISH, "do what is on the list", "on", Part::Grammar);
    check(ENGLISH, "do what is on the list", "list", Part::Content);
    check(GERMAN, "list was ist auf der on", "list", Part::Content);
    check(GERMAN, "list was ist auf der on", "on", Part::Content);
    check(GERMAN, "die Rechnung", "die", Part::Grammar);
}

#[test]
fn function_words_of_a_language_that_no_tool_has_show_that() {
    check(
        ENGLISH,
        "zeige die Rechnung für den Kunden",
        "die",
        Part::Foreign,
    );
    check(
        ENGLISH,
        "lista faktur do wysłania dla klienta",
        "do",
        Part::Foreign,
    );
    check(
        ENGLISH,
        "quante fatture ci sono per cliente",
        "per",
        Part::Foreign,
    );
    check(GERMAN, "list the orders on it", "on", Part::Grammar);
    let mixed = [ENGLISH, GERMAN].concat();
    check(
        &mixed,
        "zeige die Rechnung für den Kunden",
        "die",
        Part::Grammar,
    );
    check(&mixed, "list the orders on it", "on", Part::Grammar);
}
