//! A workspace seen through the rules of one dialect, or of one transcript.

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::sync::Arc;

use super::{Denied, Details, Entry, FilePath, Kind, Snapshot, State};
use crate::structure::Parsed;
use crate::syntax::{Language, Unparsed};
use crate::text::Content;

/// How the paths of a dialect are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PathStyle {
    /// From the workspace on, whatever they begin with.
    Relative,
    /// From the system's root on.
    Absolute,
    /// From the system's root on where they begin there; else from the workspace on, whose own name
    /// may stand before them unless a directory of that name is in it.
    Either,
}

/// The same workspace, but for what the fields say.
pub struct Through<'a> {
    /// The workspace.
    pub inner: &'a dyn Snapshot,
    /// How paths are written.
    pub paths: PathStyle,
    /// The transcript's working set, where it is another than the workspace says.
    pub working_set: Option<&'a BTreeSet<String>>,
}

impl<'a> Through<'a> {
    /// The workspace with another working set.
    pub fn with_working_set(inner: &'a dyn Snapshot, set: &'a BTreeSet<String>) -> Through<'a> {
        Through { inner, paths: PathStyle::Relative, working_set: Some(set) }
    }

    /// The rest of a path that begins with the workspace's own name.
    fn below_own_name(&self, path: &str) -> Option<String> {
        let path = path.replace('\\', "/");
        let (first, rest) = path.trim_start_matches("./").split_once('/')?;
        let own = self.inner.name().filter(|own| own == first)?;
        let inside = self.inner.resolve(&own).ok()?;
        let meant = self.inner.kind(&inside).ok()? != Some(Kind::Directory);
        meant.then(|| rest.to_owned())
    }
}

fn is_absolute(path: &str) -> bool {
    path.starts_with('/') || std::path::Path::new(path).is_absolute()
}

impl Snapshot for Through<'_> {
    fn resolve(&self, path: &str) -> Result<FilePath, Denied> {
        match self.paths {
            PathStyle::Relative => self.inner.resolve(path),
            PathStyle::Absolute => self.inner.resolve_absolute(path),
            PathStyle::Either if is_absolute(path) => self.inner.resolve_absolute(path),
            PathStyle::Either => match self.below_own_name(path) {
                Some(rest) => self.inner.resolve(&rest),
                None => self.inner.resolve(path),
            },
        }
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
        self.inner.named(root, name, limit)
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::snapshot::{ByName, MemorySnapshot, Staged};

    /// A workspace that gives no parse any time.
    struct Hasty(MemorySnapshot);

    impl Snapshot for Hasty {
        fn resolve(&self, path: &str) -> Result<FilePath, Denied> {
            self.0.resolve(path)
        }
        fn resolve_absolute(&self, path: &str) -> Result<FilePath, Denied> {
            self.0.resolve_absolute(path)
        }
        fn kind(&self, path: &FilePath) -> Result<Option<Kind>, Denied> {
            self.0.kind(path)
        }
        fn read(&self, path: &FilePath) -> Result<Content, Denied> {
            self.0.read(path)
        }
        fn state(&self, path: &FilePath) -> Result<State, Denied> {
            self.0.state(path)
        }
        fn writable(&self, path: &FilePath) -> Result<(), Denied> {
            self.0.writable(path)
        }
        fn list(&self, path: &FilePath) -> Result<Vec<Entry>, Denied> {
            self.0.list(path)
        }
        fn files(&self, path: &FilePath, all: bool, most: usize) -> Result<Vec<FilePath>, Denied> {
            self.0.files(path, all, most)
        }
        fn patience(&self, _: usize) -> Box<dyn FnMut() -> ControlFlow<()>> {
            Box::new(|| ControlFlow::Break(()))
        }
    }

    #[test]
    fn what_stands_before_a_workspace_keeps_its_time_limit() {
        let hasty = Hasty(MemorySnapshot::default());
        let working_set = BTreeSet::new();
        let layers: [&dyn Snapshot; 3] = [
            &ByName::new(&hasty),
            &Through::with_working_set(&hasty, &working_set),
            &Staged::new(&hasty),
        ];
        assert!(layers.iter().all(|layer| layer.patience(1)().is_break()));
    }

    #[test]
    fn the_workspaces_own_name_may_stand_before_a_path() {
        let check = |files: &[(&str, &str)], path: &str, expected: &str| {
            let memory = MemorySnapshot {
                home: "/home/shop".to_owned(),
                ..MemorySnapshot::of(files.to_vec())
            };
            let through = Through { inner: &memory, paths: PathStyle::Either, working_set: None };
            let found = through.resolve(path).map_or_else(|it| it.to_string(), |it| it.path);
            assert_eq!(found, expected, "{path}");
        };
        let (plain, inside) = (&[("a", "")][..], &[("shop/a", "")][..]);
        for path in ["/home/shop/a", "shop/a", "./shop/a", "shop\\a", "a", "./a"] {
            check(plain, path, "a");
        }
        check(plain, "shop", "shop");
        check(plain, "shop/shop/a", "shop/a");
        check(inside, "shop/a", "shop/a");
        check(inside, "shop/b", "shop/b");
        check(&[("shop", "")], "shop/a", "a");
        check(plain, "/home/other/a", "it is outside the workspace");
        check(plain, "../a", "it is outside the workspace");
    }
}
