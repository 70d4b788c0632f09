//! Measures of one ranked answer. A rank is the place, from 1, of the first hit that is a wanted
//! tool or as right; `None` where there is no such hit.

/// The share of wanted tools among the first `k` hits.
pub(crate) fn recall(ranks: &[Option<usize>], k: usize) -> f64 {
    let found = ranks.iter().flatten().filter(|rank| **rank <= k).count();
    share(found, ranks.len())
}

/// One through the best rank; zero where nothing wanted was found.
pub(crate) fn reciprocal_rank(ranks: &[Option<usize>]) -> f64 {
    let best = ranks.iter().flatten().min();
    best.map_or(0.0, |rank| 1.0 / *rank as f64)
}

/// Normalised discounted cumulative gain of the first `k` hits: each wanted tool gains
/// `1 / log2(1 + rank)`, and the sum is divided by that of the best possible order.
///
/// A hit that is as right for two wanted tools stands for both, the second a place further down, so
/// that no answer is better than the best order.
pub(crate) fn ndcg(ranks: &[Option<usize>], k: usize) -> f64 {
    let mut places: Vec<usize> = ranks.iter().flatten().copied().collect();
    places.sort_unstable();
    let mut next = 1;
    for place in &mut places {
        *place = next.max(*place);
        next = *place + 1;
    }
    places.retain(|place| *place <= k);
    if places.is_empty() {
        return 0.0;
    }
    let gain: f64 = places.into_iter().map(discounted).sum();
    let best: f64 = (1..=ranks.len().min(k)).map(discounted).sum();
    gain / best
}

fn discounted(place: usize) -> f64 {
    1.0 / (1.0 + place as f64).log2()
}

fn share(part: usize, whole: usize) -> f64 {
    if whole == 0 {
        return 0.0;
    }
    part as f64 / whole as f64
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[track_caller]
    fn check(reached: f64, expected: f64) {
        assert!(
            (reached - expected).abs() < 1e-4,
            "{reached} is not {expected}"
        );
    }

    #[test]
    fn recall_is_the_share_found_so_far() {
        let ranks = [Some(1), Some(4), None];
        check(recall(&ranks, 1), 1.0 / 3.0);
        check(recall(&ranks, 3), 1.0 / 3.0);
        check(recall(&ranks, 4), 2.0 / 3.0);
        check(recall(&ranks, 10), 2.0 / 3.0);
        check(recall(&[], 10), 0.0);
    }

    #[test]
    fn the_reciprocal_rank_is_that_of_the_first() {
        check(reciprocal_rank(&[Some(4), Some(2)]), 0.5);
        check(reciprocal_rank(&[None, Some(1)]), 1.0);
        check(reciprocal_rank(&[None]), 0.0);
    }

    #[test]
    fn ndcg_discounts_by_place() {
        check(ndcg(&[Some(1)], 10), 1.0);
        check(ndcg(&[Some(2)], 10), 0.6309);
        check(ndcg(&[Some(3)], 10), 0.5);
        check(ndcg(&[Some(11)], 10), 0.0);
        // 1 + 1/2 of 1 + 0.6309.
        check(ndcg(&[Some(3), Some(1)], 10), 0.9197);
        check(ndcg(&[Some(1), None], 10), 0.6131);
        // Of three wanted, two places can hold two.
        check(ndcg(&[Some(1), Some(2), None], 2), 1.0);
    }

    #[test]
    fn a_hit_that_serves_two_takes_two_places() {
        check(ndcg(&[Some(1), Some(1)], 10), 1.0);
        check(ndcg(&[Some(2), Some(2)], 10), 0.6934);
    }

    fn ranks() -> impl Strategy<Value = Vec<Option<usize>>> {
        proptest::collection::vec(proptest::option::of(1..=12_usize), 0..6)
    }

    proptest! {
        #[test]
        fn every_measure_is_a_share(ranks in ranks(), k in 1..=12_usize) {
            for value in [recall(&ranks, k), reciprocal_rank(&ranks), ndcg(&ranks, k)] {
                prop_assert!((0.0..=1.0 + 1e-12).contains(&value), "{value}");
            }
        }

        #[test]
        fn recall_never_falls_with_depth(ranks in ranks(), k in 1..=12_usize) {
            prop_assert!(recall(&ranks, k) <= recall(&ranks, k + 1));
        }

        #[test]
        fn the_order_of_what_is_wanted_changes_nothing(ranks in ranks(), k in 1..=12_usize) {
            let mut reversed = ranks.clone();
            reversed.reverse();
            for measure in [recall, ndcg] {
                prop_assert!((measure(&ranks, k) - measure(&reversed, k)).abs() < 1e-12);
            }
        }

        #[test]
        fn a_better_rank_is_never_worse(ranks in ranks(), k in 1..=12_usize) {
            let better: Vec<Option<usize>> =
                ranks.iter().map(|rank| rank.map(|rank| rank.div_ceil(2))).collect();
            prop_assert!(ndcg(&ranks, k) <= ndcg(&better, k) + 1e-12);
            prop_assert!(reciprocal_rank(&ranks) <= reciprocal_rank(&better));
        }
    }
}
