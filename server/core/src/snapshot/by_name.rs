//! A workspace whose files are looked up by their names again and again.

use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};
use std::ops::ControlFlow;
use std::sync::Arc;

use super::{Denied, Details, Entry, FilePath, Kind, Snapshot, State};
use crate::structure::Parsed;
use crate::syntax::{Language, Unparsed};
use crate::text::Content;

/// The same workspace, whose files are listed once however many names are asked for.
pub struct ByName<'a> {
    inner: &'a dyn Snapshot,
    /// By folder and limit.
    folders: RefCell<HashMap<(usize, usize), Result<Names, Denied>>>,
}

/// The files of a folder by their names.
type Names = HashMap<String, Vec<FilePath>>;

impl<'a> ByName<'a> {
    /// The workspace, of which nothing is listed yet.
    pub fn new(inner: &'a dyn Snapshot) -> ByName<'a> {
        ByName { inner, folders: RefCell::default() }
    }

    fn names(&self, root: usize, limit: usize) -> Result<Names, Denied> {
        let mut names = Names::new();
        for file in self.inner.files(&FilePath::new(root, ""), false, limit)? {
            names.entry(file.name().to_owned()).or_default().push(file);
        }
        Ok(names)
    }
}

impl Snapshot for ByName<'_> {
    fn resolve(&self, path: &str) -> Result<FilePath, Denied> {
        self.inner.resolve(path)
    }

    fn resolve_absolute(&self, path: &str) -> Result<FilePath, Denied> {
        self.inner.resolve_absolute(path)
    }

    fn name(&self) -> Option<String> {
        self.inner.name()
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

    fn named(&self, root: usize, name: &str, limit: usize) -> Result<Vec<FilePath>, Denied> {
        let mut folders = self.folders.borrow_mut();
        let names = folders.entry((root, limit)).or_insert_with(|| self.names(root, limit));
        let names = names.as_ref().map_err(Denied::clone)?;
        Ok(names.get(name).cloned().unwrap_or_default())
    }

    fn details(&self, path: &FilePath) -> Result<Details, Denied> {
        self.inner.details(path)
    }

    fn working_set(&self) -> Option<BTreeSet<String>> {
        self.inner.working_set()
    }

    fn patience(&self, bytes: usize) -> Box<dyn FnMut() -> ControlFlow<()>> {
        self.inner.patience(bytes)
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::snapshot::MemorySnapshot;

    #[test]
    fn a_name_leads_to_what_a_search_looks_through() {
        let memory = MemorySnapshot::of([("a/x.rs", ""), ("b/x.rs", ""), (".c/x.rs", "")]);
        let by_name = ByName::new(&memory);
        for _ in 0..2 {
            let found = [FilePath::new(0, "a/x.rs"), FilePath::new(0, "b/x.rs")];
            assert_eq!(by_name.named(0, "x.rs", 9).unwrap(), found);
            assert_eq!(by_name.named(0, "y.rs", 9).unwrap(), []);
            assert_eq!(by_name.named(0, "x.rs", 1), Err(Denied::TooMany { limit: 1 }));
        }
    }
}
