//! Words that somebody wrote as one without a mark between them, as in `createpullrequest`.

/// The parts of `word`, where two to four known ones make it up; of several ways the one with the
/// fewest parts.
pub(super) fn split(word: &str, is_known: impl Fn(&str) -> bool) -> Option<Vec<&str>> {
    let lengths = 2 * MIN_PART..=MAX_WORD;
    if !lengths.contains(&word.len()) || !word.bytes().all(|byte| byte.is_ascii_lowercase()) {
        return None;
    }
    // By end: how many parts lead there, and where the last of them starts.
    let mut ways: Vec<Option<(usize, usize)>> = vec![None; word.len() + 1];
    ways[0] = Some((0, 0));
    for end in MIN_PART..=word.len() {
        for start in 0..=end - MIN_PART {
            let Some((parts, _)) = ways[start] else {
                continue;
            };
            let is_better = ways[end].is_none_or(|(known, _)| parts + 1 < known);
            let is_whole = start == 0 && end == word.len();
            if is_better
                && !is_whole
                && parts < MAX_PARTS
                && word.get(start..end).is_some_and(&is_known)
            {
                ways[end] = Some((parts + 1, start));
            }
        }
    }
    read_back(word, &ways)
}

fn read_back<'a>(word: &'a str, ways: &[Option<(usize, usize)>]) -> Option<Vec<&'a str>> {
    let mut parts = Vec::new();
    let mut end = word.len();
    while end > 0 {
        let (_, start) = ways[end]?;
        parts.push(word.get(start..end)?);
        end = start;
    }
    parts.reverse();
    Some(parts)
}

/// Shorter parts are found in almost any word.
const MIN_PART: usize = 3;

const MAX_PARTS: usize = 4;

/// Longer words are hashes and encoded data.
const MAX_WORD: usize = 40;

#[cfg(test)]
mod tests {
    use super::split;

    fn check(word: &str, expected: Option<&[&str]>) {
        let known = [
            "create", "pull", "request", "note", "book", "notebook", "list", "requests",
        ];
        let parts = split(word, |part| known.contains(&part));
        assert_eq!(parts.as_deref(), expected, "{word}");
    }

    #[test]
    fn glued_words_come_apart_in_the_fewest_known_parts() {
        check("createpullrequest", Some(&["create", "pull", "request"]));
        check("notebooklist", Some(&["notebook", "list"]));
        check("pullrequests", Some(&["pull", "requests"]));
        check("createpullrequestx", None);
        check("request", None);
        check("listlistlistlistlist", None);
        check("", None);
        check("ąžąžąž", None);
    }
}
