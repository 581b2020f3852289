//! Text of targets and blocks made fit for one line that people and models read.

/// The longest summary, in characters.
const SUMMARY: usize = 200;

/// `verb path rest` in one line of at most 200 characters; what is too long is cut out of the path,
/// so that a fingerprint in `rest` stays whole.
pub(crate) fn summary(verb: &str, path: &str, rest: &str) -> String {
    let taken = verb.chars().count() + 1 + rest.chars().count();
    excerpt(&format!("{verb} {}{rest}", excerpt(path, SUMMARY.saturating_sub(taken))), SUMMARY)
}

/// `text` with control characters shown as escapes, and cut to `limit` characters with a `…`.
pub(crate) fn excerpt(text: &str, limit: usize) -> String {
    let mut shown = String::with_capacity(text.len().min(limit.saturating_mul(4)));
    let mut length = 0;
    let mut cut = 0;
    for char in text.chars() {
        let before = shown.len();
        if char.is_control() || misleads(char) {
            shown.extend(char.escape_default());
        } else {
            shown.push(char);
        }
        length += shown[before..].chars().count();
        if length > limit {
            shown.truncate(cut);
            shown.push('…');
            return shown;
        }
        if length < limit {
            cut = shown.len();
        }
    }
    shown
}

/// Whether a character ends a line, has others shown in another order than they are in, or is not seen.
fn misleads(char: char) -> bool {
    matches!(char, '\u{2028}' | '\u{2029}' | '\u{200e}' | '\u{200f}')
        || matches!(char, '\u{ad}' | '\u{200b}' | '\u{2060}' | '\u{feff}')
        || matches!(char, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// `1 line`, `2 lines`; the noun is one of those that the summaries use.
pub(crate) fn count(number: usize, noun: &str) -> String {
    match (number, noun) {
        (1, _) => format!("1 {noun}"),
        (_, "match") => format!("{number} matches"),
        (_, "entry") => format!("{number} entries"),
        _ => format!("{number} {noun}s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_line_whatever_the_path_says() {
        assert_eq!(summary("read", "a\nb", ", 2 lines"), "read a\\nb, 2 lines");
        let long = summary("read", &"é".repeat(300), ", end");
        assert_eq!(long.chars().count(), 200);
        assert!(long.ends_with("é…, end"), "{long}");
        assert_eq!(excerpt("abc", 3), "abc");
        assert_eq!(excerpt("abcd", 3), "ab…");
        assert_eq!(excerpt("ab\n", 3), "ab…");
        assert_eq!(excerpt("\u{202e}ab\u{2066}", 20), "\\u{202e}ab\\u{2066}");
    }

    #[test]
    fn nouns_agree_with_their_number() {
        assert_eq!(count(1, "match"), "1 match");
        assert_eq!(count(0, "match"), "0 matches");
        assert_eq!(count(2, "line"), "2 lines");
    }
}
