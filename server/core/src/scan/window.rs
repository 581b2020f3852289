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

#[cfg(test)]
mod tests {
    use super::*;

    fn held(window: &Window<'_>) -> (usize, usize) {
        (window.start(), window.text().len())
    }

    #[test]
    fn a_window_grows_as_it_slides() {
        let text = Text::new(&"a line.\n".repeat(200));
        let mut window = Window::new(&text, 8);
        assert_eq!(held(&window), (8, 64));
        window.slide(40);
        assert_eq!(held(&window), (48, 128));
        window.slide(128);
        assert_eq!(held(&window), (176, 256));
        // It holds no more than that, unless more of it is kept.
        window.slide(256);
        assert_eq!(held(&window), (432, 256));
        assert!(!window.is_last());
        window.slide(16);
        assert_eq!(held(&window), (448, 480));
    }

    #[test]
    fn a_window_is_the_last_one_where_it_holds_the_end() {
        let text = Text::new(&"a line.\n".repeat(20));
        let is_last = |start: usize| Window::new(&text, start).is_last();
        assert_eq!([0, 80, 88, 96, 104, 160].map(is_last), [false, false, false, true, true, true]);
    }

    #[test]
    fn a_line_has_any_of_three_endings() {
        let text = Text::new("a\r\nb\rc\n\n\r\rd");
        let window = Window::new(&text, 0);
        let line = |start: usize| {
            let line = window.line(start);
            (line.start, line.end, line.next)
        };
        let starts = [0, 3, 5, 7, 8, 9, 10, 11];
        assert_eq!(
            starts.map(line),
            [
                (0, 1, 3),
                (3, 4, 5),
                (5, 6, 7),
                (7, 7, 8),
                (8, 8, 9),
                (9, 9, 10),
                (10, 11, 11),
                (11, 11, 11),
            ]
        );
        let offsets = [0, 1, 3, 4, 5, 6, 7, 10, 11];
        let line_start = |offset: usize| window.line_start(offset);
        assert_eq!(offsets.map(line_start), [0, 0, 3, 3, 5, 5, 7, 10, 10]);
    }

    #[test]
    fn an_empty_line_comes_after_the_last_one_of_the_text_alone() {
        let text = Text::new(&"a line.\n".repeat(20));
        let after = |start: usize, line: usize| {
            let window = Window::new(&text, start);
            let after = window.after(window.line(line));
            after.map(|line| window.str(line).to_owned())
        };
        assert_eq!(after(0, 48).as_deref(), Some("a line."));
        assert_eq!(after(0, 56), None);
        assert_eq!(after(96, 48).as_deref(), Some("a line."));
        assert_eq!(after(96, 56).as_deref(), Some(""));
    }
}
