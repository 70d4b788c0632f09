//! IEEE 754 half precision, the form that row scales are stored in.

/// The value of a number's 16 bits.
pub(crate) fn to_f32(bits: u16) -> f32 {
    let sign = u32::from(bits & 0x8000) << 16;
    let exponent = u32::from(bits >> 10 & 0x1F);
    let fraction = u32::from(bits & 0x03FF);
    let magnitude = match exponent {
        // Subnormal: a multiple of 2^-24, which is a normal single.
        0 => (fraction as f32 * SUBNORMAL_UNIT).to_bits(),
        0x1F => 0xFF << 23 | fraction << 13,
        _ => (exponent + EXPONENT_BIAS) << 23 | fraction << 13,
    };
    f32::from_bits(sign | magnitude)
}

/// 2^-24.
const SUBNORMAL_UNIT: f32 = 1.0 / 16_777_216.0;
/// What a single's exponent is biased by beyond a half's.
const EXPONENT_BIAS: u32 = 127 - 15;

#[cfg(test)]
mod tests {
    use super::*;

    fn check(bits: u16, expected: f32) {
        let found = to_f32(bits);
        assert_eq!(found.to_bits(), expected.to_bits(), "{bits:#06x}: {found}");
    }

    #[test]
    fn halves_become_singles() {
        check(0x0000, 0.0);
        check(0x8000, -0.0);
        check(0x0001, 5.960_464_5e-8);
        check(0x03FF, 6.097_555e-5);
        check(0x0400, 6.103_515_6e-5);
        check(0x3555, 0.333_251_95);
        check(0x3C00, 1.0);
        check(0xC000, -2.0);
        check(0x7BFF, 65_504.0);
        check(0x7C00, f32::INFINITY);
        check(0xFC00, f32::NEG_INFINITY);
        assert!(to_f32(0x7E00).is_nan());
    }
}
