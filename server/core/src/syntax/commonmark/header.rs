//! Headers: which part of a block's text it is called by.

use super::Item;
use crate::syntax::Kind;
use crate::text::{Packed, Span};

/// The blanks that may be before and after what is on a line.
const BLANKS: [char; 2] = [' ', '\t'];
const NEWLINES: [char; 2] = ['\r', '\n'];

/// The rest of the line from `start` on.
pub(super) fn of_line(text: &str, start: usize) -> Span {
    let rest = &text[start..];
    let line = &rest[..rest.find(NEWLINES).unwrap_or(rest.len())];
    start..start + line.trim_end_matches(BLANKS).len()
}

/// The first byte from `start` on that is not a blank.
pub(super) fn after_blanks(text: &str, start: usize) -> usize {
    text.len() - text[start..].trim_start_matches(BLANKS).len()
}

/// The first byte of the first line from `start` on that is not blank, without its blanks.
pub(super) fn after_blank_lines(text: &str, start: usize) -> usize {
    let is_blank = |char| BLANKS.contains(&char) || NEWLINES.contains(&char);
    text.len() - text[start..].trim_start_matches(is_blank).len()
}

/// Where the marker of a container begins: the parser counts the columns of a tab before the
/// marker of an item as bytes, and so begins too early.
pub(super) fn marker_start(text: &str, start: usize, kind: Kind) -> usize {
    let start = (start..text.len()).find(|at| text.is_char_boundary(*at)).unwrap_or(text.len());
    let skipped = |it: char| it.is_ascii_whitespace() || kind == Kind::Item && it == '>';
    text.len() - text[start..].trim_start_matches(skipped).len()
}

/// The first byte after the marker of a list item, a quote or a footnote.
pub(super) fn after_marker(text: &str, start: usize, kind: Kind) -> usize {
    let rest = &text[start..];
    let length = match kind {
        Kind::Paragraph => rest.find("]:").map_or(0, |at| at + 2),
        Kind::Item => {
            let digits = rest.len() - rest.trim_start_matches(|it: char| it.is_ascii_digit()).len();
            digits + usize::from(rest.len() > digits)
        }
        _ => usize::from(!rest.is_empty()),
    };
    start + length
}

/// `[^1]` of the marker `[^1]:`.
pub(super) fn footnote_label(text: &str, marker: Span) -> Option<Packed> {
    let label = text[marker.clone()].strip_suffix(':')?;
    Some(Packed::from(marker.start..marker.start + label.len()))
}

/// What a task in a list says after `[ ]` or `[x]`.
pub(super) fn task_name(text: &str, item: &Item) -> Option<Packed> {
    let header = item.header.filter(|_| item.kind == Kind::Item)?;
    let shown = header.of(text);
    let rest = ["[ ]", "[x]", "[X]"].iter().find_map(|mark| shown.strip_prefix(mark))?;
    let task = rest.trim_start_matches(BLANKS);
    let is_task = task.len() < rest.len() && !task.is_empty();
    is_task.then(|| Packed::from(header.end() - task.len()..header.end()))
}

/// The text of a heading, without the marks around or below it.
pub(super) fn of_heading(text: &str, span: &Span) -> Span {
    let heading = text[span.clone()].trim_end();
    // Only an underlined heading has more than one line.
    if let Some(underline) = heading.rfind(NEWLINES) {
        let shown = heading[..underline].trim_end_matches([' ', '\t', '\r', '\n']);
        return span.start..span.start + shown.len();
    }
    let line = heading.trim_start_matches('#');
    let start = after_blanks(text, span.start + heading.len() - line.len());
    let line = &text[start..(span.start + heading.len()).max(start)];
    let open = line.trim_end_matches('#');
    // What closes a heading is apart.
    let closed = open.is_empty() || open.ends_with(BLANKS);
    let shown = if closed { open.trim_end_matches(BLANKS) } else { line };
    start..start + shown.len()
}

/// Whether a section's heading has marks before it; what is underlined may look alike.
pub(super) fn is_marked(section: &Item) -> bool {
    section.header.is_some_and(|header| header.start() > section.span.start)
}

/// The level of a section, by its heading's marks or by what underlines it.
pub(super) fn level(text: &str, section: &Item) -> usize {
    let start = section.span.start;
    if is_marked(section) {
        return text[start..].bytes().take_while(|byte| *byte == b'#').count();
    }
    let shown = section.header.map_or(start, Packed::end);
    let below = after_blank_lines(text, shown);
    if text[below..].starts_with('=') { 1 } else { 2 }
}

/// Where the line after that of `start` begins.
pub(super) fn after_line(text: &str, start: usize) -> usize {
    let end = start + text[start..].find(NEWLINES).unwrap_or(text.len() - start);
    let rest = &text[end..];
    end + if rest.starts_with("\r\n") { 2 } else { usize::from(!rest.is_empty()) }
}

/// The info string of a fence (CommonMark).
pub(super) fn info(text: &str, line: &Span) -> Span {
    let shown = &text[line.clone()];
    let fence = shown.chars().next().unwrap_or('`');
    let info = shown.trim_start_matches(fence).trim_start_matches(BLANKS);
    line.end - info.len()..line.end
}

/// The language, the first word of an info string.
pub(super) fn language(text: &str, info: &Span) -> Option<Span> {
    let shown = &text[info.clone()];
    let end = shown.find(|it: char| it.is_whitespace() || it == ',' || it == '{');
    let length = end.unwrap_or(shown.len());
    (length > 0).then(|| info.start..info.start + length)
}
