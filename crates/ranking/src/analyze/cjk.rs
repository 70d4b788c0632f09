//! Scripts that write no spaces: every two neighbouring characters are a term.

/// Whether `c` belongs to a script that is matched by bigrams: Han, kana, Hangul, Thai and its
/// neighbours. Hangul has spaces, but its particles hang on the words.
pub(crate) fn is_unspaced(c: char) -> bool {
    matches!(c,
        '\u{0E00}'..='\u{0EFF}' // Thai, Lao
        | '\u{1000}'..='\u{109F}' // Burmese
        | '\u{1100}'..='\u{11FF}' // Hangul jamo
        | '\u{1780}'..='\u{17FF}' // Khmer
        | '\u{3005}'..='\u{3007}' // iteration mark, closing mark, zero
        | '\u{3040}'..='\u{30FF}' // Hiragana, Katakana
        | '\u{3130}'..='\u{318F}' // Hangul compatibility jamo
        | '\u{31F0}'..='\u{31FF}' // Katakana extensions
        | '\u{3400}'..='\u{4DBF}' // Han, extension A
        | '\u{4E00}'..='\u{9FFF}' // Han
        | '\u{A960}'..='\u{A97F}' // Hangul jamo, extension A
        | '\u{AC00}'..='\u{D7FF}' // Hangul
        | '\u{F900}'..='\u{FAFF}' // Han, compatibility
        | '\u{1B000}'..='\u{1B16F}' // old kana
        | '\u{20000}'..='\u{3FFFF}' // Han, extensions B and on
    )
}

/// Hands out the overlapping bigrams of `run`; a single character is a term by itself.
pub(crate) fn bigrams(run: &str, mut emit: impl FnMut(&str)) {
    let ends = run.char_indices().map(|(at, c)| at + c.len_utf8()).skip(1);
    let mut none = true;
    for ((start, _), end) in run.char_indices().zip(ends) {
        none = false;
        emit(run.get(start..end).unwrap_or_default());
    }
    if none && !run.is_empty() {
        emit(run);
    }
}
