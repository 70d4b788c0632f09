//! The words of names and first sentences, each with its vector.

use std::collections::HashMap;
use std::ops::Range;

use embedding::{Model, TokenId, split_identifiers};

use super::fields;
use super::meaning::{Codes, pooled};
use crate::analyze::is_unspaced;
use crate::lexical::information;
use crate::{ALLOCATION, Document};

/// The words of a set of documents.
#[derive(Debug, Default)]
pub(super) struct Words {
    dimensions: usize,
    /// The codes of all words, one word after the other.
    codes: Vec<i8>,
    /// By word.
    entries: Vec<Entry>,
    /// What all documents say, one document after the other.
    said: Vec<WordId>,
    /// By document.
    texts: Vec<Texts>,
}

/// A word's position among those of all documents.
pub(super) type WordId = u32;

/// What is known of a word.
#[derive(Debug, Clone, Copy)]
struct Entry {
    unit: f32,
    information: f32,
}

/// Where a document's words stand: those of its name, then those of its first sentence.
#[derive(Debug, Clone, Copy)]
struct Texts {
    start: usize,
    sentence: usize,
    end: usize,
}

impl Words {
    pub(super) fn build(documents: &[Document<'_>], model: &Model) -> Self {
        let mut builder = Builder::new(model);
        for document in documents {
            builder.add(document);
        }
        builder.finish(documents.len())
    }

    /// The distinct words of a document's name.
    pub(super) fn name(&self, document: u32) -> &[WordId] {
        self.words_of(document, |texts| texts.start..texts.sentence)
    }

    /// The distinct words of a document's first sentence.
    pub(super) fn sentence(&self, document: u32) -> &[WordId] {
        self.words_of(document, |texts| texts.sentence..texts.end)
    }

    /// The distinct words of each of both, one after the other.
    pub(super) fn all(&self, document: u32) -> &[WordId] {
        self.words_of(document, |texts| texts.start..texts.end)
    }

    /// How many distinct words there are.
    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    /// What one unit of a word's codes is.
    pub(super) fn unit(&self, word: WordId) -> f32 {
        self.entries[word as usize].unit
    }

    /// What a word tells of a document that has it, above zero.
    pub(super) fn information(&self, word: WordId) -> f32 {
        self.entries[word as usize].information
    }

    pub(super) fn codes(&self, word: WordId) -> &[i8] {
        let start = word as usize * self.dimensions;
        &self.codes[start..start + self.dimensions]
    }

    /// An estimate of the memory it holds, in bytes.
    pub(super) fn heap_bytes(&self) -> usize {
        size_of_val(&self.codes[..])
            + size_of_val(&self.entries[..])
            + size_of_val(&self.said[..])
            + size_of_val(&self.texts[..])
            + 4 * ALLOCATION
    }

    fn words_of(&self, document: u32, part: impl Fn(&Texts) -> Range<usize>) -> &[WordId] {
        let texts = self.texts.get(document as usize);
        texts.map_or(&[], |texts| &self.said[part(texts)])
    }
}

/// Collects the words of documents in the order of their ids.
struct Builder<'a> {
    model: &'a Model,
    /// None for a word without a vector.
    ids: HashMap<Box<[TokenId]>, Option<WordId>>,
    words: Words,
    units: Vec<f32>,
    /// By word: how many documents have it, and the last of them.
    holders: Vec<(usize, usize)>,
}

impl<'a> Builder<'a> {
    fn new(model: &'a Model) -> Self {
        Self {
            model,
            ids: HashMap::new(),
            words: Words {
                dimensions: model.dimensions(),
                ..Words::default()
            },
            units: Vec::new(),
            holders: Vec::new(),
        }
    }

    fn add(&mut self, document: &Document<'_>) {
        let start = self.words.said.len();
        self.read(&fields::name(document));
        let sentence = self.words.said.len();
        self.read(fields::sentence(document));
        let end = self.words.said.len();
        self.words.texts.push(Texts {
            start,
            sentence,
            end,
        });
    }

    fn read(&mut self, text: &str) {
        let document = self.words.texts.len();
        let start = self.words.said.len();
        each_word(self.model, text, |tokens| {
            let Some(word) = self.id(tokens) else { return };
            if !self.words.said[start..].contains(&word) {
                self.words.said.push(word);
                let (holders, last) = &mut self.holders[word as usize];
                if *holders == 0 || *last != document {
                    *holders += 1;
                    *last = document;
                }
            }
        });
    }

    fn id(&mut self, tokens: &[TokenId]) -> Option<WordId> {
        if let Some(&id) = self.ids.get(tokens) {
            return id;
        }
        let id = self.add_word(tokens);
        self.ids.insert(tokens.into(), id);
        id
    }

    fn add_word(&mut self, tokens: &[TokenId]) -> Option<WordId> {
        let id = WordId::try_from(self.units.len()).ok()?;
        let Codes { values, unit } = Codes::of(&pooled(self.model, tokens)?);
        self.words.codes.extend(values);
        self.units.push(unit);
        self.holders.push((0, 0));
        Some(id)
    }

    fn finish(mut self, documents: usize) -> Words {
        self.words.codes.shrink_to_fit();
        self.words.said.shrink_to_fit();
        self.words.texts.shrink_to_fit();
        let entries = self.units.iter().zip(&self.holders);
        Words {
            entries: entries
                .map(|(&unit, &(holders, _))| Entry {
                    unit,
                    information: information(documents, holders),
                })
                .collect(),
            ..self.words
        }
    }
}

/// Hands out the tokens of every word of `text`. Scripts that write no spaces have no words: there
/// it is every token by itself.
pub(super) fn each_word(model: &Model, text: &str, mut emit: impl FnMut(&[TokenId])) {
    model.words(&split_identifiers(text), |word, tokens| {
        if word.contains(is_unspaced) {
            tokens.chunks(1).for_each(&mut emit);
        } else {
            emit(tokens);
        }
    });
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// Those of documents with these names and descriptions.
    pub(in crate::semantic) fn words(documents: &[(&str, &str)]) -> Words {
        let documents: Vec<Document<'_>> = documents
            .iter()
            .map(|&(name, description)| Document {
                name,
                description,
                ..Document::default()
            })
            .collect();
        Words::build(&documents, Model::builtin())
    }

    #[test]
    fn names_and_first_sentences_are_kept_apart_each_word_once() {
        let words = words(&[("sendMail_mail", "Sends mail. Files too."), ("mail", "")]);
        assert_eq!(words.name(0), [0, 1]);
        assert_eq!(words.sentence(0), [2, 1]);
        assert_eq!(words.all(0), [0, 1, 2, 1]);
        assert_eq!(words.name(1), [1]);
        assert_eq!(words.sentence(1), [] as [WordId; 0]);
        assert_eq!(words.name(2), [] as [WordId; 0]);
        assert_eq!(words.len(), 3);
    }

    #[test]
    fn a_word_tells_the_less_the_more_documents_have_it() {
        let words = words(&[("send_mail", "Sends mail"), ("read_mail", ""), ("send", "")]);
        let information = |at| words.information(at);
        let [send, mail, sends, read] = [0, 1, 2, 3].map(information);
        assert!((send - mail).abs() < 1e-6, "two documents have each");
        assert!((sends - read).abs() < 1e-6, "one document has each");
        assert!(sends > send && send > 0.0);
    }

    #[track_caller]
    fn check_count(text: &str, expected: usize) {
        let mut count = 0;
        each_word(Model::builtin(), text, |tokens| {
            assert!(!tokens.is_empty());
            count += 1;
        });
        assert_eq!(count, expected, "{text}");
    }

    #[test]
    fn words_stand_between_blanks_and_in_other_scripts_tokens_do() {
        check_count("list overdue_invoices", 3);
        check_count("neapmokėtos sąskaitos", 2);
        check_count("", 0);
        let mut tokens = Vec::new();
        Model::builtin().tokenize("逾期发票", &mut tokens);
        assert!(tokens.len() > 1);
        check_count("逾期发票", tokens.len());
    }
}
