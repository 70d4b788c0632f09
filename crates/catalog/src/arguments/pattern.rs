//! Patterns as JSON Schema writes them, which our engine doesn't always read alike.

use std::borrow::Cow;
use std::str::Chars;

/// `pattern` as the engine has to be given it, or `None` where it might mean something else there
/// than in ECMA-262.
///
/// Classes such as `\s` are the validator's to translate. Here is what it lets through: escapes that
/// only one side knows (`\z`) or that have another meaning (`\<`, `\b`), braces that one side takes
/// for themselves, empty classes and named ones.
pub(super) fn translated(pattern: &str) -> Option<Cow<'_, str>> {
    let mut translated = String::with_capacity(pattern.len());
    let mut rest = pattern.chars();
    let mut in_class = false;
    while let Some(c) = rest.next() {
        match c {
            '\\' => {
                let escape = rest.as_str();
                skip_escape(&mut rest)?;
                let (escape, _) = escape.split_at_checked(escape.len() - rest.as_str().len())?;
                // The engine reads the escaped ones as the edges of words.
                if !matches!(escape, "<" | ">") {
                    translated.push('\\');
                }
                translated.push_str(escape);
                continue;
            }
            '[' if !in_class => {
                let inner = rest.as_str();
                if inner.strip_prefix('^').unwrap_or(inner).starts_with(']') {
                    return None;
                }
                in_class = true;
            }
            // Meant for an engine that knows named classes.
            '[' if rest.as_str().starts_with(':') => return None,
            ']' => in_class = false,
            '{' if !in_class && !is_quantifier(rest.as_str()) => return None,
            _ => {}
        }
        translated.push(c);
    }
    Some(if translated == pattern {
        Cow::Borrowed(pattern)
    } else {
        Cow::Owned(translated)
    })
}

/// Moves `rest` past what follows a backslash, if both sides read it alike.
fn skip_escape(rest: &mut Chars<'_>) -> Option<()> {
    match rest.next()? {
        'd' | 'D' | 'w' | 'W' | 's' | 'S' | 't' | 'n' | 'r' | 'f' | 'v' => {}
        'c' => {
            rest.next().filter(char::is_ascii_alphabetic)?;
        }
        'x' => skip_hex(rest, 2)?,
        'u' if !rest.as_str().starts_with('{') => skip_hex(rest, 4)?,
        'u' | 'p' | 'P' => {
            let braced = rest.as_str().strip_prefix('{')?;
            let (_, after) = braced.split_once('}')?;
            *rest = after.chars();
        }
        c if c == ' ' || c.is_ascii_punctuation() => {}
        _ => return None,
    }
    Some(())
}

fn skip_hex(rest: &mut Chars<'_>, digits: usize) -> Option<()> {
    for _ in 0..digits {
        rest.next().filter(char::is_ascii_hexdigit)?;
    }
    Some(())
}

/// Whether what follows a brace makes it a quantifier: `3}`, `3,}` or `3,5}`.
fn is_quantifier(after: &str) -> bool {
    let Some((inner, _)) = after.split_once('}') else {
        return false;
    };
    let (least, most) = inner.split_once(',').unwrap_or((inner, ""));
    let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    !least.is_empty() && is_number(least) && is_number(most)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_both_sides_read_alike_is_taken() {
        for (pattern, expected) in [
            (r"^\<.*\>$", Some("^<.*>$")),
            (r"^[\<\>]$", Some("^[<>]$")),
            (r"^\\<$", Some(r"^\\<$")),
            (r"^[\w\-.]{1,64}$", Some(r"^[\w\-.]{1,64}$")),
            (r"^a{3}b{3,}$", Some(r"^a{3}b{3,}$")),
            (
                r"^\x41\u0041\u{1F600}\p{L}\cA\t$",
                Some(r"^\x41\u0041\u{1F600}\p{L}\cA\t$"),
            ),
            (r"^[{}]\ \@$", Some(r"^[{}]\ \@$")),
            (r"^[[a]+$", Some(r"^[[a]+$")),
            (r"^(?<year>\d{4})$", Some(r"^(?<year>\d{4})$")),
            (r"\bword\b", None),
            (r"\Bx", None),
            (r"^[\b]$", None),
            (r"^a\z", None),
            (r"\Aa\Z", None),
            (r"^\0$", None),
            (r"^(a)\1$", None),
            (r"^\x{41}$", None),
            (r"^\pL$", None),
            (r"^\é$", None),
            ("^a{,3}$", None),
            ("^a{$", None),
            ("^{}$", None),
            ("[]a]", None),
            ("[^]a]", None),
            ("^[[:alpha:]]$", None),
            (r"a\", None),
        ] {
            assert_eq!(translated(pattern).as_deref(), expected, "{pattern}");
        }
    }
}
