//! The workspace against a real file system.

mod reading;
mod sandbox;

use std::fs;
use std::path::{Path, PathBuf};

use super::{Workspace, WorkspaceOptions};

/// A workspace folder `ws` in a directory of its own, so that there is an outside.
pub(super) struct Disk {
    directory: tempfile::TempDir,
}

impl Disk {
    pub(super) fn new() -> Disk {
        let directory = tempfile::tempdir().unwrap();
        fs::create_dir(directory.path().join("ws")).unwrap();
        Disk { directory }
    }

    /// A path beside the workspace folder, or in it with `ws/`.
    pub(super) fn at(&self, path: &str) -> PathBuf {
        self.directory.path().canonicalize().unwrap().join(path)
    }

    /// Writes a file and its parents.
    pub(super) fn put(&self, path: &str, text: impl AsRef<[u8]>) {
        let path = self.at(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    pub(super) fn text(&self, path: &str) -> String {
        fs::read_to_string(self.at(path)).unwrap()
    }

    pub(super) fn link(&self, target: impl AsRef<Path>, path: &str) {
        std::os::unix::fs::symlink(target, self.at(path)).unwrap();
    }

    pub(super) fn open(&self) -> Workspace {
        self.open_with(WorkspaceOptions::default())
    }

    pub(super) fn open_with(&self, options: WorkspaceOptions) -> Workspace {
        Workspace::open(&[self.at("ws")], options).unwrap()
    }
}
