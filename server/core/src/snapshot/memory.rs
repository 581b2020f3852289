//! A workspace in memory, for tests and conformance cases.

use std::collections::BTreeMap;

use super::{Denied, Entry, FilePath, Kind, Snapshot, State};
use crate::text::Content;

/// Files by path; directories are there by the files in them.
#[derive(Debug, Clone, Default)]
pub struct MemorySnapshot {
    /// Each file's bytes by its path, `src/main.rs`.
    pub files: BTreeMap<String, Vec<u8>>,
}

impl Snapshot for MemorySnapshot {
    fn resolve(&self, path: &str) -> Result<FilePath, Denied> {
        Ok(FilePath::new(0, path))
    }
    fn kind(&self, _: &FilePath) -> Result<Option<Kind>, Denied> {
        Ok(None)
    }
    fn read(&self, _: &FilePath) -> Result<Content, Denied> {
        Err(Denied::NotFound)
    }
    fn state(&self, _: &FilePath) -> Result<State, Denied> {
        Ok(State::Missing)
    }
    fn list(&self, _: &FilePath) -> Result<Vec<Entry>, Denied> {
        Err(Denied::NotFound)
    }
    fn files(&self, _: &FilePath, _: bool, _: usize) -> Result<Vec<FilePath>, Denied> {
        Ok(Vec::new())
    }
}
