//! Positions, counted the slow and obvious way, so that they are the client's own.

use serde_json::{Value, json};

/// How positions count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Encoding {
    /// Bytes.
    Utf8,
    /// UTF-16 code units.
    Utf16,
    /// Characters.
    Utf32,
}

pub const ENCODINGS: [Encoding; 3] = [Encoding::Utf8, Encoding::Utf16, Encoding::Utf32];

impl Encoding {
    /// The name in the protocol.
    pub fn name(self) -> &'static str {
        match self {
            Encoding::Utf8 => "utf-8",
            Encoding::Utf16 => "utf-16",
            Encoding::Utf32 => "utf-32",
        }
    }

    /// The one of that name.
    pub fn named(name: &str) -> Encoding {
        ENCODINGS.into_iter().find(|encoding| encoding.name() == name).unwrap()
    }

    fn width(self, character: char) -> usize {
        match self {
            Encoding::Utf8 => character.len_utf8(),
            Encoding::Utf16 => character.len_utf16(),
            Encoding::Utf32 => 1,
        }
    }
}

/// Where the lines begin and where each ends before its ending, as byte offsets.
pub fn lines(text: &str) -> Vec<(usize, usize)> {
    let mut lines = Vec::new();
    let mut start = 0;
    let mut characters = text.char_indices().peekable();
    while let Some((at, character)) = characters.next() {
        if character == '\r' && characters.peek().is_some_and(|(_, next)| *next == '\n') {
            characters.next();
            lines.push((start, at));
            start = at + 2;
        } else if character == '\r' || character == '\n' {
            lines.push((start, at));
            start = at + 1;
        }
    }
    lines.push((start, text.len()));
    lines
}

/// The byte offset of a position; beyond the end of a line or of the text is that end.
pub fn offset(text: &str, position: &Value, encoding: Encoding) -> usize {
    let line = usize::try_from(position["line"].as_u64().unwrap()).unwrap();
    let wanted = usize::try_from(position["character"].as_u64().unwrap()).unwrap();
    let Some(&(start, end)) = lines(text).get(line) else { return text.len() };
    let mut counted = 0;
    for (at, character) in text[start..end].char_indices() {
        if counted >= wanted {
            return start + at;
        }
        counted += encoding.width(character);
    }
    end
}

/// The position of a byte offset. One between `\r` and `\n` counts as the end of the line.
pub fn position(text: &str, offset: usize, encoding: Encoding) -> Value {
    let lines = lines(text);
    let line = lines.iter().rposition(|(start, _)| *start <= offset).unwrap();
    let (start, end) = lines[line];
    let before = &text[start..offset.min(end)];
    let character: usize = before.chars().map(|character| encoding.width(character)).sum();
    json!({"line": line, "character": character})
}

/// The range of a stretch of bytes.
pub fn range(text: &str, span: std::ops::Range<usize>, encoding: Encoding) -> Value {
    json!({"start": position(text, span.start, encoding), "end": position(text, span.end, encoding)})
}
