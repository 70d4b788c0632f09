//! Numbers that the validator can't tell apart.
//!
//! It compares numbers as 64-bit integers and floats. Two decimals that round to one float are
//! alike to it, so a refusal over such numbers isn't certain.

/// The largest integer to which a float holds every integer: a multiple is looked for in floats.
pub(super) const MAX_SAFE_INTEGER: u64 = 1 << 53;

/// Whether each number in the text of `json` is read as exactly itself, and no integer is beyond
/// `largest`.
pub(super) fn are_exact(json: &str, largest: u64) -> bool {
    let mut rest = json;
    while let Some(start) = rest.find(['"', '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9'])
    {
        let (_, found) = rest.split_at(start);
        if let Some(text) = found.strip_prefix('"') {
            rest = after_text(text);
            continue;
        }
        let end = found
            .find(|c: char| !matches!(c, '0'..='9' | '-' | '+' | '.' | 'e' | 'E'))
            .unwrap_or(found.len());
        let (number, after) = found.split_at(end);
        if !is_exact(number, largest) {
            return false;
        }
        rest = after;
    }
    true
}

/// What follows the closing quote of the string that `text` begins within.
fn after_text(text: &str) -> &str {
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match c {
            '"' => break,
            '\\' => {
                chars.next();
            }
            _ => {}
        }
    }
    chars.as_str()
}

fn is_exact(number: &str, largest: u64) -> bool {
    if let Ok(integer) = number.parse::<i64>() {
        return integer.unsigned_abs() <= largest;
    }
    if let Ok(integer) = number.parse::<u64>() {
        return integer <= largest;
    }
    let Ok(float) = number.parse::<f64>() else {
        return false;
    };
    // A float's shortest decimal stands for no other float. Beyond, integers are compared with the
    // float's true value.
    let read = if float.abs() < SAFE_FLOAT {
        float.to_string()
    } else {
        format!("{float:.0}")
    };
    Decimal::read(number).is_some_and(|written| Decimal::read(&read) == Some(written))
}

/// A number's digits without zeros at either end, and the power of ten of the last one.
#[derive(PartialEq)]
struct Decimal {
    negative: bool,
    digits: String,
    exponent: i64,
}

impl Decimal {
    /// `None` for exponents beyond all range.
    fn read(number: &str) -> Option<Self> {
        let (negative, number) = match number.strip_prefix('-') {
            Some(positive) => (true, positive),
            None => (false, number),
        };
        let (mantissa, exponent) = match number.split_once(['e', 'E']) {
            Some((mantissa, exponent)) => (mantissa, exponent.parse::<i64>().ok()?),
            None => (number, 0),
        };
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let all = format!("{whole}{fraction}");
        let significant = all.trim_end_matches('0');
        let dropped = i64::try_from(all.len() - significant.len()).ok()?;
        let exponent = exponent
            .checked_sub(i64::try_from(fraction.len()).ok()?)?
            .checked_add(dropped)?;
        let digits = significant.trim_start_matches('0').to_owned();
        Some(if digits.is_empty() {
            Self {
                negative: false,
                digits,
                exponent: 0,
            }
        } else {
            Self {
                negative,
                digits,
                exponent,
            }
        })
    }
}

/// [`MAX_SAFE_INTEGER`] as a float.
const SAFE_FLOAT: f64 = 9_007_199_254_740_992.0;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_exact_if_no_other_is_read_as_the_same() {
        for (number, expected) in [
            ("0", true),
            ("-0.0", true),
            ("0e5", true),
            ("30.0", true),
            ("1e0", true),
            ("0.1", true),
            ("0.10", true),
            ("1E-1", true),
            ("-122.41941550", true),
            ("0.30000000000000004", true),
            ("0.30000000000000001", false),
            ("18446744073709551615", true),
            ("-9223372036854775808", true),
            ("18446744073709551616", true),
            ("18446744073709551620", false),
            ("-9223372036854775809", false),
            ("1e22", true),
            ("1e23", false),
            ("12345678901234567890123", false),
            ("9007199254740993.0", false),
            ("9007199254740992.0", true),
            ("1e-400", false),
            ("1e999", false),
            ("1e-99999999999999999999", false),
        ] {
            assert_eq!(are_exact(number, u64::MAX), expected, "{number}");
        }
        assert!(are_exact("9007199254740992", MAX_SAFE_INTEGER));
        assert!(!are_exact("-9007199254740993", MAX_SAFE_INTEGER));
    }

    #[test]
    fn numbers_are_found_wherever_they_stand_but_not_in_text() {
        for (json, expected) in [
            (r#"{"1e999":"1e999 \" 1e999","a":[1,{"b":2.5}]}"#, true),
            (r#"{"a":"\\","b":1e-400}"#, false),
            (r#"{"a":[1,{"b":-0.30000000000000001}]}"#, false),
            (r#"{"a":[true,false,null]}"#, true),
        ] {
            assert_eq!(are_exact(json, u64::MAX), expected, "{json}");
        }
    }
}
