//! What a file holds: its text, and whether a byte order mark is before it.

use std::borrow::Cow;
use std::fmt;
use std::ops::Deref;
use std::sync::{Arc, OnceLock};

use super::private;
use crate::fingerprint::Fingerprint;

const BOM: &str = "\u{feff}";
/// What UTF-16 begins with.
const UTF_16: [[u8; 2]; 2] = [[0xff, 0xfe], [0xfe, 0xff]];

/// A file's content. The mark is kept apart, as editors do, so that line 1 begins with text.
///
/// Of a file in another encoding, whose ASCII lines are edited on bytes, the text stands for the
/// bytes: each one beyond ASCII is a private character, which nobody is shown.
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
    /// The file's bytes, where they are not UTF-8.
    bytes: Option<Vec<u8>>,
    fingerprint: OnceLock<Fingerprint>,
}

impl PartialEq for Parts {
    fn eq(&self, other: &Parts) -> bool {
        self.bom == other.bom && self.text == other.text && self.bytes == other.bytes
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
        Content(Arc::new(Parts { bom, text: text.into(), ..Parts::default() }))
    }

    /// The content of bytes that are not UTF-8.
    fn standing_for(bytes: Vec<u8>) -> Content {
        let text = private::of_bytes(&bytes);
        Content(Arc::new(Parts { text, bytes: Some(bytes), ..Parts::default() }))
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
        Content::of_utf8(bytes).map_err(|(offset, _)| offset)
    }

    /// The content of a file's bytes, UTF-8 or an encoding in which ASCII is ASCII: one without a
    /// NUL byte, which UTF-16 and most binary files have.
    ///
    /// # Errors
    /// The offset of the first byte that is not UTF-8.
    pub fn of_any_bytes(bytes: Vec<u8>) -> Result<Content, usize> {
        Content::of_utf8(bytes).or_else(|(offset, bytes)| {
            let is_utf16 = UTF_16.iter().any(|mark| bytes.starts_with(mark));
            let is_other = is_utf16 || memchr::memchr(0, &bytes).is_some();
            if is_other { Err(offset) } else { Ok(Content::standing_for(bytes)) }
        })
    }

    /// The content of UTF-8, or the offset of the first byte that is not, with the bytes.
    fn of_utf8(bytes: Vec<u8>) -> Result<Content, (usize, Vec<u8>)> {
        match String::from_utf8(bytes) {
            Ok(text) if text.starts_with(BOM) => Ok(Content::of_file(&text)),
            Ok(text) => Ok(Content::plain(text)),
            Err(error) => Err((error.utf8_error().valid_up_to(), error.into_bytes())),
        }
    }

    /// Whether the file is UTF-8.
    pub fn is_utf8(&self) -> bool {
        self.bytes.is_none()
    }

    /// The content of a file that must be UTF-8.
    ///
    /// # Errors
    /// The offset of the first byte that is not.
    pub fn in_utf8(self) -> Result<Content, usize> {
        let valid = |bytes: &Vec<u8>| {
            let error = std::str::from_utf8(bytes).err();
            error.map_or(bytes.len(), |error| error.valid_up_to())
        };
        self.bytes.as_ref().map(valid).map_or(Ok(self.clone()), Err)
    }

    /// The same mark with another text. Where the text stands for bytes, what is new in it must be
    /// ASCII.
    pub fn with_text(&self, text: impl Into<String>) -> Content {
        match self.is_utf8() {
            true => Content::new(self.bom, text),
            false => Content::standing_for(private::to_bytes(&text.into())),
        }
    }

    /// The text as people see it.
    pub fn shown(&self) -> Cow<'_, str> {
        match self.is_utf8() {
            true => Cow::Borrowed(&self.text),
            false => Cow::Owned(private::shown(&self.text)),
        }
    }

    /// The bytes as they are in the file.
    pub fn to_bytes(&self) -> Vec<u8> {
        self.parts().concat()
    }

    /// The bytes as they are in the file, the mark and the text each in one piece.
    pub fn parts(&self) -> [&[u8]; 2] {
        let mark = if self.bom { BOM } else { "" };
        [mark.as_bytes(), self.bytes.as_deref().unwrap_or(self.text.as_bytes())]
    }

    /// Whether a file holds exactly this.
    pub fn is(&self, bytes: &[u8]) -> bool {
        let [mark, text] = self.parts();
        bytes.strip_prefix(mark).is_some_and(|rest| rest == text)
    }

    /// The length of the file in bytes, the mark included.
    pub fn len(&self) -> usize {
        self.parts().iter().map(|part| part.len()).sum()
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

    #[test]
    fn a_text_may_stand_for_bytes() {
        let bytes = b"caf\xe9\nnew\n".to_vec();
        let content = Content::of_any_bytes(bytes.clone()).unwrap();
        assert_eq!(content.to_bytes(), bytes);
        assert_eq!((content.len(), content.is(&bytes)), (9, true));
        assert_eq!(content.fingerprint(), Fingerprint::of(&bytes));
        assert_eq!(content.shown(), "caf\u{fffd}\nnew\n");
        let other = content.with_text(content.text.replace("new", "old"));
        assert_eq!(other.to_bytes(), b"caf\xe9\nold\n");
        assert_eq!(other.in_utf8(), Err(3));
        assert_ne!(Content::plain(content.text.as_str()), content);
        assert_eq!(Content::of_any_bytes(b"a".to_vec()), Ok(Content::plain("a")));
        for refused in [&b"\xff\xfe\x4e\x4e"[..], b"a\0\xff", b"\xfe\xff\x4e\x4e"] {
            assert!(Content::of_any_bytes(refused.to_vec()).is_err());
        }
    }
}
