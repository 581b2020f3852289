//! Ends: a block ends with its last line that is not blank.

use crate::text::Span;

/// Finds where blocks of a text end.
pub(super) struct Ends<'a> {
    text: &'a str,
    /// The last answer with what was asked: blocks inside one another often end together.
    last: Option<(usize, usize, usize)>,
}

impl<'a> Ends<'a> {
    /// For a text.
    pub(super) fn new(text: &'a str) -> Ends<'a> {
        Ends { text, last: None }
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

    fn find(&self, span: &Span, quotes: usize) -> usize {
        let blanks = [' ', '\t', '\r', '\n'];
        let mut end = span.end;
        loop {
            let rest = self.text[span.start..end].trim_end_matches(blanks);
            end = span.start + rest.len();
            let Some(newline) = rest.rfind(['\n', '\r']) else { return end };
            let mut line = &rest[newline + 1..];
            for _ in 0..quotes {
                let Some(inner) = line.trim_start_matches(blanks).strip_prefix('>') else { break };
                line = inner;
            }
            if !line.is_empty() {
                return end;
            }
            end = span.start + newline;
        }
    }
}
