//! The second stage: the best of what was found are looked at word by word.

use crate::fusion::Candidate;
use crate::semantic::SemanticIndex;

/// Scores the first of `found`, which is best first, anew; the others stay behind them in their
/// order.
///
/// A sum of what must hold for a tool to be right: that words and meaning find it, that it has the
/// query's words, and that word by word the query says what the tool does. The weights are a
/// listwise fit over ten development sets, rounded; half or twice of any of them costs half a point
/// of R@5 or less. No weight depends on the language.
pub(crate) fn rerank(found: &mut [Candidate], query: &str, semantic: &SemanticIndex) {
    let (best, rest) = found.split_at_mut(found.len().min(LOOKED_AT));
    let documents: Vec<u32> = best.iter().map(|candidate| candidate.document).collect();
    let agreements = semantic.agreements(query, &documents);
    for (candidate, agreement) in best.iter_mut().zip(agreements) {
        candidate.score = (candidate.score
            + COVERED * candidate.covered
            + SAYS_THE_QUERY * agreement.query
            + NAME_IS_SAID * agreement.name
            + SENTENCE_IS_SAID * agreement.sentence)
            / HIGHEST;
    }
    // Nothing that is added is below zero, so that these stay below.
    for candidate in rest {
        candidate.score /= HIGHEST;
    }
}

/// How many are looked at. 30 and 400 do as well: what is right is among the first, or nowhere near.
pub(crate) const LOOKED_AT: usize = 50;

const COVERED: f32 = 1.0;
const SAYS_THE_QUERY: f32 = 1.4;
const NAME_IS_SAID: f32 = 0.4;
const SENTENCE_IS_SAID: f32 = 0.6;

/// The sum of all weights, so that no score is above one.
const HIGHEST: f32 = 1.0 + COVERED + SAYS_THE_QUERY + NAME_IS_SAID + SENTENCE_IS_SAID;
