//! Counts the terms of documents and lays out their postings.

use std::borrow::Cow;
use std::collections::HashMap;

use super::bm25::{Normalization, information, saturated};
use super::field::Field;
use super::glued;
use super::index::{LexicalIndex, ListId, Posting, WordLists};
use crate::Document;
use crate::analyze::{self, Form, Language, LanguageVotes, Term, WordStemmer};

/// Collects documents one after the other, in the order of their ids.
#[derive(Debug, Default)]
pub(super) struct IndexBuilder {
    vocabulary: Vocabulary,
    votes: LanguageVotes,
    documents: Vec<Counted>,
    total_lengths: [u64; Field::COUNT],
}

impl IndexBuilder {
    pub(super) fn add(&mut self, document: &Document<'_>) {
        let mut reader = Reader {
            builder: self,
            seen: Vec::new(),
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
        let Reader { seen, lengths, .. } = reader;
        for (total, length) in self.total_lengths.iter_mut().zip(lengths) {
            *total += u64::from(length);
        }
        self.documents.push(Counted {
            counts: count(seen),
            lengths,
        });
    }

    pub(super) fn finish(mut self) -> LexicalIndex {
        self.take_names_apart();
        let language = self.votes.winner();
        let stems = Stems::new(&self.vocabulary, language);
        let normalization = Normalization::new(self.total_lengths, self.documents.len());
        let mut lists = vec![Vec::new(); stems.lists];
        for (document, counted) in (0..).zip(&self.documents) {
            let stemmed = count_stems(&counted.counts, &stems);
            for counts in [&counted.counts, &stemmed] {
                for same in counts.chunk_by(|a, b| a.list == b.list) {
                    let Some(first) = same.first() else { continue };
                    let frequency = same
                        .iter()
                        .map(|c| (c, counted.lengths[c.field.index()]))
                        .map(|(c, length)| normalization.frequency(c.field, c.occurrences, length))
                        .sum();
                    let impact = saturated(frequency);
                    lists[first.list as usize].push(Posting { document, impact });
                }
            }
        }
        let documents = self.documents.len();
        let lists = lists
            .into_iter()
            .map(|list| weighed(list, documents))
            .collect();
        LexicalIndex {
            language,
            documents,
            words: stems.of_words(self.vocabulary.ids),
            stems: stems.lists_by_stem,
            lists,
        }
    }

    /// Adds the parts of names that are written as one word. Only such a word comes apart as is
    /// no more common than any of its parts, so `database` stays whole where people use it.
    fn take_names_apart(&mut self) {
        let holders = self.holders();
        let vocabulary = &self.vocabulary;
        let parts: HashMap<ListId, Vec<ListId>> = vocabulary
            .ids
            .iter()
            .filter(|&(_, &word)| vocabulary.is_name[word as usize])
            .filter_map(|(text, &word)| {
                let rarer = |part: ListId| holders[word as usize] <= holders[part as usize];
                let known = |part: &str| vocabulary.ids.get(part).is_some_and(|&part| rarer(part));
                let parts = glued::split(text, known)?;
                Some((
                    word,
                    parts
                        .iter()
                        .filter_map(|&part| vocabulary.ids.get(part))
                        .copied()
                        .collect(),
                ))
            })
            .collect();
        for Counted { counts, .. } in &mut self.documents {
            let added: Vec<Count> = counts
                .iter()
                .filter(|count| count.field == Field::Name)
                .filter_map(|count| parts.get(&count.list))
                .flatten()
                .map(|&list| Count {
                    list,
                    field: Field::Name,
                    occurrences: 1,
                })
                .collect();
            if !added.is_empty() {
                counts.extend(added);
                merge(counts);
            }
        }
    }

    /// By list: how many documents have the term.
    fn holders(&self) -> Vec<u32> {
        let mut holders = vec![0; self.vocabulary.ids.len()];
        for document in &self.documents {
            for same in document.counts.chunk_by(|a, b| a.list == b.list) {
                if let Some(first) = same.first() {
                    holders[first.list as usize] += 1;
                }
            }
        }
        holders
    }
}

/// The distinct terms of all documents; a term's id is also the id of its postings list.
#[derive(Debug, Default)]
struct Vocabulary {
    ids: HashMap<Box<str>, ListId>,
    /// By id: whether the term stood as a word somewhere, and so has a stem.
    is_word: Vec<bool>,
    /// By id: whether the term stood as a word in a name.
    is_name: Vec<bool>,
}

impl Vocabulary {
    fn id(&mut self, term: Term<'_>, field: Field) -> ListId {
        let id = if let Some(&id) = self.ids.get(term.text) {
            id
        } else {
            let id = ListId::try_from(self.ids.len()).unwrap_or(ListId::MAX);
            self.ids.insert(term.text.into(), id);
            self.is_word.push(false);
            self.is_name.push(false);
            id
        };
        if term.form == Form::Word {
            self.is_word[id as usize] = true;
            self.is_name[id as usize] |= field == Field::Name;
        }
        id
    }
}

/// One document's terms, sorted, with how often each stands in which field.
#[derive(Debug)]
struct Counted {
    counts: Vec<Count>,
    lengths: [u32; Field::COUNT],
}

#[derive(Debug, Clone, Copy)]
struct Count {
    list: ListId,
    field: Field,
    occurrences: u32,
}

/// Reads one document's fields.
struct Reader<'a> {
    builder: &'a mut IndexBuilder,
    seen: Vec<(ListId, Field)>,
    lengths: [u32; Field::COUNT],
}

impl Reader<'_> {
    fn read(&mut self, field: Field, text: &str) {
        analyze::terms(text, |term| {
            self.seen
                .push((self.builder.vocabulary.id(term, field), field));
            match term.form {
                Form::Word => {
                    self.builder.votes.count(term.text);
                    self.lengths[field.index()] += 1;
                }
                Form::Gram => self.lengths[field.index()] += 1,
                Form::Glued { .. } | Form::Piece => {}
            }
        });
    }
}

fn count(seen: Vec<(ListId, Field)>) -> Vec<Count> {
    let once = |(list, field)| Count {
        list,
        field,
        occurrences: 1,
    };
    let mut counts = seen.into_iter().map(once).collect();
    merge(&mut counts);
    counts
}

/// Sorts `counts` and adds up those of one list and field.
fn merge(counts: &mut Vec<Count>) {
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

/// What the words of an index have in common by their stems.
struct Stems {
    /// By word: the list of its stem. None where no other word has that stem, since the word's own
    /// list then says the same.
    shared: Vec<Option<ListId>>,
    lists_by_stem: HashMap<Box<str>, ListId>,
    /// How many lists there are, those of words included.
    lists: usize,
}

impl Stems {
    fn new(vocabulary: &Vocabulary, language: Language) -> Self {
        let stemmer = WordStemmer::new(language);
        let mut words_by_stem: HashMap<Cow<'_, str>, Vec<ListId>> = HashMap::new();
        for (word, &id) in &vocabulary.ids {
            if vocabulary.is_word[id as usize]
                && let Some(stem) = stemmer.stem(word)
            {
                words_by_stem.entry(stem).or_default().push(id);
            }
        }
        let mut lists = vocabulary.ids.len();
        let mut shared = vec![None; lists];
        let mut lists_by_stem = HashMap::with_capacity(words_by_stem.len());
        for (stem, words) in words_by_stem {
            let list = if let [only] = words[..] {
                only
            } else {
                let list = ListId::try_from(lists).unwrap_or(ListId::MAX);
                lists += 1;
                for word in words {
                    shared[word as usize] = Some(list);
                }
                list
            };
            lists_by_stem.insert(Box::from(stem), list);
        }
        Self {
            shared,
            lists_by_stem,
            lists,
        }
    }

    fn of_words(&self, ids: HashMap<Box<str>, ListId>) -> HashMap<Box<str>, WordLists> {
        ids.into_iter()
            .map(|(word, own)| {
                (
                    word,
                    WordLists {
                        own,
                        stem: self.shared[own as usize],
                    },
                )
            })
            .collect()
    }
}

fn count_stems(counts: &[Count], stems: &Stems) -> Vec<Count> {
    let mut stemmed: Vec<Count> = counts
        .iter()
        .filter_map(|&c| {
            Some(Count {
                list: stems.shared[c.list as usize]?,
                ..c
            })
        })
        .collect();
    merge(&mut stemmed);
    stemmed
}

fn weighed(mut list: Vec<Posting>, documents: usize) -> Box<[Posting]> {
    let information = information(documents, list.len());
    for posting in &mut list {
        posting.impact *= information;
    }
    list.into_boxed_slice()
}
