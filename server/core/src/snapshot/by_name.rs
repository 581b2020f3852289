//! A workspace whose files are looked up by their names again and again.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use super::{Denied, Layer, Snapshot};
use crate::path::FilePath;

/// The same workspace, whose files are listed once however many names are asked for.
pub(super) struct ByName<'a> {
    inner: &'a dyn Snapshot,
    /// By folder and limit.
    folders: Mutex<HashMap<(usize, usize), Result<Names, Denied>>>,
}

/// The files of a folder by their names.
type Names = HashMap<String, Vec<FilePath>>;

impl<'a> ByName<'a> {
    /// The workspace, of which nothing is listed yet.
    pub(super) fn new(inner: &'a dyn Snapshot) -> ByName<'a> {
        ByName { inner, folders: Mutex::default() }
    }

    fn names(&self, root: usize, limit: usize) -> Result<Names, Denied> {
        let mut names = Names::new();
        for file in self.inner.files(&FilePath::new(root, ""), false, limit)? {
            names.entry(file.name().to_owned()).or_default().push(file);
        }
        Ok(names)
    }
}

impl Layer for ByName<'_> {
    fn inner(&self) -> &dyn Snapshot {
        self.inner
    }

    fn named(&self, root: usize, name: &str, limit: usize) -> Result<Vec<FilePath>, Denied> {
        let mut folders = self.folders.lock().unwrap_or_else(PoisonError::into_inner);
        let names = folders.entry((root, limit)).or_insert_with(|| self.names(root, limit));
        let names = names.as_ref().map_err(Denied::clone)?;
        Ok(names.get(name).cloned().unwrap_or_default())
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
        let named = |root, name, limit| Layer::named(&by_name, root, name, limit);
        for _ in 0..2 {
            let found = [FilePath::new(0, "a/x.rs"), FilePath::new(0, "b/x.rs")];
            assert_eq!(named(0, "x.rs", 9).unwrap(), found);
            assert_eq!(named(0, "y.rs", 9).unwrap(), []);
            assert_eq!(named(0, "x.rs", 1), Err(Denied::TooMany { limit: 1 }));
        }
    }
}
