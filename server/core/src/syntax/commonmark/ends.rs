//! Ends: a block ends with its last line that is not blank.

use crate::text::Span;

const BLANKS: [char; 2] = [' ', '\t'];
const NEWLINES: [char; 2] = ['\r', '\n'];

/// Finds where blocks of a text end.
pub(super) struct Ends<'a> {
    text: &'a str,
    /// The last answer with what was asked: blocks inside one another often end together.
    last: Option<(usize, usize, usize)>,
    /// The last line that was searched for.
    line: Option<Line>,
}

/// The last line before an offset that holds more than blanks.
#[derive(Clone, Copy)]
struct Line {
    /// The offset.
    before: usize,
    start: usize,
    end: usize,
}

impl<'a> Ends<'a> {
    /// For a text.
    pub(super) fn new(text: &'a str) -> Ends<'a> {
        Ends { text, last: None, line: None }
    }

    /// Where a block ends that covers `span` at most, with `quotes` quotes around it: a line with
    /// nothing but their markers is blank to it. Its first line never is.
    pub(super) fn of(&mut self, span: Span, quotes: usize) -> usize {
        match self.last {
            Some((end, around, found)) if (end, around) == (span.end, quotes) => found,
            _ => {
                let found = self.find(&span, quotes);
                self.last = Some((span.end, quotes, found));
                found
            }
        }
    }

    fn find(&mut self, span: &Span, quotes: usize) -> usize {
        let mut line = self.line_before(span.end);
        while line.start > span.start && is_blank(&self.text[line.start..line.end], quotes) {
            line = self.line_before(line.start);
        }
        line.end.max(span.start)
    }

    fn line_before(&mut self, before: usize) -> Line {
        if let Some(line) = self.line.filter(|line| line.before == before) {
            return line;
        }
        let skipped = |it| BLANKS.contains(&it) || NEWLINES.contains(&it);
        let end = self.text[..before].trim_end_matches(skipped).len();
        let newline = memchr::memrchr2(b'\n', b'\r', &self.text.as_bytes()[..end]);
        let line = Line { before, start: newline.map_or(0, |newline| newline + 1), end };
        self.line = Some(line);
        line
    }
}

/// Whether a line holds nothing but the markers of so many quotes.
fn is_blank(line: &str, quotes: usize) -> bool {
    let mut rest = line;
    for _ in 0..quotes {
        let Some(inner) = rest.trim_start_matches(BLANKS).strip_prefix('>') else { break };
        rest = inner;
    }
    rest.trim_start_matches(BLANKS).is_empty()
}
