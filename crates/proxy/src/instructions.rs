//! What a client reads about the proxy at its handshake: our guidance, then the upstream's own text.

use catalog::{Area, Catalog};

/// Our guidance (at most 900 characters) with how many tools there are and which areas they cover,
/// then the upstream's instructions, cut to `max_chars` with a note that says so. `None` where the
/// catalog isn't there yet.
///
/// Clients keep as little as the first 500 characters (field case 7), so those say that there is
/// more than is listed, how it is found, and what it covers.
pub(crate) fn instructions(catalog: Option<&Catalog>, max_chars: usize) -> String {
    let guidance = guidance(catalog);
    let upstream = catalog.and_then(|catalog| catalog.handshake().instructions.as_deref());
    match upstream
        .map(str::trim)
        .filter(|text| !text.is_empty() && max_chars > 0)
    {
        Some(text) => format!(
            "{guidance}\n\n{UPSTREAM_HEADING}\n\n{}",
            cut(text, max_chars)
        ),
        None => guidance,
    }
}

fn guidance(catalog: Option<&Catalog>) -> String {
    let start = format!("{} {FIND}", what_there_is(catalog.map(Catalog::len)));
    let areas = catalog.map(Catalog::areas).unwrap_or_default();
    let room = START_CHARS.saturating_sub(start.chars().count());
    format!("{start}{}\n{CALL}", area_line(&areas, room))
}

fn what_there_is(tools: Option<usize>) -> String {
    match tools {
        None => "Behind this server are many more tools than it lists.".to_owned(),
        Some(0) => {
            "The upstream, the server behind this one, lists no tools for this user at present."
                .to_owned()
        }
        Some(1) => "Behind this server is 1 more tool than it lists.".to_owned(),
        Some(count) => format!("Behind this server are {count} more tools than it lists."),
    }
}

/// The largest areas whose names fit into `room` characters.
fn area_line(areas: &[Area], room: usize) -> String {
    const OPENING: &str = " They cover: ";
    const MORE: &str = ", and more";
    let mut line = String::new();
    let mut left = room.saturating_sub(OPENING.len() + MORE.len() + 1);
    let mut shown = 0;
    for area in areas {
        let separator = if shown == 0 { "" } else { ", " };
        let text = format!("{separator}{} ({})", area.name, area.tools);
        let chars = text.chars().count();
        if chars > left {
            break;
        }
        left -= chars;
        line.push_str(&text);
        shown += 1;
    }
    if shown == 0 {
        return String::new();
    }
    let more = if shown < areas.len() { MORE } else { "" };
    format!("{OPENING}{line}{more}.")
}

/// `text` up to `max_chars` characters, and whether that is all.
fn cut(text: &str, max_chars: usize) -> String {
    match text.char_indices().nth(max_chars) {
        None => text.to_owned(),
        Some((end, _)) => {
            let kept = text.get(..end).unwrap_or_default();
            let total = text.chars().count();
            format!("{kept}\n\n[Cut here: {max_chars} of {total} characters are shown.]")
        }
    }
}

const FIND: &str = "Before you say that something can't be done, and before you use a tool you \
                    haven't seen, call search_tools with what you want to do: it gives the right \
                    tools with what they take.";
const CALL: &str = "Call a tool by its exact name with `arguments` that fit its schema: those that \
                    only read with call_read_tool (several at once: call_read_tools), all others \
                    with call_write_tool; each search hit says which in `call`. describe_tool shows \
                    tools in full. If nothing fits, search in other words before you give up.";
const UPSTREAM_HEADING: &str = "From the upstream, the server behind this one, about its tools (find \
                                and call them as above):";
/// How far the part about what there is may go.
const START_CHARS: usize = 490;

#[cfg(test)]
mod tests;
