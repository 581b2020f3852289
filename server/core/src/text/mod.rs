//! Text as the server holds it: byte offsets inside, lines as LSP counts them.

pub(crate) mod brackets;
mod content;
pub mod fence;
pub(crate) mod find;
mod flat;
pub mod glob;
mod line_list;
pub mod lines;
pub mod nearest;
pub(crate) mod one_line;
mod packed;
mod position;
pub(crate) mod private;
pub(crate) mod replacement;
#[cfg(not(feature = "counted"))]
pub(crate) mod work;
#[cfg(feature = "counted")]
pub mod work;

pub use content::Content;
pub use line_list::LineList;
pub use packed::Packed;
pub(crate) use packed::fits;
pub use position::{Encoding, Position};

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use flat::Flat;
use ropey::Rope;

/// A range of bytes.
pub type Span = Range<usize>;

/// A text whose clone is cheap; the only place that names the rope.
///
/// Offsets are bytes from the start and lie on character boundaries: every method rounds
/// an offset down to one and clamps it to the length. Lines are 0-based and end with `\n`,
/// `\r\n` or `\r`, as LSP counts them.
#[derive(Debug, Clone)]
pub struct Text(Held);

/// How a text is held: for edits, or in one piece, which takes a third of the time to make.
#[derive(Debug, Clone)]
enum Held {
    Rope(Rope),
    Flat(Arc<Flat>),
}

impl Text {
    /// A text that holds `text` and is edited.
    pub fn new(text: &str) -> Text {
        Text(Held::Rope(Rope::from_str(text)))
    }

    /// A text that is only read. It may be edited; the first edit then takes as long as
    /// [`Text::new`].
    pub fn whole(text: String) -> Text {
        Text(Held::Flat(Arc::new(Flat::new(text))))
    }

    /// The text from an offset on.
    #[must_use]
    pub fn rest(&self, from: usize) -> Text {
        let from = self.floor(from);
        match &self.0 {
            Held::Rope(rope) => Text(Held::Rope(rope.byte_slice(from..).into())),
            Held::Flat(flat) => Text(Held::Flat(Arc::new(flat.rest(from)))),
        }
    }

    /// The length in bytes.
    pub fn len(&self) -> usize {
        match &self.0 {
            Held::Rope(rope) => rope.len_bytes(),
            Held::Flat(flat) => flat.text().len(),
        }
    }

    /// Whether there is no text at all.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of lines; what follows the last line ending is a line, too.
    pub fn line_count(&self) -> usize {
        match &self.0 {
            Held::Rope(rope) => rope.len_lines(),
            Held::Flat(flat) => flat.line_count(),
        }
    }

    /// Where `line` begins; the text's length for a line beyond the last.
    pub fn line_start(&self, line: usize) -> usize {
        match &self.0 {
            Held::Rope(rope) => rope.line_to_byte(line.min(rope.len_lines())),
            Held::Flat(flat) => flat.line_start(line),
        }
    }

    /// The line that `offset` is in.
    pub fn line_of(&self, offset: usize) -> usize {
        let offset = offset.min(self.len());
        match &self.0 {
            Held::Rope(rope) => rope.byte_to_line(offset),
            Held::Flat(flat) => flat.line_of(offset),
        }
    }

    /// Where the line that `offset` is in begins.
    pub fn line_start_of(&self, offset: usize) -> usize {
        match &self.0 {
            Held::Rope(_) => self.line_start(self.line_of(offset)),
            Held::Flat(flat) => flat.line_start_of(offset.min(self.len())),
        }
    }

    /// The line without its ending.
    pub fn line(&self, line: usize) -> Cow<'_, str> {
        self.without_ending(self.line_start(line)..self.line_start(line + 1))
    }

    /// The text of a range that is one line, without its ending.
    pub(crate) fn without_ending(&self, line: Span) -> Cow<'_, str> {
        match self.slice(line) {
            Cow::Borrowed(text) => Cow::Borrowed(lines::trim_ending(text)),
            Cow::Owned(text) => Cow::Owned(lines::trim_ending(&text).to_owned()),
        }
    }

    /// The text of a range; borrowed where it lies in one piece.
    pub fn slice(&self, span: Span) -> Cow<'_, str> {
        let start = self.floor(span.start);
        let end = self.floor(span.end).max(start);
        match &self.0 {
            Held::Rope(rope) => rope.byte_slice(start..end).into(),
            Held::Flat(flat) => Cow::Borrowed(&flat.text()[start..end]),
        }
    }

    /// Whole lines from `start` on, at least `at_least` bytes of them while the text lasts, in one
    /// piece whatever the rope's pieces are; in `buffer` where there are several. So the scan reads.
    ///
    /// `start` must be the start of a line.
    pub fn window(&self, start: usize, at_least: usize, mut buffer: String) -> Cow<'_, str> {
        let wanted = start.saturating_add(at_least.max(1)).min(self.len());
        let rope = match &self.0 {
            Held::Rope(rope) => rope,
            Held::Flat(flat) => return Cow::Borrowed(flat.lines_until(start, wanted)),
        };
        let end = self.line_start(self.line_of(wanted.saturating_sub(1)) + 1);
        let lines = rope.byte_slice(start.min(end)..end);
        if let Some(text) = lines.as_str() {
            return Cow::Borrowed(text);
        }
        buffer.clear();
        buffer.reserve(lines.len_bytes());
        lines.chunks().for_each(|chunk| buffer.push_str(chunk));
        Cow::Owned(buffer)
    }

    /// Puts `text` in the place of a range.
    pub fn replace(&mut self, span: Span, text: &str) {
        let start = self.floor(span.start);
        let end = self.floor(span.end).max(start);
        let mut rope = std::mem::take(self).into_rope();
        let first = rope.byte_to_char(start);
        let last = rope.byte_to_char(end);
        if first < last {
            rope.remove(first..last);
        }
        if !text.is_empty() {
            rope.insert(first, text);
        }
        self.0 = Held::Rope(rope);
    }

    /// Whether it is a text with an ending after it. That is known by the lengths, or at the first
    /// difference.
    pub fn is(&self, text: &str, ending: &str) -> bool {
        let is_as_long = self.len() == text.len() + ending.len();
        is_as_long
            && match &self.0 {
                Held::Rope(rope) => {
                    rope.get_byte_slice(..text.len()).is_some_and(|it| it == text)
                        && rope.get_byte_slice(text.len()..).is_some_and(|it| it == ending)
                }
                Held::Flat(flat) => flat.text().strip_prefix(text) == Some(ending),
            }
    }

    /// The offset rounded down to a character boundary and clamped to the length.
    pub fn floor(&self, offset: usize) -> usize {
        let offset = offset.min(self.len());
        match &self.0 {
            Held::Rope(rope) => rope.char_to_byte(rope.byte_to_char(offset)),
            Held::Flat(flat) => flat.floor(offset),
        }
    }

    /// The pieces of the text from the start of a line to that of another.
    fn chunks(&self, span: Span) -> impl Iterator<Item = &str> {
        let (rope, flat) = match &self.0 {
            Held::Rope(rope) => (Some(rope.byte_slice(span).chunks()), None),
            Held::Flat(flat) => (None, flat.text().get(span)),
        };
        rope.into_iter().flatten().chain(flat)
    }

    fn into_rope(self) -> Rope {
        match self.0 {
            Held::Rope(rope) => rope,
            Held::Flat(flat) => Rope::from_str(flat.text()),
        }
    }
}

impl Default for Text {
    fn default() -> Text {
        Text(Held::Rope(Rope::default()))
    }
}

impl std::fmt::Display for Text {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.chunks(0..self.len()).try_for_each(|chunk| f.write_str(chunk))
    }
}

impl PartialEq for Text {
    fn eq(&self, other: &Text) -> bool {
        match (&self.0, &other.0) {
            (Held::Rope(one), Held::Rope(other)) => one == other,
            (Held::Flat(one), _) => other.is(one.text(), ""),
            (_, Held::Flat(other)) => self.is(other.text(), ""),
        }
    }
}

#[cfg(test)]
mod properties;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_as_in_lsp_and_nowhere_else() {
        let text = Text::new("a\nb\r\nc\rd\u{2028}e\u{85}f\u{b}g\u{c}h");
        assert_eq!(text.line_count(), 4);
        assert_eq!(text.line(1), "b");
        assert_eq!(text.line(3), "d\u{2028}e\u{85}f\u{b}g\u{c}h");
    }

    #[test]
    fn a_window_holds_whole_lines() {
        let text = Text::new("ab\ncd\nef");
        assert_eq!(text.window(0, 1, String::new()), "ab\n");
        assert_eq!(text.window(0, 3, String::new()), "ab\n");
        assert_eq!(text.window(0, 4, String::new()), "ab\ncd\n");
        assert_eq!(text.window(6, 100, String::new()), "ef");
        assert_eq!(text.window(8, 100, String::new()), "");
    }

    #[test]
    fn a_text_is_compared_with_its_ending() {
        let text = Text::new("a😀\n");
        assert!(text.is("a😀", "\n") && text.is("a😀\n", "") && text.is("", "a😀\n"));
        assert!(!text.is("a😀", "") && !text.is("a😁", "\n") && !text.is("a😀\n", "\n"));
        // The places have other lengths, and a character is in the way.
        assert!(!text.is("abc", "def") && !Text::new("").is("a", ""));
        let long = "lines and lines\n".repeat(10_000);
        assert!(Text::new(&long).is(&long, "") && !Text::new(&long).is(&long, "\n"));
    }

    #[test]
    fn offsets_inside_a_character_go_to_its_start() {
        let mut text = Text::new("a😀b");
        assert_eq!(text.slice(2..5), "😀");
        text.replace(3..5, "x");
        assert_eq!(text.to_string(), "ax b".replace(' ', ""));
    }
}
