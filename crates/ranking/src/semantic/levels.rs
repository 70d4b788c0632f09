//! The similarities of vectors that somebody else made, brought to one scale.

use std::sync::Arc;

use super::shared::SharedMeaning;

/// Says of each similarity how far it is on the way from what is usual among `meanings`, 0, to
/// the same, 1. What isn't known is as usual.
///
/// With some models any two texts are as near as 0.7, with others 0.1: so what a similarity is worth
/// shows only beside those of the other tools.
pub(super) fn level(similarities: &mut [f32], meanings: &[Arc<SharedMeaning>]) {
    let is_known = |meaning: &Arc<SharedMeaning>| meaning.get().is_some_and(|m| !m.is_empty());
    let known = similarities.iter().zip(meanings);
    let known = known.filter(|(_, meaning)| is_known(meaning));
    let Some(usual) = usual(known.map(|(similarity, _)| *similarity).collect()) else {
        return;
    };
    for (similarity, meaning) in similarities.iter_mut().zip(meanings) {
        let own = if is_known(meaning) {
            *similarity
        } else {
            usual
        };
        *similarity = levelled(own, usual);
    }
}

/// Below the usual the order stays, but next to nothing counts: so a short list still has an order.
fn levelled(similarity: f32, usual: f32) -> f32 {
    let above = (similarity - usual) / (1.0 - usual).max(LEAST_ROOM);
    if above > 0.0 {
        LEAST + (1.0 - LEAST) * above.min(1.0)
    } else {
        LEAST * (1.0 + similarity).max(0.0) / 2.0
    }
}

/// The median; the lower one of two.
fn usual(mut similarities: Vec<f32>) -> Option<f32> {
    let last = similarities.len().checked_sub(1)?;
    let (_, median, _) = similarities.select_nth_unstable_by(last / 2, f32::total_cmp);
    Some(*median)
}

const LEAST: f32 = 1e-3;
const LEAST_ROOM: f32 = 1e-3;

#[cfg(test)]
mod tests {
    use embedding::Vector;

    use super::super::meaning::Meaning;
    use super::*;

    /// Levels similarities, of which `None` stands for a tool that isn't known.
    fn levels(similarities: &[Option<f32>]) -> Vec<f32> {
        let meaning = |similarity: &Option<f32>| match similarity {
            Some(_) => {
                let vector = Vector::from_sum(vec![1.0]).unwrap();
                SharedMeaning::known(Meaning::of_vectors(&[(1.0, vector)]))
            }
            None => SharedMeaning::expected(1, 1),
        };
        let meanings: Vec<_> = similarities.iter().map(meaning).map(Arc::new).collect();
        let mut levels: Vec<f32> = similarities.iter().map(|s| s.unwrap_or_default()).collect();
        level(&mut levels, &meanings);
        levels
    }

    #[track_caller]
    fn check(similarities: &[Option<f32>], expected: &[f32]) {
        let found = levels(similarities);
        let is_near = |(found, expected): (&f32, &f32)| (found - expected).abs() < 2e-3;
        assert!(found.iter().zip(expected).all(is_near), "{found:?}");
        assert_eq!(found.len(), expected.len());
    }

    #[test]
    fn the_usual_is_nothing_and_the_same_is_all() {
        check(
            &[Some(0.7), Some(0.7), Some(0.7), Some(0.85), Some(1.0)],
            &[0.0, 0.0, 0.0, 0.5, 1.0],
        );
        check(&[Some(0.1), Some(-0.3), Some(0.55)], &[0.0, 0.0, 0.5]);
        check(&[Some(0.6), Some(0.8)], &[0.0, 0.5]);
        check(&[], &[]);
    }

    #[test]
    fn what_is_not_known_is_as_usual() {
        check(&[None, Some(0.6), Some(0.8), None], &[0.0, 0.0, 0.5, 0.0]);
        check(&[None], &[0.0]);
    }

    #[test]
    fn below_the_usual_the_order_stays() {
        let found = levels(&[0.5, 0.4, 0.6, 0.9, 0.8].map(Some));
        assert!(found[1] > 0.0 && found[1] < found[0] && found[0] < found[2]);
        assert!(found[2] < found[4] && found[4] < found[3]);
    }

    #[test]
    fn a_single_tool_is_a_hit() {
        assert!(levels(&[Some(0.8)])[0] > 0.0);
        assert!(levels(&[Some(1.0)])[0] > 0.0);
    }
}
