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
    /// may be before them unless a directory of that name is in it.
    Either,
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

impl Layer for Through<'_> {
    fn inner(&self) -> &dyn Snapshot {
        self.inner
    }

    fn resolve(&self, path: &str) -> Result<FilePath, Denied> {
        match self.paths {
            PathStyle::Relative => self.inner.resolve(path),
            PathStyle::Absolute => self.inner.resolve_absolute(path),
            PathStyle::Virtual => self.inner.surroundings().resolve(path, self.inner),
            PathStyle::Either if is_absolute(path) => self.inner.resolve_absolute(path),
            PathStyle::Either => match self.below_own_name(path) {
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
        let check = |files: &[(&str, &str)], path: &str, expected: &str| {
            let memory = MemorySnapshot {
                home: "/home/shop".to_owned(),
                ..MemorySnapshot::of(files.to_vec())
            };
            let through = Through { inner: &memory, paths: PathStyle::Either, working_set: None };
            let found =
                Snapshot::resolve(&through, path).map_or_else(|it| it.to_string(), |it| it.path);
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
