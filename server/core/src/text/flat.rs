//! A text in one piece that is read and not edited: what a command line was given.

use std::sync::{Arc, OnceLock};

use super::{Span, lines};

/// A text in one piece. Its lines are found once, and only if somebody asks for one by its number.
#[derive(Debug, Default)]
pub(super) struct Flat {
    /// The text, and perhaps another one before it.
    whole: Arc<String>,
    /// Where the text begins in that.
    start: usize,
    line_starts: OnceLock<Vec<usize>>,
}

impl Flat {
    pub(super) fn new(text: String) -> Flat {
        Flat { whole: Arc::new(text), ..Flat::default() }
    }

    pub(super) fn text(&self) -> &str {
        &self.whole[self.start..]
    }

    /// The text from a character boundary on. It takes no memory of its own.
    pub(super) fn rest(&self, from: usize) -> Flat {
        let start = self.start + from;
        Flat { whole: self.whole.clone(), start, ..Flat::default() }
    }

    pub(super) fn line_count(&self) -> usize {
        self.line_starts().len()
    }

    /// Where a line begins; the text's length beyond the last line.
    pub(super) fn line_start(&self, line: usize) -> usize {
        self.line_starts().get(line).copied().unwrap_or(self.text().len())
    }

    /// The line that an offset within the text is in.
    pub(super) fn line_of(&self, offset: usize) -> usize {
        self.line_starts().partition_point(|start| *start <= offset) - 1
    }

    /// Where the line of an offset within the text begins. No other line need be known for that.
    pub(super) fn line_start_of(&self, offset: usize) -> usize {
        // The `\n` of a `\r\n` is not the start of a line.
        let is_pair = self.text().as_bytes().get(offset) == Some(&b'\n')
            && self.text().as_bytes()[..offset].ends_with(b"\r");
        lines::around(self.text(), self.floor(offset) - usize::from(is_pair)).start
    }

    /// The last character boundary at or before an offset.
    pub(super) fn floor(&self, offset: usize) -> usize {
        (0..=offset).rev().find(|at| self.text().is_char_boundary(*at)).unwrap_or(0)
    }

    /// Whole lines from `start` on, the last of which holds the byte before `wanted`.
    pub(super) fn lines_until(&self, start: usize, wanted: usize) -> &str {
        let last = lines::around(self.text(), self.floor(wanted.saturating_sub(1))).end;
        let end = lines::after_ending(self.text(), last);
        self.text().get(start.min(end)..end).unwrap_or_default()
    }

    fn line_starts(&self) -> &[usize] {
        self.line_starts.get_or_init(|| {
            // To count them first is much faster than to make room again and again.
            let count = memchr::memchr_iter(b'\n', self.text().as_bytes()).count();
            let mut starts = Vec::with_capacity(count + 1);
            starts.extend(lines::each(self.text()).map(|Span { start, .. }| start));
            starts
        })
    }
}
