//! What is before the lines of a block that is in a list or in a quotation.

use crate::problem::{Problem, Replacement, SCAN_INDENTED};
use crate::text::Span;

/// The blanks and the signs of a quotation that a line begins with.
pub fn of(line: &str) -> &str {
    let text = line.trim_start_matches('\u{feff}').trim_start_matches([' ', '\t']);
    // A `>` before a blank is a quotation; several of them may be a marker.
    let quoted = text.strip_prefix("> ").map_or(text, |text| text.trim_start_matches(' '));
    &line[..line.len() - quoted.len()]
}

/// The problem of a block all of whose lines have what its first one has before it; `None` where
/// that is nothing, or a byte order mark.
pub fn problem(text: &str, lines: &[Span]) -> Option<Problem> {
    let first = lines.first()?;
    let margin = of(&text[first.clone()]);
    if margin.trim_start_matches('\u{feff}').is_empty() {
        return None;
    }
    let width = margin.len();
    let remove = |span: &Span| {
        let line = &text[span.clone()];
        let blank = |char: &char| matches!(char, ' ' | '\t' | '>');
        let common = match line.starts_with(margin) {
            true => width,
            false => line.chars().take(width).take_while(blank).count(),
        };
        (common > 0).then(|| Replacement::remove(span.start..span.start + common))
    };
    let says = "the block is indented or quoted: its markers begin at the start of their lines";
    let edits = lines.iter().filter_map(remove).collect();
    Some(Problem::new(SCAN_INDENTED, first.clone(), says).fix("Unindent the block", edits))
}
