//! An indented text as a tree of lines.

use super::CatalogError;

/// A line and what stands indented under it.
#[derive(Debug)]
pub(super) struct Line<'a> {
    /// Counted from 1.
    pub(super) number: usize,
    /// The text without its indentation.
    pub(super) text: &'a str,
    pub(super) children: Vec<Self>,
}

impl<'a> Line<'a> {
    /// The lines of `text` at the margin, each with its children. Two blanks are one level; empty
    /// lines and lines that begin with `#` don't count.
    pub(super) fn read_all(text: &'a str) -> Result<Vec<Self>, CatalogError> {
        let mut roots = Vec::new();
        // The line last read and the lines that it is under, outermost first.
        let mut open: Vec<Self> = Vec::new();
        for (index, whole) in text.lines().enumerate() {
            let content = whole.trim_start_matches(' ');
            if content.is_empty() || content.starts_with('#') {
                continue;
            }
            let line = Self {
                number: index + 1,
                text: content.trim_end(),
                children: Vec::new(),
            };
            let indentation = whole.len() - content.len();
            if !indentation.is_multiple_of(2) || indentation / 2 > open.len() {
                return Err(line.error("two blanks for each level"));
            }
            close(&mut open, indentation / 2, &mut roots);
            open.push(line);
        }
        close(&mut open, 0, &mut roots);
        Ok(roots)
    }

    pub(super) fn error(&self, wanted: &'static str) -> CatalogError {
        CatalogError {
            line: self.number,
            wanted,
        }
    }
}

/// Files away the open lines below `depth`.
fn close<'a>(open: &mut Vec<Line<'a>>, depth: usize, roots: &mut Vec<Line<'a>>) {
    while open.len() > depth
        && let Some(done) = open.pop()
    {
        match open.last_mut() {
            Some(parent) => parent.children.push(done),
            None => roots.push(done),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape(lines: &[Line<'_>]) -> String {
        let shapes = lines
            .iter()
            .map(|line| format!("{}({})", line.text, shape(&line.children)));
        shapes.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn indentation_makes_children() {
        let text = "a\n  b\n    c\n\n  # no line\n  d\ne\n";
        assert_eq!(shape(&Line::read_all(text).unwrap()), "a(b(c()) d()) e()");
    }

    #[test]
    fn a_skipped_level_is_an_error() {
        for (text, line) in [("a\n    b", 2), (" a", 1), ("a\n  b\n   c", 3)] {
            assert_eq!(Line::read_all(text).unwrap_err().line, line, "{text:?}");
        }
    }
}
