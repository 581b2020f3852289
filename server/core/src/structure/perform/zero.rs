//! The lines of a structure at zero indent, as `read` gives them and `replace` takes them back.

use super::indent::{is_blank, is_first, leading, of_structure};
use super::verbatim;
use crate::outline::Parsed;
use crate::outline::line_start;
use crate::text::{Span, lines};

/// A part of a file, line by line, at zero indent.
pub(super) struct Zero<'a> {
    /// The bytes: from the line's start where nothing else is before on it.
    pub span: Span,
    /// Whether something else is before on the first line.
    pub inline: bool,
    /// The indentation of the line where it begins.
    pub base: String,
    /// What was taken off each line that is not blank and does not keep its bytes.
    pub removed: String,
    /// The lines as they are in the file, endings included.
    pub raw: Vec<&'a str>,
    /// The lines at zero indent, endings left out.
    pub lines: Vec<&'a str>,
}

impl<'a> Zero<'a> {
    /// The lines of `extent`.
    pub(super) fn of(parsed: &'a Parsed, extent: &Span) -> Zero<'a> {
        let text = parsed.text();
        let inline = !is_first(text, extent.start);
        let start = if inline { extent.start } else { line_start(text, extent.start) };
        let span = start..extent.end;
        let base = of_structure(parsed, extent.start);
        let raw: Vec<&str> = lines::with_endings(&text[span.clone()]).collect();
        let kept = verbatim::line_starts(parsed, &span);
        let keeps = keeping(&raw, start, &kept);
        let mut removed = base.as_str();
        for (place, line) in raw.iter().enumerate() {
            if !(keeps[place] || is_blank(line) || inline && place == 0) {
                removed = common(removed, leading(line));
            }
        }
        let zero = raw.iter().enumerate().map(|(place, line)| {
            let line = lines::without_ending(line);
            if keeps[place] || inline && place == 0 {
                return line;
            }
            let shorter = if is_blank(line) { "" } else { line };
            line.strip_prefix(removed).unwrap_or(shorter)
        });
        let lines = zero.collect();
        let removed = removed.to_owned();
        Zero { span, inline, base, removed, raw, lines }
    }
}

/// Which of the lines, the first of which begins at `start`, are among those at `kept`.
pub(super) fn keeping(lines: &[&str], start: usize, kept: &[usize]) -> Vec<bool> {
    let mut at = start;
    let keeps = lines.iter().map(|line| {
        let keeps = kept.binary_search(&at).is_ok();
        at += line.len();
        keeps
    });
    keeps.collect()
}

/// What two indentations both begin with.
fn common<'a>(one: &'a str, other: &str) -> &'a str {
    let same = one.bytes().zip(other.bytes()).take_while(|(a, b)| a == b).count();
    &one[..same]
}
