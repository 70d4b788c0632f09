//! Regular expressions that Python's `re` reads: OpenAI compiles each `pattern` with it, and refuses
//! the whole request for one that it can't (BerriAI/litellm #40485, pleaseai/shunt #488).

use std::str::Chars;

/// Whether Python's `re` reads `pattern`. What patterns of schemas hardly ever have, such as named
/// groups and lookbehind, counts as unread.
pub(super) fn is_read(pattern: &str) -> bool {
    let rest = pattern.strip_prefix("(?i)").unwrap_or(pattern);
    let mut scan = Scan {
        rest: rest.chars(),
        open: Vec::new(),
        closed: Vec::new(),
    };
    scan.all().is_some() && scan.open.is_empty()
}

struct Scan<'p> {
    rest: Chars<'p>,
    /// The groups that aren't closed, those that can be referred to by their place in `closed`.
    open: Vec<Option<usize>>,
    /// Whether each group that can be referred to is closed.
    closed: Vec<bool>,
}

/// What stands before a repetition.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Before {
    Nothing,
    Anchor,
    Whole,
    Repeated,
}

/// What stands in a class.
#[derive(Debug, Clone, Copy)]
enum Member {
    Char(char),
    /// `\w` and the like, which can't begin or end a range.
    Several,
}

/// Methods give `None` where the pattern isn't read.
impl Scan<'_> {
    fn all(&mut self) -> Option<()> {
        let mut before = Before::Nothing;
        while let Some(char) = self.rest.next() {
            before = match char {
                '(' => self.group()?,
                ')' => {
                    let group = self.open.pop()?;
                    if let Some(closed) = group.and_then(|group| self.closed.get_mut(group)) {
                        *closed = true;
                    }
                    Before::Whole
                }
                '|' => Before::Nothing,
                '^' | '$' => Before::Anchor,
                '[' => self.class()?,
                '\\' => self.escape()?,
                '*' | '+' | '?' => self.repeated(before)?,
                '{' if self.bounds()? => self.repeated(before)?,
                _ => Before::Whole,
            };
        }
        Some(())
    }

    /// What follows `(`.
    fn group(&mut self) -> Option<Before> {
        if !self.takes('?') {
            self.open.push(Some(self.closed.len()));
            self.closed.push(false);
        } else if matches!(self.rest.next()?, ':' | '=' | '!') {
            self.open.push(None);
        } else {
            return None;
        }
        (self.open.len() <= DEPTH).then_some(Before::Nothing)
    }

    fn repeated(&mut self, before: Before) -> Option<Before> {
        if before != Before::Whole {
            return None;
        }
        self.takes('?');
        Some(Before::Repeated)
    }

    /// Whether `{` begins a repetition, which is taken then; else it stands for itself.
    fn bounds(&mut self) -> Option<bool> {
        let Some((bounds, _)) = self.rest.as_str().split_once('}') else {
            return Some(false);
        };
        let (least, most) = bounds.split_once(',').unwrap_or((bounds, bounds));
        let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        if bounds.is_empty() || !is_number(least) || !is_number(most) {
            return Some(false);
        }
        let number = |text: &str, unsaid: u32| match text {
            "" => Some(unsaid),
            text => text.parse().ok(),
        };
        let [least, most] = [number(least, 0)?, number(most, MAX_REPEATS)?];
        self.rest.nth(bounds.len());
        (least <= most && most <= MAX_REPEATS).then_some(true)
    }

    /// What follows `\` outside a class.
    fn escape(&mut self) -> Option<Before> {
        match self.rest.clone().next()? {
            'A' | 'B' | 'Z' | 'b' => {
                self.rest.next();
                Some(Before::Anchor)
            }
            '1'..='9' => self.reference(),
            _ => self.member().map(|_| Before::Whole),
        }
    }

    /// The number of a group that is closed.
    fn reference(&mut self) -> Option<Before> {
        let number = usize::try_from(self.rest.next()?.to_digit(10)?).ok()?;
        let is_whole = !self
            .rest
            .as_str()
            .starts_with(|next: char| next.is_ascii_digit());
        let closed = self.closed.get(number.checked_sub(1)?);
        (is_whole && closed == Some(&true)).then_some(Before::Whole)
    }

    /// What follows `[`.
    fn class(&mut self) -> Option<Before> {
        self.takes('^');
        let mut is_empty = true;
        loop {
            let first = match self.rest.next()? {
                ']' if !is_empty => return Some(Before::Whole),
                '\\' => self.member()?,
                char => Member::Char(char),
            };
            is_empty = false;
            if !self.takes('-') {
                continue;
            }
            let last = match self.rest.next()? {
                ']' => return Some(Before::Whole),
                '\\' => self.member()?,
                char => Member::Char(char),
            };
            match (first, last) {
                (Member::Char(first), Member::Char(last)) if first <= last => {}
                _ => return None,
            }
        }
    }

    /// What follows `\` in a class, and most of what does outside.
    fn member(&mut self) -> Option<Member> {
        let char = match self.rest.next()? {
            'D' | 'S' | 'W' | 'd' | 's' | 'w' => return Some(Member::Several),
            '0' => '\0',
            'a' => '\x07',
            'b' => '\x08',
            'f' => '\x0c',
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            'v' => '\x0b',
            'x' => self.hex(2)?,
            'u' => self.hex(4)?,
            other if other.is_ascii_alphanumeric() => return None,
            other => other,
        };
        Some(Member::Char(char))
    }

    fn hex(&mut self, digits: usize) -> Option<char> {
        let mut code = 0;
        for _ in 0..digits {
            code = code * 16 + self.rest.next()?.to_digit(16)?;
        }
        char::from_u32(code)
    }

    fn takes(&mut self, wanted: char) -> bool {
        let takes = self.rest.clone().next() == Some(wanted);
        if takes {
            self.rest.next();
        }
        takes
    }
}

/// Python gives up on some hundred groups in each other.
const DEPTH: usize = 50;
/// From `u32::MAX` on, Python refuses.
const MAX_REPEATS: u32 = u32::MAX - 1;

#[cfg(test)]
mod tests {
    use super::*;

    /// As Python 3.11's `re.compile` takes them, but for the last, which it reads.
    const READ: &str = r"
        ^[a-z0-9_-]+$ ^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2})?$ ^\/[^\/]*$ (?i)^yes|no$
        ^(?!.*\.\.)[\w.%+-]+@(?:[a-z]+\.)+[a-z]{2,}$
        []a] [^]] [a-] [-a] a] a} { a{ a{} a{x} a{1 a{,3} a{3,} a{2}? a*? a??
        (a)* ()* (?=a)* \x41\u0041\0 [\b\x00-\x1f] é\é (a)(?:b)(c)\2+
    ";
    const UNREAD: &str = r"
        ^\p{L}+$ (?<year>\d{4}) ( ) (a a) [ [] [^] [a [b-a] [\w-.] [a-\d] [\A] [\p{L}]
        \ \z \h \u{1F600} \x4 \u004 * a|* (*a) ^* $+ \b? a** a{2}{3} a*{2} a{3,2}
        a{4294967295} a(?i)b (?# (?P<a (? (a\1) (a)\2
        (?<=a)b (?P<a>b) a++ (?s)a
    ";

    #[test]
    fn only_what_python_reads_is_read() {
        let check = |pattern: &str, expected: bool| {
            assert_eq!(is_read(pattern), expected, "{pattern}");
        };
        check("", true);
        for pattern in READ.split_whitespace() {
            check(pattern, true);
        }
        for pattern in UNREAD.split_whitespace() {
            check(pattern, false);
        }
        check(&format!("{}{}", "(".repeat(50), ")".repeat(50)), true);
        check(&format!("{}{}", "(".repeat(51), ")".repeat(51)), false);
    }
}
