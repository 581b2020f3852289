//! Marker lines, exact and nearly so.

pub use crate::dialect::likeness::Likeness;
use crate::dialect::likeness::{is_markup_after, is_markup_before};
use crate::text::Span;

/// The start of a command.
pub const START: &str = "OPERATOR_CMD";
/// The end of a command.
pub const END: &str = "END_OPERATOR_CMD";
/// The start of a reply.
pub const REPLY_START: &str = "OPERATOR_RESULT";
/// The end of a reply.
pub const REPLY_END: &str = "END_OPERATOR_RESULT";

/// Which marker a word is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Marker {
    Start,
    End,
    ReplyStart,
    ReplyEnd,
}

/// A marker in a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Marked {
    pub marker: Marker,
    pub likeness: Likeness,
    /// The bytes of the line that are the marker's word.
    pub word: Span,
}

impl Marker {
    /// The exact line.
    pub fn as_str(self) -> &'static str {
        match self {
            Marker::Start => START,
            Marker::End => END,
            Marker::ReplyStart => REPLY_START,
            Marker::ReplyEnd => REPLY_END,
        }
    }
}

/// The first marker in a line, if it holds one.
pub fn find(line: &str) -> Option<Marked> {
    let bytes = line.as_bytes();
    for at in memchr::memchr_iter(b'_', bytes) {
        let Some((marker, word)) = word_around(line, at) else { continue };
        let exact = line[word.clone()] == *marker.as_str();
        let likeness = Likeness::of(line, &word, exact, || {
            is_markup_before(&without_tags(&line[..word.start]))
                && is_markup_after(&without_tags(&line[word.end..]))
        });
        return Some(Marked { marker, likeness, word });
    }
    None
}

/// The marker word whose last underscore is at `at`.
fn word_around(text: &str, at: usize) -> Option<(Marker, Span)> {
    let line = text.as_bytes();
    let (end, reply) = [("cmd", false), ("result", true)]
        .iter()
        .find_map(|(tail, reply)| Some((strip(line, at + 1, tail)?, *reply)))?;
    let start = strip_back(line, unescaped(line, at), "operator")?;
    let before = start.checked_sub(1).filter(|at| line[*at] == b'_');
    let ending = before.and_then(|at| strip_back(line, unescaped(line, at), "end"));
    let start = ending.unwrap_or(start);
    // Underscores around the word may be emphasis; letters and digits make it another word.
    let left = text[..start].trim_end_matches('_').ends_with(char::is_alphanumeric);
    let right = text[end..].trim_start_matches('_').starts_with(char::is_alphanumeric);
    if left || right {
        return None;
    }
    let marker = match (ending.is_some(), reply) {
        (false, false) => Marker::Start,
        (true, false) => Marker::End,
        (false, true) => Marker::ReplyStart,
        (true, true) => Marker::ReplyEnd,
    };
    Some((marker, start..end))
}

/// The place of the backslash that escapes the underscore at `at`, or of the underscore.
fn unescaped(line: &[u8], at: usize) -> usize {
    if at > 0 && line[at - 1] == b'\\' { at - 1 } else { at }
}

fn strip(line: &[u8], at: usize, word: &str) -> Option<usize> {
    let found = line.get(at..at + word.len())?;
    found.eq_ignore_ascii_case(word.as_bytes()).then_some(at + word.len())
}

fn strip_back(line: &[u8], end: usize, word: &str) -> Option<usize> {
    let start = end.checked_sub(word.len())?;
    line[start..end].eq_ignore_ascii_case(word.as_bytes()).then_some(start)
}

fn without_tags(text: &str) -> String {
    let mut rest = text;
    let mut kept = String::new();
    while let Some((head, tail)) = rest.split_once('<') {
        let Some((_, after)) = tail.split_once('>') else { break };
        kept.push_str(head);
        rest = after;
    }
    kept + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_a_marker_nearly_one_or_prose() {
        let cases = [
            ("OPERATOR_CMD", Some(Likeness::Exact)),
            ("  OPERATOR_CMD", Some(Likeness::Near)),
            ("\u{feff}OPERATOR_CMD", Some(Likeness::Near)),
            ("- OPERATOR_CMD", Some(Likeness::Near)),
            ("12. OPERATOR_CMD", Some(Likeness::Near)),
            ("> **OPERATOR_CMD**:", Some(Likeness::Near)),
            ("__OPERATOR_CMD__", Some(Likeness::Near)),
            ("`Operator_Cmd`", Some(Likeness::Near)),
            ("OPERATOR\\_CMD", Some(Likeness::Near)),
            ("<b>OPERATOR_CMD</b>", Some(Likeness::Near)),
            ("OPERATOR_CMD version: 1", Some(Likeness::Prefix)),
            ("see END_OPERATOR_CMD there", Some(Likeness::Within)),
            ("see end_operator_cmd there", Some(Likeness::Loose)),
            ("OPERATOR_CMDS", None),
            ("MY_OPERATOR_CMD", None),
            ("an operator cmd", None),
        ];
        for (line, likeness) in cases {
            assert_eq!(find(line).map(|marked| marked.likeness), likeness, "{line}");
        }
        assert_eq!(find("END_OPERATOR_RESULT").map(|m| m.marker), Some(Marker::ReplyEnd));
    }
}
