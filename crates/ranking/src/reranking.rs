//! The second stage: the best of what was found are looked at word by word.

use crate::fusion::Candidate;
use crate::semantic::Agreement;

/// Scores anew the first of `found`, which is best first: as many as there are `agreements`, in
/// that order. The others stay behind them in theirs.
///
/// A sum of what must hold for a tool to be right: that words and meaning find it, that it has the
/// query's words, and that word by word the query says what the tool does. No weight depends on the
/// language, and half or twice of any of them changes little (docs/search.md).
pub(crate) fn rerank(found: &mut [Candidate], agreements: &[Agreement]) {
    for (candidate, agreement) in found.iter_mut().zip(agreements) {
        // Nothing here is below zero, so that those without an agreement stay behind.
        candidate.score += COVERED * candidate.covered
            + SAYS_THE_QUERY * agreement.query
            + NAME_IS_SAID * agreement.name
            + SENTENCE_IS_SAID * agreement.sentence;
    }
    for candidate in found {
        candidate.score /= HIGHEST;
    }
}

/// How many are looked at. 30 and 400 do as well: what is right is among the first, or nowhere near.
pub(crate) const LOOKED_AT: usize = 50;

const COVERED: f32 = 1.0;
const SAYS_THE_QUERY: f32 = 1.0;
const NAME_IS_SAID: f32 = 0.3;
const SENTENCE_IS_SAID: f32 = 0.5;

/// The sum of all weights, so that no score is above one.
const HIGHEST: f32 = 1.0 + COVERED + SAYS_THE_QUERY + NAME_IS_SAID + SENTENCE_IS_SAID;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Confidence;

    fn candidate(document: u32, score: f32, covered: f32) -> Candidate {
        Candidate {
            document,
            score,
            confidence: Confidence::Firm,
            covered,
            similarity: Some(score),
        }
    }

    fn agreement(query: f32, name: f32, sentence: f32) -> Agreement {
        Agreement {
            query,
            name,
            sentence,
        }
    }

    fn scores(found: &[Candidate], agreements: &[Agreement]) -> Vec<f32> {
        let mut found = found.to_vec();
        rerank(&mut found, agreements);
        found.iter().map(|candidate| candidate.score).collect()
    }

    #[test]
    fn what_agrees_in_all_has_the_highest_score() {
        let scores = scores(&[candidate(0, 1.0, 1.0)], &[agreement(1.0, 1.0, 1.0)]);
        assert!((scores[0] - 1.0).abs() < 1e-6, "{scores:?}");
    }

    #[test]
    fn agreement_outweighs_a_small_lead() {
        let found = [candidate(0, 1.0, 0.0), candidate(1, 0.9, 0.0)];
        let agreements = [agreement(0.1, 0.1, 0.1), agreement(0.5, 0.5, 0.5)];
        let scores = scores(&found, &agreements);
        assert!(scores[1] > scores[0], "{scores:?}");
    }

    #[test]
    fn what_was_not_looked_at_stays_behind_in_its_order() {
        let found = [
            candidate(0, 0.9, 0.0),
            candidate(1, 0.8, 1.0),
            candidate(2, 0.7, 1.0),
        ];
        let scores = scores(&found, &[agreement(0.0, 0.0, 0.0)]);
        assert!(scores.is_sorted_by(|a, b| a > b), "{scores:?}");
    }
}
