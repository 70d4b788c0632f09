//! What words have in common by their stems.

use std::borrow::Cow;
use std::collections::HashMap;

use super::count::{Count, Vocabulary, merge};
use super::index::WordLists;
use super::postings::ListId;
use crate::analyze::{Language, WordStemmer};

/// The stems of a vocabulary.
#[derive(Debug)]
pub(super) struct Stems {
    /// By word: the list of its stem. None where no other word has that stem, since the word's own
    /// list then says the same.
    shared: Vec<Option<ListId>>,
    /// By stem: its list, or that of its only word.
    pub(super) lists: HashMap<Box<str>, ListId>,
    /// How many lists words and stems have together.
    pub(super) list_count: usize,
}

impl Stems {
    pub(super) fn new(vocabulary: &Vocabulary, language: Language) -> Self {
        let stemmer = WordStemmer::new(language);
        let mut words_by_stem: HashMap<Cow<'_, str>, Vec<ListId>> = HashMap::new();
        for (word, &id) in &vocabulary.ids {
            if vocabulary.is_word[id as usize]
                && let Some(stem) = stemmer.stem(word)
            {
                words_by_stem.entry(stem).or_default().push(id);
            }
        }
        let mut stems = Self {
            shared: vec![None; vocabulary.ids.len()],
            lists: HashMap::with_capacity(words_by_stem.len()),
            list_count: vocabulary.ids.len(),
        };
        for (stem, words) in words_by_stem {
            let list = if let [only] = words[..] {
                only
            } else {
                stems.share(&words)
            };
            stems.lists.insert(Box::from(stem), list);
        }
        stems
    }

    fn share(&mut self, words: &[ListId]) -> ListId {
        let list = ListId::try_from(self.list_count).unwrap_or(ListId::MAX);
        self.list_count += 1;
        for &word in words {
            self.shared[word as usize] = Some(list);
        }
        list
    }

    /// The counts of the shared stems of words with these `counts`.
    pub(super) fn count(&self, counts: &[Count]) -> Vec<Count> {
        let stemmed = |&count: &Count| {
            let list = self.shared[count.list as usize]?;
            Some(Count { list, ..count })
        };
        let mut counts = counts.iter().filter_map(stemmed).collect();
        merge(&mut counts);
        counts
    }

    /// The lists of the word whose own list is `own`.
    pub(super) fn word_lists(&self, own: ListId) -> WordLists {
        WordLists {
            own,
            stem: self.shared[own as usize],
        }
    }
}
