//! The workspace against a real file system.

#[cfg(unix)]
mod attributes;
mod editor;
#[cfg(unix)]
mod exchange;
#[cfg(any(windows, target_os = "macos"))]
mod folding;
mod handed;
mod journal;
mod ledger_file;
mod reading;
mod reversal;
mod sandbox;
pub(crate) mod store;
mod unsaved;
mod writing;

use std::fs;
use std::path::{Path, PathBuf};

use operator_core::edit::{Change, ChangeSet};
use operator_core::path::{FilePath, Kind};
use operator_core::snapshot::Snapshot;
use operator_core::text::Content;

use super::{Workspace, WorkspaceOptions, real_path, with_slashes};

/// A workspace folder `ws` in a directory of its own, so that there is an outside.
pub(crate) struct Disk {
    directory: tempfile::TempDir,
}

impl Disk {
    pub(crate) fn new() -> Disk {
        let directory = tempfile::tempdir().unwrap();
        fs::create_dir(directory.path().join("ws")).unwrap();
        Disk { directory }
    }

    /// A path beside the workspace folder, or in it with `ws/`.
    pub(crate) fn at(&self, path: &str) -> PathBuf {
        real_path(self.directory.path()).unwrap().join(path)
    }

    /// Writes a file and its parents.
    pub(crate) fn put(&self, path: &str, text: impl AsRef<[u8]>) {
        let path = self.at(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    pub(super) fn text(&self, path: &str) -> String {
        fs::read_to_string(self.at(path)).unwrap()
    }

    pub(super) fn link(&self, target: impl AsRef<Path>, path: &str) {
        #[cfg(unix)]
        std::os::unix::fs::symlink(target, self.at(path)).unwrap();
        #[cfg(windows)]
        link_on_windows(target.as_ref(), &self.at(path));
    }

    pub(crate) fn open(&self) -> Workspace {
        self.open_with(WorkspaceOptions::default())
    }

    pub(super) fn open_with(&self, options: WorkspaceOptions) -> Workspace {
        let workspace = Workspace::open(&[self.at("ws")], options).unwrap();
        workspace.with_state_directory(self.at("state"))
    }
}

pub(crate) fn path(path: &str) -> FilePath {
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

/// A link to a file and one to a directory are two kinds there.
#[cfg(windows)]
fn link_on_windows(target: &Path, at: &Path) {
    use std::os::windows::fs::{symlink_dir, symlink_file};
    let leads_to = at.parent().unwrap().join(target);
    let made = if leads_to.is_dir() { symlink_dir(target, at) } else { symlink_file(target, at) };
    made.unwrap();
}

/// The permissions of a file; elsewhere than on Unix, whether it is read-only.
pub(super) fn mode(data: &fs::Metadata) -> u32 {
    #[cfg(unix)]
    return std::os::unix::fs::PermissionsExt::mode(&data.permissions()) & 0o7777;
    #[cfg(not(unix))]
    return if data.permissions().readonly() { 0o444 } else { 0o644 };
}

/// Gives a file its permissions; elsewhere than on Unix, only whether it is read-only.
pub(super) fn set_mode(at: &Path, mode: u32) {
    let mut permissions = fs::metadata(at).unwrap().permissions();
    #[cfg(unix)]
    std::os::unix::fs::PermissionsExt::set_mode(&mut permissions, mode);
    #[cfg(not(unix))]
    permissions.set_readonly(mode & 0o200 == 0);
    fs::set_permissions(at, permissions).unwrap();
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
            format!("{:o} directory", mode(&data))
        } else {
            format!("{:o} {:?}", mode(&data), fs::read(&at).unwrap())
        };
        let below = at.strip_prefix(directory).unwrap().to_str().unwrap();
        lines.push(format!("{} {what}", with_slashes(below)));
    }
    lines.sort();
    lines
}
