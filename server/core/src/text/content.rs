//! What a file holds: its text, and whether a byte order mark is before it.

use std::fmt;
use std::ops::Deref;
use std::sync::{Arc, OnceLock};

use crate::fingerprint::Fingerprint;

const BOM: &str = "\u{feff}";

/// A UTF-8 file's content. The mark is kept apart, as editors do, so that line 1 begins with text.
///
/// A clone is cheap, and the fingerprint is worked out once for all of them.
#[derive(Clone, PartialEq, Eq, Default)]
pub struct Content(Arc<Parts>);

/// What a content consists of; it never changes, so that the fingerprint stays right.
#[derive(Default)]
pub struct Parts {
    /// Whether the file begins with a byte order mark.
    pub bom: bool,
    /// The text after the mark.
    pub text: String,
    fingerprint: OnceLock<Fingerprint>,
}

impl PartialEq for Parts {
    fn eq(&self, other: &Parts) -> bool {
        self.bom == other.bom && self.text == other.text
    }
}

impl Eq for Parts {}

/// What it says, not what is already worked out.
impl fmt::Debug for Content {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Content").field("bom", &self.bom).field("text", &self.text).finish()
    }
}

impl Deref for Content {
    type Target = Parts;

    fn deref(&self) -> &Parts {
        &self.0
    }
}

impl Content {
    /// The content of a text, with a mark before it or without.
    pub fn new(bom: bool, text: impl Into<String>) -> Content {
        let fingerprint = OnceLock::new();
        Content(Arc::new(Parts { bom, text: text.into(), fingerprint }))
    }

    /// A content without a mark whose text is exactly `text`.
    pub fn plain(text: impl Into<String>) -> Content {
        Content::new(false, text)
    }

    /// The content of a file's text, its mark told apart.
    pub fn of_file(text: &str) -> Content {
        match text.strip_prefix(BOM) {
            Some(rest) => Content::new(true, rest),
            None => Content::plain(text),
        }
    }

    /// The content of a file's bytes.
    ///
    /// # Errors
    /// The offset of the first byte that is not UTF-8.
    pub fn of_bytes(bytes: Vec<u8>) -> Result<Content, usize> {
        match String::from_utf8(bytes) {
            Ok(text) if text.starts_with(BOM) => Ok(Content::of_file(&text)),
            Ok(text) => Ok(Content::plain(text)),
            Err(error) => Err(error.utf8_error().valid_up_to()),
        }
    }

    /// The same mark with another text.
    pub fn with_text(&self, text: impl Into<String>) -> Content {
        Content::new(self.bom, text)
    }

    /// The bytes as they are in the file.
    pub fn to_bytes(&self) -> Vec<u8> {
        self.parts().concat()
    }

    /// The bytes as they are in the file, the mark and the text each in one piece.
    pub fn parts(&self) -> [&[u8]; 2] {
        let mark = if self.bom { BOM } else { "" };
        [mark.as_bytes(), self.text.as_bytes()]
    }

    /// Whether a file holds exactly this.
    pub fn is(&self, bytes: &[u8]) -> bool {
        let [mark, text] = self.parts();
        bytes.strip_prefix(mark).is_some_and(|rest| rest == text)
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
        *self.fingerprint.get_or_init(|| Fingerprint::of_parts(&self.parts()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mark_counts_in_bytes_and_not_in_text() {
        let content = Content::of_bytes("\u{feff}a".into()).unwrap();
        assert_eq!(&*content.text, "a");
        assert_eq!(content.to_bytes(), "\u{feff}a".as_bytes());
        assert_eq!(content.fingerprint(), Fingerprint::of("\u{feff}a".as_bytes()));
        assert!(content.is("\u{feff}a".as_bytes()) && !content.is(b"a"));
        assert!(!Content::plain("\u{feff}").is(b""));
        assert_eq!(Content::of_bytes(b"ab\xff".to_vec()), Err(2));
    }
}
