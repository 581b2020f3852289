//! A workspace seen through the rules of one dialect, or of one transcript.

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::sync::Arc;

use super::{Denied, Details, Entry, FilePath, Kind, Snapshot, State};
use crate::structure::Parsed;
use crate::syntax::{Language, Unparsed};
use crate::text::Content;

/// The same workspace, but for what the fields say.
pub struct Through<'a> {
    /// The workspace.
    pub inner: &'a dyn Snapshot,
    /// Whether every path is taken to begin at the system's root.
    pub absolute: bool,
    /// The transcript's working set, where it is another than the workspace says.
    pub working_set: Option<&'a BTreeSet<String>>,
}

impl<'a> Through<'a> {
    /// The workspace with another working set.
    pub fn with_working_set(inner: &'a dyn Snapshot, set: &'a BTreeSet<String>) -> Through<'a> {
        Through { inner, absolute: false, working_set: Some(set) }
    }
}

impl Snapshot for Through<'_> {
    fn resolve(&self, path: &str) -> Result<FilePath, Denied> {
        match self.absolute {
            true => self.inner.resolve_absolute(path),
            false => self.inner.resolve(path),
        }
    }

    fn resolve_absolute(&self, path: &str) -> Result<FilePath, Denied> {
        self.inner.resolve_absolute(path)
    }

    fn kind(&self, path: &FilePath) -> Result<Option<Kind>, Denied> {
        self.inner.kind(path)
    }

    fn read(&self, path: &FilePath) -> Result<Content, Denied> {
        self.inner.read(path)
    }

    fn state(&self, path: &FilePath) -> Result<State, Denied> {
        self.inner.state(path)
    }

    fn writable(&self, path: &FilePath) -> Result<(), Denied> {
        self.inner.writable(path)
    }

    fn list(&self, path: &FilePath) -> Result<Vec<Entry>, Denied> {
        self.inner.list(path)
    }

    fn files(&self, path: &FilePath, ignored: bool, limit: usize) -> Result<Vec<FilePath>, Denied> {
        self.inner.files(path, ignored, limit)
    }

    fn details(&self, path: &FilePath) -> Result<Details, Denied> {
        self.inner.details(path)
    }

    fn working_set(&self) -> Option<BTreeSet<String>> {
        self.working_set.cloned().or_else(|| self.inner.working_set())
    }

    fn patience(&self, length: usize) -> Box<dyn FnMut() -> ControlFlow<()>> {
        self.inner.patience(length)
    }

    fn parsed(
        &self,
        path: &FilePath,
        language: &'static Language,
        content: Content,
    ) -> Result<Arc<Parsed>, Unparsed> {
        self.inner.parsed(path, language, content)
    }
}
