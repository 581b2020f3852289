//! A workspace in which a path may be absolute as the system has it, too.

use std::sync::Arc;

use operator_core::outline::Parsed;
use operator_core::path::{FilePath, is_absolute};
use operator_core::snapshot::{Denied, Layer, Snapshot};
use operator_core::syntax::{Language, Unparsed};
use operator_core::text::Content;

use super::{Workspace, trees};

/// A snapshot for people and programs on this system: a path that begins at the system's root is
/// that file, where a block's would begin in the workspace.
pub struct AnyPath<'a, S> {
    /// The files.
    pub snapshot: &'a S,
    /// The folders that they are in.
    pub workspace: &'a Workspace,
    /// Whether trees are made and not kept, for whoever looks at each of many files once.
    pub once: bool,
}

impl<S: Snapshot> Layer for AnyPath<'_, S> {
    fn inner(&self) -> &dyn Snapshot {
        self.snapshot
    }

    fn resolve(&self, path: &str) -> Result<FilePath, Denied> {
        match is_absolute(path) {
            true => self.snapshot.resolve_absolute(path),
            false => self.snapshot.resolve(path),
        }
    }

    fn parsed(
        &self,
        path: &FilePath,
        language: &'static Language,
        content: Content,
    ) -> Result<Arc<Parsed>, Unparsed> {
        match self.once {
            true => trees::parse(language, content).map(Arc::new),
            false => self.snapshot.parsed(path, language, content),
        }
    }
}
