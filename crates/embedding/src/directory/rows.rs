//! The tokens' vectors, where they lie in the file.

use crate::half;
use crate::unigram::TokenId;

use super::invalid::InvalidModel;
use super::tensors::{Kind, Tensor, Tensors};

/// A row for each token, or one for several.
pub(super) struct Rows {
    tensors: Tensors,
    matrix: Tensor,
    dimensions: usize,
    /// By token: its row, where that isn't the token's own number.
    mapping: Option<Box<[u32]>>,
    /// By token: what its row is multiplied with.
    weights: Option<Box<[f32]>>,
}

impl Rows {
    /// The vectors in `tensors`, for so many tokens.
    pub(super) fn new(tensors: Tensors, tokens: usize) -> Result<Self, InvalidModel> {
        let matrix = tensors.embeddings()?;
        if !matches!(matrix.kind, Kind::F32 | Kind::F16 | Kind::I8) {
            let found = "`embeddings` is of another type than F32, F16 or I8";
            return Err(tensors.damaged(found));
        }
        let &[rows, dimensions] = matrix.shape.as_slice() else {
            let found = format!("`embeddings` has the shape {:?}", matrix.shape);
            return Err(tensors.damaged(format!("{found}, wanted rows and dimensions")));
        };
        if !(1..=MAX_DIMENSIONS).contains(&dimensions) {
            let found = format!("its rows have {dimensions} dimensions, wanted 1 to");
            return Err(tensors.damaged(format!("{found} {MAX_DIMENSIONS}")));
        }
        let mapping = match tensors.mapping()? {
            Some(mapping) => Some(read_mapping(&tensors, &mapping, rows)?),
            None => None,
        };
        let weights = match tensors.weights()? {
            Some(weights) => Some(read_weights(&tensors, &weights)?),
            None => None,
        };
        let of_each_token = mapping.as_ref().map_or(rows, |mapping| mapping.len());
        let counts = [
            ("rows", of_each_token),
            (
                "weights",
                weights.as_ref().map_or(tokens, |weights| weights.len()),
            ),
        ];
        if let Some((what, count)) = counts.iter().find(|(_, count)| *count != tokens) {
            return Err(tensors.damaged(format!(
                "it has {count} {what}, and tokenizer.json has {tokens} tokens: they aren't of one \
                 model"
            )));
        }
        Ok(Self {
            tensors,
            matrix,
            dimensions,
            mapping,
            weights,
        })
    }

    pub(super) fn dimensions(&self) -> usize {
        self.dimensions
    }

    /// What the tokens' rows are multiplied with, if anything.
    pub(super) fn weights(&self) -> Option<&[f32]> {
        self.weights.as_deref()
    }

    /// The sum of the tokens' vectors, each times its weight. A row that doesn't count isn't read.
    pub(super) fn sum(&self, tokens: &[TokenId], weight: impl Fn(TokenId) -> f32) -> Vec<f32> {
        let mut sum = vec![0.0; self.dimensions];
        for &token in tokens {
            let own = match &self.weights {
                Some(weights) => weights.get(token.index()).copied().unwrap_or_default(),
                None => 1.0,
            };
            let factor = own * weight(token);
            if factor != 0.0 {
                self.add(token, factor, &mut sum);
            }
        }
        sum
    }

    fn add(&self, token: TokenId, factor: f32, sum: &mut [f32]) {
        let row = self.row(token);
        match self.matrix.kind {
            Kind::F32 => add(sum, factor, row.as_chunks().0, |value| {
                f32::from_le_bytes(*value)
            }),
            Kind::F16 => add(sum, factor, row.as_chunks().0, |value| {
                half::to_f32(u16::from_le_bytes(*value))
            }),
            _ => add(sum, factor, row, |value| f32::from(value.cast_signed())),
        }
    }

    /// The bytes of a token's row; none for one of another model.
    fn row(&self, token: TokenId) -> &[u8] {
        let row = match &self.mapping {
            Some(mapping) => mapping.get(token.index()).map(|row| *row as usize),
            None => Some(token.index()),
        };
        let length = self.dimensions * self.matrix.kind.bytes();
        let start = row.and_then(|row| row.checked_mul(length));
        let bytes = self.tensors.bytes(&self.matrix);
        start
            .and_then(|start| bytes.get(start..start.checked_add(length)?))
            .unwrap_or_default()
    }
}

fn add<T>(sum: &mut [f32], factor: f32, row: &[T], value: impl Fn(&T) -> f32) {
    for (sum, number) in sum.iter_mut().zip(row) {
        *sum += value(number) * factor;
    }
}

fn read_mapping(
    tensors: &Tensors,
    mapping: &Tensor,
    rows: usize,
) -> Result<Box<[u32]>, InvalidModel> {
    let bytes = tensors.bytes(mapping);
    let numbers: Option<Vec<u32>> = match (mapping.kind, mapping.shape.as_slice()) {
        (Kind::I64, [_]) => numbers(bytes, |number| i64::from_le_bytes(number).try_into().ok()),
        (Kind::I32, [_]) => numbers(bytes, |number| i32::from_le_bytes(number).try_into().ok()),
        (Kind::U32, [_]) => numbers(bytes, |number| Some(u32::from_le_bytes(number))),
        _ => {
            let found = "`mapping` is no list of I64, I32 or U32 numbers";
            return Err(tensors.damaged(found));
        }
    };
    numbers
        .filter(|numbers| numbers.iter().all(|row| (*row as usize) < rows))
        .map(Vec::into_boxed_slice)
        .ok_or_else(|| {
            tensors.damaged(format!("`mapping` names rows that aren't among the {rows}"))
        })
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "weights need no more digits"
)]
fn read_weights(tensors: &Tensors, weights: &Tensor) -> Result<Box<[f32]>, InvalidModel> {
    let bytes = tensors.bytes(weights);
    let read: Option<Vec<f32>> = match (weights.kind, weights.shape.as_slice()) {
        (Kind::F64, [_]) => numbers(bytes, |number| Some(f64::from_le_bytes(number) as f32)),
        (Kind::F32, [_]) => numbers(bytes, |number| Some(f32::from_le_bytes(number))),
        (Kind::F16, [_]) => numbers(bytes, |number| {
            Some(half::to_f32(u16::from_le_bytes(number)))
        }),
        _ => {
            let found = "`weights` is no list of F64, F32 or F16 numbers";
            return Err(tensors.damaged(found));
        }
    };
    let read = read.unwrap_or_default().into_boxed_slice();
    if read.iter().all(|weight| weight.is_finite()) {
        Ok(read)
    } else {
        Err(tensors.damaged("`weights` has values that aren't finite numbers"))
    }
}

/// None if one of them can't be read.
fn numbers<const N: usize, T>(bytes: &[u8], read: impl Fn([u8; N]) -> Option<T>) -> Option<Vec<T>> {
    bytes
        .as_chunks()
        .0
        .iter()
        .map(|bytes| read(*bytes))
        .collect()
}

/// Far above any model in use (256 to 1,024), and low enough that products of small integers stay
/// within theirs.
const MAX_DIMENSIONS: usize = 4096;
