//! Which terms stand how often in which field of a document.

use std::collections::HashMap;

use super::field::Field;
use super::postings::ListId;
use crate::Document;
use crate::analyze::{self, Form, Term};

/// The terms of one document.
#[derive(Debug)]
pub(super) struct TermCounts {
    /// Sorted by list and field, each pair once.
    pub(super) counts: Vec<Count>,
    /// By field, in words.
    pub(super) lengths: [u32; Field::COUNT],
}

/// That a term stands in a field.
#[derive(Debug, Clone, Copy)]
pub(super) struct Count {
    pub(super) list: ListId,
    pub(super) field: Field,
    pub(super) occurrences: u16,
}

/// The distinct terms of all documents; a term's id is also the id of its postings list.
#[derive(Debug, Default)]
pub(super) struct Vocabulary {
    pub(super) ids: HashMap<Box<str>, ListId>,
    /// By id, of words that are written otherwise than they are searched: how. Of several ways it
    /// is the last by code points, so one with accents rather than without.
    written: HashMap<ListId, Box<str>>,
    /// By id: whether the term stood as a word somewhere, and so has a stem.
    pub(super) is_word: Vec<bool>,
    /// By id: whether the term stood as a word in a name.
    pub(super) is_name: Vec<bool>,
}

impl TermCounts {
    pub(super) fn read(document: &Document<'_>, vocabulary: &mut Vocabulary) -> Self {
        let mut reader = Reader {
            vocabulary,
            counts: Vec::new(),
            lengths: [0; Field::COUNT],
        };
        reader.read(Field::Name, document.name);
        reader.read(Field::Title, document.title);
        reader.read(Field::Server, document.server);
        reader.read(Field::Description, document.description);
        for parameter in &document.parameters {
            reader.read(Field::ParameterName, parameter.name);
            reader.read(Field::ParameterDescription, parameter.description);
            for value in &parameter.values {
                reader.read(Field::ParameterValue, value);
            }
        }
        let Reader {
            mut counts,
            lengths,
            ..
        } = reader;
        merge(&mut counts);
        Self { counts, lengths }
    }

    /// Adds terms to a field without making it longer.
    pub(super) fn add(&mut self, lists: &[ListId], field: Field) {
        self.counts.extend(lists.iter().map(|&list| Count {
            list,
            field,
            occurrences: 1,
        }));
        merge(&mut self.counts);
    }

    /// The counts of each term.
    pub(super) fn by_term(&self) -> impl Iterator<Item = (ListId, &[Count])> {
        by_term(&self.counts)
    }
}

/// The counts of each term in sorted `counts`.
pub(super) fn by_term(counts: &[Count]) -> impl Iterator<Item = (ListId, &[Count])> {
    let same_term = counts.chunk_by(|a, b| a.list == b.list);
    same_term.filter_map(|counts| Some((counts.first()?.list, counts)))
}

/// Sorts `counts` and adds up those of one term and field.
pub(super) fn merge(counts: &mut Vec<Count>) {
    counts.sort_unstable_by_key(|count| (count.list, count.field));
    counts.dedup_by(|next, kept| {
        let same = (next.list, next.field) == (kept.list, kept.field);
        if same {
            kept.occurrences = kept.occurrences.saturating_add(next.occurrences);
        }
        same
    });
    counts.shrink_to_fit();
}

impl Vocabulary {
    pub(super) fn id(&self, text: &str) -> Option<ListId> {
        self.ids.get(text).copied()
    }

    /// How the word with this `id` and `text` is written, case apart.
    pub(super) fn written<'a>(&'a self, id: ListId, text: &'a str) -> &'a str {
        self.written.get(&id).map_or(text, |written| written)
    }

    fn add(&mut self, term: Term<'_>, field: Field) -> ListId {
        let id = self.id(term.text).unwrap_or_else(|| {
            let id = ListId::try_from(self.ids.len()).unwrap_or(ListId::MAX);
            self.ids.insert(term.text.into(), id);
            self.is_word.push(false);
            self.is_name.push(false);
            id
        });
        if term.form == Form::Word {
            self.is_word[id as usize] = true;
            self.is_name[id as usize] |= field == Field::Name;
            if term.written != term.text {
                self.write(id, term.written);
            }
        }
        id
    }

    fn write(&mut self, id: ListId, written: &str) {
        let known = self.written.entry(id).or_default();
        if **known < *written {
            *known = written.into();
        }
    }
}

struct Reader<'a> {
    vocabulary: &'a mut Vocabulary,
    counts: Vec<Count>,
    lengths: [u32; Field::COUNT],
}

impl Reader<'_> {
    fn read(&mut self, field: Field, text: &str) {
        analyze::terms(text, |term| {
            let list = self.vocabulary.add(term, field);
            self.counts.push(Count {
                list,
                field,
                occurrences: 1,
            });
            match term.form {
                Form::Word | Form::Gram => self.lengths[field.index()] += 1,
                Form::Glued { .. } | Form::Piece => {}
            }
        });
    }
}
