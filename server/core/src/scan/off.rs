//! Where comments turn the search for blocks off and on in the text at hand.

use std::ops::Range;

use super::window::{Line, Window};
use crate::dialect::off;

impl Window<'_> {
    /// Where the search is on again below a line that turns it off with this name; `None` where the
    /// text at hand ends before that is clear.
    pub fn on_after(&self, first: Line, name: &str) -> Option<usize> {
        let mut from = first.next;
        while let Some(line) = self.next_comment(from..self.text().len()) {
            if off::is_on(self.str(line), name) {
                return Some(line.next);
            }
            from = line.next;
        }
        self.is_last().then_some(self.text().len())
    }

    /// The end of a part in which there are no blocks, or where the search is on again which a comment in
    /// the part turns off; `None` where the text at hand ends before that is clear.
    pub fn on_after_part(&self, part: Range<usize>) -> Option<usize> {
        let Range { start: mut from, mut end } = part;
        while let Some(line) = self.next_comment(from..end) {
            from = match off::off(self.str(line)) {
                Some(name) => self.on_after(line, name)?,
                None => line.next,
            };
            end = end.max(from);
        }
        Some(end)
    }

    /// The next line in a part that may be such a comment.
    fn next_comment(&self, part: Range<usize>) -> Option<Line> {
        let from = part.start;
        let text = self.text().as_bytes().get(part)?;
        let at = memchr::memmem::find(text, off::NEEDLE.as_bytes())?;
        Some(self.line(self.line_start(from + at)))
    }
}
