//! Names in a line of text.

use std::fmt::{self, Display};

/// Names with commas; of many only the first, and how many more there are.
pub(crate) struct Few<'a>(pub(crate) Vec<&'a str>);

impl Display for Few<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (shown, rest) = self.0.split_at(self.0.len().min(SHOWN));
        f.write_str(&shown.join(", "))?;
        match rest.len() {
            0 => Ok(()),
            rest => write!(f, " and {rest} more"),
        }
    }
}

const SHOWN: usize = 10;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_many_names_the_first_are_shown() {
        let names: Vec<String> = (0..12).map(|number| number.to_string()).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let few = |count: usize| Few(names.iter().copied().take(count).collect()).to_string();
        assert_eq!(few(2), "0, 1");
        assert_eq!(few(10), "0, 1, 2, 3, 4, 5, 6, 7, 8, 9");
        assert_eq!(few(12), "0, 1, 2, 3, 4, 5, 6, 7, 8, 9 and 2 more");
    }
}
