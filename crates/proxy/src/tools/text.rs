//! Short texts for models: names, sizes, waits, and cuts that show.

use std::borrow::Cow;
use std::time::Duration;

use catalog::Tool;

/// `text` within `max_chars`, cut at the end of a sentence or between words, with `…` where cut.
pub(crate) fn shorten(text: &str, max_chars: usize) -> Cow<'_, str> {
    if text.char_indices().nth(max_chars).is_none() {
        return Cow::Borrowed(text);
    }
    // The ellipsis takes the place of one character.
    let end = text
        .char_indices()
        .nth(max_chars.saturating_sub(1))
        .map_or(0, |(end, _)| end);
    let (head, rest) = text.split_at_checked(end).unwrap_or_default();
    let worth_keeping = |at: &usize| *at > end / 2;
    let kept = last_sentence_end(head, rest)
        .filter(worth_keeping)
        .or_else(|| last_word_end(head, rest).filter(worth_keeping))
        .and_then(|at| head.get(..at))
        .unwrap_or(head)
        .trim_end();
    let has_room = kept.chars().count() + " …".chars().count() <= max_chars;
    let mark = match max_chars {
        0 => "",
        _ if kept.ends_with('.') && has_room => " …",
        _ => "…",
    };
    Cow::Owned(format!("{kept}{mark}"))
}

/// Where the last sentence in `head` ends. A full stop ends one where a blank follows, so that
/// `v1.2` stays whole.
fn last_sentence_end(head: &str, rest: &str) -> Option<usize> {
    head.char_indices().rev().find_map(|(at, mark)| {
        let end = at + mark.len_utf8();
        let next = head
            .get(end..)?
            .chars()
            .next()
            .or_else(|| rest.chars().next());
        let ends = match mark {
            '.' | '!' | '?' => next.is_some_and(char::is_whitespace),
            '。' | '！' | '？' | '\n' => true,
            _ => false,
        };
        ends.then_some(end)
    })
}

/// Where the last whole word in `head` ends.
fn last_word_end(head: &str, rest: &str) -> Option<usize> {
    if rest.starts_with(char::is_whitespace) {
        return Some(head.len());
    }
    head.rfind(char::is_whitespace)
}

/// A name not endlessly long, its cut marked.
pub(super) fn short_name(name: &str) -> Cow<'_, str> {
    shorten(name, NAME_CHARS)
}

/// A name as it can stand in a sentence: in backticks, on one line, not endlessly long.
pub(crate) fn quoted(name: &str) -> String {
    let visible: String = short_name(name)
        .chars()
        .map(|char| if char.is_control() { '\u{fffd}' } else { char })
        .collect();
    format!("`{visible}`")
}

/// A size for people.
pub(super) fn size(bytes: u64) -> String {
    const UNITS: [&str; 3] = ["KiB", "MiB", "GiB"];
    if bytes < 1024 {
        return format!("{bytes} bytes");
    }
    let mut amount = bytes as f64 / 1024.0;
    let mut unit = 0;
    while amount >= 1024.0 && unit + 1 < UNITS.len() {
        amount /= 1024.0;
        unit += 1;
    }
    let amount = format!("{amount:.1}");
    let amount = amount.strip_suffix(".0").unwrap_or(&amount);
    format!("{amount} {}", UNITS.get(unit).unwrap_or(&""))
}

/// A length of time for people, rounded up to whole seconds.
pub(crate) fn wait(duration: Duration) -> String {
    let seconds = duration.as_secs() + u64::from(duration.subsec_nanos() > 0);
    if seconds < 120 {
        format!("{seconds} s")
    } else {
        format!("{} min", seconds.div_ceil(60))
    }
}

/// The tool's input schema after its name, once, for an error; its signature where it is too long.
pub(super) fn schema_of(tool: &Tool) -> String {
    let schema = tool.input_schema().get();
    let name = quoted(tool.name());
    if schema.len() <= SCHEMA_BYTES {
        format!("inputSchema of {name}: {schema}")
    } else {
        let size = size(schema.len() as u64);
        format!(
            "Signature of {name}: {}\nIts inputSchema has {size}: get it with describe_tool.",
            tool.signature()
        )
    }
}

/// Names are data and may be of any length (field case 35).
const NAME_CHARS: usize = 160;
/// The longest schema that an error repeats.
const SCHEMA_BYTES: usize = 12_000;

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn texts_are_cut_where_a_reader_would() {
        let check = |text: &str, max_chars: usize, expected: &str| {
            assert_eq!(
                shorten(text, max_chars),
                expected,
                "{text:?} to {max_chars}"
            );
        };
        check("Short.", 6, "Short.");
        check("Lists files. Then more text", 20, "Lists files. …");
        check("Lists files. Then more text", 13, "Lists files.…");
        check("Reads v1.2.3 of a document and", 20, "Reads v1.2.3 of a…");
        check("one two three", 8, "one two…");
        check("one two three", 9, "one two…");
        check("unbreakable", 6, "unbre…");
        check("日本の法令を検索します", 5, "日本の法…");
        check("法令を検索。詳しくは別", 8, "法令を検索。…");
        check("anything", 0, "");
    }

    #[test]
    fn names_stay_on_one_line() {
        assert_eq!(quoted("a\nb"), "`a\u{fffd}b`");
        assert_eq!(quoted(&"x".repeat(300)).chars().count(), NAME_CHARS + 2);
    }

    #[test]
    fn sizes_and_waits_are_round() {
        let sizes = [999, 1024, 12_582_912, 70_000_000, 1 << 41].map(size);
        assert_eq!(
            sizes,
            ["999 bytes", "1 KiB", "12 MiB", "66.8 MiB", "2048 GiB"]
        );
        let waits = [0, 6_500, 7_000, 119_000, 121_000].map(|ms| wait(Duration::from_millis(ms)));
        assert_eq!(waits, ["0 s", "7 s", "7 s", "119 s", "3 min"]);
    }

    proptest! {
        #[test]
        fn a_cut_never_grows_and_keeps_a_prefix(text in "(?s).{0,60}", max_chars in 1_usize..50) {
            let short = shorten(&text, max_chars);
            prop_assert!(short.chars().count() <= max_chars);
            let kept = short.strip_suffix('…').unwrap_or(&short).trim_end();
            prop_assert!(text.starts_with(kept));
        }
    }
}
