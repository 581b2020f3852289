//! Positions as clients count them, in the three encodings of LSP.

use crate::text::{Held, Span, Text};

/// What one `character` counts, as negotiated in `initialize` (LSP 3.17, `positionEncoding`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Encoding {
    /// Bytes.
    Utf8,
    /// UTF-16 code units, the protocol's default.
    #[default]
    Utf16,
    /// Unicode scalar values.
    Utf32,
}

/// A 0-based line and the 0-based character in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Hash)]
pub struct Position {
    /// The line, from 0.
    pub line: u32,
    /// The character in the line, from 0, counted in the encoding's units.
    pub character: u32,
}

impl Encoding {
    /// The length of `text` in this encoding's units.
    pub fn len(self, text: &str) -> usize {
        match self {
            Encoding::Utf8 => text.len(),
            Encoding::Utf16 => text.chars().map(char::len_utf16).sum(),
            Encoding::Utf32 => text.chars().count(),
        }
    }

    fn len_of(self, char: char) -> usize {
        match self {
            Encoding::Utf8 => char.len_utf8(),
            Encoding::Utf16 => char.len_utf16(),
            Encoding::Utf32 => 1,
        }
    }
}

impl Text {
    /// The position of a byte offset.
    pub fn position(&self, offset: usize, encoding: Encoding) -> Position {
        let offset = self.floor(offset);
        let line = self.line_of(offset);
        let start = self.line_start(line);
        let character = match encoding {
            Encoding::Utf8 => offset - start,
            encoding => self.units(start..offset, encoding),
        };
        Position { line: to_u32(line), character: to_u32(character) }
    }

    /// How many units a range has, in an encoding that does not count bytes.
    fn units(&self, span: Span, encoding: Encoding) -> usize {
        let rope = match &self.0 {
            Held::Rope(rope) => rope,
            Held::Flat(flat) => return encoding.len(&flat.text()[span]),
        };
        let [start, end] = [span.start, span.end].map(|at| rope.byte_to_char(at));
        match encoding {
            Encoding::Utf16 => rope.char_to_utf16_cu(end) - rope.char_to_utf16_cu(start),
            _ => end - start,
        }
    }

    /// The byte offset of a position.
    ///
    /// As the protocol says, a character beyond the line's end is the line's end (before its
    /// ending) and a line beyond the last is the text's end. A position inside a character is
    /// that character's start.
    pub fn offset(&self, position: Position, encoding: Encoding) -> usize {
        let line = position.line as usize;
        if line >= self.line_count() {
            return self.len();
        }
        let mut left = position.character as usize;
        let mut offset = self.line_start(line);
        for chunk in self.chunks(offset..self.line_start(line + 1)) {
            if chunk.is_ascii() && left < chunk.len() {
                let ends = memchr::memchr2(b'\n', b'\r', &chunk.as_bytes()[..left]);
                return offset + ends.unwrap_or(left);
            }
            for char in chunk.chars() {
                let units = encoding.len_of(char);
                if left < units || char == '\n' || char == '\r' {
                    return offset;
                }
                left -= units;
                offset += char.len_utf8();
            }
        }
        offset
    }
}

fn to_u32(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(line: u32, character: u32) -> Position {
        Position { line, character }
    }

    #[test]
    fn an_astral_character_is_four_two_or_one() {
        let text = Text::new("a😀b\r\nc");
        for (encoding, character) in
            [(Encoding::Utf8, 5), (Encoding::Utf16, 3), (Encoding::Utf32, 2)]
        {
            assert_eq!(text.position(5, encoding), at(0, character));
            assert_eq!(text.offset(at(0, character), encoding), 5);
        }
        assert_eq!(text.offset(at(0, 2), Encoding::Utf16), 1, "inside the pair: its start");
    }

    #[test]
    fn beyond_the_end_is_the_end() {
        let text = Text::new("ab\r\nc");
        assert_eq!(text.offset(at(0, 99), Encoding::Utf16), 2);
        assert_eq!(text.offset(at(1, 99), Encoding::Utf16), 5);
        assert_eq!(text.offset(at(9, 0), Encoding::Utf16), 5);
        assert_eq!(Text::new("").offset(at(0, 0), Encoding::Utf16), 0);
    }
}
