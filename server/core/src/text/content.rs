//! What a file holds: its text, and whether a byte order mark stands before it.

use std::sync::Arc;

use crate::fingerprint::Fingerprint;

const BOM: &str = "\u{feff}";

/// A UTF-8 file's content. The mark is kept apart, as editors do, so that line 1 begins with text.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Content {
    /// Whether the file begins with a byte order mark.
    pub bom: bool,
    /// The text after the mark.
    pub text: Arc<str>,
}

impl Content {
    /// A content without a mark whose text is exactly `text`.
    pub fn plain(text: impl Into<Arc<str>>) -> Content {
        Content { bom: false, text: text.into() }
    }

    /// The content of a file's text, its mark told apart.
    pub fn of_file(text: &str) -> Content {
        match text.strip_prefix(BOM) {
            Some(rest) => Content { bom: true, text: rest.into() },
            None => Content::plain(text),
        }
    }

    /// The content of a file's bytes.
    ///
    /// # Errors
    /// The offset of the first byte that is not UTF-8.
    pub fn of_bytes(bytes: &[u8]) -> Result<Content, usize> {
        match std::str::from_utf8(bytes) {
            Ok(text) => Ok(Content::of_file(text)),
            Err(error) => Err(error.valid_up_to()),
        }
    }

    /// The same mark with another text.
    pub fn with_text(&self, text: impl Into<Arc<str>>) -> Content {
        Content { bom: self.bom, text: text.into() }
    }

    /// The bytes as they stand in the file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mark = if self.bom { BOM } else { "" };
        [mark.as_bytes(), self.text.as_bytes()].concat()
    }

    /// The length of the file in bytes, the mark included.
    pub fn len(&self) -> usize {
        self.text.len() + if self.bom { BOM.len() } else { 0 }
    }

    /// Whether the file has no bytes.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The fingerprint of the file's exact bytes, the mark included.
    pub fn fingerprint(&self) -> Fingerprint {
        if self.bom {
            Fingerprint::of_parts(&[BOM.as_bytes(), self.text.as_bytes()])
        } else {
            Fingerprint::of(self.text.as_bytes())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mark_counts_in_bytes_and_not_in_text() {
        let content = Content::of_bytes("\u{feff}a".as_bytes()).unwrap();
        assert_eq!(&*content.text, "a");
        assert_eq!(content.to_bytes(), "\u{feff}a".as_bytes());
        assert_eq!(content.fingerprint(), Fingerprint::of("\u{feff}a".as_bytes()));
        assert_eq!(Content::of_bytes(b"ab\xff"), Err(2));
    }
}
