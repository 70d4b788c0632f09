//! Turns counted documents into postings.

use std::collections::HashMap;

use super::bm25::{Normalization, information, saturated};
use super::count::{Count, TermCounts, Vocabulary, by_term};
use super::field::Field;
use super::glued;
use super::index::LexicalIndex;
use super::postings::{ListId, Posting, Postings};
use super::stems::Stems;
use crate::Document;
use crate::analyze::{Language, LanguageVotes, Signs};

/// Collects documents one after the other, in the order of their ids.
#[derive(Debug, Default)]
pub(super) struct IndexBuilder {
    vocabulary: Vocabulary,
    documents: Vec<TermCounts>,
}

impl IndexBuilder {
    pub(super) fn add(&mut self, document: &Document<'_>) {
        self.documents
            .push(TermCounts::read(document, &mut self.vocabulary));
    }

    pub(super) fn finish(mut self) -> LexicalIndex {
        let holders = self.holders();
        self.take_names_apart(&holders);
        let (language, languages) = self.languages();
        let documents = languages.iter().copied().zip(&self.documents);
        let stems = Stems::new(&self.vocabulary, documents);
        let postings = self.postings(&stems, &languages);
        let words = self.vocabulary.ids.into_iter();
        LexicalIndex {
            language,
            languages: languages.iter().copied().collect(),
            documents: self.documents.len(),
            words: words
                .map(|(word, own)| (word, stems.word_lists(own)))
                .collect(),
            stems: stems.by_text,
            postings,
        }
    }

    /// By term: how many documents have it.
    fn holders(&self) -> Vec<u32> {
        let mut holders = vec![0; self.vocabulary.ids.len()];
        for (list, _) in self.documents.iter().flat_map(TermCounts::by_term) {
            holders[list as usize] += 1;
        }
        holders
    }

    /// The language of the documents as a whole, and of each.
    fn languages(&self) -> (Language, Vec<Language>) {
        let mut signs = vec![Signs::default(); self.vocabulary.ids.len()];
        for (text, &id) in &self.vocabulary.ids {
            signs[id as usize] = Signs::of(text, self.vocabulary.written(id, text));
        }
        let count = |votes: &mut LanguageVotes, document: &TermCounts| {
            for (list, counts) in document.by_term() {
                if counts.iter().any(|count| count.field.is_prose()) {
                    votes.add(signs[list as usize]);
                }
            }
        };
        let mut votes = LanguageVotes::new(Language::ENGLISH);
        for document in &self.documents {
            count(&mut votes, document);
        }
        let of_all = votes.winner();
        let of_one = |document| {
            let mut votes = LanguageVotes::new(of_all);
            count(&mut votes, document);
            votes.winner()
        };
        (of_all, self.documents.iter().map(of_one).collect())
    }

    /// Adds the parts of names that are written as one word. Only such a word comes apart as is no
    /// more common than any of its parts, so `database` stays whole where people use it.
    fn take_names_apart(&mut self, holders: &[u32]) {
        let vocabulary = &self.vocabulary;
        let parts_of = |text: &str, word: ListId| -> Option<Vec<ListId>> {
            let common_enough = |part: &ListId| holders[word as usize] <= holders[*part as usize];
            let known = |part: &str| vocabulary.id(part).filter(common_enough);
            let parts = glued::split(text, |part| known(part).is_some())?;
            parts.into_iter().map(known).collect()
        };
        let names = vocabulary
            .ids
            .iter()
            .filter(|&(_, &id)| vocabulary.is_name[id as usize]);
        let parts: HashMap<ListId, Vec<ListId>> = names
            .filter_map(|(text, &word)| Some((word, parts_of(text, word)?)))
            .collect();
        for document in &mut self.documents {
            let in_name = document
                .counts
                .iter()
                .filter(|count| count.field == Field::Name);
            let added: Vec<ListId> = in_name
                .filter_map(|count| parts.get(&count.list))
                .flatten()
                .copied()
                .collect();
            if !added.is_empty() {
                document.add(&added, Field::Name);
            }
        }
    }

    fn postings(&self, stems: &Stems, languages: &[Language]) -> Postings {
        let normalization = Normalization::new(&self.documents);
        let mut lists = vec![Vec::new(); stems.list_count];
        for ((document, counted), &language) in (0..).zip(&self.documents).zip(languages) {
            let mut post = |counts: &[Count]| {
                for (list, counts) in by_term(counts) {
                    let impact = saturated(normalization.frequency(counts, &counted.lengths));
                    lists[list as usize].push(Posting { document, impact });
                }
            };
            post(&counted.counts);
            post(&stems.count(&counted.counts, language));
        }
        let lengths: Vec<usize> = lists.iter().map(Vec::len).collect();
        for (list, holders) in lists.iter_mut().zip(stems.holders(lengths)) {
            let information = information(self.documents.len(), holders);
            for posting in list {
                posting.impact *= information;
            }
        }
        Postings::new(lists)
    }
}
