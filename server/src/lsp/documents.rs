//! The open documents: their text as the client has it.

use std::sync::Arc;

use operator_core::dialect::Dialects;
use operator_core::text::{Encoding, Text};
use tower_lsp::ls_types::{TextDocumentContentChangeEvent, TextDocumentItem, Uri};

use super::pending::Edits;
use super::proto;

/// One open document at one version; cheap to make, never changed.
pub struct DocumentSnapshot {
    /// The URI as the client spells it, with everything encoded that must be.
    pub uri: Uri,
    /// The version as the client counts it.
    pub version: i32,
    /// The text.
    pub text: Text,
    /// Why the text may not be the client's; `None` where it is.
    pub unsynced: Option<Unsynced>,
}

/// Why a document's text may not be what the client has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Unsynced {
    /// A change came with a version that is older than the last.
    #[error("a change came for version {received} after version {last}")]
    OldVersion {
        /// The version before.
        last: i32,
        /// The version of the change.
        received: i32,
    },
    /// A change did not have the form that the protocol gives it.
    #[error("a change could not be read")]
    Unreadable,
    /// A change had a range that ends before it starts.
    #[error("a change of version {0} had a range that ends before it starts")]
    InvertedRange(i32),
}

/// One open document.
pub struct Document {
    language_id: String,
    dialects: Option<Dialects>,
    /// Whether a person says that it is a chat.
    pub is_chat: bool,
    snapshot: Arc<DocumentSnapshot>,
}

impl Document {
    /// The document as the client opened it; without `dialects` it is not a transcript.
    pub fn open(item: TextDocumentItem, dialects: Option<Dialects>) -> Document {
        let snapshot = DocumentSnapshot {
            uri: item.uri,
            version: item.version,
            text: Text::new(&item.text),
            unsynced: None,
        };
        let (language_id, is_chat) = (item.language_id, false);
        Document { language_id, dialects, is_chat, snapshot: Arc::new(snapshot) }
    }

    /// The language id as the client gives it.
    pub fn language_id(&self) -> &str {
        &self.language_id
    }

    /// The dialects to search for in it; `None` where it is not a transcript.
    pub fn dialects(&self) -> Option<&Dialects> {
        self.dialects.as_ref()
    }

    /// The document as it is now.
    pub fn snapshot(&self) -> &Arc<DocumentSnapshot> {
        &self.snapshot
    }

    /// Has other dialects or limits hold from now on.
    pub fn look_for(&mut self, dialects: Option<Dialects>) {
        self.dialects = dialects;
        // What was found by the old ones was not found in this snapshot.
        self.snapshot = Arc::new(self.copy());
    }

    /// Takes the client's changes in, in their order; gives what they did to the text.
    pub fn change(
        &mut self,
        version: i32,
        changes: Vec<TextDocumentContentChangeEvent>,
        encoding: Encoding,
    ) -> Edits {
        let mut next = self.copy();
        let mut edits = Edits::default();
        let whole = changes.iter().rposition(|change| change.range.is_none());
        if version < next.version {
            next.unsynced = Some(Unsynced::OldVersion { last: next.version, received: version });
        } else if whole.is_some() {
            next.unsynced = None;
        }
        next.version = version;
        if next.unsynced.is_none() {
            for change in changes.into_iter().skip(whole.unwrap_or(0)) {
                if take(&mut next.text, change, encoding, &mut edits).is_err() {
                    next.unsynced = Some(Unsynced::InvertedRange(version));
                    break;
                }
            }
        }
        self.snapshot = Arc::new(next);
        edits
    }

    /// Takes note of a change that could not be read.
    pub fn lose_sync(&mut self) {
        let unsynced = Some(Unsynced::Unreadable);
        self.snapshot = Arc::new(DocumentSnapshot { unsynced, ..self.copy() });
    }

    fn copy(&self) -> DocumentSnapshot {
        let DocumentSnapshot { uri, version, text, unsynced } = self.snapshot.as_ref();
        DocumentSnapshot {
            uri: uri.clone(),
            version: *version,
            text: text.clone(),
            unsynced: *unsynced,
        }
    }
}

fn take(
    text: &mut Text,
    change: TextDocumentContentChangeEvent,
    encoding: Encoding,
    edits: &mut Edits,
) -> Result<(), proto::Inverted> {
    let Some(range) = change.range else {
        *text = Text::new(&change.text);
        edits.replace_all(text.clone());
        return Ok(());
    };
    let span = proto::span(text, range, encoding)?;
    text.replace(span.clone(), &change.text);
    edits.push(span, change.text);
    Ok(())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    fn opened(text: &str) -> Document {
        let item = TextDocumentItem {
            uri: "untitled:a".parse().unwrap(),
            language_id: "plaintext".to_owned(),
            version: 1,
            text: text.to_owned(),
        };
        Document::open(item, None)
    }

    fn change(document: &mut Document, version: i32, changes: serde_json::Value) -> String {
        let changes = serde_json::from_value(changes).unwrap();
        document.change(version, changes, Encoding::Utf16);
        let state = document.snapshot();
        let mark = if state.unsynced.is_some() { "? " } else { "" };
        format!("{mark}{}", state.text)
    }

    fn range(start: (u32, u32), end: (u32, u32)) -> serde_json::Value {
        json!({"start": {"line": start.0, "character": start.1},
               "end": {"line": end.0, "character": end.1}})
    }

    /// The position of an offset as a client counts that knows no rope.
    fn counted(text: &str, at: usize, encoding: Encoding) -> serde_json::Value {
        let before = text[..at].replace("\r\n", "\n").replace('\r', "\n");
        let line = before.matches('\n').count();
        let rest = &text[..at][text[..at].rfind(['\n', '\r']).map_or(0, |end| end + 1)..];
        let character: usize = match encoding {
            Encoding::Utf8 => rest.len(),
            Encoding::Utf16 => rest.encode_utf16().count(),
            Encoding::Utf32 => rest.chars().count(),
        };
        json!({"line": line, "character": character})
    }

    /// Text with everything that makes positions go wrong.
    fn piece() -> impl Strategy<Value = &'static str> {
        prop::sample::select(vec![
            "",
            "a",
            "é",
            "e\u{301}",
            "😀",
            "👩\u{200d}👧",
            "\n",
            "\r\n",
            "\r",
            "\u{2028}",
            "日本",
            "\u{feff}",
            "a line that is somewhat longer than most\n",
        ])
    }

    proptest! {
        /// Twenty edits a case in the middle: `PROPTEST_CASES=17000` makes a million of them.
        #[test]
        fn the_text_is_that_of_the_client_after_any_edits(
            edits in prop::collection::vec(
                (any::<prop::sample::Index>(), 0..12_usize, piece()), 1..40,
            ),
        ) {
            for encoding in [Encoding::Utf8, Encoding::Utf16, Encoding::Utf32] {
                let (mut document, mut client) = (opened(""), String::new());
                for (number, (at, gone, new)) in edits.iter().enumerate() {
                    // No client puts the cursor between the two characters of a line ending.
                    let is_place = |at: &usize| {
                        client.is_char_boundary(*at)
                            && !(client[..*at].ends_with('\r') && client[*at..].starts_with('\n'))
                    };
                    let places: Vec<usize> = (0..=client.len()).filter(is_place).collect();
                    let from = at.index(places.len());
                    let to = places[(from + gone).min(places.len() - 1)];
                    let from = places[from];
                    let range = json!({"start": counted(&client, from, encoding),
                                       "end": counted(&client, to, encoding)});
                    let change = json!([{"range": range, "text": new}]);
                    client.replace_range(from..to, new);
                    let version = 2 + i32::try_from(number).unwrap();
                    let changes = serde_json::from_value(change).unwrap();
                    document.change(version, changes, encoding);
                    prop_assert_eq!(document.snapshot().text.to_string(), client.clone());
                }
            }
        }
    }

    #[test]
    fn changes_follow_one_another() {
        let mut document = opened("a😀b\r\nc");
        let edits = json!([
            {"range": range((0, 1), (0, 3)), "text": "x"},
            {"range": range((1, 0), (1, 1)), "text": "yz"},
        ]);
        assert_eq!(change(&mut document, 2, edits), "axb\r\nyz");
    }

    #[test]
    fn an_old_version_or_an_inverted_range_waits_for_the_whole_text() {
        let mut document = opened("abc");
        let insert = |text: &str| json!([{"range": range((0, 0), (0, 0)), "text": text}]);
        assert_eq!(change(&mut document, 0, insert("x")), "? abc");
        assert_eq!(change(&mut document, 2, insert("y")), "? abc", "still not known");
        assert_eq!(change(&mut document, 3, json!([{"text": "new"}])), "new");
        let inverted = json!([{"range": range((0, 2), (0, 1)), "text": "z"}]);
        assert_eq!(change(&mut document, 4, inverted), "? new");
        assert_eq!(change(&mut document, 5, json!([{"text": "fixed"}])), "fixed");
    }
}
