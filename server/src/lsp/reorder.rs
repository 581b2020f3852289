//! Changes that come before their turn, from a client whose notifications overtake one another.

use tower_lsp::ls_types::{DidChangeTextDocumentParams, Uri};

/// How many changes are held before what is missing is given up.
const MAX_HELD: usize = 256;

/// Changes that wait for the one before them, or for their document to be opened.
#[derive(Default)]
pub struct ReorderBuffer {
    held: Vec<DidChangeTextDocumentParams>,
}

impl ReorderBuffer {
    /// Holds a change; gives the documents whose missing change is waited for no longer.
    pub fn hold(&mut self, change: DidChangeTextDocumentParams) -> Vec<Uri> {
        self.held.push(change);
        if self.held.len() <= MAX_HELD {
            return Vec::new();
        }
        std::mem::take(&mut self.held).into_iter().map(|it| it.text_document.uri).collect()
    }

    /// Takes out the change that leads to a version of a document.
    pub fn take(&mut self, uri: &Uri, version: i32) -> Option<DidChangeTextDocumentParams> {
        let leads = |it: &DidChangeTextDocumentParams| {
            it.text_document.version == version && it.text_document.uri == *uri
        };
        let at = self.held.iter().position(leads)?;
        Some(self.held.swap_remove(at))
    }

    /// Drops every change of a document.
    pub fn forget(&mut self, uri: &Uri) {
        self.held.retain(|it| it.text_document.uri != *uri);
    }
}
