//! A word in whatever spelling.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use crate::QUERY;

/// Fails if `text` holds the word, its beginning, or another spelling of it.
pub(crate) fn check_absent(place: &str, text: &str, word: &str) {
    let found = spellings(word).into_iter().find_map(|spelling| {
        let at = text.find(&spelling)?;
        let start = text.floor_char_boundary(at.saturating_sub(200));
        text.get(start..text.ceil_char_boundary(at + 200))
    });
    assert_eq!(found, None, "{word} is in {place}");
}

fn spellings(word: &str) -> Vec<String> {
    let bytes: Vec<String> = word.bytes().map(|byte| format!("{byte:02x}")).collect();
    let hexadecimal = bytes.concat();
    let percent = format!("%{}", bytes.join("%").to_uppercase());
    let beginning = word.get(..word.len() - 6).unwrap().to_owned();
    let mut spellings = vec![beginning, hexadecimal.to_uppercase(), hexadecimal, percent];
    // What base64 makes of it depends on how many bytes stand before it; its ends are shared with
    // what stands around.
    for before in 0..3 {
        let padded = [&b"  "[..before], word.as_bytes()].concat();
        let encoded = STANDARD.encode(&padded);
        let inner = encoded.get(4..encoded.len() - 4).unwrap().to_owned();
        spellings.push(inner.replace('+', "-").replace('/', "_"));
        spellings.push(inner);
    }
    spellings
}

#[test]
fn every_spelling_is_found() {
    for spelt in [
        format!("x{QUERY}x"),
        QUERY.get(..12).unwrap().to_owned(),
        "7175657279636 16E61727934526B397742".replace(' ', ""),
        STANDARD.encode(format!("Bearer {QUERY}")),
        STANDARD.encode(format!("Bearer: {QUERY}!")),
        STANDARD.encode(format!("Bearer:: {QUERY}!!")),
    ] {
        assert!(
            spellings(QUERY)
                .iter()
                .any(|spelling| spelt.contains(spelling)),
            "{spelt}"
        );
    }
}
