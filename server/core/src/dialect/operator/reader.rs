//! Follows an open block line by line.

use super::line::{self, looks_like_field};
use super::marker::{self, Likeness, Marked, Marker};
use crate::dialect::{BlockEnd, LineKind, Opening, Reader};
use crate::problem::{self, Problem, Replacement};
use crate::text::Span;

/// What a line outside any block is.
pub fn opens(line: &str, next: &str) -> Opening {
    let Some(Marked { marker, likeness, word }) = marker::find(line) else {
        return Opening::Nothing;
    };
    match (marker, likeness) {
        (Marker::Start | Marker::ReplyStart, Likeness::Exact) => Opening::Starts,
        (Marker::Start, Likeness::Near | Likeness::Prefix) if looks_like_field(next) => {
            Opening::Starts
        }
        (Marker::Start, Likeness::Near) => Opening::Stray(not_alone(marker, line, word, "\n")),
        (Marker::End, Likeness::Exact | Likeness::Near) => Opening::Stray(
            Problem::new(
                problem::OPERATOR_UNEXPECTED_END,
                word,
                format!("{} without {} before it", marker::END, marker::START),
            )
            .fix(format!("Remove {}", marker::END), vec![Replacement::remove(0..line.len())]),
        ),
        _ => Opening::Nothing,
    }
}

/// The problem of a line that is nearly a marker; spans count from the start of the line.
///
/// The fix loses no word: what is around the marker goes to lines of its own.
pub fn not_alone(marker: Marker, line: &str, word: Span, eol: &str) -> Problem {
    let exact = marker.as_str();
    let is_text = |text: &&str| text.contains(char::is_alphanumeric);
    let near = marker::find(line).is_some_and(|marked| marked.likeness == Likeness::Near);
    let before = Some(line[..word.start].trim_end()).filter(|text| !near && is_text(text));
    let after = Some(line[word.end..].trim_start()).filter(|text| !near && is_text(text));
    // After a start marker only the block's first field is part of the block; the rest is prose.
    let is_prose = marker == Marker::Start && after.is_some_and(|text| !looks_like_field(text));
    let (prose, after) = if is_prose { (after, None) } else { (None, after) };
    let lines: Vec<&str> = before.into_iter().chain(prose).chain([exact]).chain(after).collect();
    let title = match lines.len() {
        1 => format!("Make the line exactly {exact}"),
        _ => format!("Put {exact} on a line of its own"),
    };
    Problem::new(
        problem::OPERATOR_MARKER_NOT_ALONE,
        word,
        format!("the marker must be exactly {exact}, alone on its line"),
    )
    .fix(title, vec![Replacement::new(0..line.len(), lines.join(eol))])
}

/// Follows a command.
pub struct CommandReader {
    /// Whether the line before was one of the block's.
    fitted: bool,
}

impl Reader for CommandReader {
    fn step(&mut self, line: &str, next: &str) -> LineKind {
        if let Some(marked) = marker::find(line) {
            match (marked.marker, marked.likeness) {
                (Marker::End, Likeness::Loose) => {}
                (Marker::End, _) => return LineKind::Ends,
                (Marker::Start, Likeness::Exact) => return LineKind::Breaks(BlockEnd::Nested),
                (Marker::Start, Likeness::Near | Likeness::Prefix) if looks_like_field(next) => {
                    return LineKind::Breaks(BlockEnd::Nested);
                }
                (Marker::ReplyStart, Likeness::Exact) => {
                    return LineKind::Breaks(BlockEnd::Unterminated);
                }
                _ => {}
            }
        }
        let field = line::read(line);
        let fits = field.is_some_and(|field| self.fitted || line::is_known_key(field.key(line)));
        self.fitted = fits;
        if fits { LineKind::Fits } else { LineKind::Other }
    }
}

impl CommandReader {
    /// A reader that has seen the start marker.
    pub fn new() -> CommandReader {
        CommandReader { fitted: true }
    }
}

/// Follows a reply, which is nobody's to check: it ends where it ends.
pub struct ReplyReader;

impl Reader for ReplyReader {
    fn step(&mut self, line: &str, _: &str) -> LineKind {
        let marked = marker::find(line)
            .filter(|marked| matches!(marked.likeness, Likeness::Exact | Likeness::Near));
        match marked.map(|marked| (marked.marker, marked.likeness)) {
            Some((Marker::ReplyEnd, _)) => LineKind::Ends,
            Some((Marker::Start | Marker::ReplyStart, Likeness::Exact)) => {
                LineKind::Breaks(BlockEnd::Unterminated)
            }
            _ if line::read(line).is_some() => LineKind::Fits,
            _ => LineKind::Other,
        }
    }
}
