//! Vectors of length one.

/// What a text means: a vector of length one, so that a dot product is a cosine.
#[derive(Debug, Clone, PartialEq)]
pub struct Vector(Box<[f32]>);

impl Vector {
    /// Scales a sum to length one; none if it has no direction: all zero, or not finite.
    pub fn from_sum(mut sum: Vec<f32>) -> Option<Self> {
        let length = dot(&sum, &sum).sqrt();
        if length == 0.0 || !length.is_finite() {
            return None;
        }
        for value in &mut sum {
            *value /= length;
        }
        Some(Self(sum.into_boxed_slice()))
    }

    /// The dimensions in order.
    pub fn as_slice(&self) -> &[f32] {
        &self.0
    }

    /// From -1 to 1: how alike two texts are. The vectors are of one model.
    pub fn cosine(&self, other: &Self) -> f32 {
        dot(&self.0, &other.0)
    }
}

/// Several partial sums, because a compiler may not reorder a single one and so can't vectorise it.
fn dot(left: &[f32], right: &[f32]) -> f32 {
    let (left, left_rest) = left.as_chunks::<LANES>();
    let (right, right_rest) = right.as_chunks::<LANES>();
    let mut sums = [0.0; LANES];
    for (left, right) in left.iter().zip(right) {
        for ((sum, left), right) in sums.iter_mut().zip(left).zip(right) {
            *sum += left * right;
        }
    }
    let rest: f32 = left_rest
        .iter()
        .zip(right_rest)
        .map(|(left, right)| left * right)
        .sum();
    sums.iter().sum::<f32>() + rest
}

const LANES: usize = 16;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sum_becomes_a_vector_of_length_one() {
        let vector = Vector::from_sum(vec![3.0, 0.0, -4.0]).unwrap();
        assert_eq!(vector.as_slice(), [0.6, 0.0, -0.8]);
        assert_eq!(Vector::from_sum(vec![0.0; 3]), None);
        assert_eq!(Vector::from_sum(vec![]), None);
        assert_eq!(Vector::from_sum(vec![f32::NAN, 1.0]), None);
        assert_eq!(Vector::from_sum(vec![f32::INFINITY, 1.0]), None);
        assert_eq!(Vector::from_sum(vec![f32::MAX, f32::MAX]), None);
    }

    #[test]
    fn the_dot_product_counts_every_dimension() {
        for dimensions in [1_u16, 15, 16, 17, 255] {
            let left: Vec<f32> = (1..=dimensions).map(f32::from).collect();
            let found = dot(&left, &vec![2.0; left.len()]);
            let expected = f32::from(dimensions) * f32::from(dimensions + 1);
            assert_eq!(found.to_bits(), expected.to_bits(), "{dimensions}: {found}");
        }
    }
}
