//! What words have in common by their stems.
//!
//! A document's words are stemmed by the rules of its own language, so that a list holds documents
//! of one: German ones with `Datei` or `Dateien`, English ones with `file` or `files`.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};

use super::count::{Count, TermCounts, Vocabulary, merge};
use super::index::WordLists;
use super::postings::ListId;
use crate::ALLOCATION;
use crate::analyze::{Language, Languages, Stem};

/// The stems of a vocabulary.
#[derive(Debug)]
pub(super) struct Stems {
    /// By word and by language of the documents that have it: the list of its stem. None where no
    /// other word shares a stem with it, since the word's own list then says the same.
    shared: Vec<Box<[(Language, ListId)]>>,
    pub(super) by_text: StemLists,
    /// How many lists words and stems have together.
    pub(super) list_count: usize,
}

impl Stems {
    pub(super) fn new<'a>(
        vocabulary: &Vocabulary,
        documents: impl Iterator<Item = (Language, &'a TermCounts)>,
    ) -> Self {
        let mut languages = vec![Languages::default(); vocabulary.ids.len()];
        for (language, document) in documents {
            for (word, _) in document.by_term() {
                languages[word as usize].insert(language);
            }
        }
        let mut families = Families::default();
        for (text, &word) in &vocabulary.ids {
            if vocabulary.is_word[word as usize] {
                let written = vocabulary.written(word, text);
                for language in languages[word as usize].iter() {
                    families.add(word, text, written, language);
                }
            }
        }
        families.into_stems(vocabulary.ids.len())
    }

    /// The counts of the shared stems of words with these `counts` in a document of `language`.
    pub(super) fn count(&self, counts: &[Count], language: Language) -> Vec<Count> {
        let stemmed = |&count: &Count| {
            let shared = &self.shared[count.list as usize];
            let &(_, list) = shared.iter().find(|(known, _)| *known == language)?;
            Some(Count { list, ..count })
        };
        let mut counts = counts.iter().filter_map(stemmed).collect();
        merge(&mut counts);
        counts
    }

    /// How many documents count as holders of each list, which has `lengths` of them. A stem is as
    /// common as any of its words in all languages, lest a word that many know be taken for rare
    /// where few documents are of one.
    pub(super) fn holders(&self, lengths: Vec<usize>) -> Vec<usize> {
        let mut holders = lengths.clone();
        for (lists, words) in self.shared.iter().zip(lengths) {
            for &(_, list) in lists {
                let stem = &mut holders[list as usize];
                *stem = words.max(*stem);
            }
        }
        holders
    }

    /// The lists of the word whose own list is `own`.
    pub(super) fn word_lists(&self, own: ListId) -> WordLists {
        let mut stems: Vec<ListId> = Vec::new();
        for &(_, list) in &self.shared[own as usize] {
            if !stems.contains(&list) {
                stems.push(list);
            }
        }
        WordLists {
            own,
            stems: stems.into(),
        }
    }
}

/// The lists of stems, by what the stems are.
#[derive(Debug)]
pub(super) struct StemLists {
    /// By language of the stemmer, most stems first. A stem that no other word shares has the list
    /// of its word.
    by_language: Vec<(Language, HashMap<Box<str>, ListId>)>,
}

impl StemLists {
    /// The list of the stem of a word that no document has, by the rules of the query's `language`
    /// or else of the documents'.
    pub(super) fn of(&self, folded: &str, written: &str, language: Language) -> Option<ListId> {
        let is_own = |(known, _): &&(Language, _)| *known == language;
        let own = self.by_language.iter().filter(is_own);
        let others = self.by_language.iter().filter(|entry| !is_own(entry));
        own.chain(others).find_map(|(language, lists)| {
            let list = |word| {
                let stem = Stem::of(word, *language)?;
                let list = lists.get(stem.text.as_ref()).copied();
                list.filter(|_| stem.language == *language)
            };
            list(written).or_else(|| list(folded))
        })
    }

    /// An estimate of the memory it holds, in bytes.
    pub(super) fn heap_bytes(&self) -> usize {
        let of_one = |lists: &HashMap<Box<str>, ListId>| {
            let texts: usize = lists.keys().map(|text| text.len() + ALLOCATION).sum();
            texts + lists.capacity() * size_of::<(Box<str>, ListId)>()
        };
        self.by_language
            .iter()
            .map(|(_, lists)| of_one(lists))
            .sum()
    }
}

/// Collects the words of each stem, all languages of one word after the other.
#[derive(Debug, Default)]
struct Families<'a> {
    by_stem: HashMap<Stem<'a>, FamilyId>,
    /// By family: how many words it has.
    sizes: Vec<usize>,
    members: Vec<Member>,
    /// The stems of words without their accents, as people type them.
    plain: Vec<(Stem<'a>, FamilyId)>,
}

/// A position among the families.
type FamilyId = usize;

/// That a word, in documents of a language, is of a family.
#[derive(Debug, Clone, Copy)]
struct Member {
    word: ListId,
    language: Language,
    family: FamilyId,
}

impl<'a> Families<'a> {
    fn add(&mut self, word: ListId, folded: &'a str, written: &'a str, language: Language) {
        let Some(stem) = Stem::of(written, language) else {
            return;
        };
        let family = *self.by_stem.entry(stem).or_insert(self.sizes.len());
        if family == self.sizes.len() {
            self.sizes.push(0);
        }
        let mut languages = self.members.iter().rev().take_while(|m| m.word == word);
        if languages.all(|member| member.family != family) {
            self.sizes[family] += 1;
        }
        self.members.push(Member {
            word,
            language,
            family,
        });
        if written != folded {
            let plain = Stem::of(folded, language).map(|stem| (stem, family));
            self.plain.extend(plain);
        }
    }

    fn into_stems(mut self, words: usize) -> Stems {
        self.add_plain();
        let mut lists: Vec<Option<ListId>> = vec![None; self.sizes.len()];
        let mut shared = vec![Box::default(); words];
        let mut list_count = words;
        for members in self.members.chunk_by(|a, b| a.word == b.word) {
            let [first, ..] = members else { continue };
            let is_alone = members.iter().all(|member| member.family == first.family)
                && self.sizes[first.family] == 1;
            if is_alone {
                lists[first.family] = Some(first.word);
                continue;
            }
            let in_language = |member: &Member| {
                let list = lists[member.family].get_or_insert_with(|| {
                    list_count += 1;
                    list_id(list_count - 1)
                });
                (member.language, *list)
            };
            shared[first.word as usize] = members.iter().map(in_language).collect();
        }
        Stems {
            shared,
            by_text: self.by_text(&lists),
            list_count,
        }
    }

    /// Lets what people type without accents lead to the family of the word with them, unless it is
    /// a stem by itself. Of several the largest is taken.
    fn add_plain(&mut self) {
        let mut names = vec![""; self.sizes.len()];
        for (stem, &family) in &self.by_stem {
            names[family] = &stem.text;
        }
        let rank = |family: FamilyId| (Reverse(self.sizes[family]), names[family]);
        let mut best: HashMap<&Stem<'a>, FamilyId> = HashMap::new();
        for (stem, family) in &self.plain {
            let known = best.entry(stem).or_insert(*family);
            if rank(*family) < rank(*known) {
                *known = *family;
            }
        }
        let added: Vec<(Stem<'a>, FamilyId)> = best
            .into_iter()
            .filter(|(stem, _)| !self.by_stem.contains_key(*stem))
            .map(|(stem, family)| (stem.clone(), family))
            .collect();
        self.by_stem.extend(added);
    }

    fn by_text(self, lists: &[Option<ListId>]) -> StemLists {
        let mut by_language: BTreeMap<Language, HashMap<Box<str>, ListId>> = BTreeMap::new();
        for (stem, family) in self.by_stem {
            if let Some(list) = lists[family] {
                let texts = by_language.entry(stem.language).or_default();
                texts.insert(stem.text.into(), list);
            }
        }
        let mut by_language: Vec<_> = by_language.into_iter().collect();
        by_language.sort_by_key(|(_, texts)| Reverse(texts.len()));
        StemLists { by_language }
    }
}

fn list_id(position: usize) -> ListId {
    ListId::try_from(position).unwrap_or(ListId::MAX)
}
