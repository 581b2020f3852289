//! A workspace seen through the rules of one dialect, or of one transcript.

use std::collections::BTreeSet;

use super::{Denied, Layer, Snapshot};
use crate::path::{FilePath, Kind, is_absolute};

/// How the paths of a dialect are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PathStyle {
    /// From the workspace on, whatever they begin with.
    Relative,
    /// From the system's root on.
    Absolute,
    /// From the system's root on where they begin there; else from the workspace on, whose own name
    /// may be before them where no directory of that name is in it and something is at the rest.
    Either,
    /// As [`PathStyle::Either`], whether or not something is at the rest.
    Named,
    /// By the ids of virtual files, whose places the transcript's surroundings tell.
    Virtual,
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

impl Through<'_> {
    /// The rest of a path that begins with the workspace's own name, which may be meant where no
    /// directory of that name is in the workspace.
    pub(crate) fn below_own_name(&self, path: &str) -> Option<String> {
        if !matches!(self.paths, PathStyle::Either | PathStyle::Named) || is_absolute(path) {
            return None;
        }
        let path = path.replace('\\', "/");
        let (first, rest) = path.trim_start_matches("./").split_once('/')?;
        let own = self.inner.name().filter(|own| own == first)?;
        let inside = self.inner.resolve(&own).ok()?;
        let meant = self.inner.kind(&inside).ok()? != Some(Kind::Directory);
        meant.then(|| rest.to_owned())
    }

    /// The rest that a path is taken for.
    pub(crate) fn without_own_name(&self, path: &str) -> Option<String> {
        let rest = self.below_own_name(path)?;
        let is_there = || {
            let file = self.inner.resolve(&rest).ok()?;
            self.inner.kind(&file).ok()?
        };
        (self.paths == PathStyle::Named || is_there().is_some()).then_some(rest)
    }
}

impl Layer for Through<'_> {
    fn inner(&self) -> &dyn Snapshot {
        self.inner
    }

    fn resolve(&self, path: &str) -> Result<FilePath, Denied> {
        match self.paths {
            PathStyle::Relative => self.inner.resolve(path),
            PathStyle::Absolute => self.inner.resolve_absolute(path),
            PathStyle::Virtual => self.inner.surroundings().resolve(path, self.inner),
            PathStyle::Either | PathStyle::Named if is_absolute(path) => {
                self.inner.resolve_absolute(path)
            }
            PathStyle::Either | PathStyle::Named => match self.without_own_name(path) {
                Some(rest) => self.inner.resolve(&rest),
                None => self.inner.resolve(path),
            },
        }
    }

    fn working_set(&self) -> Option<BTreeSet<String>> {
        self.working_set.cloned().or_else(|| self.inner.working_set())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::snapshot::MemorySnapshot;

    #[test]
    fn the_workspaces_own_name_may_stand_before_a_path() {
        use PathStyle::{Either, Named};
        let check = |paths, files: &[(&str, &str)], path: &str, expected: &str| {
            let memory = MemorySnapshot {
                home: "/home/shop".to_owned(),
                ..MemorySnapshot::of(files.to_vec())
            };
            let through = Through { inner: &memory, paths, working_set: None };
            let found = Snapshot::resolve(&through, path)
                .map_or_else(|it| it.to_string(), |it| it.path.to_string());
            assert_eq!(found, expected, "{path}");
        };
        let (plain, inside) = (&[("a", "")][..], &[("shop/a", "")][..]);
        for paths in [Either, Named] {
            for path in ["/home/shop/a", "shop/a", "./shop/a", "shop\\a", "a", "./a"] {
                check(paths, plain, path, "a");
            }
            check(paths, plain, "shop", "shop");
            check(paths, inside, "shop/a", "shop/a");
            check(paths, inside, "shop/b", "shop/b");
            check(paths, &[("shop", ""), ("a", "")], "shop/a", "a");
            check(paths, plain, "/home/other/a", "it is outside the workspace");
            check(paths, plain, "../a", "it is outside the workspace");
        }
        check(Named, plain, "shop/new", "new");
        check(Named, plain, "shop/shop/a", "shop/a");
        check(Either, plain, "shop/new", "shop/new");
        check(Either, plain, "shop/shop/a", "shop/shop/a");
        check(Either, plain, "/home/shop/shop/a", "shop/a");
    }
}
