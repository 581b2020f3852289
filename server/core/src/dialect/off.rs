//! The comments that turn the search for blocks off, and on again.

/// What both comments hold, and replies that begin with the program's name, for a search.
pub(crate) const NEEDLE: &str = "operator-lsp";

/// Whether a line turns the search for blocks off: `<!-- operator-lsp: off -->`.
pub(crate) fn is_off(line: &str) -> bool {
    says(line, "off")
}

/// Whether a line turns it on again: `<!-- operator-lsp: on -->`.
pub(crate) fn is_on(line: &str) -> bool {
    says(line, "on")
}

/// Whether a line is an HTML comment of Markdown with this word for us, and nothing else: indented
/// by at most three blanks, as one that is indented more is code.
fn says(line: &str, word: &str) -> bool {
    let text = line.strip_prefix('\u{feff}').unwrap_or(line);
    let comment = text.trim_start_matches(' ');
    if text.len() - comment.len() > 3 {
        return false;
    }
    let inside = comment.trim_end().strip_prefix("<!--").and_then(|it| it.strip_suffix("-->"));
    let said = inside.and_then(|it| it.trim().strip_prefix(NEEDLE)?.strip_prefix(':'));
    said.is_some_and(|said| said.trim() == word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_comment_is_alone_on_its_line() {
        for line in [
            "<!-- operator-lsp: off -->",
            "   <!--operator-lsp:off-->  ",
            "\u{feff}<!--  operator-lsp:  off  -->",
        ] {
            assert!(is_off(line) && !is_on(line), "{line}");
        }
        assert!(is_on("<!-- operator-lsp: on -->"));
        for line in [
            "    <!-- operator-lsp: off -->",
            "- <!-- operator-lsp: off -->",
            "<!-- operator-lsp: off --> text",
            "<!-- operator-lsp: OFF -->",
            "<!-- operator-lsp: offline -->",
            "operator-lsp: off",
            "<!-->",
            "",
        ] {
            assert!(!is_off(line), "{line}");
        }
    }
}
