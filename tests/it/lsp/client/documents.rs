//! The open documents, as the client has them.

use serde_json::{Value, json};

use super::{Client, positions};

/// An open document.
#[derive(Debug, Clone)]
pub struct Document {
    /// The version.
    pub version: i64,
    /// The version that it was opened with.
    pub opened: i64,
    /// The text.
    pub text: String,
    /// The language.
    pub language: String,
}

impl Client {
    /// Opens a document.
    pub fn open(&mut self, uri: &str, language: &str, text: &str) {
        self.open_at(uri, language, text, 1);
    }

    /// Opens a document at a version.
    pub fn open_at(&mut self, uri: &str, language: &str, text: &str, version: i64) {
        let document = Document {
            version,
            opened: version,
            text: text.to_owned(),
            language: language.to_owned(),
        };
        assert!(self.documents.insert(uri.to_owned(), document).is_none(), "{uri} is open");
        let item = json!({"uri": uri, "languageId": language, "version": version, "text": text});
        self.notify("textDocument/didOpen", json!({"textDocument": item}));
    }

    /// Closes a document; what was not saved is lost.
    pub fn close(&mut self, uri: &str) -> Document {
        let document = self.documents.remove(uri).unwrap_or_else(|| panic!("{uri} is not open"));
        // What is still on its way is about the document as it was.
        *self.closing.entry(uri.to_owned()).or_default() += 1;
        self.published.remove(uri);
        self.notify("textDocument/didClose", json!({"textDocument": {"uri": uri}}));
        document
    }

    /// The text of an open document.
    pub fn text(&self, uri: &str) -> &str {
        &self.documents[uri].text
    }

    /// Replaces the only occurrence of a text in an open document.
    pub fn replace(&mut self, uri: &str, old: &str, new: &str) {
        let text = self.text(uri);
        assert_eq!(text.matches(old).count(), 1, "{old:?} in {text:?}");
        let start = text.find(old).unwrap();
        let range = positions::range(text, start..start + old.len(), self.encoding);
        self.change(uri, &[json!({"range": range, "text": new})]);
    }

    /// Adds text at the end of an open document.
    pub fn append(&mut self, uri: &str, new: &str) {
        let end = positions::position(self.text(uri), self.text(uri).len(), self.encoding);
        self.change(uri, &[json!({"range": {"start": end, "end": end}, "text": new})]);
    }

    /// Gives an open document another text as a whole.
    pub fn change_whole(&mut self, uri: &str, text: &str) {
        self.change(uri, &[json!({"text": text})]);
    }

    /// Makes changes one after the other, and tells the server.
    pub fn change(&mut self, uri: &str, changes: &[Value]) {
        let encoding = self.encoding;
        let document = self.documents.get_mut(uri).unwrap();
        changes.iter().for_each(|change| document.take(change, encoding));
        document.version += 1;
        let id = json!({"uri": uri, "version": document.version});
        let params = json!({"textDocument": id, "contentChanges": changes});
        self.notify("textDocument/didChange", params);
    }

    /// Tells the server what it must know about files on disk, where it asked to.
    pub fn tell_files(&mut self, changes: &[(String, u8)]) {
        if changes.is_empty() || !self.registered.contains_key("workspace/didChangeWatchedFiles") {
            return;
        }
        let changes: Vec<_> =
            changes.iter().map(|(uri, kind)| json!({"uri": uri, "type": kind})).collect();
        self.notify("workspace/didChangeWatchedFiles", json!({"changes": changes}));
    }
}

impl Document {
    /// Makes one change of `textDocument/didChange`.
    pub fn take(&mut self, change: &Value, encoding: super::Encoding) {
        let new = change["text"].as_str().unwrap();
        match change.get("range") {
            None => new.clone_into(&mut self.text),
            Some(range) => {
                let start = positions::offset(&self.text, &range["start"], encoding);
                let end = positions::offset(&self.text, &range["end"], encoding);
                self.text.replace_range(start..end, new);
            }
        }
    }
}
