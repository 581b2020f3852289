//! The border between byte offsets and the protocol's positions, between paths and URIs.

mod files;
mod text_edits;
mod workspace_edit;

use operator_core::text::{self, Encoding, Span, Text};
use tower_lsp::ls_types::{Position, PositionEncodingKind, Range, Uri};

pub use files::{path_of, uri_of};
pub use workspace_edit::{EditBuilder, changed_before, changed_by_step, documents};

/// A range whose end is before its start.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the range ends before it starts")]
pub struct Inverted;

/// The encoding of that name.
pub fn encoding(kind: &PositionEncodingKind) -> Option<Encoding> {
    match kind.as_str() {
        "utf-8" => Some(Encoding::Utf8),
        "utf-16" => Some(Encoding::Utf16),
        "utf-32" => Some(Encoding::Utf32),
        _ => None,
    }
}

/// The name of an encoding.
pub fn encoding_kind(encoding: Encoding) -> PositionEncodingKind {
    match encoding {
        Encoding::Utf8 => PositionEncodingKind::UTF8,
        Encoding::Utf16 => PositionEncodingKind::UTF16,
        Encoding::Utf32 => PositionEncodingKind::UTF32,
    }
}

/// The position of a byte offset.
pub fn position(text: &Text, offset: usize, encoding: Encoding) -> Position {
    let text::Position { line, character } = text.position(offset, encoding);
    Position { line, character }
}

/// The range of a span of bytes.
pub fn range(text: &Text, span: &Span, encoding: Encoding) -> Range {
    Range::new(position(text, span.start, encoding), position(text, span.end, encoding))
}

/// The byte offset of a position; beyond the end is the end.
pub fn offset(text: &Text, position: Position, encoding: Encoding) -> usize {
    text.offset(text::Position { line: position.line, character: position.character }, encoding)
}

/// The span of bytes of a range; beyond the end is the end.
///
/// # Errors
/// [`Inverted`] where the range ends before it starts.
pub fn span(text: &Text, range: Range, encoding: Encoding) -> Result<Span, Inverted> {
    if range.end < range.start {
        return Err(Inverted);
    }
    Ok(offset(text, range.start, encoding)..offset(text, range.end, encoding))
}

/// The last name in a URI's path, decoded.
pub fn file_name(uri: &Uri) -> String {
    let path = uri.path().decode().to_string_lossy();
    path.rsplit('/').next().unwrap_or_default().to_owned()
}

/// The text for a part of a URI: whatever has a meaning in one is encoded.
pub fn percent(text: &str) -> String {
    let mut encoded = String::with_capacity(text.len());
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => {
                encoded.push(byte.into());
            }
            _ => encoded.push_str(&format!("%{byte:02X}")),
        }
    }
    encoded
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(line: u32, character: u32) -> Position {
        Position { line, character }
    }

    #[test]
    fn an_inverted_range_is_told_from_one_beyond_the_end() {
        let text = Text::new("ab\ncd");
        let beyond = Range::new(at(0, 1), at(9, 9));
        assert_eq!(span(&text, beyond, Encoding::Utf16), Ok(1..5));
        let inverted = Range::new(at(1, 1), at(1, 0));
        assert_eq!(span(&text, inverted, Encoding::Utf16), Err(Inverted));
        let inverted_beyond = Range::new(at(9, 9), at(9, 8));
        assert_eq!(span(&text, inverted_beyond, Encoding::Utf16), Err(Inverted));
    }

    #[test]
    fn the_last_name_of_a_uri() {
        let uri: Uri = "file:///a/b%20c.md".parse().unwrap();
        assert_eq!(file_name(&uri), "b c.md");
    }
}
