//! The comments that turn the search for blocks off, and on again.
//!
//! Both may have a name. What was turned off with a name is turned on with that name alone, so that a
//! text may hold other such comments.

use crate::fingerprint::Fingerprint;

/// What both comments hold, and replies that begin with the program's name, for a search.
pub(crate) const NEEDLE: &str = "operator-lsp";

/// The name with which a line turns the search for blocks off: that of `<!-- operator-lsp: off NAME -->`,
/// empty where it has none.
pub(crate) fn off(line: &str) -> Option<&str> {
    name(line, "off")
}

/// Whether a line turns on again what was turned off with this name.
pub(crate) fn is_on(line: &str, off: &str) -> bool {
    name(line, "on") == Some(off)
}

/// A text that is not searched for blocks, whatever comments it holds.
pub(crate) fn unsearched(text: &str) -> String {
    let name = Fingerprint::of(text.as_bytes()).abbreviated();
    format!("<!-- {NEEDLE}: off {name} -->\n\n{text}\n<!-- {NEEDLE}: on {name} -->\n")
}

/// The name after this word for us in an HTML comment of Markdown that is alone on its line: indented
/// by at most three blanks, as one that is indented more is code.
fn name<'a>(line: &'a str, word: &str) -> Option<&'a str> {
    let text = line.strip_prefix('\u{feff}').unwrap_or(line);
    let comment = text.trim_start_matches(' ');
    if text.len() - comment.len() > 3 {
        return None;
    }
    let inside = comment.trim_end().strip_prefix("<!--")?.strip_suffix("-->")?;
    let said = inside.trim().strip_prefix(NEEDLE)?.strip_prefix(':')?;
    let rest = said.trim().strip_prefix(word)?;
    let name = rest.trim_start();
    let is_word = rest.is_empty() || name.len() < rest.len();
    (is_word && !name.contains(char::is_whitespace)).then_some(name)
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
            assert!(off(line) == Some("") && !is_on(line, ""), "{line}");
        }
        assert!(is_on("<!-- operator-lsp: on -->", ""));
        assert!(
            !is_on("<!-- operator-lsp: on -->", "a") && !is_on("<!-- operator-lsp: on a -->", "")
        );
        assert!(is_on("<!-- operator-lsp: on a -->", "a"));
        assert_eq!(off("<!-- operator-lsp: off a -->"), Some("a"));
        for line in [
            "    <!-- operator-lsp: off -->",
            "- <!-- operator-lsp: off -->",
            "<!-- operator-lsp: off --> text",
            "<!-- operator-lsp: OFF -->",
            "<!-- operator-lsp: offline -->",
            "<!-- operator-lsp: off a b -->",
            "operator-lsp: off",
            "<!-->",
            "",
        ] {
            assert_eq!(off(line), None, "{line}");
        }
    }
}
