//! The workspace against a real file system.

mod attributes;
mod editor;
mod exchange;
mod journal;
mod reading;
mod reversal;
mod sandbox;
mod store;
mod writing;

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use operator_core::edit::{Change, ChangeSet};
use operator_core::path::{FilePath, Kind};
use operator_core::snapshot::Snapshot;
use operator_core::text::Content;

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
        let workspace = Workspace::open(&[self.at("ws")], options).unwrap();
        workspace.with_state_directory(self.at("state"))
    }
}

pub(super) fn path(path: &str) -> FilePath {
    FilePath::new(0, path)
}

pub(super) fn create(file: &str, text: &str) -> Change {
    Change::Create { path: path(file), content: Content::plain(text), like: None }
}

/// The edit of a file as it is on the disk now.
pub(super) fn edit(workspace: &Workspace, file: &str, after: &str) -> Change {
    let before = workspace.read(&path(file)).unwrap();
    Change::Edit { path: path(file), after: before.with_text(after), before }
}

pub(super) fn delete(file: &str, kind: Kind) -> Change {
    Change::Delete { path: path(file), kind, files: 1 }
}

pub(super) fn rename(from: &str, to: &str, kind: Kind) -> Change {
    Change::Rename { from: path(from), to: path(to), kind, files: 1 }
}

pub(super) fn set<const N: usize>(changes: [Change; N]) -> ChangeSet {
    changes.into_iter().collect()
}

/// Everything below a directory: path, mode, and content or a link's target.
pub(super) fn tree(directory: &Path) -> Vec<String> {
    let mut lines = Vec::new();
    let mut ahead = vec![directory.to_owned()];
    while let Some(at) = ahead.pop() {
        let data = fs::symlink_metadata(&at).unwrap();
        let what = if data.is_symlink() {
            format!("-> {:?}", fs::read_link(&at).unwrap())
        } else if data.is_dir() {
            ahead.extend(fs::read_dir(&at).unwrap().map(|entry| entry.unwrap().path()));
            format!("{:o} directory", data.permissions().mode())
        } else {
            format!("{:o} {:?}", data.permissions().mode(), fs::read(&at).unwrap())
        };
        lines.push(format!("{} {what}", at.strip_prefix(directory).unwrap().display()));
    }
    lines.sort();
    lines
}
