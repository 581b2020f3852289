//! Files and directories of the workspace: their paths, and what is there.

use std::fmt;
use std::sync::Arc;
use std::time::SystemTime;

use crate::fingerprint::Fingerprint;

/// A file or directory of the workspace after every symlink was followed: the same file has the
/// same `FilePath`. Made by [`Snapshot::resolve`](crate::snapshot::Snapshot::resolve) alone.
#[derive(
    Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize,
)]
pub struct FilePath {
    /// Which of the workspace's folders it is in; 0 is the one that paths are looked up in.
    pub root: usize,
    /// The path in that folder with `/` between names; empty for the folder itself.
    pub path: Arc<str>,
}

impl FilePath {
    /// The path in folder `root`.
    pub fn new(root: usize, path: impl Into<Arc<str>>) -> FilePath {
        FilePath { root, path: path.into() }
    }

    /// The entry `name` of this directory.
    pub fn join(&self, name: &str) -> FilePath {
        match self.path.is_empty() {
            true => FilePath::new(self.root, name),
            false => FilePath::new(self.root, format!("{}/{name}", self.path)),
        }
    }

    /// The directory that it is in; `None` for a workspace folder itself.
    pub fn parent(&self) -> Option<FilePath> {
        if self.path.is_empty() {
            return None;
        }
        let parent = self.path.rsplit_once('/').map_or("", |(parent, _)| parent);
        Some(FilePath::new(self.root, parent))
    }

    /// The last name of the path; empty for a workspace folder itself.
    pub fn name(&self) -> &str {
        self.path.rsplit_once('/').map_or(&self.path, |(_, name)| name)
    }

    /// Whether another path differs from this one in the case of the last name, and in nothing else.
    pub fn is_in_another_case(&self, other: &FilePath) -> bool {
        self != other
            && self.parent() == other.parent()
            && self.root == other.root
            && self.name().to_lowercase() == other.name().to_lowercase()
    }

    /// Whether it is `directory` or lies below it.
    pub fn is_within(&self, directory: &FilePath) -> bool {
        self.root == directory.root
            && (directory.path.is_empty()
                || self.path == directory.path
                || self
                    .path
                    .strip_prefix(&*directory.path)
                    .is_some_and(|rest| rest.starts_with('/')))
    }
}

impl fmt::Display for FilePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.path.is_empty() { "." } else { &self.path })
    }
}

/// Whether a path begins at the system's root. On Windows one without a drive does, too: it is not
/// relative to a folder.
pub fn is_absolute(path: &str) -> bool {
    std::path::Path::new(path).has_root()
}

/// What is at a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub enum State {
    /// Nothing.
    Missing,
    /// A file with this fingerprint.
    File(Fingerprint),
    /// A file that is larger than what is read. Its content is not looked at: it counts as the same
    /// while its size and its time are the same.
    Large {
        /// Its size in bytes.
        size: u64,
        /// When it was last changed, where that is known.
        modified: Option<SystemTime>,
    },
    /// A directory.
    Directory,
}

/// What kind of thing is at a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// A regular file.
    File,
    /// A directory.
    Directory,
}
