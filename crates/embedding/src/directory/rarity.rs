//! How rare a directory's tokens are.

use super::tokenizer::Read;

/// By token, in nats.
pub(super) fn rarities(read: &Read, weights: Option<&[f32]>) -> Box<[f32]> {
    let mut rarities = of_scores(&read.scores).unwrap_or_else(|| {
        let mut order: Vec<usize> = (0..read.tokens).collect();
        if let Some(weights) = weights {
            order.sort_by(|left, right| weights[*left].total_cmp(&weights[*right]));
        }
        of_ranks(&order)
    });
    for token in &read.without_letters {
        if let Some(rarity) = rarities.get_mut(token.index()) {
            *rarity = 0.0;
        }
    }
    rarities.into_boxed_slice()
}

/// From logarithms of probabilities. A token without one below zero is as rare as the others are on
/// the average: so are words that were added to a vocabulary later.
fn of_scores(scores: &[f64]) -> Option<Vec<f32>> {
    let known = || scores.iter().filter(|score| **score < 0.0);
    let count = known().count();
    if count == 0 {
        return None;
    }
    let mean = known().sum::<f64>() / count as f64;
    #[expect(
        clippy::cast_possible_truncation,
        reason = "rarities need no more digits"
    )]
    let rarity = |score: &f64| -(if *score < 0.0 { *score } else { mean }) as f32;
    Some(scores.iter().map(rarity).collect())
}

/// By Zipf's law, where the token at each place is the next rarer one.
fn of_ranks(order: &[usize]) -> Vec<f32> {
    let count = order.len().max(1) as f32;
    let all = (count.ln() + EULER_MASCHERONI).ln();
    let mut rarities = vec![0.0; order.len()];
    for (rank, token) in order.iter().enumerate() {
        rarities[*token] = (rank as f32 + 1.0).ln() + all.max(0.0);
    }
    rarities
}

/// The sum of 1 / rank over all ranks is about the logarithm of their count and this.
const EULER_MASCHERONI: f32 = 0.577_215_7;
