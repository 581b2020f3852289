//! One contiguous stretch of whole lines of a transcript, which grows as a pass asks for it.

use std::borrow::Cow;

use crate::text::Text;

/// How much a window holds at first: an edit has little scanned again. It is less in tests, so that
/// they see it grow.
const FIRST: usize = if cfg!(test) { 64 } else { 4 << 10 };
/// How much it holds after some time, where no block asks for more.
const USUAL: usize = if cfg!(test) { 256 } else { 64 << 10 };

/// Lines of a transcript, from `start` on.
pub(super) struct Window<'a> {
    source: &'a Text,
    text: Cow<'a, str>,
    start: usize,
}

/// One line in a window, in terms of the window's text.
#[derive(Debug, Clone, Copy)]
pub(super) struct Line {
    pub start: usize,
    /// Where its text ends.
    pub end: usize,
    /// Where the next line begins.
    pub next: usize,
}

impl<'a> Window<'a> {
    /// The window that begins at `start`, which must be the start of a line.
    pub fn new(source: &'a Text, start: usize) -> Window<'a> {
        Window { source, text: source.window(start, FIRST, String::new()), start }
    }

    /// The whole transcript.
    pub fn source(&self) -> &'a Text {
        self.source
    }

    pub fn text(&self) -> &str {
        &self.text
    }

    /// Where the window begins in the transcript.
    pub fn start(&self) -> usize {
        self.start
    }

    /// Whether nothing comes after it.
    pub fn is_last(&self) -> bool {
        self.start + self.text.len() >= self.source.len()
    }

    /// Lets the window begin at `offset` of its text and hold more after it than it did.
    pub fn slide(&mut self, offset: usize) {
        let kept = self.text.len() - offset;
        let size = (self.text.len() * 2).min(USUAL).max(kept * 2);
        self.start += offset;
        // Its memory is used again: allocating as much for each window takes longer than copying.
        let buffer = match std::mem::take(&mut self.text) {
            Cow::Owned(text) => text,
            Cow::Borrowed(_) => String::new(),
        };
        self.text = self.source.window(self.start, size, buffer);
    }

    /// The line that begins at `start`.
    pub fn line(&self, start: usize) -> Line {
        let bytes = self.text.as_bytes();
        let Some(end) = memchr::memchr2(b'\n', b'\r', &bytes[start..]).map(|at| start + at) else {
            return Line { start, end: bytes.len(), next: bytes.len() };
        };
        let pair = bytes[end] == b'\r' && bytes.get(end + 1) == Some(&b'\n');
        Line { start, end, next: end + if pair { 2 } else { 1 } }
    }

    /// The start of the line that `offset` is in.
    pub fn line_start(&self, offset: usize) -> usize {
        let before = &self.text.as_bytes()[..offset];
        memchr::memrchr2(b'\n', b'\r', before).map_or(0, |at| at + 1)
    }

    pub fn str(&self, line: Line) -> &str {
        &self.text[line.start..line.end]
    }

    /// The line after `line`, if the window holds it whole; an empty one after the last.
    ///
    /// The last line of a window that is not the last is never seen as the next one only in part:
    /// windows hold whole lines.
    pub fn after(&self, line: Line) -> Option<Line> {
        (line.next < self.text.len() || self.is_last()).then(|| self.line(line.next))
    }
}
