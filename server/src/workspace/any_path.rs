//! A workspace in which a path may be absolute as the system has it, too.

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

use operator_core::snapshot::{Denied, Details, Entry, FilePath, Kind, Snapshot, State};
use operator_core::structure::Parsed;
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

impl<S: Snapshot> Snapshot for AnyPath<'_, S> {
    fn resolve(&self, path: &str) -> Result<FilePath, Denied> {
        match Path::new(path).is_absolute() {
            true => self.snapshot.resolve_absolute(path),
            false => self.snapshot.resolve(path),
        }
    }

    fn resolve_absolute(&self, path: &str) -> Result<FilePath, Denied> {
        self.snapshot.resolve_absolute(path)
    }

    fn name(&self) -> Option<String> {
        self.snapshot.name()
    }

    fn kind(&self, path: &FilePath) -> Result<Option<Kind>, Denied> {
        self.snapshot.kind(path)
    }

    fn read(&self, path: &FilePath) -> Result<Content, Denied> {
        self.snapshot.read(path)
    }

    fn state(&self, path: &FilePath) -> Result<State, Denied> {
        self.snapshot.state(path)
    }

    fn writable(&self, path: &FilePath) -> Result<(), Denied> {
        self.snapshot.writable(path)
    }

    fn list(&self, path: &FilePath) -> Result<Vec<Entry>, Denied> {
        self.snapshot.list(path)
    }

    fn files(&self, path: &FilePath, ignored: bool, limit: usize) -> Result<Vec<FilePath>, Denied> {
        self.snapshot.files(path, ignored, limit)
    }

    fn named(&self, root: usize, name: &str, limit: usize) -> Result<Vec<FilePath>, Denied> {
        self.snapshot.named(root, name, limit)
    }

    fn details(&self, path: &FilePath) -> Result<Details, Denied> {
        self.snapshot.details(path)
    }

    fn working_set(&self) -> Option<BTreeSet<String>> {
        self.snapshot.working_set()
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

    fn patience(&self, bytes: usize) -> Box<dyn FnMut() -> ControlFlow<()>> {
        self.snapshot.patience(bytes)
    }
}
