//! The pieces' vectors at four bits a dimension.

use crate::half;
use crate::unigram::TokenId;

/// One row of codes and one scale for each piece, used where they lie.
pub(crate) struct Rows {
    /// Little-endian half-precision numbers.
    scales: &'static [[u8; 2]],
    /// Two dimensions a byte, the even one in the low half; a code is its value plus [`ZERO`].
    codes: &'static [u8],
    dimensions: usize,
}

impl Rows {
    pub(crate) const fn new(
        scales: &'static [[u8; 2]],
        codes: &'static [u8],
        dimensions: usize,
    ) -> Self {
        Self {
            scales,
            codes,
            dimensions,
        }
    }

    pub(crate) const fn dimensions(&self) -> usize {
        self.dimensions
    }

    pub(crate) const fn len(&self) -> usize {
        self.scales.len()
    }

    /// The sum of the tokens' vectors, each times its weight.
    ///
    /// Even and odd dimensions are added up apart, as then both lie in the order of the codes and the
    /// compiler can work on many at once.
    pub(crate) fn sum(&self, tokens: &[TokenId], weight: impl Fn(TokenId) -> f32) -> Vec<f32> {
        let mut even = vec![0.0; self.dimensions / 2];
        let mut odd = even.clone();
        for &token in tokens {
            let (scale, codes) = self.row(token);
            let factor = weight(token) * scale;
            for ((even, odd), code) in even.iter_mut().zip(&mut odd).zip(codes) {
                *even += (f32::from(code & LOW_HALF) - ZERO) * factor;
                *odd += (f32::from(code >> 4) - ZERO) * factor;
            }
        }
        even.into_iter()
            .zip(odd)
            .flat_map(<[f32; 2]>::from)
            .collect()
    }

    /// The scale and the codes of a token; none for one of another model.
    fn row(&self, token: TokenId) -> (f32, &'static [u8]) {
        let bytes = self.dimensions / 2;
        let start = token.index() * bytes;
        let codes = self.codes.get(start..start + bytes).unwrap_or_default();
        let scale = self.scales.get(token.index()).copied().unwrap_or_default();
        (half::to_f32(u16::from_le_bytes(scale)), codes)
    }
}

const LOW_HALF: u8 = 0x0F;
/// The code of the value 0.
const ZERO: f32 = 8.0;
