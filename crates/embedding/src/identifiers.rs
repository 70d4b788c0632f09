//! Taking names of programs apart, as was done to the texts that the model learned from.

/// Puts blanks where an identifier's words meet: `getUserInfo`, `get_user_info` and `get/user.info`
/// become `get User Info`, `get user info`, `get user info`; `HTTPServer` becomes `HTTP Server`.
///
/// Only ASCII letters and digits make a border, and a run of `-`, `_`, `.`, `/` and `:` becomes one
/// blank, in plain sentences too: the tokenizer takes every such sign for a blank anyway.
pub fn split_identifiers(text: &str) -> String {
    let mut split = String::with_capacity(text.len() + text.len() / 4);
    let mut before = ' ';
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        let is_separator = SEPARATORS.contains(&letter);
        if is_separator {
            if !SEPARATORS.contains(&before) {
                split.push(' ');
            }
        } else {
            if is_border(before, letter, letters.peek().copied()) {
                split.push(' ');
            }
            split.push(letter);
        }
        before = letter;
    }
    split
}

/// True if a word starts at `letter`: after a small letter or digit, or as the last capital of a row
/// that small letters follow.
fn is_border(before: char, letter: char, after: Option<char>) -> bool {
    letter.is_ascii_uppercase()
        && (before.is_ascii_lowercase()
            || before.is_ascii_digit()
            || before.is_ascii_uppercase() && after.is_some_and(|after| after.is_ascii_lowercase()))
}

const SEPARATORS: &[char] = &['-', '_', '.', '/', ':'];

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        assert_eq!(split_identifiers(text), expected, "{text}");
    }

    #[test]
    fn names_fall_into_words() {
        check("getUserInfo", "get User Info");
        check("get_user_info", "get user info");
        check("github.issues/list-all::now", "github issues list all now");
        check("HTTPServerV2Beta", "HTTP Server V2 Beta");
        check("parseJSON", "parse JSON");
        check("ABCDef", "ABC Def");
        check("iOS17Device", "i OS17 Device");
        check("XMLHTTP", "XMLHTTP");
        check("aB", "a B");
        check("ABa", "A Ba");
        check("__init__", " init ");
    }

    #[test]
    fn the_rest_stays() {
        check("", "");
        check("Create an issue, please", "Create an issue, please");
        check("Įjunk šviesą virtuvėje", "Įjunk šviesą virtuvėje");
        check("šViesa ŠViesa", "šViesa ŠViesa");
        check("删除文件 deleteFile", "删除文件 delete File");
        check("16:30", "16 30");
    }
}
