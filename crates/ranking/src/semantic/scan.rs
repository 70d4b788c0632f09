//! Comparing a query with every document.
//!
//! The products are sums of whole numbers, so that every way to compute them gives the same.

use std::sync::Arc;

use super::meaning::QueryCodes;
use super::shared::SharedMeaning;

/// How near each of `meanings` is to `query`; 0 for what isn't known.
pub(super) fn similarities(query: &QueryCodes, meanings: &[Arc<SharedMeaning>]) -> Vec<f32> {
    let mut similarities = vec![0.0; meanings.len()];
    scan(query, meanings, &mut similarities);
    similarities
}

fn scan(query: &QueryCodes, meanings: &[Arc<SharedMeaning>], similarities: &mut [f32]) {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx2") {
        #[expect(
            unsafe_code,
            reason = "what a processor has is known only when it runs"
        )]
        // SAFETY: the processor has AVX2, which is all that the function asks for.
        return unsafe { scan_with_avx2(query, meanings, similarities) };
    }
    scan_anywhere(query, meanings, similarities);
}

/// The same loop, compiled to AVX2: about twice as fast, and no slower than one written in its
/// instructions.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn scan_with_avx2(query: &QueryCodes, meanings: &[Arc<SharedMeaning>], similarities: &mut [f32]) {
    scan_anywhere(query, meanings, similarities);
}

#[expect(
    clippy::inline_always,
    reason = "so that it is compiled with its caller's instructions"
)]
#[inline(always)]
fn scan_anywhere(query: &QueryCodes, meanings: &[Arc<SharedMeaning>], similarities: &mut [f32]) {
    for (similarity, meaning) in similarities.iter_mut().zip(meanings) {
        *similarity = meaning.similarity(query);
    }
}

/// The products of each of `rows` with each of `queries`, row by row.
pub(super) fn products(rows: &[&[i8]], queries: &[&[i16]]) -> Vec<i32> {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx2") {
        #[expect(
            unsafe_code,
            reason = "what a processor has is known only when it runs"
        )]
        // SAFETY: the processor has AVX2, which is all that the function asks for.
        return unsafe { products_with_avx2(rows, queries) };
    }
    products_anywhere(rows, queries)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn products_with_avx2(rows: &[&[i8]], queries: &[&[i16]]) -> Vec<i32> {
    products_anywhere(rows, queries)
}

#[expect(
    clippy::inline_always,
    reason = "so that it is compiled with its caller's instructions"
)]
#[inline(always)]
fn products_anywhere(rows: &[&[i8]], queries: &[&[i16]]) -> Vec<i32> {
    let mut products = Vec::with_capacity(rows.len() * queries.len());
    for row in rows {
        for query in queries {
            products.push(product(row, query));
        }
    }
    products
}

/// The sum of the products of two rows of codes. At 320 dimensions it is far from the limits of its
/// type, as each product is from its.
#[expect(
    clippy::inline_always,
    reason = "so that it is compiled with its caller's instructions"
)]
#[inline(always)]
pub(super) fn product(row: &[i8], query: &[i16]) -> i32 {
    row.iter()
        .zip(query)
        .map(|(&row, &query)| i32::from(row) * i32::from(query))
        .sum()
}

#[cfg(test)]
mod tests {
    use super::super::meaning::{Codes, Meaning};
    use super::*;
    use embedding::Vector;
    use proptest::collection::vec;
    use proptest::prelude::*;

    fn vectors(rows: std::ops::Range<usize>) -> impl Strategy<Value = Vec<Vec<f32>>> {
        vec(vec(-1.0_f32..1.0, 320), rows)
    }

    fn vector(values: &[f32]) -> Vector {
        Vector::from_sum(values.to_vec()).unwrap()
    }

    proptest! {
        #[test]
        fn every_way_to_scan_gives_the_same(query in vectors(1..2), rows in vectors(1..5)) {
            let query = QueryCodes::of(&vector(&query[0]));
            let rows = rows.iter().map(|row| (1.0, vector(row))).collect::<Vec<_>>();
            let meanings = [Arc::new(SharedMeaning::known(Meaning::of_vectors(&rows)))];
            let mut anywhere = [0.0];
            scan_anywhere(&query, &meanings, &mut anywhere);
            prop_assert_eq!(similarities(&query, &meanings), anywhere);
        }

        #[test]
        fn every_way_to_multiply_gives_the_same(rows in vectors(1..5), queries in vectors(1..4)) {
            let rows: Vec<Codes> = rows.iter().map(|row| Codes::of(&vector(row))).collect();
            let queries: Vec<QueryCodes> =
                queries.iter().map(|query| QueryCodes::of(&vector(query))).collect();
            let rows: Vec<&[i8]> = rows.iter().map(|row| &row.values[..]).collect();
            let queries: Vec<&[i16]> = queries.iter().map(|query| &query.values[..]).collect();
            let found = products(&rows, &queries);
            prop_assert_eq!(&found, &products_anywhere(&rows, &queries));
            let last = product(rows[rows.len() - 1], queries[queries.len() - 1]);
            prop_assert_eq!(found.last(), Some(&last));
        }

        #[test]
        fn small_integers_are_near_the_real_cosines(vectors in vectors(2..3)) {
            let [left, right] = [0, 1].map(|at| vector(&vectors[at]));
            let meaning = Meaning::of_vectors(&[(1.0, left.clone())]);
            let meaning = [Arc::new(SharedMeaning::known(meaning))];
            let found = similarities(&QueryCodes::of(&right), &meaning)[0];
            prop_assert!((found - left.cosine(&right)).abs() < 0.01, "{}", found);
        }
    }

    #[test]
    fn a_product_is_the_sum_of_products() {
        assert_eq!(product(&[127; 320], &[-127; 320]), -127 * 127 * 320);
        assert_eq!(product(&[-128, 2, 3], &[-128, 5, -6]), 128 * 128 + 10 - 18);
        assert_eq!(product(&[], &[]), 0);
    }

    #[test]
    fn a_tool_without_meaning_is_like_nothing() {
        let query = QueryCodes::of(&vector(&[1.0; 320]));
        let empty = SharedMeaning::known(Meaning::default());
        let expected = SharedMeaning::expected(2, 320);
        let meanings = [empty, expected].map(Arc::new);
        assert_eq!(similarities(&query, &meanings), [0.0, 0.0]);
        assert_eq!(similarities(&query, &[]), [] as [f32; 0]);
    }
}
