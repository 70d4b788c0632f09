//! Means and how far to trust them.

use std::ops::RangeInclusive;

use serde::Serialize;

/// A mean over questions with its 95 % interval.
///
/// The interval takes the questions for independent draws. Several that say one wish in different
/// words or languages aren't: of such a set, read the interval of one language.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Estimate {
    /// The mean.
    pub value: f64,
    /// Where the interval begins.
    pub low: f64,
    /// Where it ends.
    pub high: f64,
    /// How many questions it is the mean of.
    pub questions: usize,
}

impl Estimate {
    /// The mean of `values`, each from 0 to 1; `None` of none.
    ///
    /// Where each is 0 or 1 the mean is a share, and the interval Wilson's, which holds for few
    /// questions and for shares near 0 and 1. Else it is the normal approximation, cut to 0 to 1.
    pub fn of(values: &[f64]) -> Option<Self> {
        let estimate = Self::normal(values, 0.0..=1.0)?;
        if values.iter().all(|value| value.fract() == 0.0) {
            return Some(estimate.wilson());
        }
        Some(estimate)
    }

    /// The mean of `differences` between paired values, each from -1 to 1, by the normal
    /// approximation; `None` of none.
    pub fn of_differences(differences: &[f64]) -> Option<Self> {
        Self::normal(differences, -1.0..=1.0)
    }

    fn normal(values: &[f64], range: RangeInclusive<f64>) -> Option<Self> {
        if values.is_empty() {
            return None;
        }
        let count = values.len() as f64;
        let mean = values.iter().sum::<f64>() / count;
        let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
        // One value says nothing of how values differ.
        let half = match values.len() {
            1 => f64::INFINITY,
            _ => Z * (squares / (count - 1.0) / count).sqrt(),
        };
        Some(Self {
            value: mean,
            low: (mean - half).max(*range.start()),
            high: (mean + half).min(*range.end()),
            questions: values.len(),
        })
    }

    /// The same share with Wilson's score interval.
    fn wilson(self) -> Self {
        let count = self.questions as f64;
        let share = self.value;
        let spread = Z * Z / count;
        let centre = (share + spread / 2.0) / (1.0 + spread);
        let half = (share * (1.0 - share) * spread + spread * spread / 4.0).sqrt() / (1.0 + spread);
        Self {
            low: (centre - half).max(0.0),
            high: (centre + half).min(1.0),
            ..self
        }
    }

    /// Half the interval's width.
    pub fn margin(&self) -> f64 {
        (self.high - self.low) / 2.0
    }
}

/// Standard deviations that hold 95 % of a normal distribution.
const Z: f64 = 1.959_964;

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[track_caller]
    fn check(estimate: Option<Estimate>, value: f64, low: f64, high: f64) {
        let estimate = estimate.unwrap();
        let reached = [estimate.value, estimate.low, estimate.high];
        for (reached, expected) in reached.into_iter().zip([value, low, high]) {
            assert!((reached - expected).abs() < 5e-5, "{estimate:?}");
        }
    }

    fn shares(ones: usize, zeros: usize) -> Vec<f64> {
        [vec![1.0; ones], vec![0.0; zeros]].concat()
    }

    #[test]
    fn a_share_has_wilsons_interval() {
        check(Estimate::of(&shares(8, 2)), 0.8, 0.4902, 0.9433);
        check(Estimate::of(&shares(10, 0)), 1.0, 0.7225, 1.0);
        check(Estimate::of(&shares(0, 10)), 0.0, 0.0, 0.2775);
        check(Estimate::of(&shares(1, 0)), 1.0, 0.2065, 1.0);
    }

    #[test]
    fn other_means_have_the_normal_one() {
        // The deviation is 0.25, so half the width is 1.96 · 0.25 / √3 = 0.2829.
        check(Estimate::of(&[0.25, 0.5, 0.75]), 0.5, 0.2171, 0.7829);
        check(Estimate::of(&[0.5, 1.0]), 0.75, 0.26, 1.0);
        check(Estimate::of(&[0.5]), 0.5, 0.0, 1.0);
    }

    #[test]
    fn differences_may_be_negative() {
        let differences = [-1.0, 0.0, 0.0, 0.0];
        check(Estimate::of_differences(&differences), -0.25, -0.74, 0.24);
        check(Estimate::of_differences(&[0.0; 9]), 0.0, 0.0, 0.0);
        check(Estimate::of_differences(&[0.5]), 0.5, -1.0, 1.0);
    }

    #[test]
    fn nothing_has_no_mean() {
        assert_eq!(Estimate::of(&[]), None);
        assert_eq!(Estimate::of_differences(&[]), None);
    }

    proptest! {
        #[test]
        fn an_interval_holds_its_mean(
            (ones, zeros, halves) in (0..50_usize, 0..50_usize, 0..3_usize),
        ) {
            let values = [shares(ones, zeros), vec![0.5; halves]].concat();
            if let Some(estimate) = Estimate::of(&values) {
                prop_assert!(estimate.low <= estimate.value + 1e-12);
                prop_assert!(estimate.value <= estimate.high + 1e-12);
                prop_assert!(estimate.low >= 0.0 && estimate.high <= 1.0);
            }
        }
    }
}
