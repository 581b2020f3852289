//! Brackets around all of a text.

/// What opens, and what closes it.
const PAIRS: [(char, char); 7] =
    [('[', ']'), ('(', ')'), ('{', '}'), ('<', '>'), ('（', '）'), ('【', '】'), ('「', '」')];

/// What is between the brackets around a text, and the one that opens; `None` where none are.
pub(crate) fn inside(text: &str) -> Option<(char, &str)> {
    let text = text.trim();
    PAIRS.iter().find_map(|(open, close)| {
        let inside = text.strip_prefix(*open)?.strip_suffix(*close)?;
        Some((*open, inside.trim()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brackets_are_pairs() {
        assert_eq!(inside(" [ a ] "), Some(('[', "a")));
        assert_eq!(inside("（…）"), Some(('（', "…")));
        assert_eq!(inside("{{a}}"), Some(('{', "{a}")));
        for text in ["", "[", "a]", "[a)", "[a](b)", "x [a]"] {
            assert_eq!(inside(text), None, "{text}");
        }
    }
}
