//! How times are written for programs.

use std::time::{Duration, SystemTime};

/// A point in time by RFC 3339, in UTC, to the millisecond.
pub(crate) fn timestamp(time: SystemTime) -> String {
    humantime::format_rfc3339_millis(time).to_string()
}

/// To the microsecond: what is finer is noise.
pub(crate) fn milliseconds(took: Duration) -> f64 {
    took.as_micros() as f64 / 1e3
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_three_decimals_at_most() {
        for (nanoseconds, expected) in [
            (930_937, "0.93"),
            (930_999, "0.93"),
            (1_234_567_891, "1234.567"),
            (999, "0"),
        ] {
            let took = Duration::from_nanos(nanoseconds);
            assert_eq!(milliseconds(took).to_string(), expected, "{nanoseconds}");
        }
    }
}
