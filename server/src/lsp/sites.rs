//! The workspace as each transcript sees it: its folders, and the open documents in them.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;

use operator_core::snapshot::{FilePath, MemorySnapshot};
use tower_lsp::ls_types::Uri;

/// The workspace with one folder as the home of relative paths.
#[derive(Clone, Default)]
pub struct Site {
    documents: Arc<HashMap<FilePath, (Uri, i32)>>,
    root: PathBuf,
}

impl Site {
    /// The workspace as it is now.
    pub fn view(&self) -> MemorySnapshot {
        MemorySnapshot::default()
    }

    /// The URI of a file, as the client spells it where the file is open.
    pub fn uri(&self, file: &FilePath) -> Option<Uri> {
        let open = self.documents.get(file).map(|(uri, _)| uri.clone());
        open.or_else(|| super::proto::uri_of(&self.root.join(&file.path)))
    }

    /// The version of a file that is open.
    pub fn version(&self, file: &FilePath) -> Option<i32> {
        self.documents.get(file).map(|(_, version)| *version)
    }
}
