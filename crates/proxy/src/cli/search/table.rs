//! Found tools as a table for people.

use catalog::{Catalog, Ranked, ToolAccess};
use ranking::{Confidence, Mode};

use crate::tools::shorten;

/// One line for each that was found, as wide as `width` characters.
pub(super) fn render(catalog: &Catalog, ranked: &Ranked, width: usize) -> String {
    let found = &ranked.found;
    let total = catalog.len();
    if found.is_empty() {
        return match catalog.mode() {
            Mode::Hybrid => format!("None of {total} tools fits. Try other words.\n"),
            Mode::Words => format!(
                "None of {total} tools has these words. Try others, in the language of the \
                 tools.\n"
            ),
        };
    }
    let names: Vec<String> = found
        .iter()
        .map(|found| one_line(found.tool.name()))
        .collect();
    let longest = names
        .iter()
        .map(|name| name.chars().count())
        .max()
        .unwrap_or_default();
    let name_width = longest.clamp("tool".len(), width / 2);
    let mut table = line(
        &["", "score", "match", "access", "tool", "description"],
        name_width,
        width,
    );
    for (rank, (found, name)) in found.iter().zip(&names).enumerate() {
        let weak = if found.confidence == Confidence::Weak {
            "weak"
        } else {
            ""
        };
        let access = match found.tool.access() {
            ToolAccess::Read => "read",
            ToolAccess::Write => "write",
        };
        let cells = [
            &(rank + 1).to_string(),
            &format!("{:.2}", found.score.0),
            weak,
            access,
            &shorten(name, name_width),
            &one_line(found.tool.description()),
        ];
        table += &line(&cells, name_width, width);
    }
    let how = match ranked.mode {
        Mode::Hybrid => "words and meaning",
        Mode::Words => "words only",
    };
    table + &format!("{} of {total} tools, searched by {how}.\n", found.len())
}

fn line(
    [rank, score, weak, access, name, description]: &[&str; 6],
    name_width: usize,
    width: usize,
) -> String {
    let start = format!("{rank:>3}  {score:>6}  {weak:<5}  {access:<6}  {name:<name_width$}  ");
    let room = width.saturating_sub(start.chars().count());
    let line = format!("{start}{}", shorten(description, room));
    format!("{}\n", line.trim_end())
}

/// `text` with every run of blanks and line ends as one blank, and no control characters.
fn one_line(text: &str) -> String {
    let words: Vec<&str> = text
        .split(|char: char| char.is_whitespace() || char.is_control())
        .filter(|word| !word.is_empty())
        .collect();
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use catalog::WriteTools;
    use ranking::{Embedder, VectorCache};
    use serde_json::json;
    use upstream::Handshake;
    use wire::to_raw;

    use super::*;

    fn catalog(embedder: Embedder) -> Catalog {
        let tool = |name: &str, description: &str, read_only: bool| {
            to_raw(
                &json!({"name": name, "description": description, "inputSchema": {},
                "annotations": {"readOnlyHint": read_only}}),
            )
        };
        let tools = vec![
            tool(
                "mail__send_message",
                "Sends a mail\nto one or more people. Files may be attached.",
                false,
            ),
            tool(
                "mail__search_messages",
                "Searches the mailbox by words.",
                true,
            ),
        ];
        Catalog::build(
            tools,
            Handshake::default(),
            &WriteTools::default(),
            &VectorCache::new(embedder),
        )
    }

    fn table(embedder: Embedder, query: &str, width: usize) -> String {
        let catalog = catalog(embedder);
        let table = render(&catalog, &catalog.search(query, 10), width);
        let scores = |line: &str| -> String {
            line.split(' ')
                .map(|word| {
                    if word.parse::<f32>().is_ok() && word.contains('.') {
                        "0.00"
                    } else {
                        word
                    }
                })
                .collect::<Vec<_>>()
                .join(" ")
        };
        table.lines().map(scores).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn a_line_holds_one_tool_and_fits_the_width() {
        let narrow = table(Embedder::Builtin, "mail", 72);
        assert!(
            narrow.lines().all(|line| line.chars().count() <= 72),
            "{narrow}"
        );
        insta::assert_snapshot!(narrow);
    }

    #[test]
    fn nothing_found_is_said() {
        insta::assert_snapshot!(table(Embedder::Builtin, "xqzvw", 72));
        insta::assert_snapshot!(table(Embedder::None, "zebra", 72));
    }

    #[test]
    fn the_last_line_says_how_it_was_searched() {
        for (embedder, expected) in [
            (Embedder::Builtin, "searched by words and meaning."),
            (Embedder::None, "searched by words only."),
        ] {
            let table = table(embedder, "mail", 72);
            assert!(table.ends_with(expected), "{table}");
        }
    }
}
