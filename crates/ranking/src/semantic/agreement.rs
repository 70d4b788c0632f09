//! How far a query and a document say the same, word by word.
//!
//! One vector for a whole text is a mean, in which a document on the right things with one wrong
//! word is as near as one that is vaguely about all of it. Here each word looks for its nearest on
//! the other side (late interaction, as in `ColBERT`, with static vectors), in both directions.

use embedding::{Model, TokenId};

use super::meaning::{QueryCodes, pooled};
use super::scan::products;
use super::words::{WordId, Words, each_word};

/// How much of one another a query and a document say, each from 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Agreement {
    /// The share of the query that the document's name or first sentence says.
    pub(crate) query: f32,
    /// The share of the name that the query says.
    pub(crate) name: f32,
    /// The share of the first sentence that the query says; the name's where there is none.
    pub(crate) sentence: f32,
}

/// The distinct words of a query.
#[derive(Debug)]
pub(super) struct QueryWords(Vec<QueryWord>);

#[derive(Debug)]
struct QueryWord {
    codes: QueryCodes,
    /// How much it matters beside the others, as far as its rarity tells.
    weight: f32,
}

impl QueryWords {
    pub(super) fn read(query: &str, model: &Model) -> Self {
        let mut distinct: Vec<Box<[TokenId]>> = Vec::new();
        each_word(model, query, |tokens| {
            if distinct.len() < MAX_WORDS && !distinct.iter().any(|known| **known == *tokens) {
                distinct.push(tokens.into());
            }
        });
        let words = distinct.iter();
        Self(
            words
                .filter_map(|tokens| QueryWord::new(tokens, model))
                .collect(),
        )
    }

    /// How far each of `documents` agrees with the query. That depends on the others: a word of the
    /// query that most of them say tells them apart as little as a function word.
    pub(super) fn agreements(&self, words: &Words, documents: &[u32]) -> Vec<Agreement> {
        let cosines = Cosines::new(self, words, documents);
        let nearest: Vec<Vec<f32>> = documents
            .iter()
            .map(|&document| cosines.nearest(words.all(document)))
            .collect();
        let weights = self.weights(&nearest);
        let agreement = |(&document, nearest): (&u32, &Vec<f32>)| {
            let name = cosines.said(words, words.name(document));
            let sentence = match words.sentence(document) {
                [] => name,
                sentence => cosines.said(words, sentence),
            };
            let query = mean(nearest.iter().copied().zip(weights.iter().copied()));
            Agreement {
                query,
                name,
                sentence,
            }
        };
        documents.iter().zip(&nearest).map(agreement).collect()
    }

    /// By word of the query: how much it matters, where `nearest` are the documents' cosines.
    fn weights(&self, nearest: &[Vec<f32>]) -> Vec<f32> {
        let weight = |(at, word): (usize, &QueryWord)| {
            let said: f32 = nearest.iter().map(|nearest| surely_said(nearest[at])).sum();
            let share = said / nearest.len().max(1) as f32;
            (-(share + LEAST_SHARE).ln()).max(LEAST_TOLD) * word.weight
        };
        self.0.iter().enumerate().map(weight).collect()
    }
}

impl QueryWord {
    fn new(tokens: &[TokenId], model: &Model) -> Option<Self> {
        let rarities = tokens.iter().map(|&token| model.rarity(token));
        let weight = rarities.fold(0.0, f32::max) - RARITY_OF_FUNCTION_WORDS;
        Some(Self {
            codes: QueryCodes::of(&pooled(model, tokens)?),
            weight: weight.clamp(LEAST_WEIGHT, MOST_WEIGHT),
        })
    }
}

/// The cosines of a query's words and all words of some documents.
struct Cosines {
    /// How many words the query has.
    of_query: usize,
    /// By word of the index: its row, if a document has it.
    rows: Vec<u32>,
    /// Row by row, one for each word of the query.
    values: Vec<f32>,
}

impl Cosines {
    fn new(query: &QueryWords, words: &Words, documents: &[u32]) -> Self {
        let mut rows = vec![NO_ROW; words.len()];
        let mut distinct: Vec<WordId> = Vec::new();
        for &word in documents.iter().flat_map(|&document| words.all(document)) {
            let row = &mut rows[word as usize];
            if *row == NO_ROW {
                *row = u32::try_from(distinct.len()).unwrap_or(NO_ROW);
                distinct.push(word);
            }
        }
        let left: Vec<&[i8]> = distinct.iter().map(|&word| words.codes(word)).collect();
        let right: Vec<&[i16]> = query.0.iter().map(|word| &word.codes.values[..]).collect();
        let units = distinct.iter().flat_map(|&word| {
            let unit = words.unit(word);
            query
                .0
                .iter()
                .map(move |of_query| unit * of_query.codes.unit)
        });
        let cosines = products(&left, &right).into_iter().zip(units);
        Self {
            of_query: query.0.len(),
            rows,
            values: cosines
                .map(|(product, unit)| product as f32 * unit)
                .collect(),
        }
    }

    /// Those of a word of one of the documents.
    fn of(&self, word: WordId) -> &[f32] {
        let start = self.rows[word as usize] as usize * self.of_query;
        &self.values[start..start + self.of_query]
    }

    /// By word of the query: the cosine of the nearest of `words`, or 0.
    fn nearest(&self, words: &[WordId]) -> Vec<f32> {
        let mut nearest = vec![0.0_f32; self.of_query];
        for &word in words {
            for (nearest, &cosine) in nearest.iter_mut().zip(self.of(word)) {
                *nearest = nearest.max(cosine);
            }
        }
        nearest
    }

    /// The share of `said` that the query says.
    fn said(&self, words: &Words, said: &[WordId]) -> f32 {
        mean(said.iter().map(|&word| {
            let nearest = self.of(word).iter().copied().fold(0.0, f32::max);
            (nearest, words.information(word))
        }))
    }
}

/// How far words say the same as their nearest, given those cosines with weights.
fn mean(cosines: impl Iterator<Item = (f32, f32)>) -> f32 {
    let (mut sum, mut weights) = (0.0, 0.0);
    for (cosine, weight) in cosines {
        sum += weight * (cosine / SAME).min(1.0);
        weights += weight;
    }
    if weights > 0.0 { sum / weights } else { 0.0 }
}

/// How sure it is that a word is said where its nearest has this cosine.
fn surely_said(cosine: f32) -> f32 {
    ((cosine - PERHAPS) / (SURELY - PERHAPS)).clamp(0.0, 1.0)
}

/// From this cosine on two words count as one: about that of translations. 0.3 to 0.6, or no such
/// bound, does as well.
const SAME: f32 = 0.4;

/// Between these cosines a document is ever surer to say a word.
const PERHAPS: f32 = 0.3;
const SURELY: f32 = 0.8;

/// What a word tells where no document says it, or all do, still has bounds.
const LEAST_SHARE: f32 = 0.02;
const LEAST_TOLD: f32 = 0.05;

/// Articles and the like have up to this rarity (nats), and then count next to nothing; from four
/// more on a word counts in full.
const RARITY_OF_FUNCTION_WORDS: f32 = 4.0;
const LEAST_WEIGHT: f32 = 0.3;
const MOST_WEIGHT: f32 = 4.0;

/// Bounds the time that a query of 2,000 characters takes.
const MAX_WORDS: usize = 64;

const NO_ROW: u32 = u32::MAX;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::semantic::words::tests::words;

    fn agreements(query: &str, documents: &[(&str, &str)]) -> Vec<Agreement> {
        let words = words(documents);
        let ids: Vec<u32> = (0..).take(documents.len()).collect();
        QueryWords::read(query, Model::builtin()).agreements(&words, &ids)
    }

    #[test]
    fn equal_texts_agree_in_full() {
        let found = agreements("cancel flight", &[("cancel_flight", "Cancel flight.")]);
        for value in [found[0].query, found[0].name, found[0].sentence] {
            assert!((value - 1.0).abs() < 0.01, "{found:?}");
        }
    }

    #[test]
    fn each_share_is_of_its_own_side() {
        let found = agreements(
            "cancel flight",
            &[("cancel_flight_hotel_pizza", "Cancel"), ("cancel", "")],
        );
        assert!(found[0].query > found[1].query, "{found:?}");
        assert!(found[0].name < found[1].name, "{found:?}");
        assert!((found[1].name - 1.0).abs() < 0.01, "{found:?}");
        let difference = found[1].name - found[1].sentence;
        assert!(difference.abs() < 1e-6, "{found:?}");
    }

    #[test]
    fn words_of_another_language_agree_by_their_meaning() {
        let tools = [("cancel_flight", ""), ("paint_wall", "")];
        for query in ["atšaukti skrydį", "Flug stornieren", "取消航班"] {
            let found = agreements(query, &tools);
            assert!(found[0].query > found[1].query + 0.2, "{query}: {found:?}");
            assert!(found[0].name > found[1].name + 0.2, "{query}: {found:?}");
        }
    }

    #[test]
    fn what_most_of_them_say_counts_little() {
        let tools = [("mail", ""), ("mail_a", ""), ("mail_b", ""), ("pizza", "")];
        let found = agreements("mail pizza", &tools);
        assert!(found[3].query > found[0].query + 0.1, "{found:?}");
    }

    #[test]
    fn without_words_nothing_agrees() {
        let nothing = Agreement {
            query: 0.0,
            name: 0.0,
            sentence: 0.0,
        };
        assert_eq!(agreements("", &[("mail", "")]), [nothing]);
        assert_eq!(agreements("mail", &[("", "")]), [nothing]);
        assert_eq!(agreements("mail", &[]), []);
    }
}
