//! Follows an open block line by line.

use super::line::{self, Value};
use super::marker::{self, Flaw, Header, Style};
use super::result;
use crate::dialect::Ahead;
use crate::dialect::{BlockEnd, LineKind, Opening, Reader};
use crate::problem::{self, Problem, Replacement};

/// What a line outside any block is.
pub fn opens(line: &str, next: &str) -> Opening {
    if let Some(header) = marker::header(line) {
        if header.flaw == Flaw::None || is_of_a_block(next) {
            return Opening::Starts;
        }
        let is_meant = match header.flaw {
            // A shell script may begin with `#!sham`, but not with the bracket.
            Flaw::Malformed => line.contains("[@"),
            Flaw::Loose => false,
            Flaw::None | Flaw::Inexact | Flaw::Id => true,
        };
        return match is_meant {
            true => Opening::Stray(header_problem(line, &header, "\n")),
            false => Opening::Nothing,
        };
    }
    match marker::end(line) {
        Some(end) if end.alone => {
            let marker = &line[end.core.clone()];
            let problem = Problem::new(
                problem::SHAM_UNEXPECTED_END,
                end.core,
                format!("unexpected {marker}: no block is open"),
            );
            let remove = Replacement::remove(0..line.len());
            Opening::Stray(problem.fix(format!("Remove {marker}"), vec![remove]))
        }
        _ => Opening::Nothing,
    }
}

/// Whether a line is one of a block: a value, or an end marker.
pub fn is_of_a_block(line: &str) -> bool {
    line::looks_like_one(line) || marker::end(line).is_some_and(|end| end.alone)
}

/// What is wrong with a header that has a flaw; spans count from the start of the line.
pub fn header_problem(line: &str, header: &Header, eol: &str) -> Problem {
    let id = header.id.clone().map(|id| &line[id]);
    let exact = id.filter(|id| marker::is_id(id)).map(|id| header.style.header(id));
    let whole = || 0..line.len();
    let (problem, span) = match header.flaw {
        Flaw::Id => {
            let says = "an id has 2 to 8 letters and digits, three as the specification has it";
            let span = header.id.clone().filter(|id| !id.is_empty());
            let span = span.unwrap_or_else(|| header.core.clone());
            (Problem::new(problem::SHAM_INVALID_BLOCK_ID, span, says), None)
        }
        Flaw::Malformed => {
            let says = format!("a header is `{}`", header.style.header("id"));
            let span = header.core.clone();
            (Problem::new(problem::SHAM_MALFORMED_HEADER, span, says), exact)
        }
        Flaw::None | Flaw::Inexact | Flaw::Loose => {
            let says = match &exact {
                Some(exact) => format!("the header must be exactly `{exact}`, alone on its line"),
                None => "the header must be alone on its line".to_owned(),
            };
            let span = header.core.clone();
            // An exact one is where the text of a heredoc may be: nothing can be put right here.
            let exact = exact.filter(|_| header.flaw != Flaw::None);
            (Problem::new(problem::SHAM_MARKER_NOT_EXACT, span, says), exact)
        }
    };
    let lines = span.and_then(|exact| Some((with_words(line, header, &exact, eol)?, exact)));
    match lines {
        Some((lines, exact)) => {
            problem.fix(format!("Make it `{exact}`"), vec![Replacement::new(whole(), lines)])
        }
        None => problem,
    }
}

/// The exact header, and the words after it in a line of their own: above it, unless they are the
/// first line of the block. `None` where they are another header.
fn with_words(line: &str, header: &Header, exact: &str, eol: &str) -> Option<String> {
    let words = line[header.core.end..].trim();
    if marker::header(words).is_some() {
        return None;
    }
    Some(match words.contains(char::is_alphanumeric) {
        true if line::looks_like_one(words) => format!("{exact}{eol}{words}"),
        true => format!("{words}{eol}{exact}"),
        false => exact.to_owned(),
    })
}

/// Follows a block.
pub struct BlockReader {
    style: Style,
    id: Option<String>,
    raw: Option<Raw>,
}

/// A heredoc under way.
struct Raw {
    delimiter: String,
    /// The delimiter that it should have had, where it has another.
    wanted: Option<String>,
}

impl BlockReader {
    /// A reader that has seen the header.
    pub fn new(first: &str) -> BlockReader {
        let header = marker::header(first);
        let id = header.as_ref().and_then(|header| header.id.clone());
        BlockReader {
            style: header.map_or(Style::Sham, |header| header.style),
            id: id.map(|id| first[id].to_owned()).filter(|id| marker::is_id(id)),
            raw: None,
        }
    }

    /// The delimiter of its heredocs.
    fn delimiter(&self) -> Option<String> {
        self.id.as_deref().map(|id| self.style.delimiter(id))
    }

    fn is_own_end(&self, line: &str) -> bool {
        marker::end(line).is_some_and(|end| {
            end.exact && end.style == self.style && self.id.as_deref() == Some(&line[end.id])
        })
    }

    fn content(&mut self, line: &str) -> LineKind {
        let Some(raw) = &self.raw else { return LineKind::Other };
        let ends = match (self.style, &raw.wanted) {
            (_, None) if line == raw.delimiter => true,
            (Style::Nesl, None) if self.id.is_some() => successor_ends(line, &raw.delimiter),
            (_, None) => false,
            // A slip in the delimiter is not a second one where the text ends.
            (_, Some(wanted)) => line == raw.delimiter || line == wanted,
        };
        if ends {
            self.raw = None;
            return LineKind::Fits;
        }
        if raw.wanted.is_some() && self.is_own_end(line) {
            return LineKind::Ends;
        }
        LineKind::Other
    }
}

/// Whether a line ends a heredoc of the successor's: the delimiter is at its end, or there with a
/// `'` after it. A line with `<<` before the delimiter opens a heredoc, so it is content.
pub fn successor_ends(line: &str, delimiter: &str) -> bool {
    let line = line.strip_suffix('\'').unwrap_or(line);
    line.strip_suffix(delimiter).is_some_and(|before| !before.contains("<<"))
}

impl Reader for BlockReader {
    fn step(&mut self, line: &str, next: &str) -> LineKind {
        if self.raw.is_some() {
            return self.content(line);
        }
        if let Some(end) = marker::end(line)
            && (end.alone || self.id.as_deref() == Some(&line[end.id.clone()]) && !assigns(line))
        {
            return LineKind::Ends;
        }
        if let Some(header) = marker::header(line) {
            match header.flaw {
                Flaw::None => return LineKind::Breaks(BlockEnd::Nested),
                _ if is_of_a_block(next) => return LineKind::Breaks(BlockEnd::Nested),
                Flaw::Loose => {}
                // Whatever it says, it is not an assignment.
                _ => return LineKind::Other,
            }
        }
        if result::begins(line, next) {
            return LineKind::Breaks(BlockEnd::Unterminated);
        }
        if line.trim().is_empty() {
            return LineKind::Other;
        }
        let Some(assignment) = line::read(line) else { return LineKind::Other };
        let mut value = &assignment.value;
        while let Value::Trailing { value: inner, .. } = value {
            value = inner;
        }
        if let Value::Heredoc(delimiter) | Value::Bare(_, delimiter) = value {
            let (delimiter, wanted) = (line[delimiter.clone()].to_owned(), self.delimiter());
            if !delimiter.is_empty() {
                let wanted = wanted.filter(|wanted| *wanted != delimiter);
                self.raw = Some(Raw { delimiter, wanted });
            }
        }
        let is_sound = assignment.key_is_sound && !matches!(assignment.value, Value::Other(_));
        if is_sound || line::looks_like_one(line) { LineKind::Fits } else { LineKind::Other }
    }

    fn raw(&self) -> bool {
        self.raw.is_some()
    }

    fn closes(&self, line: &str) -> bool {
        self.is_own_end(line)
    }

    fn skip(&mut self, from: usize, closed: bool, ahead: &Ahead<'_>) -> usize {
        let Some(raw) = &self.raw else { return from };
        let mut next = match (self.style, &raw.wanted, &self.id) {
            (Style::Nesl, None, Some(id)) => {
                let key = format!("nesl {}", raw.delimiter);
                let ends = |line: &str| successor_ends(line, &raw.delimiter);
                ahead.ending(from, key, &format!("_{id}"), ends)
            }
            (_, None, _) => ahead.line(from, &raw.delimiter),
            (_, Some(wanted), _) => ahead.line(from, &raw.delimiter).min(ahead.line(from, wanted)),
        };
        if let Some(id) = self.id.as_ref().filter(|_| !closed || raw.wanted.is_some()) {
            next = next.min(ahead.line(from, &self.style.end_marker(id)));
        }
        next
    }
}

fn assigns(line: &str) -> bool {
    line::read(line).is_some_and(|it| it.key_is_sound && !matches!(it.value, Value::Other(_)))
}
